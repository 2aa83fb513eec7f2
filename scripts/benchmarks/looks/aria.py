"""Playwright's raw aria snapshot, for comparison: all of the page, with refs."""

import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Self

from playwright.async_api import Page, ViewportSize, async_playwright

from scripts.benchmarks.looks.judge import NUMBERS
from scripts.benchmarks.looks.tools import WINDOW, Told

REF = re.compile(r"\[ref=(\w+)\]")
_NUMBER = "(element) => window.benchNumbers.get(element) ?? -1"


class RawPages:
    """A browser of Playwright's, as whoever writes a script has it.

    Attributes:
        page: Its only page.
    """

    page: Page

    def __init__(self, executable: str) -> None:
        """Look through a browser of its own.

        Args:
            executable: The browser.
        """
        self._executable = executable
        self._closing = AsyncExitStack()
        self._text = ""

    async def __aenter__(self) -> Self:
        """Start the browser."""
        playwright = await self._closing.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(executable_path=self._executable)
        self._closing.push_async_callback(browser.close)
        self.page = await browser.new_page(viewport=ViewportSize(width=WINDOW[0], height=WINDOW[1]))
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the browser."""
        await self._closing.aclose()

    async def open(self, addresses: Sequence[str]) -> None:
        """Go to the addresses, one after another."""
        for address in addresses:
            await self.page.goto(address)

    async def look(self) -> str:
        """Return the snapshot."""
        self._text = await self.page.aria_snapshot(mode="ai")
        return self._text

    async def identify(self) -> Told:
        """Ask its refs for the elements that they stand for."""
        await self.page.evaluate(NUMBERS, arg=False)
        refs = list(dict.fromkeys(REF.findall(self._text)))
        numbers = {await self.page.locator(f"aria-ref={ref}").evaluate(_NUMBER) for ref in refs}
        return Told(frozenset(numbers) - {-1}, lines=len(refs))
