"""Where sessions have their browser from: a process of their own, one that several share, or one that somebody lends."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from playwright.async_api import Browser
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.session.browser_watches import FloodWatch, HangWatch
from actuators.browser.playwright.session.launching import BrowserProcess, BrowserSettings, BrowserSource
from core.base.errors import ActionError

PROBE_S = 5.0
PAGES_AT_ONCE = 4


class LentBrowser(BrowserSource):
    """A browser that somebody else starts and stops."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    async def start(self) -> Browser:
        """Return it."""
        return self._browser


class SharedBrowser(BrowserSource):
    """One browser for several sessions: started when the first of them needs it, and kept warm until it is closed.

    Sessions start it side by side, and one that is stopped meanwhile stops nobody else's start. After its death the first
    that notices starts it anew for all.
    """

    def __init__(self, settings: BrowserSettings) -> None:
        self._process = BrowserProcess(settings)
        self._turn = asyncio.Lock()
        self._opening = asyncio.Semaphore(PAGES_AT_ONCE)
        self._watches: tuple[FloodWatch | HangWatch, ...] = ()
        self._starting: asyncio.Future[Browser] | None = None

    async def start(self) -> Browser:
        """Return the browser; start it unless it runs."""
        if self._starting is None or self._starting.done():
            self._starting = asyncio.ensure_future(self._start())
        return await asyncio.shield(self._starting)

    @asynccontextmanager
    async def take_turn(self) -> AsyncGenerator[None]:
        """Wait until few others open a page; each has a process to start."""
        async with self._opening:
            yield

    async def heal(self) -> None:
        """Ask the browser whether it lives, and stop what is left of one that doesn't."""
        async with self._turn:
            browser = self._process.browser
            if browser and not await is_alive(browser):
                await self._process.stop()

    async def close(self) -> None:
        """Stop the browser, whoever still uses it. Calling it again does nothing."""
        if self._starting:
            await asyncio.wait({self._starting})
        async with self._turn:
            await self._end_watches()
            await self._process.stop()

    async def _start(self) -> Browser:
        async with self._turn:
            before = self._process.browser
            browser = await self._process.start()
            if browser is not before or not self._watches:
                await self._end_watches()
                self._watches = (FloodWatch(browser), HangWatch(browser))
            return browser

    async def _end_watches(self) -> None:
        watches, self._watches = self._watches, ()
        for watch in watches:
            await watch.close()


async def is_alive(browser: Browser) -> bool:
    """Tell whether a browser answers, or is gone.

    Args:
        browser: Its driver may think that it does.

    Raises:
        ActionError: ``browser_frozen`` if it is there and says nothing: it may go on, with all its pages.
    """
    if not browser.is_connected():
        return False
    try:
        async with asyncio.timeout(PROBE_S):
            session = await browser.new_browser_cdp_session()
            await session.send("Browser.getVersion")
            await session.detach()
    except PlaywrightError:
        return False
    except TimeoutError:
        raise ActionError(
            f"The browser is there, and did not answer within {PROBE_S:g} s; its pages were left as they are.",
            code="browser_frozen",
            hint="Let it go on if it was stopped, and do the step again; or close the session.",
        ) from None
    return True
