"""Conversations of doors that speak: what is said goes to the service, and what comes of it comes back in words for ears."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final, Literal

from agent.service.callers import Caller, is_session_name
from agent.service.orders import EventRecord, RunOrder
from agent.service.ports import Service
from agent.speech.wording import list_names, speak, split_sentences
from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass, field
from core.language.meanings.interpretation import Situation
from core.language.talk.several_languages import hear_control

SpokenKind = Literal["done", "answer", "question", "working", "refused", "failed"]

Reopen = Callable[[], Awaitable[Service]]

_NEVER_ASKED: Final = frozenset({"service_missing", "token_unknown"})
"""Codes of a service that has ended, or is another one by now, and has begun nothing."""

_ENDED: Final = _NEVER_ASKED | {"service_gone"}
_MOST_WAITING = 1000
_LONGEST_PLAIN = 55
"""Characters of a conversation's id that can stand in a session's name after the door's own."""

_NOTHING_SAID: Final = "I heard nothing."
_ASK_LATER: Final = "Ask me for the status."
_STOPPED: Final = "Stopped."
_NOTHING_RUNS: Final = "Nothing is running."


@dataclass(frozen=True, slots=True)
class SpokenReply:
    """What is said back.

    Attributes:
        text: Fit to be spoken; never empty.
        kind: ``done`` (something was done), ``answer`` (something was read or told), ``question`` (an answer is expected), ``working``
            (it goes on), ``refused`` (nothing was done) or ``failed``.
        code: Of the first error, for programs; empty where there is none.
    """

    text: str
    kind: SpokenKind
    code: str = ""
    run_id: str = ""

    @property
    def is_handled(self) -> bool:
        """Whether what was asked for was understood and not all of it failed."""
        return self.kind not in ("refused", "failed")

    @property
    def sentences(self) -> list[str]:
        """The text in sentences, for voices that begin before all is known."""
        return split_sentences(self.text)


@dataclass(slots=True)
class _Followed:
    """A run as far as it was told."""

    run_id: str
    seq: int = -1
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    asked: str = ""
    code: str = ""
    step: str = ""


