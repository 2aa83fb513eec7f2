"""Finding the tab that a goal means."""

import asyncio
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame

from actuators.browser.playwright.pages import Tab, TabStrip
from actuators.browser.playwright.persisting import EngineError
from actuators.browser.playwright.probes import probe
from core.base.errors import TargetError
from core.base.matching import fold_space

READ_TITLE_S = 1.0
READ_TEXT_S = 2.0
MOST_CHARS = 1_000_000


@dataclass(frozen=True, slots=True)
class TabFacts:
    """A tab as it is now: its place in the order of opening, address, title, and whether the lane is on it."""

    tab: Tab
    index: int
    url: str
    title: str
    is_current: bool

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {"index": self.index, "url": self.url, "title": self.title, "current": self.is_current}

    def __str__(self) -> str:
        return f'{self.index}{"*" if self.is_current else ""} "{self.title}" {self.url}'


async def list_facts(strip: TabStrip, lane: str) -> list[TabFacts]:
    """Return all tabs in the order in which they were opened."""
    tabs = list(strip)
    titles = await asyncio.gather(*(_read_title(tab) for tab in tabs))
    current = strip.current(lane)
    return [
        TabFacts(tab, index, tab.page.url, title, tab is current)
        for index, (tab, title) in enumerate(zip(tabs, titles, strict=True))
    ]


def pick_tab(facts: list[TabFacts], wanted: str | int, lane: str) -> Tab:
    """Return the one tab that is meant.

    Args:
        facts: All tabs.
        wanted: Index, ``first``, ``last``, ``next``, ``previous``, ``new``, or a part of one tab's title or address.
        lane: Whose tabs ``new`` is about.

    Raises:
        TargetError: If none or more than one matches; lists the tabs.
    """
    found = _find_by_place(facts, wanted, lane) if _names_place(wanted) else _find_by_words(facts, str(wanted))
    return _take_only(found, facts, f'"{wanted}"')


async def pick_by_content(facts: list[TabFacts], text: str) -> Tab:
    """Return the one tab that shows a text on its page or in a frame of it.

    Args:
        facts: All tabs.
        text: The text; case and white space are ignored.

    Raises:
        TargetError: If none or more than one shows it; lists the tabs.
    """
    wanted = fold_space(text).casefold()
    texts = await asyncio.gather(*(_read_text(entry.tab) for entry in facts))
    found = [entry for entry, shown in zip(facts, texts, strict=True) if wanted in fold_space(shown).casefold()]
    return _take_only(found, facts, f'a page with "{text}" on it')


def _take_only(found: list[TabFacts], facts: list[TabFacts], wanted: str) -> Tab:
    if len(found) == 1:
        return found[0].tab
    listing = "; ".join(str(entry) for entry in facts) or "none"
    raise TargetError(
        f"{'More than one tab matches' if found else 'No tab matches'} {wanted}. Open tabs: {listing}.",
        code="target_ambiguous" if found else "target_missing",
        hint="Name a tab by its index, or by a unique part of its title or address.",
        evidence={"tabs": [entry.as_json() for entry in facts]},
    )


def _names_place(wanted: str | int) -> bool:
    return isinstance(wanted, int) or wanted.isdecimal() or wanted in {"first", "last", "next", "previous", "new"}


def _find_by_place(facts: list[TabFacts], wanted: str | int, lane: str) -> list[TabFacts]:
    if wanted == "new":
        return [entry for entry in facts if entry.tab.lane == lane and not entry.tab.visited][-1:]
    here = next((entry.index for entry in facts if entry.is_current), -1)
    places = {"first": 0, "last": len(facts) - 1, "next": here + 1, "previous": here - 1}
    place = places[wanted] if isinstance(wanted, str) and wanted in places else int(wanted)
    return facts[place : place + 1] if place >= 0 else []


def _find_by_words(facts: list[TabFacts], words: str) -> list[TabFacts]:
    exact = [entry for entry in facts if words in {entry.title, entry.url}]
    folded = words.casefold()
    return exact or [entry for entry in facts if folded in entry.title.casefold() or folded in entry.url.casefold()]


async def _read_title(tab: Tab) -> str:
    if tab.crashed:
        return "(crashed)"
    try:
        async with asyncio.timeout(READ_TITLE_S):
            return await probe(tab.page, "title")
    except (PlaywrightError, EngineError, TimeoutError):
        return "(does not answer)"


async def _read_text(tab: Tab) -> str:
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
