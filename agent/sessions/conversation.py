"""Conversation: one person and a session, in words; what is said while something is open is heard at once."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.sessions.undo import UndoRequest, UndoResult
from core.approvals.approvals import ApprovalRequest
from core.approvals.pending_approvals import PendingApprovals
from core.language.dialogue import Dialogue, Remark
from core.language.interpretation import ControlKind, Refusal, Situation, SpokenControl
from core.results.events import Emit, Event, Step
from core.results.tool_results import RunResult

_NOTHING = "Nothing is running."
_SAY = "You can say yes or no, stop, undo, repeat, or ask for the status."


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of one thing that was said.

    Attributes:
        text: What to tell the person; empty where the run that goes on tells it.
        result: The run, where it was a request; one that was refused as well.
        control: What was said to an open question or a run, where it was that.
        undone: What became of taking a run back, where that was asked for.
    """

    text: str
    result: RunResult | None = None
    control: SpokenControl | None = None
    undone: UndoResult | None = None


class Conversation:
    """Takes what one person says to a session: requests, answers, and words to what goes on.

    Requests are carried out one after another. Controls never wait for them: they are understood and obeyed while a run goes
    on. Approvals are asked of ``questions``, and answered by words or by their ids.
    """

    def __init__(self, session: AgentSession, terms: Request | None = None) -> None:
        """Begin a conversation.

        Args:
            session: Who carries things out.
            terms: What every request is held to: policy, budget, principal; its utterance counts for nothing.
        """
        self.questions = PendingApprovals()
        self._session = session
        self._terms = terms or Request(utterance="")
        self._dialogue = Dialogue(session.interpreter)
        self._turn = asyncio.Lock()
        self._running = 0
        self._stops = 0
        self._step = ""
        self._told = ""
        self._last_run = ""

    @property
    def situation(self) -> Situation:
        """What may be said to: an open question, a run that goes on, or one that has ended."""
        found = Situation.NOTHING
        if self.questions.list_open() or self._dialogue.question:
            found |= Situation.QUESTION
        if self._running:
            found |= Situation.RUN
        return found or (Situation.DONE if self._last_run else Situation.NOTHING)

    async def say(self, utterance: str, emit: Emit | None = None) -> Reply:
        """Take what the person says next, and return when all is done that it asks for.

        While one call goes on another may be made: that is how a run is stopped and a question answered.

        Args:
            utterance: What was said.
            emit: Told every event of a run that it begins; must not block.
        """
        if control := self._dialogue.hear_control(utterance, self.situation):
            return self._tell(await self._obey(control))
        stops = self._stops
        async with self._turn:
            if stops != self._stops:
                return Reply("That was stopped before it began.")
            remark = self._dialogue.hear(utterance)
            return self._tell(await self._carry_out(remark, emit))

    def _tell(self, reply: Reply) -> Reply:
        self._told = reply.text or self._told
        return reply

    async def _carry_out(self, remark: Remark, emit: Emit | None) -> Reply:
        asked = replace(
            self._terms,
            utterance=remark.utterance,
            understood=remark.interpretation,
            gate=self.questions,
            request_id="",
        )

        def follow(event: Event) -> None:
            if isinstance(event, Step) and event.status == "started":
                self._step = event.description
            if emit:
                emit(event)

        self._running += 1
        try:
            result = await self._session.run(asked, follow)
        finally:
            self._running -= 1
            self._step = ""
        if result.step_logs:
            self._last_run = result.run_id
        self._dialogue.settle(remark.interpretation, is_done=result.outcome == "success")
        return Reply(" ".join(filter(None, (result.reply, result.question))), result)

    async def _obey(self, control: SpokenControl) -> Reply:
        """Do at once what was said to whoever asks or is at work."""
        stopped = self._stop() if "stop" in control.kinds else ""
        if control.kind == "undo":
            return await self._undo(control)
        answers: Mapping[ControlKind, Callable[[], str]] = {
            "confirm": lambda: self._confirm(is_plain=control.is_plain),
            "deny": self._deny,
            "repeat": lambda: self._ask() or self._told or _NOTHING,
            "help": lambda: " ".join(filter(None, (self._ask(), self._help()))),
            "status": self._describe,
        }
        answer = answers.get(control.kind)
        return Reply(answer() if answer else stopped, control=control)

    def _stop(self) -> str:
        """Stop what goes on and what waits behind it, and return what to say of it."""
        self._stops += 1
        self._session.stop()
        return "Stopped." if self._running else "All right."

    def _confirm(self, *, is_plain: bool) -> str:
        """Answer the one question that is open; praise is no approval, and of two questions it isn't clear which is meant."""
        waiting = self.questions.list_open()
        if len(waiting) != 1 or not is_plain:
            return self._ask()
        self.questions.answer(waiting[0].approval_id, waiting[0].approval_digest, yes=True)
        return ""

    def _deny(self) -> str:
        """Say no to what is asked; where nothing is asked, what goes on is stopped."""
        waiting = self.questions.list_open()
        for each in waiting:
            self.questions.answer(each.approval_id, each.approval_digest, yes=False)
        if waiting:
            return ""
        return self._stop() if self._running else "All right."

    async def _undo(self, control: SpokenControl) -> Reply:
        """Stop what goes on, and take the last run back."""
        if self._running:
            self._stop()
        async with self._turn:
            if not self._last_run:
                return Reply("There is nothing to undo.", control=control)
            self._dialogue.forget()
            terms = self._terms
            request = UndoRequest(run_id=self._last_run, gate=self.questions, policy=terms.policy, budget=terms.budget)
            undone = await self._session.undo(request)
            return Reply(undone.reply, control=control, undone=undone)

    def _ask(self) -> str:
        """Return what is asked of the person now."""
        return join_questions(self.questions.list_open(), self._dialogue.question)

    def _help(self) -> str:
        question = self._dialogue.question
        names = [choice.name for choice in question.choices] if question else []
        return f"You can say {' or '.join(names)}, or never mind." if names else _SAY

    def _describe(self) -> str:
        """Return what goes on."""
        if asked := self._ask():
            return f"I'm waiting for an answer. {asked}"
        if self._running:
            return f"Now: {self._step}." if self._step else "I begin."
        return self._told or _NOTHING


def join_questions(approvals: Sequence[ApprovalRequest], question: Refusal | None) -> str:
    """Return in words what is asked.

    Args:
        approvals: The approvals that wait for an answer.
        question: The refusal whose question is open.
    """
    asked = [f"{each.text}: shall I do that?" for each in approvals]
    return " ".join([*asked, *([question.question] if question else [])])
