"""Open outcomes: acts whose end nobody saw, asked about as questions that a person settles at any door of theirs."""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Final

from actuators.deadlines import finish_within
from agent.service.callers import Caller
from agent.service.orders import OpenQuestion
from core.base.errors import ApprovalError, InputError
from core.base.late_dataclasses import dataclass, field
from core.base.phrases import escape_text
from core.journal.resume import OpenAct, Settlement
from core.results.events import Event, Question
from core.results.records import to_data
from core.results.tool_results import Finding

SETTLEMENTS: Final[Mapping[str, Settlement]] = {
    "It happened": "done",
    "It did not happen": "not_done",
    "Leave it unknown": "unknown",
}
_WAIT_S = 300.0


@dataclass(slots=True)
class OpenOutcome:
    """A question about an act whose end nobody saw.

    Attributes:
        expires: When it can't be answered any more, by the clock that only goes forward.
    """

    question: OpenQuestion
    expires: float
    said: "asyncio.Future[Settlement]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def answer(self, caller: Caller, answer: object) -> None:
        """Take an answer: one of the choices, by a person.

        Raises:
            InputError: If it is none of them.
            ApprovalError: ``approval_needs_a_person``, or ``approval_used`` if it was answered already.
        """
        said = str(answer).strip().casefold()
        chosen: Settlement | None = next((each for name, each in SETTLEMENTS.items() if name.casefold() == said), None)
        if chosen is None:
            raise InputError("This question takes one of its choices.", hint=f"Choose: {'; '.join(SETTLEMENTS)}.")
        if chosen != "unknown" and not caller.may_approve:
            text = f"A person has to say that: {self.question.prompt}"
            raise ApprovalError(text, code="approval_needs_a_person", hint="Answer in the console or in a chat.")
        if self.said.done():
            raise ApprovalError("The question is already answered.", code="approval_used")
        self.said.set_result(chosen)


@dataclass(frozen=True, slots=True)
class OutcomeAsker:
    """A ``Settler`` that puts acts among the open questions of a session."""

    session: str
    run_id: str
    outcomes: dict[str, OpenOutcome]
    tell: Callable[[Event], None]

    async def settle(self, act: OpenAct, finding: Finding) -> Settlement:
        """Return what a person says; ``unknown`` where nobody does in time."""
        asked = OpenOutcome(self._describe(act, finding), time.monotonic() + _WAIT_S)
        self.outcomes[asked.question.question_id] = asked
        self._tell(act, asked.question)
        try:
            return await finish_within(asked.said, _WAIT_S)
        except TimeoutError:
            return "unknown"
        finally:
            del self.outcomes[asked.question.question_id]

    def _describe(self, act: OpenAct, finding: Finding) -> OpenQuestion:
        question_id = secrets.token_hex(16)
        told = f"Did this happen? {escape_text(act.action.description)}. It began at {act.began_at}, and nobody saw its end."
        return OpenQuestion(
            question_id=question_id,
            digest=hashlib.sha256(f"{question_id} {self.run_id} {act.action.digest}".encode()).hexdigest(),
            kind="disambiguate",
            session=self.session,
            run_id=self.run_id,
            prompt=told,
            choices=tuple(SETTLEMENTS),
            operation=to_data({**act.evidence, **finding.evidence}),
            expires_in_s=_WAIT_S,
        )

    def _tell(self, act: OpenAct, asked: OpenQuestion) -> None:
        self.tell(
            Question(
                run_id=self.run_id,
                kind=asked.kind,
                prompt=asked.prompt,
                action_id=act.action.action_id,
                digest=act.action.digest,
                operation=asked.operation,
                choices=asked.choices,
                approval_id=asked.question_id,
                approval_digest=asked.digest,
                expires_in_s=asked.expires_in_s,
            )
        )
