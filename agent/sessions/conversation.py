"""Conversation: one person and a session, in words; what is said while something is open is heard at once."""

import asyncio
from collections.abc import Callable, Mapping

from agent.requests.requests import Request
from agent.sessions.asked_approvals import TellingGate
from agent.sessions.session import AgentSession
from agent.sessions.talk_replies import OpenMatters, TalkReplies
from agent.sessions.undo import UndoRequest, UndoResult
from core.approvals.approvals import ApprovalRequest, PendingApprovals
from core.base.errors import ErrorInfo
from core.base.late_dataclasses import dataclass, replace
from core.base.scope_paths import LOCAL_PRINCIPAL
from core.language.meanings.interpretation import ControlKind, Refusal, Situation, SpokenControl, TalkKind
from core.language.talk.answers import Remark
from core.language.talk.dialogue import Dialogue
from core.language.talk.small_talk import ABOUT_QUESTIONS
from core.results.events import Emit, Event, Final, Say, Step
from core.results.tool_results import RunResult

MayApprove = Callable[[ApprovalRequest], bool]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of one thing that was said.

    Attributes:
        text: What to tell the person; empty where the run that goes on tells it.
        result: The run, where it was a request; one that was refused as well.
        control: What was said to an open question or a run, where it was that.
        error: Why nothing was even begun, where something else has to be answered first.
        is_stopped: Whether it was stopped before it began.
    """

    text: str
    result: RunResult | None = None
    control: SpokenControl | None = None
    undone: UndoResult | None = None
    talk: TalkKind | None = None
    error: ErrorInfo | None = None
    is_stopped: bool = False


class Conversation:
    """Takes what one person says to a session: requests, answers, and words to what goes on.

    Requests are carried out one after another. Controls never wait for them: they are understood and obeyed while a run goes
    on. Approvals are asked of ``questions``, and answered by words or by their ids.
    """

    def __init__(self, session: AgentSession, terms: Request | None = None) -> None:
        """Begin a conversation; the terms hold for every request: policy, budget, principal, but no utterance."""
        self.questions = PendingApprovals()
        self._session = session
        self._terms = terms or Request(utterance="")
        self._dialogue = Dialogue(session.interpreter)
        self._replies = TalkReplies(session.interpreter.language)
        self._turn = asyncio.Lock()
        self.is_undoing = False
        self._running = 0
        self._stops = 0
        self._step = ""
        self._told = ""
        self._outcome = ""
        self._last_run = ""
        self._last_act = ""

    @property
    def situation(self) -> Situation:
        """What may be said to: an open question, a run that goes on, or one that has ended."""
        found = Situation.NOTHING
        if self.questions.list_open() or self._dialogue.question:
            found |= Situation.QUESTION
        if self._running:
            found |= Situation.RUN
        return found or (Situation.DONE if self._last_run else Situation.NOTHING)

    @property
    def open_choice(self) -> Refusal | None:
        """What was asked of the person that words answer, or None: a thing that is missing, or which one is meant."""
        return self._dialogue.question

    @property
    def asked(self) -> str:
        """What is asked of the person now, in words; empty where nothing is."""
        return self._replies.ask(self.questions.list_open(), self._dialogue.question)

    async def say(
        self,
        utterance: str,
        emit: Emit | None = None,
        *,
        terms: Request | None = None,
        may_approve: MayApprove = lambda _: True,
    ) -> Reply:
        """Take what the person says next, and return when all is done that it asks for.

        While one call goes on another may be made: that is how a run is stopped and a question answered.

        Args:
            emit: Told every event of a run that it begins; must not block.
            terms: What a run that it begins is held to; where None, what the conversation is.
        """
        held = terms or replace(self._terms, gate=self.questions)
        if control := self._dialogue.hear_control(utterance, self.situation):
            if control.kind == "undo":
                return self._tell(await self._undo(control, held, emit))
            return self._tell(await self._obey(control, may_approve, held.principal or LOCAL_PRINCIPAL))
        if talk := self._hear_talk(utterance):
            return self._tell(Reply(self._replies.tell(talk, self._list_matters()), talk=talk))
        changed = None
        if self.questions.list_open():
            changed = self._dialogue.hear_change(utterance, is_open=True)
            if changed is None:
                return self._tell(self._put_off(utterance, may_approve))
            self._deny()
        stops = self._stops
        async with self._turn:
            if stops != self._stops:
                return Reply(self._replies.say("stopped_before"), is_stopped=True)
            return self._tell(await self._take(changed or self._dialogue.hear(utterance), held, emit))

    async def _take(self, remark: Remark, terms: Request, emit: Emit | None) -> Reply:
        understood = remark.interpretation
        if understood.talk:
            return Reply(self._replies.tell(understood.talk, self._list_matters()), talk=understood.talk)
        if understood.refusal and not self.asked and (idle := self._hear_idle(remark.utterance)):
            return idle
        asked = replace(terms, utterance=remark.utterance, understood=understood, request_id="")
        result = await self._carry_out(asked, emit, self._replies.tell_beside(remark, self._dialogue.question))
        self._dialogue.settle(understood, is_done=result.outcome == "success")
        question = "" if result.question in result.reply else result.question
        return Reply(" ".join(filter(None, (result.reply, question))), result)

    def _hear_talk(self, utterance: str) -> TalkKind | None:
        if not (self.asked or self._running):
            return None
        talk = self._dialogue.hear_talk(utterance, self.situation)
        if talk is None and self.questions.list_open() and not self._dialogue.question:
            talk = self._dialogue.hear_talk(utterance)
        if talk is None or talk in ABOUT_QUESTIONS:
            return talk
        return None if self._dialogue.understands(utterance) else talk

    def _hear_idle(self, utterance: str) -> Reply | None:
        control = self._session.interpreter.read_control(utterance, Situation.QUESTION | Situation.RUN)
        return Reply(self._replies.tell_idle(control.kind, self._told), control=control) if control else None

    def _put_off(self, utterance: str, may_approve: MayApprove) -> Reply:
        first, clause = self.questions.list_open()[0], utterance.strip()
        asked = self.asked if may_approve(first) else self._replies.say("needs_person", text=first.text)
        if self._dialogue.begins_as_request(utterance):
            error = ErrorInfo("approval_missing", self._replies.say("first", clause=clause, question=asked))
        elif self._dialogue.begins_with_no(utterance):
            self._deny()
            error = ErrorInfo("no_intent_match", self._replies.say("denied", clause=clause))
        else:
            error = ErrorInfo("no_intent_match", self._replies.say("unheard", clause=clause, question=asked))
        return Reply(error.message, error=error)

    async def run(self, request: Request, emit: Emit | None = None) -> RunResult | None:
        """Carry out what a program asks for, in turn with what is said: words to a run mean this one, too.

        Args:
            emit: Told every event; must not block.

        Returns:
            What came of it; None if it was stopped before it began.
        """
        stops = self._stops
        async with self._turn:
            if stops != self._stops:
                return None
            result = await self._carry_out(request, emit)
            self._tell(Reply(result.reply, result))
            return result

    def _tell(self, reply: Reply) -> Reply:
        self._told = reply.text or self._told
        if reply.result:
            self._outcome = reply.text
        return reply

    async def _carry_out(self, asked: Request, emit: Emit | None, beside: str = "") -> RunResult:

        def follow(event: Event) -> None:
            if isinstance(event, Step) and event.status == "started":
                self._step = event.description
            if emit:
                emit(_tell_more(event, beside) if beside else event)

        self._running += 1
        try:
            result = await self._session.run(asked, follow)
        finally:
            self._running -= 1
            self._step = ""
        if result.step_logs:
            self._last_run = result.run_id
        if any(log.result.effect != "none" for log in result.step_logs):
            self._last_act = result.run_id
        return replace(result, reply=f"{result.reply} {beside}") if beside else result

    async def _obey(self, control: SpokenControl, may_approve: MayApprove, by: str) -> Reply:
        if control.is_pause and self.asked:
            return Reply(f"{self._replies.say('pause')} {self.asked}", control=control)
        stopped = self._stop() if "stop" in control.kinds else ""
        answers: Mapping[ControlKind, Callable[[], str]] = {
            "confirm": lambda: self._confirm(may_approve, by, is_plain=control.is_plain),
            "deny": self._deny,
            "repeat": lambda: self.asked or self._told or self._replies.say("not_running"),
            "help": lambda: self._replies.help(self._list_matters()),
            "status": self._describe,
        }
        answer = answers.get(control.kind)
        return Reply(answer() if answer else stopped, control=control)

    def stop(self) -> None:
        """Stop what goes on and what waits behind it."""
        self._stops += 1
        self._session.stop()

    def _stop(self) -> str:
        self.stop()
        return self._replies.say("stopped" if self._running else "all_right")

    def _confirm(self, may_approve: MayApprove, by: str, *, is_plain: bool) -> str:
        """Answer the one question that is open; praise is no approval, and of two questions it isn't clear which is meant."""
        waiting = self.questions.list_open()
        if len(waiting) != 1 or not is_plain:
            return self.asked
        if not may_approve(waiting[0]):
            return self._replies.say("needs_person", text=waiting[0].text)
        self.questions.answer(waiting[0].approval_id, waiting[0].approval_digest, yes=True, by=by)
        return ""

    def _deny(self) -> str:
        waiting = self.questions.list_open()
        for each in waiting:
            self.questions.answer(each.approval_id, each.approval_digest, yes=False)
        if waiting:
            return ""
        return self._stop() if self._running else self._replies.say("all_right")

    async def _undo(self, control: SpokenControl, terms: Request, emit: Emit | None) -> Reply:
        if self._running or "stop" in control.kinds:
            self._stop()
        async with self._turn:
            if not self._last_act:
                return Reply(self._replies.say("not_undone"), control=control)
            self._dialogue.forget()
            gate = TellingGate(terms.gate, emit, terms.run_id) if emit else terms.gate
            request = UndoRequest(run_id=self._last_act, gate=gate, policy=terms.policy, budget=terms.budget)
            self.is_undoing = True
            try:
                undone = await self._session.undo(request)
            finally:
                self.is_undoing = False
            return Reply(undone.reply, control=control, undone=undone)

    def _describe(self) -> str:
        if asked := self.asked:
            return self._replies.say("waiting", question=asked)
        return self._tell_running() or self._outcome or self._replies.say("not_running")

    def _tell_running(self) -> str:
        step = self._replies.say("now", step=self._step) if self._step else self._replies.say("begin")
        return step if self._running else ""

    def _list_matters(self) -> OpenMatters:
        return OpenMatters(
            self.questions.list_open(), self._dialogue.question, self.asked, self._tell_running(), self._outcome
        )


def _tell_more(event: Event, more: str) -> Event:
    """Return an event of a run with what else is said behind its reply, so that an answer is expected."""
    if isinstance(event, Say):
        return replace(event, text=f"{event.text} {more}")
    return replace(event, reply=f"{event.reply} {more}", expects_reply=True) if isinstance(event, Final) else event
