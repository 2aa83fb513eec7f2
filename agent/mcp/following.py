"""Follower: hears a run out for one call, and asks what the run asks."""

import json
from collections.abc import Awaitable, Callable
from typing import Final

from mcp_types import CallToolResult, InputRequests, InputRequiredResult, InputResponses

from agent.mcp.asking import Context, FormAnswer, ask_now, can_elicit, is_modern, make_form, read_response
from agent.mcp.outcomes import ask, give, is_cut, tell_run, tell_words
from agent.mcp.resources import give_files, link_run
from agent.service.callers import Caller
from agent.service.hearing import Heard, Hearing
from agent.service.orders import EventRecord, OpenQuestion
from agent.service.ports import Service
from core.base.late_dataclasses import dataclass, field

Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Takes how far it is, out of how many, and what happened."""

_WHOLE_STEP = 2.0
"""A step counts twice: when it starts and when it ends."""


@dataclass(slots=True)
class ProgressTeller:
    """Tells how far a run is."""

    report: Report
    done: float = 0.0
    total: float | None = None
    started: dict[str, float] = field(default_factory=dict[str, float])

    async def tell(self, event: EventRecord) -> None:
        """Tell what an event says; what says nothing new is left out."""
        if event["event"] == "accepted":
            self.started.clear()
            self.total = self.done + _WHOLE_STEP * len(event["plan"].get("nodes", ()))
        elif event["event"] == "step":
            await self._tell_step(event)

    async def _tell_step(self, event: EventRecord) -> None:
        action, before = event["action_id"], self.started.get(event["action_id"], 0.0)
        now = 1.0 if event["status"] == "started" else _WHOLE_STEP
        if now <= before:
            return
        self.started[action] = now
        self.done += now - before
        said = event["description"] if now < _WHOLE_STEP else f"{event['description']}: {event['status']}"
        await self.report(self.done, self.total, said)


CallResult = CallToolResult | InputRequiredResult

_MOST_QUESTIONS: Final = 20


@dataclass(slots=True)
class RunPosition:
    """Where a call is in a run; it goes through the client where that has to call again.

    Attributes:
        waited: Questions that a person said they answer elsewhere.
    """

    run_id: str
    session: str
    after: int = -1
    waited: list[str] = field(default_factory=list[str])
    asked: str = ""

    def write(self) -> str:
        """Return it as text."""
        return json.dumps([self.run_id, self.session, self.after, self.waited, self.asked])

    @classmethod
    def read(cls, text: str) -> "RunPosition":
        """Return what ``write`` wrote; nobody else can have written it, as the server seals it."""
        return cls(*json.loads(text))


@dataclass(slots=True)
class Follower:
    """Follows runs for one call.

    Attributes:
        wait_s: Seconds after which the call is answered although the run goes on.
    """

    context: Context
    service: Service
    caller: Caller
    wait_s: float
    _hearing: Hearing = field(init=False)

    def __post_init__(self) -> None:
        self._hearing = Hearing(self.service, self.caller, ProgressTeller(self.context.session.report_progress).tell)

    async def follow(self, place: RunPosition) -> CallResult:
        """Follow a run to its end, to a question that nobody can be asked here, or until the time is over."""
        for _ in range(_MOST_QUESTIONS):
            heard = await self._hearing.hear(place.run_id, after=place.after, within_s=self.wait_s)
            place.after = heard.seq
            question = await self._find_question(heard, place)
            if question is None or question.question_id in place.waited or not can_elicit(self.context):
                return await self.tell(heard, question)
            if is_modern(self.context):
                place.asked = question.question_id
                forms: InputRequests = {question.question_id: make_form(question)}
                return InputRequiredResult(input_requests=forms, request_state=place.write())
            if not await self._obey(place, question, await ask_now(self.context, question)):
                return await self.tell(heard, question)
        return await self.tell(Heard(run_id=place.run_id, seq=place.after), None)

    async def go_on(self, state: str, responses: InputResponses | None) -> CallResult:
        """Follow a run from where the client was asked something."""
        place = RunPosition.read(state)
        question = await self._hearing.find_question(place.asked)
        if question and not await self._obey(place, question, read_response(responses, question)):
            return await self.tell(Heard(run_id=place.run_id, seq=place.after), question)
        return await self.follow(place)

    async def tell(self, heard: Heard, question: OpenQuestion | None) -> CallToolResult:
        """Return what is known of a run, with its files, and what is asked."""
        record = heard.record or await self.service.read_run(self.caller, heard.run_id)
        told = tell_run(record)
        more = await give_files(self.service, self.caller, record)
        if is_cut(told):
            more.append(link_run(heard.run_id))
        told = ask(told, question) if question else told
        return give(told, tell_words(told), more)

    async def _find_question(self, heard: Heard, place: RunPosition) -> OpenQuestion | None:
        """Return what is asked now: by the run, by the conversation, or, where nothing moves, by what the run waits behind."""
        if heard.approval:
            return heard.approval
        if heard.record:
            if not heard.record["expects_reply"]:
                return None
            return await self._hearing.find_slot(place.session) or await self._hearing.find_approval(place.session)
        return await self._hearing.find_approval(place.session)

    async def _obey(self, place: RunPosition, question: OpenQuestion, told: FormAnswer) -> bool:
        """Do what a person said to a form; return whether there is a run to follow then."""
        if told.kind == "nothing" or (told.kind == "no" and question.kind != "confirm"):
            return False
        if told.kind == "wait":
            place.waited.append(question.question_id)
            return True
        answer = False if told.kind == "no" else told.text
        begun = await self.service.answer(self.caller, question.question_id, question.digest, answer=answer)
        if begun:
            place.run_id, place.session, place.after = begun.run_id, begun.session, -1
        return True
