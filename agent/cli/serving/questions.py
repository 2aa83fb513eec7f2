"""What waits for a person in a service, asked at the terminal: of one run, or of everybody's as `surehand service questions` does."""

import asyncio
from pathlib import Path
from typing import Any, Final

from agent.cli.exits import BAD_INPUT, STEP_FAILED, SUCCEEDED
from agent.cli.screen.output import write_error, write_error_text, write_json, write_result
from agent.cli.screen.prompts import TerminalGate, TerminalSettler
from agent.cli.screen.reports import is_at_terminal
from agent.remote.finding import find_running
from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.service.callers import Caller
from agent.service.orders import OpenQuestion
from agent.service.ports import SessionsPort
from core.approvals.approvals import ApprovalGate, ApprovalRequest
from core.base.errors import SurehandError
from core.base.phrases import escape_text
from core.results.records import to_data
from core.tools.previews import Preview

CALLER: Final = Caller(door="cli")
_LOOK_S = 0.1
_TOO_LATE = frozenset({"approval_used", "approval_expired", "approval_unknown", "unknown_question"})


class PersonsAnswers:
    """Asks the person at the terminal what waits, and passes on what they say."""

    def __init__(
        self, service: SessionsPort, caller: Caller, gate: ApprovalGate | None, settler: TerminalSettler | None
    ) -> None:
        """Ask nothing yet.

        Args:
            gate: Asks for approvals; None for none.
            settler: Asks whether an act happened; None where that stays unknown.
        """
        self._service = service
        self._caller = caller
        self._gate = gate
        self._settler = settler

    async def give_all(self, run_id: str) -> None:
        """Answer what a run asks, until this is ended."""
        given = set[str]()
        while True:
            for asked in await self._service.list_questions(self._caller):
                if asked.run_id == run_id and asked.question_id not in given:
                    given.add(asked.question_id)
                    await self._give(asked)
            await asyncio.sleep(_LOOK_S)

    async def give_open(self) -> int:
        """Answer everything that is asked of a person now, whoever's run asks; return how much that was."""
        waiting = [each for each in await self._service.list_questions(self._caller) if each.run_id]
        for asked in waiting:
            write_error_text(f"{escape_text(tell_asker(asked))}\n")
            await self._give(asked)
        return len(waiting)

    async def _give(self, asked: OpenQuestion) -> None:
        from agent.hosting.open_outcomes import SETTLEMENTS

        answer: bool | str
        if asked.kind == "confirm" and self._gate:
            answer = bool(await self._gate.decide(_read_request(asked)))
        elif asked.kind == "disambiguate" and asked.choices == tuple(SETTLEMENTS):
            said = await self._settler.ask(asked.prompt, asked.operation) if self._settler else "unknown"
            answer = next(words for words, meaning in SETTLEMENTS.items() if meaning == said)
        else:
            return
        try:
            await self._service.answer(self._caller, asked.question_id, asked.digest, answer=answer)
        except SurehandError as error:
            if error.code not in _TOO_LATE:
                raise


def answer_questions(workspace: Path, *, as_json: bool) -> int:
    """Ask the person at the terminal what waits in the service of a folder, or print it; return the exit code.

    Args:
        as_json: Whether to print data, and ask nothing.
    """
    try:
        running = find_running(workspace)
        if running is None:
            write_result("No service runs for this folder.\n")
            return STEP_FAILED
        asyncio.run(_answer(RemoteService(ServiceClient(running)), as_json=as_json))
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    return SUCCEEDED


async def _answer(service: RemoteService, *, as_json: bool) -> None:
    if not as_json and is_at_terminal():
        if not await PersonsAnswers(service, CALLER, TerminalGate(()), TerminalSettler()).give_open():
            write_result("Nothing is asked.\n")
        return
    waiting = await service.list_questions(CALLER)
    if as_json:
        write_json(to_data(list(waiting)))
        return
    told = [f"{tell_asker(asked)} {asked.prompt}" for asked in waiting] or ["Nothing is asked."]
    write_result("".join(f"{escape_text(line)}\n" for line in told))


def tell_asker(asked: OpenQuestion) -> str:
    """Return who asks, and where."""
    return f"{asked.asker or 'Your own run'}, session {asked.session}:"


def _read_request(asked: OpenQuestion) -> ApprovalRequest:
    preview = Preview(asked.operation, asked.diff) if asked.operation or asked.diff else None
    kind: Any = asked.approval
    return ApprovalRequest(
        "", asked.digest, kind, asked.prompt, {}, preview, approval_id=asked.question_id, approval_digest=asked.digest
    )