class SpokenConversations:
    """Takes what people say, each conversation in a session of its own.

    A run that asks stays where it is, and so does its question: the next words in that conversation are the answer.
    """

    def __init__(self, service: Service, patience_s: float = 60.0, reopen: Reopen | None = None) -> None:
        """Begin without conversations.

        Args:
            patience_s: Seconds of silence after which it is said that work goes on.
            reopen: Opens a service in the place of one that has ended; None where that can't be.
        """
        self._service = service
        self._patience_s = patience_s
        self._reopen = reopen
        self._reopening = asyncio.Lock()
        self._waiting: dict[tuple[str, str], _Followed] = {}

    @property
    def service(self) -> Service:
        """Who carries out what is said now."""
        return self._service

    async def hear(self, caller: Caller, conversation: str, text: str) -> SpokenReply:
        """Take what somebody says next, and return when there is something to say back: an end or a question."""
        service = self._service
        reply = await self._hear(caller, conversation, text)
        if reply.code in _ENDED and await self._renew(service) and reply.code in _NEVER_ASKED:
            return await self._hear(caller, conversation, text)
        return reply

    async def _renew(self, ended: Service) -> bool:
        async with self._reopening:
            if self._service is ended and self._reopen:
                with suppress(SurehandError):
                    self._service = await self._reopen()
        return self._service is not ended

    async def _hear(self, caller: Caller, conversation: str, text: str) -> SpokenReply:
        if not text.strip():
            return SpokenReply(_NOTHING_SAID, "refused", "nothing_said")
        place = (caller.principal, name_session(caller, conversation))
        try:
            if _is_stop(text) and (stopped := await self._stop_others(caller, place[1])):
                return stopped
            ticket = await self._service.begin(caller, RunOrder(text=text, said=True, session=place[1]))
            reply = await self._wait(caller, place, _Followed(ticket.run_id))
            waiting = self._waiting.pop(place, None) if reply is None else None
            if waiting:
                reply = await self._wait(caller, place, waiting)
        except SurehandError as error:
            return SpokenReply(speak(str(error)), "failed", error.code)
        return reply or SpokenReply(speak(""), "done")

    async def leave(self, caller: Caller, conversation: str) -> None:
        """Close the session of a conversation that nobody can go on with, unless something goes on or is asked there."""
        name = name_session(caller, conversation)
        with suppress(SurehandError):  # it ends by itself, a while later
            known = await self._service.list_sessions(caller)
            if any(each.name == name and not each.running and not each.questions for each in known):
                await self._service.close_session(caller, name)

    async def _stop_others(self, caller: Caller, session: str) -> SpokenReply | None:
        """Stop what was begun at this door in other conversations; None where something goes on in this one.

        A loudspeaker may begin a new conversation with each sentence, and a stop is meant for what goes on.
        """
        busy = [each.name for each in await self._service.list_sessions(caller) if each.running or each.questions]
        if session in busy:
            return None
        stopped = [
            await self._service.stop(caller, session=each) for each in busy if each.startswith(_begin_name(caller))
        ]
        return SpokenReply(_STOPPED if any(stopped) else _NOTHING_RUNS, "done")

    async def _wait(self, caller: Caller, place: tuple[str, str], run: _Followed) -> SpokenReply | None:
        try:
            async with asyncio.timeout(self._patience_s):
                return await self._follow(caller, place, run)
        except TimeoutError:
            self._keep(place, run)
            step = f"Now: {speak(run.step, run.names).rstrip('.')}. " if run.step else ""
            return SpokenReply(f"I am still at it. {step}{_ASK_LATER}", "working", run_id=run.run_id)

    async def _follow(self, caller: Caller, place: tuple[str, str], run: _Followed) -> SpokenReply | None:
        """Return what a run says next; None where its end says nothing, because a run that waits goes on with it."""
        async for event in self._service.follow(caller, run.run_id, run.seq):
            run.seq = event["seq"]
            match event["event"]:
                case "accepted":
                    run.names = list_names(event["plan"].get("nodes", ()))
                case "planner.rejected":
                    run.code = next((str(each["code"]) for each in event["errors"]), "")
                    run.asked = event["question"]
                case "question" if event["approval_id"]:
                    self._keep(place, run)
                    return await self._ask(caller, place[1], run, event)
                case "question":
                    run.asked = event["prompt"]
                case "step" if event["status"] == "started":
                    run.step = event["description"]
                case "final":
                    return _tell_end(run, event)
                case _:
                    pass
        return None

    async def _ask(self, caller: Caller, session: str, run: _Followed, event: EventRecord) -> SpokenReply:
        prompt = speak(event["prompt"], run.names).rstrip(".!?")
        waiting = await self._service.list_questions(caller, session=session)
        asked = next((each for each in waiting if each.question_id == event["approval_id"]), None)
        if asked and asked.needs_person:
            told = f"A person has to confirm that: {prompt}. Say no to leave it."
        else:
            told = f"{prompt}: shall I do that?"
        return SpokenReply(told, "question", "approval_missing", run.run_id)

    def _keep(self, place: tuple[str, str], run: _Followed) -> None:
        self._waiting.pop(place, None)
        self._waiting[place] = run
        for stale in list(self._waiting)[:-_MOST_WAITING]:
            del self._waiting[stale]


def name_session(caller: Caller, conversation: str) -> str:
    """Return the name of a conversation's session: its own id where that can be one, else a digest of it."""
    is_plain = is_session_name(conversation) and len(conversation) <= _LONGEST_PLAIN
    digest = hashlib.sha256(conversation.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return f"{_begin_name(caller)}{conversation if is_plain else digest}"


def _begin_name(caller: Caller) -> str:
    return f"{caller.door.partition('-')[0]}."


def _is_stop(text: str) -> bool:
    control = hear_control(text, Situation.RUN)
    return control is not None and "stop" in (control.kind, *control.kinds)


def _tell_end(run: _Followed, final: EventRecord) -> SpokenReply | None:
    """Return what is said of a run that has ended; a question of words comes alone, for it says what is missing."""
    reply, outcome = str(final["reply"]), final["outcome"]
    if not (reply or run.asked):
        return None
    if run.asked:
        return SpokenReply(_tell_question(reply, run), "question", run.code, run.run_id)
    steps: Any = final["steps"]
    names = {**run.names, **list_names(steps)}
    return SpokenReply(
        speak(reply, names), _judge(run, outcome, steps, is_open=final["expects_reply"]), run.code, run.run_id
    )


def _tell_question(reply: str, run: _Followed) -> str:
    question = speak(run.asked, run.names)
    return question if run.code == "missing_slot" or run.asked in reply else f"{speak(reply, run.names)} {question}"


def _judge(run: _Followed, outcome: str, steps: Any, *, is_open: bool) -> SpokenKind:
    if is_open:
        return "question"
    if run.code:
        return "refused"
    if outcome == "failed":
        return "failed"
    is_act = any(each["result"]["effect"] != "none" for each in steps)
    return "done" if is_act else "answer"
