"""Showing the pages of a tab larger or smaller.

Nothing outside a browser's own window can turn its zoom. What comes nearest is the style ``zoom`` of the document: what is
on the page grows, lines break anew, and clicks, scrolling and pictures go on as before. Heights that a page takes from
the window grow with it, which they don't in a browser's own zoom.
"""

from collections.abc import Awaitable, Callable

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from actuators.browser.playwright.finding.probes import probe
from actuators.browser.ports.tabs import NORMAL_PERCENT
from core.base.errors import ActionError

# Puts the style on every later document of the tab, as soon as there is something to put it on.
LATER_SCRIPT = """(() => {
    if (window !== top) return;
    const put = () => document.documentElement?.style.setProperty("zoom", "FACTOR", "important");
    new MutationObserver((_, watcher) => { put(); watcher.disconnect(); }).observe(document, {childList: true});
    put();
})()"""


class Zoom:
    """How large one tab shows its pages, and the level that was set last."""

    def __init__(self, page: Page) -> None:
        self.level_percent: float = NORMAL_PERCENT
        self._page = page
        self._forget: Callable[[], Awaitable[None]] | None = None

    async def turn(self, level_percent: float, timeout_s: float) -> float:
        """Go to a level, here and on later pages; return what is shown; ``not_zoomed`` if the page doesn't answer."""
        factor = f"{level_percent / 100:g}"
        try:
            await probe(self._page, "zoom", timeout_s * 900, factor=factor)
            if self._forget:
                await self._forget()
                self._forget = None
            if level_percent != NORMAL_PERCENT:
                self._forget = (await self._page.add_init_script(LATER_SCRIPT.replace("FACTOR", factor))).close
            shown: float = await probe(self._page, "zoomed")
        except PlaywrightError as error:
            raise ActionError(
                f"The page {self._page.url} was not zoomed: {error.message.splitlines()[0]}",
                code="not_zoomed",
                hint="Wait until the page has loaded.",
            ) from error
        self.level_percent = level_percent
        return round(shown * 100, 2)
