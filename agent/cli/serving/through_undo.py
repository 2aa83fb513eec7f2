"""`surehand undo` and `surehand resume` through the service of the folder: it holds the journal while its runs are open."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from agent.cli.screen.prompts import TerminalSettler
from agent.cli.screen.stopping import stop_by_signals
from agent.cli.serving.questions import CALLER, PersonsAnswers
from agent.cli.serving.told_runs import read_event, read_info, read_result
from agent.cli.serving.watching import RunWatch
from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.remote.service_file import RunningService
from agent.service.orders import EventRecord
from agent.sessions.undo import UndoResult, UndoStep
from core.approvals.approvals import ApprovalGate
from core.base.errors import SurehandError
from core.results.events import Emit
from core.results.tool_results import RunResult
from core.tools.previews import Preview


class ServiceWay:
    """Takes runs back, and goes on with them, through a service."""

    def __init__(self, service: RunningService) -> None:
        """Ask nothing yet."""
        self._remote = RemoteService(ServiceClient(service))

    async def undo(self, run_id: str, gate: ApprovalGate, *, dry: bool) -> UndoResult:
        """Have a run taken back, and pass on what the person here answers.

        Args:
            dry: Whether to say only what would be taken back.

        Raises:
            SurehandError: If the service refuses or ends.
        """
        stopping: list[asyncio.Future[int]] = []

        def stop() -> None:
            stopping.append(asyncio.ensure_future(self._remote.stop(CALLER, run_id=run_id)))

        answering = asyncio.ensure_future(PersonsAnswers(self._remote, CALLER, gate, None).give_all(run_id))
        with stop_by_signals(stop):
            try:
                return read_undone(await self._remote.undo(CALLER, run_id, dry=dry))
            finally:
                await _end(answering, *stopping)

    async def resume(self, run_id: str, gate: ApprovalGate, emit: Emit, settler: TerminalSettler | None) -> RunResult:
        """Have a run gone on with, and show what occurs.

        Args:
            settler: Asks the person here whether an act happened; None where nobody is here, so that it stays unknown.

        Raises:
            SurehandError: If the service refuses or ends.
        """

        def show(record: EventRecord) -> None:
            if event := read_event(record):
                emit(event)

        ticket = await self._remote.resume(CALLER, run_id)
        answering = asyncio.ensure_future(PersonsAnswers(self._remote, CALLER, None, settler).give_all(ticket.run_id))
        try:
            return read_result(await RunWatch(self._remote, CALLER, show, gate).watch(ticket.run_id))
        finally:
            await _end(answering)


def read_undone(told: Mapping[str, Any]) -> UndoResult:
    """Return what became of taking a run back, as this process has its own."""
    return UndoResult(
        told["run_id"],
        told["asked"],
        tuple(map(_read_step, told["steps"])),
        tuple(map(read_info, told["errors"])),
        dry=told["dry"],
    )


def _read_step(told: Mapping[str, Any]) -> UndoStep:
    preview = told.get("preview")
    return UndoStep(
        told["action_id"],
        told["description"],
        told["status"],
        told["how"],
        told["evidence"],
        read_info(told["error"]) if told.get("error") else None,
        Preview(preview["operation"], preview["diff"], target=preview.get("target") or {}) if preview else None,
    )


async def _end(*tasks: "asyncio.Future[Any]") -> None:
    """End what was done beside; its faults are told by what it was beside."""
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError, SurehandError):
            await task
