"""`surehand undo` and `surehand resume` through the service of the folder: it holds the journal while its runs are open."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from agent.cli.screen.prompts import TerminalSettler
from agent.cli.screen.stopping import stop_by_signals
from agent.cli.serving.choosing import ServiceChoice
from agent.cli.serving.told_runs import read_event, read_info, read_result
from agent.cli.serving.watching import RunWatch
from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.remote.service_file import RunningService
from agent.service.callers import Caller
from agent.service.orders import EventRecord, OpenQuestion
from agent.sessions.undo import UndoResult, UndoStep
from core.approvals.approvals import ApprovalGate, ApprovalRequest
from core.base.errors import SurehandError
from core.results.events import Emit
from core.results.tool_results import RunResult
from core.tools.previews import Preview

_LOOK_S = 0.1
_TOO_LATE = frozenset({"approval_used", "approval_expired", "approval_unknown", "unknown_question"})
_CALLER = Caller(door="cli")


def find_way(workspace: Path) -> "ServiceWay | None":
    """Return the way through the service that runs for a folder; None for none.

    Args:
        workspace: The folder.

    Raises:
        RefusedError: ``unsafe_folder``.
    """
    choice = ServiceChoice()
    service = choice.find(workspace) if choice.may_find(workspace) else None
    return ServiceWay(service) if service else None


class ServiceWay:
    """Takes runs back, and goes on with them, through a service."""

    def __init__(self, service: RunningService) -> None:
        """Ask nothing yet.

        Args:
            service: The service of the folder.
        """
        self._remote = RemoteService(ServiceClient(service))

    async def undo(self, run_id: str, gate: ApprovalGate, *, dry: bool) -> UndoResult:
        """Have a run taken back, and pass on what the person here answers.

        Args:
            run_id: The run.
            gate: Who answers approvals here.
            dry: Whether to say only what would be taken back.

        Raises:
            SurehandError: If the service refuses or ends.
        """
        stopping: list[asyncio.Future[int]] = []

        def stop() -> None:
            stopping.append(asyncio.ensure_future(self._remote.stop(_CALLER, run_id=run_id)))

        answering = asyncio.ensure_future(_RunAnswers(self._remote, run_id, gate, None).give_all())
        with stop_by_signals(stop):
            try:
                return read_undone(await self._remote.undo(_CALLER, run_id, dry=dry))
            finally:
                await _end(answering, *stopping)

    async def resume(self, run_id: str, gate: ApprovalGate, emit: Emit, settler: TerminalSettler | None) -> RunResult:
        """Have a run gone on with, and show what occurs.

        Args:
            run_id: The run.
            gate: Who answers approvals here.
            emit: Shows an event.
            settler: Asks the person here whether an act happened; None where nobody is here, so that it stays unknown.

        Raises:
            SurehandError: If the service refuses or ends.
        """

        def show(record: EventRecord) -> None:
            if event := read_event(record):
                emit(event)

        ticket = await self._remote.resume(_CALLER, run_id)
        answering = asyncio.ensure_future(_RunAnswers(self._remote, ticket.run_id, None, settler).give_all())
        try:
            return read_result(await RunWatch(self._remote, _CALLER, show, gate).watch(ticket.run_id))
        finally:
            await _end(answering)


class _RunAnswers:
    """Answers what a run asks, by what the person here says."""

    def __init__(
        self, remote: RemoteService, run_id: str, gate: ApprovalGate | None, settler: TerminalSettler | None
    ) -> None:
        self._remote = remote
        self._run_id = run_id
        self._gate = gate
        self._settler = settler

    async def give_all(self) -> None:
        """Answer until it is ended."""
        given = set[str]()
        while True:
            for asked in await self._remote.list_questions(_CALLER):
                if asked.run_id == self._run_id and asked.question_id not in given:
                    given.add(asked.question_id)
                    await self._give(asked)
            await asyncio.sleep(_LOOK_S)

    async def _give(self, asked: OpenQuestion) -> None:
        from agent.hosting.open_outcomes import SETTLEMENTS

        answer: bool | str
        if asked.kind == "confirm" and self._gate:
            answer = await self._gate.decide(_read_request(asked))
        elif asked.kind == "disambiguate" and asked.choices == tuple(SETTLEMENTS):
            said = await self._settler.ask(asked.prompt, asked.operation) if self._settler else "unknown"
            answer = next(words for words, meaning in SETTLEMENTS.items() if meaning == said)
        else:
            return
        try:
            await self._remote.answer(_CALLER, asked.question_id, asked.digest, answer=answer)
        except SurehandError as error:
            if error.code not in _TOO_LATE:
                raise


def read_undone(told: Mapping[str, Any]) -> UndoResult:
    """Return what became of taking a run back, as this process has its own.

    Args:
        told: As a service gives it.
    """
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


def _read_request(asked: OpenQuestion) -> ApprovalRequest:
    preview = Preview(asked.operation, asked.diff) if asked.operation or asked.diff else None
    kind: Any = asked.approval
    return ApprovalRequest(
        "", asked.digest, kind, asked.prompt, {}, preview, approval_id=asked.question_id, approval_digest=asked.digest
    )


async def _end(*tasks: "asyncio.Future[Any]") -> None:
    """End what was done beside; its faults are told by what it was beside."""
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError, SurehandError):
            await task
