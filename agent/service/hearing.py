"""Hearing a run out: to its end, to a question that a person has to answer, or for some seconds."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from agent.service.callers import Caller
from agent.service.orders import EventRecord, OpenQuestion, RunRecord
from agent.service.ports import Service
from core.base.late_dataclasses import dataclass

Tell = Callable[[EventRecord], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """How far a run was heard.

    Attributes:
        seq: The last event that was heard; what comes next is followed from there.
        approval: The act that waits for a person's yes; None where none does.
    """

    run_id: str
    seq: int
    record: RunRecord | None = None
    approval: OpenQuestion | None = None


def tell_approval(question: OpenQuestion) -> str:
    """Return what is said at a door where nobody can say yes."""
    return (
        f"A person has to confirm that: {question.prompt}. They can say yes in Surehand's console or in surehand chat."
    )


def tell_question(question: OpenQuestion) -> str:
    """Return what is said of a question at a door where nobody can say yes to an act."""
    return tell_approval(question) if question.kind == "confirm" else question.prompt


async def tell_nobody(event: EventRecord) -> None:
    """Take an event and do nothing with it."""
    del event


@dataclass(slots=True)
class Hearing:
    """Hears runs of one caller."""

    service: Service
    caller: Caller
    tell: Tell = tell_nobody

    async def hear(self, run_id: str, *, after: int = -1, within_s: float | None = None) -> Heard:
        """Follow a run until it ends, an act waits for a person, or the time is over.

        Args:
            within_s: Most seconds; None for as long as it takes.
        """
        seq = after
        events = self.service.follow(self.caller, run_id, after)
        try:
            async with asyncio.timeout(within_s):
                async for event in events:
                    seq = event["seq"]
                    await self.tell(event)
                    if approval := await self._find_asked(event):
                        return Heard(run_id=run_id, seq=seq, approval=approval)
                return Heard(run_id=run_id, seq=seq, record=await self.service.result(self.caller, run_id))
        except TimeoutError:
            return Heard(run_id=run_id, seq=seq)
        finally:
            if isinstance(events, AsyncGenerator):
                await events.aclose()

    async def find_question(self, question_id: str) -> OpenQuestion | None:
        """Return a question that is still open; None where it isn't, or is another's."""
        questions = await self.service.list_questions(self.caller)
        return next((each for each in questions if each.question_id == question_id), None)

    async def find_slot(self, session: str) -> OpenQuestion | None:
        """Return what a conversation asks the one who speaks, and what no approval is: the latest."""
        questions = await self.service.list_questions(self.caller, session=session)
        return next((each for each in reversed(questions) if each.kind != "confirm"), None)

    async def find_approval(self, session: str) -> OpenQuestion | None:
        """Return the act of a session that waits for a person's yes: the oldest."""
        questions = await self.service.list_questions(self.caller, session=session)
        return next((each for each in questions if each.kind == "confirm"), None)

    async def _find_asked(self, event: EventRecord) -> OpenQuestion | None:
        asked = event.get("approval_id") if event["event"] == "question" else ""
        return await self.find_question(asked) if asked else None
