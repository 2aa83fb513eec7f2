"""A browser session: one browser, one fresh context, and a current page for each lane."""

import asyncio
from typing import Any, Self

from playwright.async_api import Browser, BrowserContext, Dialog, Download, Frame, Page

from actuators.browser.dialogs import DialogDesk
from actuators.browser.egress import HostGuard
from actuators.browser.launching import BrowserProcess, BrowserSettings
from actuators.browser.pages import Tab, TabStrip
from actuators.browser.watches import HappeningKind, HappeningLog, Watch
from core.errors import ActionError
from core.ports import ActionContext

__all__ = ["BrowserSettings", "PlaywrightSession"]

# An empty list of permissions denies them all.
CONTEXT_OPTIONS: dict[str, Any] = {"service_workers": "block", "permissions": [], "accept_downloads": True}
MAIN_LANE = "main"


class PlaywrightSession:
    """Pages in a browser that is started when the first one is needed.

    Attributes:
        settings: How the browser is started.
        tabs: The open tabs and each lane's current one.
        dialogs: What becomes of dialogs.
        log: What happened on the pages.
        downloads: Downloads that no action has claimed yet, oldest first.
    """

    def __init__(self, settings: BrowserSettings) -> None:
        self.settings = settings
        self.tabs = TabStrip()
        self.dialogs = DialogDesk()
        self.log = HappeningLog()
        self.downloads: list[Download] = []
        self._process = BrowserProcess(settings)
        self._borrowed: Browser | None = None
        self._context: BrowserContext | None = None
        self._guard = HostGuard(self.tabs, lambda page, url: self._note("blocked", page, {"url": url}))
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
        await self._guard.adopt(context, tab.page)
        return tab.page

    async def open_tab(self, context: ActionContext) -> Tab:
        """Open an empty tab and make it the lane's current one."""
        browser_context = await self.open_context()
        page = await browser_context.new_page()
        tab = self.tabs.add(page, context.lane)
        self.tabs.make_current(context.lane, tab)
        await self._guard.adopt(context, page)
        return tab

    def current_page(self, context: ActionContext) -> Page:
        """Return the lane's current page.

        Raises:
            ActionError: If the lane has none (``no_page``), it crashed (``page_crashed``), or a dialog is open on it
                that must be answered first (``dialog_open``).
        """
        tab = self.tabs.current(context.lane)
        if tab is None:
            raise ActionError(
                "No page is open here.", code="no_page", hint='Start with browser.navigate, such as "go to https://…".'
            )
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
        if self._context:
            return self._context
        async with self._opening:
            if self._context is None:
                browser = self._borrowed or await self._process.start()
                self._context = await browser.new_context(**CONTEXT_OPTIONS)
                self._listen(self._context)
            return self._context

    async def close_tab(self, tab: Tab) -> None:
        """Close a tab, and leave its page even if it asks whether to."""
        self.dialogs.allow_leaving(tab.page)
        await tab.page.close()

    async def end_lane(self, lane: str) -> None:
        """Close the tabs that a lane opened and no other lane is on."""
        for tab in self.tabs.end_lane(lane):
            await self.close_tab(tab)

    async def close(self) -> None:
        """Close pages, context and browser, and remove their files. Calling it again does nothing."""
        async with self._opening:
            context, self._context = self._context, None
            try:
                await self.dialogs.close()
                if context:
                    await context.close()
            finally:
                await self._process.stop()
                self.tabs.clear()
                self.downloads.clear()

    def _listen(self, context: BrowserContext) -> None:
        context.on("page", self._on_page)
        context.on("pageclose", self._on_page_close)
        context.on("dialog", self._on_dialog)
        context.on("download", self._on_download)
        context.on("framenavigated", self._on_navigation)
        context.on("close", self._on_context_close)

    def _on_page(self, page: Page) -> None:
        self.tabs.add(page, "")
        page.on("crash", self._on_crash)
        page.on("popup", lambda popup: self._on_popup(page, popup))

    def _on_popup(self, opener: Page, popup: Page) -> None:
        lane = self.tabs.lane_of(opener)
        self.tabs.add(popup, lane, self.tabs.find(opener))
        self.log.add("opened_tab", lane, popup, {})
        self._guard.adopt_popup(popup)

    def _on_page_close(self, page: Page) -> None:
        lane = self.tabs.lane_of(page)
        if self.tabs.remove(page):
            self.log.add("closed_tab", lane, page, {"url": page.url})
        self.dialogs.forget_page(page)
        self._guard.forget_page(page)

    def _on_crash(self, page: Page) -> None:
        tab = self.tabs.find(page)
        if tab:
            tab.crashed = True
            self._note("crash", page, {"url": page.url})
        self.dialogs.forget_page(page)

    def _on_dialog(self, dialog: Dialog) -> None:
        lane = self.tabs.lane_of(dialog.page) if dialog.page else ""
        detail: dict[str, Any] = {"kind": dialog.type, "message": dialog.message}
        if dialog.page:
            self.log.add("dialog", lane, dialog.page, detail)
        self.dialogs.receive(dialog, lane, detail)

    def _on_download(self, download: Download) -> None:
        self.downloads.append(download)
        detail = {"url": download.url, "suggested_name": download.suggested_filename}
        self._note("download", download.page, detail)

    def _on_navigation(self, frame: Frame) -> None:
        if frame.parent_frame is None:
            self._note("navigated_to", frame.page, {"url": frame.url})

    def _on_context_close(self, context: BrowserContext) -> None:
        if context is self._context:  # not by ``close``: the browser died
            self._context = None
            self.tabs.clear()
            self._guard.forget_context()

    def _note(self, kind: HappeningKind, page: Page, detail: dict[str, Any]) -> None:
        self.log.add(kind, self.tabs.lane_of(page), page, detail)
