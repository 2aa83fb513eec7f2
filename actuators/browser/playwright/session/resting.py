"""What a session's pages do once nothing is asked of them: let go of memory, since many sessions wait beside each other."""

import asyncio
from contextlib import suppress

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from actuators.browser.ports.tabs import TabStrip

REST_S = 3.0
"""Seconds without a step after which pages rest."""

COLLECT_S = 10.0


class PageRest:
    """Lets pages collect their garbage once after the last step; a browser that is idle does that minutes later, if at all."""

    def __init__(self, tabs: TabStrip[Page]) -> None:
        self._tabs = tabs
        self._timer: asyncio.TimerHandle | None = None
        self._collecting: asyncio.Task[None] | None = None

    def interrupt(self) -> None:
        """Note that a step begins."""
        if self._timer:
            self._timer.cancel()

    def await_rest(self) -> None:
        """Note that a step ended."""
        self.interrupt()
        self._timer = asyncio.get_running_loop().call_later(REST_S, self._rest)

    def _rest(self) -> None:
        self._collecting = asyncio.create_task(self.collect())

    async def collect(self) -> None:
        """Let every page collect its garbage; one that hangs is left alone."""
        for tab in self._tabs:
            if not tab.crashed:
                with suppress(PlaywrightError, TimeoutError):  # it went away, or doesn't answer
                    async with asyncio.timeout(COLLECT_S):
                        await _collect_garbage(tab.page)


async def _collect_garbage(page: Page) -> None:
    session = await page.context.new_cdp_session(page)
    await session.send("HeapProfiler.collectGarbage")
    await session.detach()
