"""Where on a picture of a page the things are that an outline numbers: asked of each of its frames once."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from actuators.browser.playwright.finding.persisting import EngineError
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.looking.outlines import Look, Room
from actuators.numbered_pictures import NumberedBox

if TYPE_CHECKING:
    from core.outlines.items import Outline

ROOT = ":root"
MOST_PX = 12_000
"""A page that is longer is shown as far as the window shows it: nobody could read a number on the whole of it."""

_ASK_MS = 2000.0


@dataclass(frozen=True, slots=True)
class NumberedView:
    """What a picture is to show of a page.

    Attributes:
        is_whole: Whether it shows the whole page, else what the window shows.
        width: Of what it shows, in pixels of the page.
        boxes: Of the things that it shows, in pixels of the page.
    """

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


async def place_numbers(page: Page, look: Look, outline: "Outline") -> NumberedView:
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
    """Return what a document says of itself, and the boxes of its things in pixels of the window."""
    is_page = isinstance(room.place, Page)  # else it may lie in a frame
    try:
        facts = await probe(room.place, "boxes", _ASK_MS, refs=list(numbers))
        ground = None if is_page else await room.place.locator(ROOT).bounding_box(timeout=_ASK_MS)
    except (PlaywrightError, EngineError):
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
