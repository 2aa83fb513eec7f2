"""AttachedSession: a session on a page of a browser that another program started, and goes on with meanwhile.

It connects over the DevTools protocol, finds the page and acts on it; context, page and browser stay the other program's and are left open.
Its connections are that program's too, so that the wall doesn't stand around the page: what it loads is not judged, only where a step goes.
"""

from contextlib import suppress
from typing import Any, Never

from playwright.async_api import Browser, BrowserContext, Dialog, Download, Page
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.engine.scripts import CONTEXT_SCRIPT, register_engine
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import (
    LAUNCH_TIMEOUT_S,
    BrowserSettings,
    BrowserSource,
    StartedDriver,
    start_bare_driver,
    stop_driver,
)
from actuators.browser.playwright.session.listening import ContextListener
from actuators.browser.ports.screens import Takeover
from actuators.browser.ports.sessions import AttachedPage
from core.base.errors import ActionError, UnsupportedError
from core.tools.ports import MAIN_LANE, ActionContext


class AttachedBrowser(BrowserSource):
    """A connection to a browser of another program; stopping it leaves the browser as it is.

    It has a driver of its own: to a context that was there before, Playwright tells the engine only if it is registered after connecting.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._driver: StartedDriver | None = None
        self._browser: Browser | None = None

    async def start(self) -> Browser:
        """Return the browser, connected; UnsupportedError if it doesn't answer, or the driver doesn't start."""
        if self._browser and self._browser.is_connected():
            return self._browser
        await self.stop()
        self._driver = await start_bare_driver()
        playwright = self._driver.playwright
        try:
            self._browser = await playwright.chromium.connect_over_cdp(
                self._address, timeout=LAUNCH_TIMEOUT_S * 1000, no_defaults=True
            )
            await register_engine(playwright)
        except BaseException as error:
            await self.stop()
            if not isinstance(error, PlaywrightError):
                raise
            raise UnsupportedError(
                f"No browser answers at {self._address}.",
                code="browser_gone",
                hint="Attach while the browser runs, with the debugging port that it was started with.",
                evidence={"log": error.message[-1000:]},
            ) from error
        return self._browser

    async def heal(self) -> None:
        """Let go of what is left of the connection, so that the next start connects anew."""
        await self.stop()

    async def stop(self) -> None:
        """End the connection. Calling it again does nothing."""
        browser, self._browser = self._browser, None
        driver, self._driver = self._driver, None
        try:
            if browser:
                with suppress(PlaywrightError):  # it is gone already
                    await browser.close()
        finally:
            if driver:
                await stop_driver(driver)


class AttachedListener(ContextListener):
    """Answers only the dialogs of its own steps, and leaves downloads to the program that owns the page."""

    takeover: Takeover | None = None

    def _on_dialog(self, dialog: Dialog) -> None:
        if self.takeover and self.takeover.is_acting:
            super()._on_dialog(dialog)

    def _on_download(self, download: Download) -> None:
        """Do nothing: the owner of the page has it."""


class AttachedSession(PlaywrightSession):
    """A session on one page of another program, and on those that this page opens."""

    def __init__(self, settings: BrowserSettings, attached: AttachedPage) -> None:
        """Connect to nothing yet; how a browser is started, which settings tell as well, is nothing to it."""
        super().__init__(settings, AttachedBrowser(attached.address))
        listener = AttachedListener(self.tabs, self.dialogs, self.log, self.wall)
        listener.takeover = self.takeover
        self.listener = listener
        self.wall.stands = False
        self._attached = attached
        self._owner = ""

    def open_sessions(self) -> frozenset[str]:
        """Return ``{"page"}``: it is there before the first step."""
        return frozenset({"page"})

    async def open_page(self, context: ActionContext) -> Page:
        """Return the lane's current page, which begins as the other program's."""
        await self.open_context()
        return await super().open_page(context)

    async def close(self) -> None:
        """End the connection, and leave everything open. Calling it again does nothing."""
        async with self._opening:
            self._context = None
        await super().close()

    async def renew_context(self) -> Never:
        """Refuse it with ``attached_page``, always."""
        raise refuse_attached("A new browser context")

    async def _make_context(self, storage: Any = None) -> BrowserContext:
        del storage
        browser = await self._source.start()
        context = browser.contexts[0]
        page, self._owner = await self._find_page(context)
        await context.add_init_script(CONTEXT_SCRIPT)
        for frame in page.frames:
            await frame.evaluate(CONTEXT_SCRIPT)
        self.listener.attach(context)
        tab = self.tabs.add(page, MAIN_LANE)
        self.tabs.make_current(MAIN_LANE, tab)
        self.listener.adopt(page)
        context.on("close", self._on_context_close)
        return context

    async def _find_page(self, context: BrowserContext) -> tuple[Page, str]:
        for page in context.pages:
            session = await context.new_cdp_session(page)
            facts = (await session.send("Target.getTargetInfo"))["targetInfo"]
            await session.detach()
            if facts["targetId"] == self._attached.target:
                return page, str(facts.get("browserContextId", ""))
        raise ActionError(
            "The attached page is closed.", code="page_closed", hint="Attach again, with a page that is open."
        )

    async def _open_in(self, context: BrowserContext) -> Page:
        browser = await self._source.start()
        session = await browser.new_browser_cdp_session()
        async with context.expect_page() as opened:
            await session.send("Target.createTarget", {"url": "about:blank", "browserContextId": self._owner})
        await session.detach()
        return await opened.value


def refuse_attached(what: str) -> UnsupportedError:
    """Return the error of what belongs to the program that owns an attached page."""
    return UnsupportedError(
        f"{what} is not for an attached page: its context belongs to the program that opened it.",
        code="attached_page",
        hint="Do it in that program, or go without attaching.",
    )
