"""What tabs are now, and what they show."""

import asyncio

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page

from actuators.browser.playwright.finding.persisting import EngineError
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.ports.tab_strip import Tab, TabStrip
from actuators.browser.ports.tabs import TabFacts

READ_TITLE_S = 1.0
READ_TEXT_S = 2.0
MOST_CHARS = 1_000_000


async def list_facts(strip: TabStrip[Page], lane: str) -> list[TabFacts]:
    """Return all tabs in the order in which they were opened."""
    titles: dict[Tab[Page], str] = {}
    while fresh := [tab for tab in strip if tab not in titles]:  # tabs come and go while others are asked
        read = await asyncio.gather(*(_read_title(tab) for tab in fresh))
        titles |= zip(fresh, read, strict=True)
    return strip.list_facts(lane, [(tab.page.url, titles[tab]) for tab in strip])


async def _read_title(tab: Tab[Page]) -> str:
    if tab.crashed:
        return "(crashed)"
    try:
        async with asyncio.timeout(READ_TITLE_S):
            return await probe(tab.page, "title")
    except (PlaywrightError, EngineError, TimeoutError):
        return "(does not answer)"


async def read_text(tab: Tab[Page]) -> str:
    """Return what a tab shows; nothing of one that doesn't answer."""
    if tab.crashed:
        return ""
    try:
        async with asyncio.timeout(READ_TEXT_S):
            return "\n".join(await asyncio.gather(*map(_read_frame, tab.page.frames)))
    except TimeoutError:
        return ""


async def _read_frame(frame: Frame) -> str:
    try:
        return (await probe(frame, "whole", READ_TEXT_S * 1000, most=MOST_CHARS))["text"]
    except PlaywrightError:
        return ""  # it is on its way to another document, or gone
