"""Watches a run of a service: shows what occurs, has the person here asked, and stops it when they say so."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from agent.cli.screen.stopping import stop_by_signals
from agent.service.callers import Caller
from agent.service.orders import EventRecord, RunRecord
from agent.service.ports import Service
from core.base.errors import SurehandError
from core.results.events import Accepted, Event, Question, Rejected, Say, Step
from core.results.events import Final as Ended
from core.results.records import from_data

_AWAY = frozenset({"service_gone", "service_missing"})
_KINDS: Final[Mapping[str, type[Event]]] = {
    each.event_name: each for each in (Accepted, Rejected, Question, Step, Say, Ended)
}


class RunAnswers(Protocol):
    """Asks a person, and passes on what they say."""

    async def give(self, told: Mapping[str, Any]) -> None:
        """Ask what a record of a question says, and pass the answer on."""
        ...


def read_event(record: EventRecord) -> Event | None:
    """Return an event; None for one of a planner, which no list of steps shows."""
    kind = _KINDS.get(str(record.get("event")))
    return from_data(kind, record) if kind else None


class RunWatch:
    """Follows one run after another."""

    def __init__(
        self, service: Service, caller: Caller, show: Callable[[EventRecord], None], answers: RunAnswers | None = None
    ) -> None:
        """Follow nothing yet.

        Args:
            answers: Asks the person here; None where nobody is here.
        """
        self._service = service
        self._caller = caller
        self._show = show
        self._answers = answers
        self._seen: dict[str, EventRecord] = {}
        self._asking: dict[str, asyncio.Task[Any]] = {}
        self._stopping: asyncio.Task[Any] | None = None

    async def watch(self, run_id: str) -> RunRecord:
        """Return what came of a run, once it has ended."""
        with stop_by_signals(lambda: self._stop(run_id)):
            try:
                async for record in self._service.follow(self._caller, run_id):
                    self._take(record)
                return await self._fetch_result(run_id)
            finally:
                await self._forget()

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

    def _take(self, record: EventRecord) -> None:
        self._seen[str(record.get("event"))] = record
        action_id = str(record.get("action_id", ""))
        if record.get("event") == "question" and record.get("approval_id") and self._answers:
            self._asking[action_id] = asyncio.ensure_future(self._answers.give(record))
        elif asking := self._asking.pop(action_id, None):  # somebody answered elsewhere, or it is too late
            asking.cancel()
        self._show(record)

    def _stop(self, run_id: str) -> None:
        self._stopping = asyncio.ensure_future(self._service.stop(self._caller, run_id=run_id))

    async def _forget(self) -> None:
        tasks = [*self._asking.values(), *([self._stopping] if self._stopping else [])]
        self._asking.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
