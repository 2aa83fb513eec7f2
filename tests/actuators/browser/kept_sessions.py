"""Sessions that one test after another gets, cleaned: a context of its own costs more than most of what is done in it."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from playwright.async_api import Browser, BrowserContext, CDPSession, Page, StorageState
from playwright.async_api import Error as PlaywrightError

from actuators.browser.egress.networks import NetworkAccess
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from actuators.browser.playwright.session.sharing import LentBrowser
from fixtures.machine.network import DeclaredNetwork

LASTING = (
    "add_init_script", "expose_binding", "expose_function", "route", "route_from_har", "emulate_media", "set_viewport_size",
    "set_extra_http_headers", "grant_permissions", "set_geolocation", "set_offline", "set_default_timeout",
)  # fmt: skip
"""What nobody can take back from a page or a context."""
MOST_USES = 40
"""Tests that one session serves: what each of their tools listens to adds up."""
CLEANING_MS = 3000


class KeptSession(PlaywrightSession):
    """A session that can be brought back to how a new one is, unless something was done that lasts."""

    _is_spoilt = False
    _uses = 0
    _tools: CDPSession | None = None

    async def clean(self) -> bool:
        """Bring it back to how a new one is, but for a page that is ready for the next tab; tell whether that worked."""
        self._uses += 1
        page = next((tab.page for tab in self.tabs if not tab.crashed), None)
        if self._is_spoilt or self._uses >= MOST_USES or self._context is None or page is None or self.takeover.held:
            return False
        lanes = {"main", *self._lanes, *self.tabs.list_lanes()}
        try:
            await self.dialogs.close()
            for tab in self.tabs:
                if tab.page is not page:
                    await self.close_tab(tab)
            await self._empty(page, self._context)
        except PlaywrightError:
            return False
        for lane in lanes:
            self.wall.rules.end_lane(lane)
            self.dialogs.expect(lane, held=False)
        self.tabs.clear()
        self._lanes.clear()
        self._spares[:] = [page]
        self.log.entries.clear()
        self.log.reported.clear()
        self.log.has_trouble = False
        return not any(self.dialogs.is_armed(lane) for lane in lanes) and len(self._context.pages) == 1

    async def _empty(self, page: Page, context: BrowserContext) -> None:
        await page.goto("about:blank", timeout=CLEANING_MS)
        await page.mouse.move(-1, -1)
        await context.clear_cookies()
        self._tools = self._tools or await context.new_cdp_session(page)
        await self._tools.send("Page.resetNavigationHistory")
        self.dialogs.forget_page(page)
        self.wall.rules.forget(page)
        self.listener.calm.pop(page, None)
        self.listener.downloads.clear()

    async def renew_context(self) -> list[dict[str, str]]:
        """Replace the context, which is the end of this session for others."""
        self._is_spoilt = True
        return await super().renew_context()

    async def _make_context(self, storage: StorageState | None = None) -> BrowserContext:
        context = await super()._make_context(storage)
        self._heed(context)
        self.emulation.note = self._noting(self.emulation.note)
        return context

    async def _open_in(self, context: BrowserContext) -> Page:
        page = await super()._open_in(context)
        self._heed(page)
        return page

    def _heed(self, owner: Page | BrowserContext) -> None:
        for name in LASTING:
            if call := getattr(owner, name, None):
                setattr(owner, name, self._noting(call))

    def _noting(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def note(*args: Any, **named: Any) -> Any:
            self._is_spoilt = True
            return call(*args, **named)

        return note


class SessionKeeper:
    """Lends the same session again and again."""

    def __init__(self, browser: Browser, named_hosts: tuple[str, ...] = ()) -> None:
        """Make no session yet.

        Args:
            browser: Where sessions have their pages.
            named_hosts: What pages may reach on this machine.
        """
        self._browser = browser
        self._named_hosts = named_hosts
        self._session: KeptSession | None = None

    @asynccontextmanager
    async def open_new(self, settings: BrowserSettings) -> AsyncGenerator[PlaywrightSession]:
        """Open a session for one test that was nobody else's, with a context of its own."""
        session = PlaywrightSession.over(self._browser, self._complete(settings, DeclaredNetwork()))
        yield session
        await session.close()

    @asynccontextmanager
    async def lend(self, settings: BrowserSettings) -> AsyncGenerator[PlaywrightSession]:
        """Lend a session for one test that is as good as new."""
        kept, self._session = self._session, None
        settings = self._complete(settings, kept.settings.network if kept else DeclaredNetwork())
        session = kept or KeptSession(settings, LentBrowser(self._browser))
        session.settings = settings
        yield session
        if await session.clean():
            self._session = session
        else:
            await session.close()

    def _complete(self, settings: BrowserSettings, network: NetworkAccess | None) -> BrowserSettings:
        return replace(settings, network=network, named_hosts=self._named_hosts)

    async def close(self) -> None:
        """Close what is kept."""
        if self._session:
            await self._session.close()
