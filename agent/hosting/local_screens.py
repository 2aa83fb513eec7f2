"""LocalScreens: what a person sees of the pages of a service's sessions, and does to them."""

import base64
from collections.abc import AsyncIterator, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from actuators.browser.ports.screens import ScreenFrame
from agent.hosting.hosted_sessions import HostedSession
from agent.hosting.hub import Hub
from agent.service.callers import Caller
from core.base.errors import RefusedError


class LocalScreens:
    """Shows pages and hands them over, as ``ScreensPort`` says."""

    def __init__(self, hub: Hub) -> None:
        """Show nothing yet."""
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
