"""Follows a run of a service: shows what occurs, and returns what came of it. Nothing here needs a loop."""

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from agent.cli.asking import RunOptions
from agent.cli.screen.output import choose_detail
from agent.service.callers import Caller
from agent.service.orders import EventRecord, RunRecord
from agent.service.ports import Service
from core.base.errors import SurehandError
from core.results.events import Accepted, Event, Question, Rejected, Say, Step
from core.results.events import Final as Ended
from core.results.records import from_data

if TYPE_CHECKING:
    from agent.cli.screen.progress import TerminalProgress

_AWAY = frozenset({"service_gone", "service_missing"})
_KINDS: Final[Mapping[str, type[Event]]] = {
    each.event_name: each for each in (Accepted, Rejected, Question, Step, Say, Ended)
}


def read_event(record: EventRecord) -> Event | None:
    """Return an event; None for one of a planner, which no list of steps shows."""
    kind = _KINDS.get(str(record.get("event")))
    return from_data(kind, record) if kind else None


class RunFollower:
    """Follows one run after another."""

    def __init__(self, service: Service, caller: Caller, show: Callable[[EventRecord], None]) -> None:
        """Follow nothing yet."""
        self._service = service
        self._caller = caller
        self._show = show
        self._seen: dict[str, EventRecord] = {}

    async def follow(self, run_id: str) -> RunRecord:
        """Return what came of a run, once it has ended."""
        async for record in self._service.follow(self._caller, run_id):
            self._take(record)
        return await self._fetch_result(run_id)

    def _take(self, record: EventRecord) -> None:
        self._seen[str(record.get("event"))] = record
        self._show(record)

    async def _fetch_result(self, run_id: str) -> RunRecord:
        """Return what came of a run that has ended; of a service that ended right behind it, what its events said."""
        try:
            return await self._service.result(self._caller, run_id)
        except SurehandError as error:
            if error.code not in _AWAY or not self._seen.get("final"):
                raise
        rejected, final = self._seen.get("planner.rejected", {}), self._seen["final"]
        told = {"errors": rejected.get("errors", ()), "question": rejected.get("question", "")}
        return {**final, **told, "step_logs": final["steps"]}


def open_screen(options: RunOptions) -> "TerminalProgress":
    """Return what shows the steps of a run; it is imported while the service is at work."""
    from agent.cli.screen.progress import TerminalProgress

    detail = choose_detail(quiet=options.quiet, verbose=options.verbose)
    return TerminalProgress(sys.stdout, detail, full=options.full)
