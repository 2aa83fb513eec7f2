"""A browser session: one browser, one fresh context, and a current page for each lane."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any, Self

from playwright.async_api import Browser, BrowserContext, Page, StorageState
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.engine.scripts import CONTEXT_SCRIPT
from actuators.browser.playwright.session.dialogs import DialogDesk
from actuators.browser.playwright.session.egress import PageEgress
from actuators.browser.playwright.session.emulation import Emulation
from actuators.browser.playwright.session.launching import BrowserProcess, BrowserSettings
from actuators.browser.playwright.session.listening import ContextListener
from actuators.browser.playwright.session.page_memories import remember_page, restore_page
from actuators.browser.playwright.session.routes import RouteBook
from actuators.browser.playwright.session.traces import TraceDesk
from actuators.browser.playwright.session.watches import HappeningLog, Watch
from actuators.browser.ports.pages import make_no_page_error
from actuators.browser.ports.tab_strip import Tab, TabStrip
from core.base.errors import ActionError
from core.tools.ports import MAIN_LANE, ActionContext

__all__ = ["BrowserSettings", "PlaywrightSession"]

# An empty list of permissions denies them all.
CONTEXT_OPTIONS: dict[str, Any] = {"service_workers": "block", "permissions": [], "accept_downloads": True}


class PlaywrightSession:
    """Pages in a browser that is started when the first one is needed.

    Attributes:
        settings: How the browser is started.
        tabs: The open tabs and each lane's current one.
        dialogs: What becomes of dialogs.
        log: What happened on the pages.
        wall: Lets out what policy allows, and nothing else.
        listener: Keeps all of these up to date, and knows the downloads that no action has claimed.
        emulation: What the browser pretends to be.
        routes: Requests that are answered, stopped or delayed.
        traces: What is recorded.
    """

    def __init__(self, settings: BrowserSettings) -> None:
        self.settings = settings
        self.tabs = TabStrip[Page]()
        self.dialogs = DialogDesk()
        self.log = HappeningLog()
        self.wall = PageEgress(self.tabs, self.log, settings.network, settings.named_hosts)
        self.listener = ContextListener(self.tabs, self.dialogs, self.log, self.wall)
        self.emulation = Emulation()
        self.routes = RouteBook()
        self._process = BrowserProcess(settings)
        self.traces = TraceDesk(settings.traces_dir, failures_only=settings.traces_failures_only)
        self._borrowed: Browser | None = None
        self._context: BrowserContext | None = None
        self._opening = asyncio.Lock()

    @classmethod
    def over(cls, browser: Browser, settings: BrowserSettings) -> Self:
        """Return a session in a browser that runs already; closing the session leaves the browser open."""
        session = cls(settings)
        session._borrowed = browser
        return session

    async def open_page(self, context: ActionContext) -> Page:
        """Return the lane's current page; start the browser and open a page as needed.

        A crashed page is replaced, and an open dialog that nobody answered is dismissed.

        Raises:
            UnsupportedError: If there is no browser, or it doesn't start.
        """
        tab = self.tabs.current(context.lane)
        if self.dialogs.held(context.lane):
            await self.dialogs.answer(context.lane, "dismiss", None)
        if tab is None or tab.crashed:
            fresh = await self.open_tab(context)
            if tab:
                await tab.page.close()
            tab = fresh
        self.wall.adopt(context)
        return tab.page

    async def open_tab(self, context: ActionContext) -> Tab[Page]:
        """Open an empty tab and make it the lane's current one."""
        page = await self._make_page()
        tab = self.tabs.add(page, context.lane)
        self.tabs.make_current(context.lane, tab)
        self.wall.adopt(context)
        await self.emulation.apply_to(page)
        return tab

    def current_page(self, context: ActionContext) -> Page:
        """Return the lane's current page.

        Raises:
            ActionError: If the lane has none (``no_page``), it crashed (``page_crashed``), or a dialog is open on it
                that must be answered first (``dialog_open``).
        """
        self.wall.adopt(context)
        tab = self.tabs.current(context.lane)
        if tab is None:
            raise make_no_page_error()
        if tab.crashed:
            raise ActionError(
                f"The page {tab.page.url} has crashed.",
                code="page_crashed",
                hint="Open it again with browser.navigate.",
            )
        if held := self.dialogs.held(context.lane):
            raise ActionError(
                f'The page waits for an answer to its {held.detail["kind"]}: "{held.detail["message"]}".',
                code="dialog_open",
                hint="Answer it with browser.dialog first.",
                evidence={"dialog": held.detail},
            )
        return tab.page

    def watch(self, context: ActionContext) -> Watch:
        """Watch what happens on the lane's pages in the time of an action: ``async with session.watch(context) as watch``."""
        return Watch(self.log, self.dialogs, context.lane, holds_dialogs="browser.dialog" in context.followers)

    def open_sessions(self) -> frozenset[str]:
        """Return ``{"page"}`` if the session's own lane has a page, for the WorldState."""
        tab = self.tabs.current(MAIN_LANE)
        return frozenset({"page"}) if tab and not tab.crashed else frozenset()

    async def open_context(self) -> BrowserContext:
        """Return the browser context; start the browser and make the context as needed."""
        async with self._opening:  # also while it is being renewed
            if self._context is None:
                self._context = await self._make_context()
            return self._context

    async def renew_context(self) -> list[dict[str, str]]:
        """Replace the context by one with the options of ``emulation``; cookies and storage are kept, pages loaded anew.

        Returns:
            For each page its address, and an error where it could not be loaded again.
        """
        old = await self.open_context()
        async with self._opening:
            storage = await old.storage_state(indexed_db=True)
            memories = [await remember_page(tab.page) for tab in self.tabs]
            self._context = context = await self._make_context(storage)
            pages = {memory.page: await self._open_in(context) for memory in memories}
            self.tabs.replace_pages(pages)
            self.wall.replace_pages(pages)
            self.listener.downloads.clear()
            await self.traces.save(old)
            await old.close()
        return [await restore_page(memory, pages[memory.page]) for memory in memories]

    @asynccontextmanager
    async def open_aside(self, context: ActionContext) -> AsyncGenerator[Page]:
        """Open a page for a moment that is nobody's tab; the action's policy applies to it."""
        page = await self._make_page()
        self.tabs.remove(page)
        try:
            with self.wall.aside(context, page):
                yield page
        finally:
            await page.close()

    def note_failure(self) -> None:
        """Note that a step on a page failed, for which a trace is worth keeping."""
        self.traces.note_failure()

    async def close_tab(self, tab: Tab[Page]) -> None:
        """Close a tab, and leave its page even if it asks whether to."""
        self.dialogs.allow_leaving(tab.page)
        await tab.page.close()

    async def end_lane(self, lane: str) -> None:
        """Close the tabs that a lane opened and no other lane is on."""
        for tab in self.tabs.end_lane(lane):
            await self.close_tab(tab)
        self.wall.end_lane(lane)

    async def close(self) -> None:
        """Close pages, context and browser, and remove their files. Calling it again does nothing."""
        async with self._opening:
            context, self._context = self._context, None
            try:
                self.routes.close()
                await self.dialogs.close()
                if context:
                    await self.traces.save(context)
                    with suppress(PlaywrightError):  # it is gone already, if browser or driver died
                        await context.close()
            finally:
                await self.wall.close()
                await self._process.stop()
                self.tabs.clear()
                self.listener.downloads.clear()

    async def _make_page(self) -> Page:
        context = await self.open_context()
        try:
            return await self._open_in(context)
        except PlaywrightError as error:
            if "closed" not in error.message:
                raise
        # The browser died, and the news of it is still on its way.
        if self._context is context:
            self._on_context_close(context)
        await self._process.stop()
        return await self._open_in(await self.open_context())

    async def _open_in(self, context: BrowserContext) -> Page:
        page = await context.new_page()
        await self.wall.admit(page, self.routes.install)
        return page

    async def _make_context(self, storage: StorageState | None = None) -> BrowserContext:
        browser = self._borrowed or await self._process.start()
        options = {**CONTEXT_OPTIONS, **self.emulation.begin_context()}
        try:
            context = await browser.new_context(**options, storage_state=storage, proxy=await self.wall.open())
        except PlaywrightError as error:
            raise ActionError(
                f"The browser could not open a page: {error.message.partition(chr(10))[0]}",
                code="browser_gone",
                hint="Close the session and start again.",
            ) from error
        await self.traces.start(context)
        await context.add_init_script(CONTEXT_SCRIPT)
        self.listener.attach(context)
        context.on("close", self._on_context_close)
        return context

    def _on_context_close(self, context: BrowserContext) -> None:
        if context is self._context:  # neither closed nor replaced by this session: the browser died
            self._context = None
            self.tabs.clear()
