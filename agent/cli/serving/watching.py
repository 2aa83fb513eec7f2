"""Watches a run of a service: shows what occurs, has the person here asked, and stops it when they say so."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from agent.cli.screen.stopping import stop_by_signals
from agent.cli.serving.following import RunFollower
from agent.service.callers import Caller
from agent.service.orders import EventRecord, RunRecord
from agent.service.ports import Service


class RunAnswers(Protocol):
    """Asks a person, and passes on what they say."""

    async def give(self, told: Mapping[str, Any]) -> None:
        """Ask what a record of a question says, and pass the answer on."""
        ...


class RunWatch(RunFollower):
    """Follows one run after another, with the person here."""

    def __init__(
        self, service: Service, caller: Caller, show: Callable[[EventRecord], None], answers: RunAnswers | None = None
    ) -> None:
        """Follow nothing yet.

        Args:
            answers: Asks the person here; None where nobody is here.
        """
        super().__init__(service, caller, show)
        self._answers = answers
        self._asking: dict[str, asyncio.Task[Any]] = {}
        self._stopping: asyncio.Task[Any] | None = None

    async def watch(self, run_id: str) -> RunRecord:
        """Return what came of a run, once it has ended."""
        with stop_by_signals(lambda: self._stop(run_id)):
            try:
                return await self.follow(run_id)
            finally:
                await self._forget()

    def _take(self, record: EventRecord) -> None:
        action_id = str(record.get("action_id", ""))
        if record.get("event") == "question" and record.get("approval_id") and self._answers:
            self._asking[action_id] = asyncio.ensure_future(self._answers.give(record))
        elif asking := self._asking.pop(action_id, None):  # somebody answered elsewhere, or it is too late
            asking.cancel()
        super()._take(record)

    def _stop(self, run_id: str) -> None:
        self._stopping = asyncio.ensure_future(self._service.stop(self._caller, run_id=run_id))

    async def _forget(self) -> None:
        tasks = [*self._asking.values(), *([self._stopping] if self._stopping else [])]
        self._asking.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
