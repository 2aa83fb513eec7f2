"""A browser session: one browser, one fresh context, and a current page for each lane."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any, Self

from playwright.async_api import Browser, BrowserContext, Page, StorageState
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.engine.scripts import CONTEXT_SCRIPT
from actuators.browser.playwright.filming.videos import TraceDesk, VideoDesk
from actuators.browser.playwright.session.dialogs import DialogDesk
from actuators.browser.playwright.session.egress import PageEgress
from actuators.browser.playwright.session.emulation import Emulation, RouteBook
from actuators.browser.playwright.session.launching import BrowserProcess, BrowserSettings, BrowserSource
from actuators.browser.playwright.session.listening import ContextListener
from actuators.browser.playwright.session.sharing import LentBrowser, is_alive
from actuators.browser.playwright.session.storage import remember_page, restore_page
from actuators.browser.playwright.session.watches import HappeningLog, Watch
from actuators.browser.ports.pages import ElementWitness, make_no_page_error
from actuators.browser.ports.screens import Takeover
from actuators.browser.ports.tabs import Tab, TabStrip
from core.base.errors import ActionError
from core.tools.ports import MAIN_LANE, ActionContext

__all__ = ["BrowserSettings", "PlaywrightSession"]

# An empty list of permissions denies them all.
CONTEXT_OPTIONS: dict[str, Any] = {"service_workers": "block", "permissions": [], "accept_downloads": True}


class PlaywrightSession:
    """Pages in a browser that is started when the first one is needed.

    Attributes:
        listener: Keeps all of these up to date, and knows the downloads that no action has claimed.
        takeover: Whose turn it is on the pages, a plan's or a person's.
        witness: Sees for those who mend flows; whoever puts the tools together sets it.
    """

    def __init__(self, settings: BrowserSettings, source: BrowserSource | None = None) -> None:
        """Start nothing; without a source, the browser is a process of the session's own."""
        self.settings = settings
        self.tabs = TabStrip[Page]()
        self.takeover = Takeover()
        self.witness: ElementWitness | None = None
        self.dialogs = DialogDesk()
        self.log = HappeningLog()
        self.wall = PageEgress(self.tabs, self.log, settings.network, settings.named_hosts, settings.find_service)
        self.listener = ContextListener(self.tabs, self.dialogs, self.log, self.wall)
        self.emulation = Emulation()
        self.routes = RouteBook()
        self._source = source or BrowserProcess(settings)
        self.traces = TraceDesk(settings.traces_dir, failures_only=settings.traces_failures_only)
        self.videos = VideoDesk(settings.videos_dir)
        self._spares: list[Page] = []
        self._lanes: set[str] = set()
        self._bereft: frozenset[str] = frozenset()
        self._context: BrowserContext | None = None
        self._opening = asyncio.Lock()

    @classmethod
    def over(cls, browser: Browser, settings: BrowserSettings) -> Self:
        """Return a session in a browser that runs already; closing the session leaves the browser open."""
        return cls(settings, LentBrowser(browser))

    async def open_page(self, context: ActionContext) -> Page:
        """Return the lane's page; start a browser, replace a crashed page, dismiss an open dialog as needed."""
        await self._lay_to_rest()
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
        self._lanes.add(context.lane)
        self._bereft -= {context.lane}
        self.wall.adopt(context)
        await self.emulation.apply_to(page)
        return tab

    def current_page(self, context: ActionContext) -> Page:
        """Return the lane's page, or raise ``no_page``, ``browser_gone``, ``page_crashed`` or ``dialog_open``."""
        self.wall.adopt(context)
        tab = self.tabs.current(context.lane)
        if tab is None:
            raise make_gone_error() if context.lane in self._bereft else make_no_page_error()
        if tab.crashed:
            raise _make_crashed_error(tab.page.url)
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

    @property
    def browser(self) -> Browser | None:
        """The browser of its pages; None where it has none."""
        return self._context.browser if self._context else None

    async def renew_context(self) -> list[dict[str, str]]:
        """Replace the context as ``emulation`` says, keep cookies and storage; return pages' addresses and errors."""
        old = await self.open_context()
        async with self._opening:
            storage = await old.storage_state(indexed_db=True)
            memories = [await remember_page(tab.page) for tab in self.tabs]
            self._context = context = await self._make_context(storage)
            pages = {memory.page: await self._open_in(context) for memory in memories}
            self.tabs.replace_pages(pages)
            for page, fresh in pages.items():
                self.wall.rules.replace(page, fresh)
            self.listener.downloads.clear()
            self._spares.clear()
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

    async def close_tab(self, tab: Tab[Page]) -> None:
        """Close a tab."""
        await tab.page.close()
        self._lanes.intersection_update(self.tabs.list_lanes())

    async def end_lane(self, lane: str) -> None:
        """Close the tabs that a lane opened and no other lane is on."""
        for tab in self.tabs.end_lane(lane):
            await self.close_tab(tab)
        self.wall.rules.end_lane(lane)

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
                    await self.videos.finish(has_secrets=self.traces.is_withheld)
            finally:
                await self.wall.close()
                await self._source.stop()
                self.tabs.clear()
                self._lanes.clear()
                self._bereft = frozenset()
                self.listener.downloads.clear()

    async def prepare_page(self) -> None:
        """Make a page that the next tab takes, in turn with the other sessions of the browser."""
        async with self._source.take_turn():
            page = await self._make_page()
            self.tabs.remove(page)
            self._spares.append(page)

    async def _make_page(self) -> Page:
        while self._spares:
            if not (spare := self._spares.pop()).is_closed():
                return spare
        context = await self.open_context()
        try:
            return await self._open_in(context)
        except PlaywrightError as error:
            if "closed" not in error.message:
                raise
        # The browser died, and the news of it is still on its way.
        self._on_context_close(context)
        await self._source.heal()
        return await self._open_in(await self.open_context())

    async def _lay_to_rest(self) -> None:
        """Forget the pages of a browser that no longer answers: a driver that dies takes the news of that with it."""
        if self.log.has_trouble and (context := self._context) and not (self.browser and await is_alive(self.browser)):
            self._on_context_close(context)
            await self._source.heal()
        self.log.has_trouble = False

    async def _open_in(self, context: BrowserContext) -> Page:
        page = await context.new_page()
        await self.wall.admit(page, self.routes.install)
        return page

    async def _make_context(self, storage: StorageState | None = None) -> BrowserContext:
        options = {**CONTEXT_OPTIONS, **self.emulation.begin_context(), "storage_state": storage}
        options |= {**await self.videos.list_options(), "proxy": await self.wall.open()}
        try:
            context = await self._begin_context(options)
        except PlaywrightError as error:
            text = f"The browser could not open a page: {error.message.partition(chr(10))[0]}"
            raise ActionError(text, code="browser_gone", hint="Close the session and start again.") from error
        await self.traces.start(context)
        await context.add_init_script(CONTEXT_SCRIPT)
        self.listener.attach(context)
        context.on("close", self._on_context_close)
        return context

    async def _begin_context(self, options: dict[str, Any]) -> BrowserContext:
        browser = await self._source.start()
        try:
            return await browser.new_context(**options)
        except PlaywrightError as error:
            if "closed" not in error.message:
                raise
        await self._source.heal()
        return await (await self._source.start()).new_context(**options)

    def _on_context_close(self, context: BrowserContext) -> None:
        if context is self._context:  # neither closed nor replaced by this session: the browser died
            self._context = None
            self._bereft |= self._lanes
            self._lanes.clear()
            self.tabs.clear()


def _make_crashed_error(url: str) -> ActionError:
    text = f"The page {url} has crashed."
    return ActionError(text, code="page_crashed", hint="Open it again with browser.navigate.")


def make_gone_error() -> ActionError:
    """Return what is said of pages whose browser died."""
    return ActionError(
        "The browser ended unexpectedly, and its pages are gone.",
        code="browser_gone",
        hint="Open the page again with browser.navigate.",
    )
