"""Looks at the tabs of a session, each of which remembers the one before; what tabs are now, and where on a picture their things are."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from playwright.async_api import Frame, Page

from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.causes import NO_ANSWER, answer_or, unless_gone
from actuators.browser.playwright.finding.idling import DOCUMENTS, await_calm
from actuators.browser.playwright.finding.locators import step_in
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.looking.outlines import Inquiry, Look, RefNumbers, Room, look_at
from actuators.browser.ports.reading import LookRequest
from actuators.browser.ports.tabs import Tab, TabFacts, TabStrip
from actuators.deadlines import Deadline, pause
from actuators.numbered_pictures import NumberedBox
from core.outlines.folding import make_changes_outline, make_outline
from core.outlines.items import Outline, OutlineItem
from core.outlines.searching import split_words
from core.outlines.trees import narrow_items
from core.selectors.selectors import parse_selector

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
    return await answer_or(probe(tab.page, "title"), "(does not answer)", READ_TITLE_S)


async def read_text(tab: Tab[Page]) -> str:
    """Return what a tab shows; nothing of one that doesn't answer."""
    if tab.crashed:
        return ""
    return "\n".join(await answer_or(asyncio.gather(*map(_read_frame, tab.page.frames)), [], READ_TEXT_S))


async def _read_frame(frame: Frame) -> str:
    told = await unless_gone(probe(frame, "whole", READ_TEXT_S * 1000, most=MOST_CHARS), None)
    return told["text"] if told else ""


MOVING_S = 1.0  # for which a look waits at most
A_FRAME_S = 0.02  # in which a page shows what follows


class PageLooks:
    """Looks at pages, and what was seen of them last."""

    def __init__(self) -> None:
        self.numbers = RefNumbers()
        self._seen: WeakKeyDictionary[Page, dict[str | None, list[OutlineItem]]] = WeakKeyDictionary()

    async def outline(self, aim: ActionTarget, wanted: LookRequest, secrets: tuple[str, ...]) -> tuple[Outline, Look]:
        """Return the outline of a page, or of a part of it, without secrets, and the look that it was made of."""
        question = Inquiry(self.numbers, secrets, tuple(split_words(wanted.outline.find)))
        look = await _look_at_rest(aim, wanted.scope, question)
        before = self._recall(aim.page, wanted.scope, look)
        outline = await _fold(before, look, wanted)
        if look.lost:  # the page has made anew what it showed
            look = await _look(aim, wanted.scope, replace(question, names_at_once=True))
            outline = await _fold(before, look, wanted)
        self._seen.setdefault(aim.page, {})[wanted.scope] = look.items
        return outline, look

    def _recall(self, page: Page, scope: str | None, look: Look) -> list[OutlineItem] | None:
        seen = self._seen.get(page, {})
        if scope in seen or scope is None or None not in seen or not look.items:
            return seen.get(scope)
        return narrow_items(seen[None], look.items[0].ref) or None


async def _look_at_rest(aim: ActionTarget, scope: str | None, question: Inquiry) -> Look:
    """Look once the page has got what it is made of; and again once what moves to an end has got there, so that a dialog that fades in is told as it will be."""
    await await_calm(aim.page, aim.page.frames, aim.deadline.remaining_s, DOCUMENTS)
    deadline = Deadline(MOVING_S)
    look = await _look(aim, scope, question)
    while look.moves_ms and not deadline.is_over:
        await pause(min(look.moves_ms / 1000 + A_FRAME_S, deadline.remaining_s))
        look = await _look(aim, scope, question)
    return look


async def _look(aim: ActionTarget, scope: str | None, question: Inquiry) -> Look:
    if scope is None:
        return await look_at(aim.page, Room(aim.page), question, aim.take_ms(), is_page=True)
    spec = parse_selector(scope)
    room = Room(step_in(spec, aim.frame or aim.page), spec.frames)
    look = await look_at(aim.locator, room, question, aim.take_ms(), is_page=False)
    if look.items and look.items[0].level_of_heading:
        return await _look_under(look.items[0].ref, aim, question) or look
    return look


async def _look_under(ref: str, aim: ActionTarget, question: Inquiry) -> Look | None:
    look = await look_at(aim.page, Room(aim.page), question, aim.take_ms(), is_page=True)
    look.items = narrow_items(look.items, ref)
    return look if look.items else None


async def _fold(before: list[OutlineItem] | None, look: Look, wanted: LookRequest) -> Outline:
    if wanted.since and before is not None:
        return await make_changes_outline(before, look.items, wanted.outline, look.name_items)
    return await make_outline(look.items, wanted.outline, look.name_items)


ROOT = ":root"
MOST_PX = 12_000
"""A page that is longer is shown as far as the window shows it: nobody could read a number on the whole of it."""

_ASK_MS = 2000.0


@dataclass(frozen=True, slots=True)
class NumberedView:
    """What a picture is to show: the whole page or the window, its width and the boxes of its things, in pixels of the page."""

    is_whole: bool
    width: float
    boxes: tuple[NumberedBox, ...]

    def scale_to(self, width_px: int) -> tuple[NumberedBox, ...]:
        """Return the boxes on a picture, which may have other pixels than the page."""
        scale = width_px / self.width if self.width else 1.0
        return tuple(
            replace(each, x=each.x * scale, y=each.y * scale, width=each.width * scale, height=each.height * scale)
            for each in self.boxes
        )


async def place_numbers(page: Page, look: Look, outline: Outline) -> NumberedView:
    """Return where the numbered things of an outline are; what can't be seen is left out."""
    whole = Room(page)
    rooms: dict[Room, dict[str, int]] = {whole: {}}
    for line in outline.lines:
        if line.number and line.ref in look.rooms:
            rooms.setdefault(replace(look.rooms[line.ref], level=0), {})[line.ref] = line.number
    answers = await asyncio.gather(*(_ask(room, numbers) for room, numbers in rooms.items()))
    told = dict(zip(rooms, answers, strict=True))
    facts = told[whole][0]
    is_whole = max(facts["page"]) <= MOST_PX
    width, height = facts["page"] if is_whole else facts["window"]
    scrolled_x, scrolled_y = facts["scrolled"] if is_whole else (0, 0)
    boxes = (replace(box, x=box.x + scrolled_x, y=box.y + scrolled_y) for _, found in answers for box in found)
    return NumberedView(is_whole, width, tuple(box for box in boxes if _is_inside(box, width, height)))


async def _ask(room: Room, numbers: Mapping[str, int]) -> tuple[dict[str, Any], list[NumberedBox]]:
    is_page = isinstance(room.place, Page)  # else it may lie in a frame
    try:
        facts = await probe(room.place, "boxes", _ASK_MS, refs=list(numbers))
        ground = None if is_page else await room.place.locator(ROOT).bounding_box(timeout=_ASK_MS)
    except NO_ANSWER:
        if is_page:
            raise
        return {}, []  # its frame went away meanwhile
    away_x, away_y = (ground["x"] - facts["ground"][0], ground["y"] - facts["ground"][1]) if ground else (0, 0)
    found = zip(numbers.values(), facts["boxes"], strict=True)
    return facts, [
        NumberedBox(number, box[0] + away_x, box[1] + away_y, box[2], box[3]) for number, box in found if box
    ]


def _is_inside(box: NumberedBox, width: float, height: float) -> bool:
    return box.x < width and box.y < height and box.x + box.width > 0 and box.y + box.height > 0
