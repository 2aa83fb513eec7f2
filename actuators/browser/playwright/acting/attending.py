"""What is done around a step on a session's pages and is no part of its time: a person who has them, their opening, and their rest."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.acting.page_logs import PAGE_LOG, PageLogs
from actuators.browser.playwright.finding.act_pictures import keep_picture
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.resting import PageRest
from core.base.errors import SurehandError
from core.results.attendance import INCOMPLETE, UNSENT
from core.tools.ports import ActionContext

PICTURES = "pictures"
"""Key of the pictures before and after a step, in its evidence: paths, empty where there is none."""

ASKING_MS = 300.0
OPENING_S = 60.0
"""Seconds that a page has to open beforehand; after that the step tries it in its own time, and says what is wrong."""


class SessionAttendance:
    """Waits for persons, and for the session's turn to open a page: of many that begin together, each has its whole time to act."""

    def __init__(self, session: PlaywrightSession) -> None:
        """Attend to this session."""
        self._session = session
        self._rest = PageRest(session.tabs)
        self._logs = PageLogs(session) if session.settings.page_logs else None

    @asynccontextmanager
    async def attend(
        self, context: ActionContext, *, acts: bool, opens: bool, enters: bool
    ) -> AsyncGenerator[dict[str, Any]]:
        """Carry a step out in its turn; yields notes for its evidence.

        Args:
            context: About the step.
            acts: Whether it does more than look.
            opens: Whether it opens a page where none is open.
            enters: Whether it enters something that nothing of the plan goes on with.

        Raises:
            UnsupportedError: If there is no browser, or it doesn't start.
        """
        async with self._session.takeover.take_turn(context, acts=acts) as notes:
            if opens and self._session.tabs.current(context.lane) is None:
                with suppress(TimeoutError):
                    async with asyncio.timeout(OPENING_S):
                        await self._session.prepare_page()
            self._rest.interrupt()
            pictures: dict[str, str] = {}
            if self._shows(context, acts=acts):
                pictures["before"] = await keep_picture(self._session, context, "before")
                notes[PICTURES] = pictures
            try:
                yield notes
                if self._shows(context, acts=acts or self._logs is not None):
                    pictures["after"] = await keep_picture(self._session, context, "after")
                    notes[PICTURES] = pictures
                if enters:
                    notes.update(await self._tell_unsent(context))
                if not acts:
                    notes.update(await self._tell_incomplete(context))
            except SurehandError:
                notes.update(await self._tell_incomplete(context))
                raise
            finally:
                self._rest.await_rest()
                if self._logs and context.run_id:
                    notes[PAGE_LOG] = await self._logs.keep(context)

    def _shows(self, context: ActionContext, *, acts: bool) -> bool:
        """Tell whether a picture is kept of a step."""
        return acts and self._session.settings.act_pictures and bool(context.run_id)

    async def _tell_unsent(self, context: ActionContext) -> dict[str, Any]:
        """Return the button that sends what was entered, as long as the page shows one."""
        tab = self._session.tabs.current(context.lane)
        if tab is None:
            return {}
        try:
            button: str = (await probe(tab.page, "unsent", ASKING_MS))["button"]
        except (PlaywrightError, SurehandError):
            return {}  # it is on its way to another document, or gone
        return {UNSENT: button} if button else {}

    async def _tell_incomplete(self, context: ActionContext) -> dict[str, Any]:
        """Return what policy has kept from the document that the lane's page shows; empty where nothing was."""
        tab = self._session.tabs.current(context.lane)
        log = self._session.log.entries
        if tab is None or not any(entry.kind == "blocked" and entry.page is tab.page for entry in log):
            return {}
        try:
            born_ms: float = (await probe(tab.page, "idle", ASKING_MS, within_ms=0, wholly=False))["born_ms"]
        except (PlaywrightError, SurehandError):
            return {}  # it is on its way to another document, or gone
        stopped = [
            entry.detail
            for entry in log
            if entry.kind == "blocked" and entry.page is tab.page and entry.at_ms >= born_ms
        ]
        hosts = list(dict.fromkeys(str(each["host"]) for each in stopped))
        return {INCOMPLETE: {"stopped": len(stopped), "hosts": hosts}} if stopped else {}
