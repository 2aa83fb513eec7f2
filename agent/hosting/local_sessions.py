"""LocalSessions: the sessions of a service in this process, and what is asked in them."""

import base64
from collections.abc import AsyncIterator, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from actuators.browser.ports.screens import ScreenFrame
from agent.hosting.hosted_sessions import HostedSession
from agent.hosting.hub import Hub
from agent.hosting.open_questions import QuestionDesk
from agent.requests.requests import Request
from agent.requests.session_wishes import SessionWishes
from agent.service.callers import Caller, check_session_name
from agent.service.orders import OpenQuestion, RunTicket, SessionRecord
from agent.service.ports import RunsPort
from core.base.errors import ActionError, ErrorInfo, InputError, RefusedError
from core.goals.meta_goals import Goal
from core.results.records import to_data
from core.results.tool_results import RunResult


class LocalSessions:
    """Tells of sessions and takes answers, as ``SessionsPort`` says."""

    def __init__(self, hub: Hub, runs: RunsPort) -> None:
        self._hub = hub
        self._runs = runs
        self._questions = QuestionDesk(hub)

    async def list_questions(self, caller: Caller, *, session: str = "") -> Sequence[OpenQuestion]:
        """Return what waits for an answer."""
        caller.require("read")
        return await self._questions.list_open(caller, session)

    async def answer(self, caller: Caller, question_id: str, digest: str, *, answer: bool | str) -> RunTicket | None:
        """Answer a question."""
        caller.require("read" if answer is False else "run")
        self._hub.touch()
        order = await self._questions.answer(caller, question_id, digest, answer)
        return await self._runs.begin(caller, order) if order else None

    async def list_sessions(self, caller: Caller) -> Sequence[SessionRecord]:
        """Return the caller's sessions."""
        caller.require("read")
        return [each.describe() for each in self._hub.desk.list_of(caller.principal)]

    async def open_session(self, caller: Caller, session: str, wishes: SessionWishes) -> SessionRecord:
        """Open a session that is to be like this."""
        caller.require("run")
        self._hub.touch()
        self._hub.check_open()
        check_session_name(session)
        if self._hub.desk.list_of(caller.principal, session):
            raise RefusedError(
                f"Session “{session}” is open already.", code="session_open", hint="Close it first, or name another."
            )
        if wishes.attach and (caller.principal or not caller.may_approve):
            raise RefusedError(
                "Only the person at this machine can attach to a browser of another program.",
                code="attach_refused",
                hint="Go without attaching.",
            )
        return self._hub.desk.take(caller.principal, session, wishes).describe()

    async def close_session(self, caller: Caller, session: str) -> None:
        """Stop what runs in a session and close its pages."""
        caller.require("run")
        self._hub.touch()
        await self._hub.desk.close(self._hub.desk.find(caller.principal, session))

    async def look(self, caller: Caller, session: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the outline of a session's page, or of a window."""
        caller.require("read")
        self._hub.touch()
        self._hub.check_open()
        check_session_name(session)
        desk = self._hub.desk
        found = desk.take(caller.principal, session)
        goal = Goal("desktop" if "window" in params else "browser", "snapshot", dict(params))
        desk.begin(found)
        try:
            result = await found.agent.run(Request(goals=(goal,), principal=caller.principal))
        finally:
            desk.end(found)
        return _read_outline(result)


def _read_outline(result: RunResult) -> Mapping[str, Any]:
    """Return what was seen."""
    if result.errors:
        raise _tell(result.errors[0], InputError)
    found = result.step_logs[0].result
    if found.error:
        raise _tell(found.error, ActionError)
    data: Mapping[str, Any] = to_data(found.output)
    return data


def _tell(error: ErrorInfo, kind: type[InputError | ActionError]) -> InputError | ActionError:
    return kind(error.message, code=error.code, hint=error.hint, evidence=error.evidence)


class LocalScreens:
    """Shows pages and hands them over, as ``ScreensPort`` says."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def watch_screen(self, caller: Caller, session: str) -> AsyncIterator[Mapping[str, Any]]:
        """Yield what is to be seen of a session's page, as it changes; ends with the session."""
        caller.require("read")
        found = self._hub.desk.find(caller.principal, session)
        async for frame in found.agent.screen.watch():
            if found not in self._hub.desk.list_of(caller.principal, session):
                return
            yield _describe(frame)

    async def hold_screen(self, caller: Caller, session: str, *, held: bool) -> Sequence[str]:
        """Give a session's pages to a person, or back to its runs; return in words what the person did."""
        with self._use(caller, session) as found:
            if held:
                await found.agent.screen.hold()
                return ()
            return found.agent.screen.release()

    async def touch_screen(self, caller: Caller, session: str, events: Sequence[Mapping[str, Any]]) -> None:
        """Do what a person does on the pages that they have."""
        with self._use(caller, session) as found:
            await found.agent.screen.touch(events)

    @contextmanager
    def _use(self, caller: Caller, session: str) -> Generator[HostedSession]:
        """Return an open session that is not idle meanwhile."""
        caller.require("run")
        if not caller.may_approve:
            text = "Only a person who may approve can take a page over."
            hint = "Take it over in the console, with a token that may approve."
            raise RefusedError(text, code="approval_needs_a_person", hint=hint)
        self._hub.touch()
        found = self._hub.desk.find(caller.principal, session)
        self._hub.desk.begin(found)
        try:
            yield found
        finally:
            self._hub.desk.end(found)


def _describe(frame: ScreenFrame) -> Mapping[str, Any]:
    return {**asdict(frame), "data": base64.b64encode(frame.data).decode("ascii")}
