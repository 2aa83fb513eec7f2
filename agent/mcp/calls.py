"""DoorCall: one call of a tool, and what each tool does over the service's port."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import anyio
from mcp_types import CallToolRequestParams, CallToolResult
from pydantic import ValidationError

from agent.mcp.asking import Context
from agent.mcp.following import CallResult, Follower, RunPosition
from agent.mcp.outcomes import ask, give, tell_plan, tell_words
from agent.mcp.resources import give_files
from agent.offers.door_tools import (
    AnswerArguments,
    DoArguments,
    LookArguments,
    PlannerWanted,
    StatusArguments,
    StopArguments,
    Task,
    UndoArguments,
)
from agent.requests.planner_wishes import PlannerWish
from agent.service.callers import Caller
from agent.service.hearing import Heard, Hearing, tell_approval, tell_question
from agent.service.orders import OpenQuestion, RunOrder
from agent.service.ports import Service
from core.base.errors import ApprovalError, InputError, RefusedError
from core.base.late_dataclasses import dataclass

_LOOKS_S: Final = 0.1
_UNDOING: Final[set[asyncio.Task[Mapping[str, Any]]]] = set()
"""What goes on although its call was answered: nobody else would hold it."""


async def undo_run(
    service: Service, caller: Caller, run_id: str, session: str, *, dry: bool
) -> Mapping[str, Any] | OpenQuestion:
    """Take a run back; return what came of it, or what a person is asked first."""
    hearing = Hearing(service, caller)
    undoing = asyncio.ensure_future(service.undo(caller, run_id, dry=dry))
    _UNDOING.add(undoing)
    undoing.add_done_callback(_forget)
    while not undoing.done():
        await asyncio.wait({undoing}, timeout=_LOOKS_S)
        asked = None if undoing.done() else await hearing.find_approval(session)
        if asked and asked.run_id in {"", run_id}:
            return asked
    return undoing.result()


def _forget(undoing: asyncio.Task[Mapping[str, Any]]) -> None:
    _UNDOING.discard(undoing)
    if not undoing.cancelled():
        undoing.exception()  # told to the person who was asked; here nobody waits for it any more


_SOON_S: Final = 1.0
_STOP_S: Final = 1.0
_NO: Final = frozenset({"no", "n", "deny", "cancel", "never mind", "stop", "false"})


@dataclass(frozen=True, slots=True)
class DoorCall:
    """A call of a tool."""

    context: Context
    params: CallToolRequestParams
    service: Service
    caller: Caller
    session: str

    async def do(self, wish: DoArguments) -> CallResult:
        """Do what a sentence or goals say. A call that its client takes back is stopped, unless it may come again by its id."""
        session = wish.session or self.session
        blocked = await self._hearing.find_approval(session)
        order = _make_planner_order(wish, session) if wish.planner else _make_order(wish, session, wish.request_id)
        ticket = await self.service.begin(self.caller, order)
        follower = self._follow(min(wish.wait_s, _SOON_S) if blocked else wish.wait_s)
        try:
            return await follower.follow(RunPosition(ticket.run_id, ticket.session))
        except anyio.get_cancelled_exc_class():
            if not wish.request_id:
                with anyio.move_on_after(_STOP_S, shield=True):
                    await self.service.stop(self.caller, run_id=ticket.run_id)
            raise

    async def plan(self, wish: Task) -> CallToolResult:
        """Tell the steps of a sentence or goals."""
        order = _make_order(wish, wish.session or self.session, "")
        told = tell_plan(await self.service.plan(self.caller, order))
        return give(told, tell_words(told))

    async def look(self, wish: LookArguments) -> CallToolResult:
        """Outline a page or a window."""
        named = {"find": wish.find, "scope": wish.scope, "window": wish.window}
        params: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
        params["max_tokens"] = wish.max_tokens
        session = wish.session or self.session
        if wish.picture:
            return await self._look_with_picture(params | {"picture": True}, session)
        return _show(await self.service.look(self.caller, session, params))

    async def answer(self, wish: AnswerArguments) -> CallResult:
        """Answer what is missing or to be chosen, or say no to an act."""
        question = await self._hearing.find_question(wish.question_id)
        if question is None:
            raise RefusedError(
                "No such question is open.", code="unknown_question", hint="The tool status lists the open questions."
            )
        answer = self._read_answer(question, wish.answer)
        begun = await self.service.answer(self.caller, question.question_id, question.digest, answer=answer)
        run_id = begun.run_id if begun else question.run_id
        return await self._follow(wish.wait_s).follow(RunPosition(run_id, question.session))

    async def status(self, wish: StatusArguments) -> CallToolResult:
        """Tell of a run, or of what goes on."""
        if not wish.run_id:
            return await self._survey()
        within_s = wish.wait_s or None
        heard = Heard(run_id=wish.run_id, seq=-1)
        if within_s:
            heard = await self._hearing.hear(wish.run_id, within_s=within_s)
        questions = await self.service.list_questions(self.caller)
        asked = next((each for each in questions if each.run_id == wish.run_id), None)
        return await self._follow(0).tell(heard, heard.approval or asked)

    async def stop(self, wish: StopArguments) -> CallToolResult:
        """Stop a run or a session."""
        if wish.run_id:
            stopped = await self.service.stop(self.caller, run_id=wish.run_id)
        else:
            stopped = await self._stop_session(wish.session or self.session)
        reply = f"Stopped {stopped} {'run' if stopped == 1 else 'runs'}." if stopped else "Nothing is running."
        return give({"status": "success", "reply": reply, "stopped": stopped}, reply)

    async def undo(self, wish: UndoArguments) -> CallToolResult:
        """Take a run back."""
        run_id = wish.run_id or await self._find_last()
        record = await self.service.read_run(self.caller, run_id)
        undone = await undo_run(self.service, self.caller, run_id, record["session"], dry=wish.dry)
        if isinstance(undone, OpenQuestion):
            told = ask({"run_id": run_id}, undone)
            return give(told, tell_words(told))
        failed = bool(undone.get("errors"))
        told = {"status": "failed" if failed else "success", "reply": undone["reply"], "run_id": run_id}
        return give(told, tell_words(told))

    @property
    def _hearing(self) -> Hearing:
        return Hearing(self.service, self.caller)

    def _follow(self, wait_s: float) -> Follower:
        return Follower(self.context, self.service, self.caller, wait_s)

    async def go_on(self, wait_s: float) -> CallResult:
        """Go on where the client was asked something, and now has called again."""
        return await self._follow(wait_s).go_on(self.params.request_state or "", self.params.input_responses)

    async def _look_with_picture(self, params: Mapping[str, Any], session: str) -> CallToolResult:
        """Look as a run, so that the picture is a file of it."""
        goal = {"domain": "desktop" if "window" in params else "browser", "verb": "snapshot", "params": dict(params)}
        ticket = await self.service.begin(self.caller, RunOrder(goals=(goal,), session=session))
        record = await self.service.result(self.caller, ticket.run_id)
        seen = record["step_logs"][0]["result"] if record.get("step_logs") else None
        if seen is None or seen["status"] != "ok":
            return await self._follow(0).tell(Heard(run_id=ticket.run_id, seq=-1, record=record), None)
        shown = _show(seen["output"])
        shown.content += await give_files(self.service, self.caller, record)
        return shown

    async def _survey(self) -> CallToolResult:
        sessions = await self.service.list_sessions(self.caller)
        questions = await self.service.list_questions(self.caller)
        running = [run_id for each in sessions for run_id in each.running]
        asked = [
            {"question_id": each.question_id, "kind": each.kind, "prompt": each.prompt, "session": each.session}
            for each in questions
        ]
        words = [f"Running: {', '.join(running)}." if running else "Nothing is running."]
        words += [f"Question {each.question_id}: {tell_question(each)}" for each in questions]
        told = {
            "status": "needs_answer" if asked else "running" if running else "success",
            "reply": words[0],
            "running": running,
            "questions": asked,
            "sessions": [{"name": each.name, "pages": list(each.pages)} for each in sessions],
        }
        return give(told, "\n".join(words))

    async def _stop_session(self, session: str) -> int:
        names = {each.name for each in await self.service.list_sessions(self.caller)}
        return await self.service.stop(self.caller, session=session) if session in names else 0

    async def _find_last(self) -> str:
        runs = await self.service.find_runs(self.caller, session=self.session, most=20)
        for each in runs:
            if each["status"] == "ended" and each["outcome"] in {"success", "partial", "cancelled"}:
                return str(each["run_id"])
        raise RefusedError("There is nothing to undo.", code="unknown_run", hint="Name the run.")

    def _read_answer(self, question: OpenQuestion, text: str) -> bool | str:
        """Return an answer as the service takes it; a yes to an act is refused here already."""
        if question.kind != "confirm":
            return text
        if text.strip().rstrip(".!").casefold() in _NO:
            return False
        raise ApprovalError(
            tell_approval(question), code="approval_needs_a_person", hint="Tell them; then ask for status."
        )


Handler = Callable[[DoorCall, Any], Awaitable[CallResult]]

HANDLERS: Final[Mapping[str, Handler]] = {
    "do": DoorCall.do,
    "plan": DoorCall.plan,
    "look": DoorCall.look,
    "answer": DoorCall.answer,
    "status": DoorCall.status,
    "stop": DoorCall.stop,
    "undo": DoorCall.undo,
}
"""What carries out each tool."""


def _make_order(wish: Task, session: str, request_id: str) -> RunOrder:
    """Return what is asked for as an order; a sentence is said, so that it may be a word to what goes on."""
    if (wish.text is None) == (wish.goals is None):
        raise InputError("Give one of text and goals.", hint="A sentence in text is enough.")
    goals = None if wish.goals is None else tuple(wish.goals)
    return RunOrder(text=wish.text, goals=goals, session=session, said=wish.text is not None, request_id=request_id)


def _make_planner_order(wish: DoArguments, session: str) -> RunOrder:
    if wish.text is not None or wish.goals is not None:
        raise InputError("Give one of text, goals and planner.")
    try:
        wanted = PlannerWanted.model_validate(wish.planner)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise InputError(f"planner: {'.'.join(map(str, first['loc']))}: {first['msg']}.") from None
    asked = PlannerWish(capability=wanted.capability, parameters=wanted.parameters, item=wanted.item)
    return RunOrder(planner=asked, session=session, request_id=wish.request_id)


def _show(seen: Mapping[str, Any]) -> CallToolResult:
    text = str(seen["text"])
    told = {"status": "success", "text": text, "truncated": bool(seen.get("truncated"))}
    return give(told, text)
