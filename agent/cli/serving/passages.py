"""`surehand run`, `resume` and `undo` through a service where somebody can be asked: the same steps on the screen, the same questions."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agent.cli.asking import Asked, RunOptions
from agent.cli.screen.stopping import stop_by_signals
from agent.cli.serving.following import open_screen, read_event
from agent.cli.serving.ordering import make_request_id
from agent.cli.serving.watching import RunAnswers, RunWatch
from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.remote.service_file import RunningService
from agent.service.callers import Caller
from agent.service.orders import EventRecord, RunOrder
from core.base.errors import SurehandError
from core.results.records import from_data
from core.results.tool_results import RunResult

if TYPE_CHECKING:
    from agent.cli.screen.prompts import TerminalSettler
    from agent.sessions.undo import UndoResult
    from core.approvals.approvals import ApprovalGate
    from core.results.events import Emit

_CALLER = Caller(door="cli")


class ServicePassage:
    """A way through a service."""

    def __init__(self, service: RunningService) -> None:
        self._remote = RemoteService(ServiceClient(service))

    async def resume(
        self, run_id: str, gate: "ApprovalGate", emit: "Emit", settler: "TerminalSettler | None"
    ) -> RunResult:
        """Have a run gone on with, and show what occurs.

        Args:
            settler: Asks the person here whether an act happened; None where nobody is here, so that it stays unknown.
        """
        from agent.cli.serving.questions import PersonsAnswers

        ticket = await self._remote.resume(_CALLER, run_id)
        answers = PersonsAnswers(self._remote, _CALLER, gate, settler)
        return await self._watch(ticket.run_id, lambda record: _show(record, emit), answers)

    async def undo(self, run_id: str, gate: "ApprovalGate", *, dry: bool) -> "UndoResult":
        """Have a run taken back, and pass on what the person here answers."""
        from agent.cli.serving.questions import PersonsAnswers
        from agent.sessions.undo import UndoResult

        beside: list[asyncio.Future[Any]] = []

        def stop() -> None:
            beside.append(asyncio.ensure_future(self._remote.stop(_CALLER, run_id=run_id)))

        beside.append(asyncio.ensure_future(PersonsAnswers(self._remote, _CALLER, gate).give_all(run_id)))
        with stop_by_signals(stop):
            try:
                return from_data(UndoResult, await self._remote.undo(_CALLER, run_id, dry=dry))
            finally:
                for task in beside:
                    task.cancel()
                    with suppress(asyncio.CancelledError, SurehandError):  # told by what it was beside
                        await task

    async def _watch(self, run_id: str, show: Callable[[EventRecord], None], answers: RunAnswers | None) -> RunResult:
        return from_data(RunResult, await RunWatch(self._remote, _CALLER, show, answers).watch(run_id))


class ServiceRun(ServicePassage):
    """The way of one order."""

    def __init__(self, service: RunningService, asked: Asked, options: RunOptions) -> None:
        super().__init__(service)
        self._asked = asked
        self._options = options

    async def carry_out(self, order: RunOrder) -> RunResult:
        """Return what came of an order; what a sentence lacks is asked of the person here."""
        result = await self._begin(order)
        if not (result.errors and result.question and order.text):
            return result
        text = await self._complete(order.text)
        return (
            result if text == order.text else await self._begin(replace(order, text=text, request_id=make_request_id()))
        )

    async def _begin(self, order: RunOrder) -> RunResult:
        from agent.cli.screen.prompts import TerminalGate
        from agent.cli.serving.questions import PersonsAnswers

        ticket = await self._remote.begin(_CALLER, order)
        screen = open_screen(self._options)
        answers = PersonsAnswers(self._remote, _CALLER, TerminalGate((), screen.hold))
        try:
            return await self._watch(ticket.run_id, lambda record: _show(record, screen.show), answers)
        finally:
            screen.close()

    async def _complete(self, text: str) -> str:
        """Return a sentence with the answers of the person here; what understands it is imported for that alone."""
        from contextlib import nullcontext

        from agent.assembly import make_session
        from agent.cli.answers import complete_request
        from agent.requests.requests import Request
        from agent.settings.settings import load_settings

        workspace = self._asked.workspace
        async with make_session(load_settings(workspace), workspace) as session:
            completed = await complete_request(Request(utterance=text), session.interpreter, nullcontext)
        return completed.utterance or text


def _show(record: EventRecord, emit: "Emit") -> None:
    if event := read_event(record):
        emit(event)
