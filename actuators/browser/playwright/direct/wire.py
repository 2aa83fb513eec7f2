"""A line to what runs in a page, by the browser's own protocol."""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from playwright.async_api import CDPSession, Page
from playwright.async_api import Error as PlaywrightError


class PageWire(Protocol):
    """Sends commands to one page, in order, and hears what it tells."""

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its answer.

        Raises:
            PlaywrightError: If the page, or the browser, is gone, or refuses it.
        """
        ...

    def post(self, method: str, **params: Any) -> "asyncio.Future[dict[str, Any]]":
        """Send a command at once, and return where its answer will be, so that the next can be sent behind it."""
        ...

    def on(self, event: str, listener: Callable[[dict[str, Any]], None]) -> None:
        """Call a listener with each event of a kind."""
        ...


class SessionWire(PageWire):
    """A wire over a session that Playwright has opened beside its own."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its answer."""
        return await self.post(method, **params)  # behind what was posted before

    def post(self, method: str, **params: Any) -> "asyncio.Future[dict[str, Any]]":
        """Send a command at once."""
        return asyncio.ensure_future(self._session.send(method, params))

    def on(self, event: str, listener: Callable[[dict[str, Any]], None]) -> None:
        """Call a listener with each event of a kind."""
        self._session.on(event, listener)


async def open_wire(page: Page) -> PageWire | None:
    """Return a wire to a page; None where its browser speaks another protocol."""
    browser = page.context.browser
    if browser is None or browser.browser_type.name != "chromium":
        return None
    try:
        return SessionWire(await page.context.new_cdp_session(page))
    except PlaywrightError:
        return None  # it is closing: what is asked of it says so
