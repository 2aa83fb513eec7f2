"""What waits for a person in a service, asked at the terminal: of one run, or of everybody's as `surehand service questions` does."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from agent.cli.screen.output import write_error_text
from agent.cli.screen.prompts import TerminalSettler
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
"""Codes of answers that came too late: somebody else answered, or nobody waits any more."""


class PersonsAnswers:
    """Asks the person at the terminal what waits, and passes on what they say."""

    def __init__(
        self,
        service: SessionsPort,
        caller: Caller,
        gate: ApprovalGate | None = None,
        settler: TerminalSettler | None = None,
    ) -> None:
        """Ask nothing yet.

        Args:
            settler: Asks whether an act happened; None where that stays unknown.
        """
        self._service = service
        self._caller = caller
        self._gate = gate
        self._settler = settler

    async def give(self, told: Mapping[str, Any]) -> None:
        """Ask what a record of a question says, and pass the answer on; what can't be asked here is left open."""
        from agent.hosting.open_outcomes import SETTLEMENTS

        answer: bool | str
        if told["kind"] == "confirm" and self._gate:
            answer = bool(await self._gate.decide(_read_request(told)))
        elif told["kind"] == "disambiguate" and tuple(told["choices"]) == tuple(SETTLEMENTS):
            said = await self._settler.ask(told["prompt"], told["operation"]) if self._settler else "unknown"
            answer = next(words for words, meaning in SETTLEMENTS.items() if meaning == said)
        else:
            return
        try:
            await self._service.answer(self._caller, told["approval_id"], told["approval_digest"], answer=answer)
        except SurehandError as error:
            if error.code not in _TOO_LATE:
                raise

    async def give_all(self, run_id: str) -> None:
        """Answer what a run asks that has no events, until this is ended."""
        given = set[str]()
        while True:
            for asked in await self._service.list_questions(self._caller):
                if asked.run_id == run_id and asked.question_id not in given:
                    given.add(asked.question_id)
                    await self.give(_tell_open(asked))
            await asyncio.sleep(_LOOK_S)

    async def give_open(self) -> int:
        """Answer everything that is asked of a person now, whoever's run asks; return how much that was."""
        waiting = [each for each in await self._service.list_questions(self._caller) if each.run_id]
        for asked in waiting:
            write_error_text(f"{escape_text(tell_asker(asked))}\n")
            await self.give(_tell_open(asked))
        return len(waiting)


def tell_asker(asked: OpenQuestion) -> str:
    """Return who asks, and where."""
    return f"{asked.asker or 'Your own run'}, session {asked.session}:"


def _tell_open(asked: OpenQuestion) -> dict[str, Any]:
    """Return an open question as the event of it has it."""
    return {**to_data(asked), "approval_id": asked.question_id, "approval_digest": asked.digest}


def _read_request(told: Mapping[str, Any]) -> ApprovalRequest:
    """Return a question as a process has it that asks itself."""
    operation, diff, target = told["operation"], told["diff"], told.get("target") or {}
    return ApprovalRequest(
        told.get("action_id", ""),
        told["digest"],
        told["approval"],
        told["prompt"],
        {name: tuple(steps) for name, steps in told.get("sources", {}).items()},
        preview=Preview(operation, diff, target=target) if operation or diff or target else None,
        approval_id=told["approval_id"],
        approval_digest=told["approval_digest"],
        expires_at=told.get("expires_at", ""),
        expires_in_s=float(told.get("expires_in_s", 0)),
    )
