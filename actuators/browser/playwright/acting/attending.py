"""What is done around a step on a session's pages and is no part of its time: a person who has them, their opening, and their rest."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any, Literal

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.acting.page_logs import PAGE_LOG, PageLogs
from actuators.browser.playwright.finding.act_pictures import keep_picture
from actuators.browser.playwright.finding.causes import read_failure
from actuators.browser.playwright.finding.persisting import explain_trouble
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.session.browser_session import PlaywrightSession, make_gone_error
from actuators.browser.playwright.session.resting import PageRest
from actuators.browser.playwright.session.sharing import is_alive
from core.base.errors import ActionError, RefusedError, SurehandError, UnknownOutcomeError
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
            acts: Whether it does more than look.
            opens: Whether it opens a page where none is open.
            enters: Whether it enters something that nothing of the plan goes on with.

        Raises:
            UnsupportedError: If there is no browser, or it doesn't start.
        """
        async with self._session.takeover.take_turn(context, acts=acts) as notes:
            self._rest.interrupt()
            try:
                await self._open_ahead(context, opens=opens)
                await self._show(notes, context, "before", acts=acts)
                yield notes
                await self._show(notes, context, "after", acts=acts or self._logs is not None)
                notes.update(await self._tell_unsent(context) if enters else {})
                notes.update({} if acts else await self._tell_incomplete(context))
            except PlaywrightError as error:  # no verb expected it; its own words may hold what was typed
                raise (await self._explain(error, context)).after_act() from None
            except SurehandError as error:
                await self._check_answering(error)
                notes.update(await self._tell_incomplete(context))
                raise
            finally:
                self._rest.await_rest()
                if self._logs and context.run_id:
                    notes[PAGE_LOG] = await self._logs.keep(context)

    async def _open_ahead(self, context: ActionContext, *, opens: bool) -> None:
        """Open a page that a step needs, in turn with others."""
        if opens and self._session.tabs.current(context.lane) is None:
            with suppress(TimeoutError):
                async with asyncio.timeout(OPENING_S):
                    await self._session.prepare_page()

    async def _explain(self, error: PlaywrightError, context: ActionContext) -> ActionError:
        """Return the error for what came between this program and the browser in the middle of a step."""
        failure = read_failure(error.message)
        tab = self._session.tabs.current(context.lane)
        if failure.cause != "closed" and tab:
            return explain_trouble(error, tab.page)
        if not await self._is_answering():
            return make_gone_error()
        return ActionError("The page closed while it was used.", code="page_closed", hint="Open the page again.")

    async def _check_answering(self, error: SurehandError) -> None:
        """Blame nothing on a page whose browser stands still."""
        if isinstance(error, UnknownOutcomeError | RefusedError):
            return
        try:
            await self._is_answering()
        except ActionError as frozen:
            frozen.acted = error.acted
            raise frozen from error

    async def _is_answering(self) -> bool:
        """Tell whether the browser of the session's pages answers, or is gone with them."""
        browser = self._session.browser
        return bool(browser and await is_alive(browser))

    async def _show(
        self, notes: dict[str, Any], context: ActionContext, when: Literal["before", "after"], *, acts: bool
    ) -> None:
        """Keep a picture of an act, where such are kept."""
        if acts and self._session.settings.act_pictures and context.run_id:
            path = await keep_picture(self._session, context, when)
            notes.setdefault(PICTURES, {})[when] = path

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
