"""One drag with the mouse: an element is taken hold of, carried to another one that may move away meanwhile, and dropped."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.probes import probe
from actuators.deadlines import pause
from core.rules.browser_choices import Side

Point = tuple[float, float]
Box = Mapping[str, float]

STEPS = 10
FIRST_STEPS = 4
AWAY_PX = 8.0
"""How far the pointer goes at first: pages take a press for a drag from a few pixels on."""
HOLD_S = 0.07
"""Lists that put themselves in order look several times a second where the pointer is, not at each move."""
MOST_HOLDS = 8
NATIVE_HOLDS = 2
LONG_PRESS_S = 0.6
BEYOND = 0.75
"""Of the length of what is dropped on, where things change their places in a list."""


@dataclass(frozen=True, slots=True)
class Grip:
    """Where an element is taken hold of.

    Attributes:
        is_long: Whether the button is held for a while before the pointer moves.
    """

    x_px: float
    y_px: float
    is_long: bool = False


@dataclass(slots=True)
class Carrier:
    """Carries an element to another one.

    Attributes:
        side: Where it shall come in a list that is put in order.
        wanted: The side on which it comes to stand if all goes well: the one that was named, else the one where it isn't yet; empty
            where the two are not of one list.
        began: Where both were at first, as the page engine told it.
    """

    aim: ActionTarget
    target: ActionTarget
    side: Side | None
    wanted: str = ""
    began: Mapping[str, Any] | None = None

    async def carry(self, grip: Grip, *, again: bool = False) -> dict[str, Any]:
        """Drag the element once; return what the page engine saw of it.

        Args:
            again: Whether it was tried before, in vain.
        """
        aim, mouse = self.aim, self.aim.page.mouse
        await self.target.locator.hover(trial=True, timeout=aim.take_ms())
        await aim.locator.hover(position={"x": grip.x_px, "y": grip.y_px}, timeout=aim.take_ms())
        shift = await self._begin(again=again)
        await mouse.down()
        try:
            if grip.is_long:
                await pause(LONG_PRESS_S)
            await self._move(grip, shift)
        finally:
            await mouse.up()
        return await probe(self.target.locator, "readDrag") or {}

    async def find_order(self) -> Mapping[str, Any] | None:
        """Return on which side of the target the element is now, and whether right beside it; None if they are not of one list."""
        await probe(self.aim.locator, "watchDrag")
        told = await probe(self.target.locator, "aimDrag")
        return told and told["order"]

    async def _begin(self, *, again: bool) -> Point:
        """Watch the drag from here on; return how far the document lies from the edge of the page's window."""
        await probe(self.aim.locator, "watchDrag", again=again)
        told = await probe(self.target.locator, "aimDrag")
        if told is None:  # the two are in different documents
            await probe(self.target.locator, "watchDrag", again=again)
            told = await probe(self.target.locator, "aimDrag")
        self.began = told
        order = told["order"]
        self.wanted = self.side or (("after" if order["side"] == "before" else "before") if order else "")
        place = await self.target.locator.bounding_box(timeout=self.aim.take_ms())
        box = told["target"]
        return (place["x"] - box["x"], place["y"] - box["y"]) if place else (0.0, 0.0)

    async def _move(self, grip: Grip, shift: Point) -> None:
        mouse = self.aim.page.mouse
        told: Any = self.began
        start = (told["element"]["x"] + shift[0] + grip.x_px, told["element"]["y"] + shift[1] + grip.y_px)
        to = self._find_spot(told, shift, start)
        await mouse.move(*_toward(start, to), steps=FIRST_STEPS)
        await mouse.move(*to, steps=STEPS)
        for hold in range(MOST_HOLDS):
            told = await probe(self.target.frame or self.aim.page, "tellDrag")
            if told is None or not (told["changes"] or told["is_native"]) or self._is_there(told):
                return
            if hold >= NATIVE_HOLDS and (told["is_native"] or not self.wanted):
                return
            to = self._find_spot(told, shift, start)
            # Some lists go by where the pointer comes from: it goes on in the direction in which the element is to move.
            drift = {"before": -hold, "after": hold}.get(self.wanted, hold % 2)
            is_across = bool(self.wanted) and abs(to[0] - start[0]) > abs(to[1] - start[1])
            await mouse.move(to[0] + drift, to[1] if is_across else to[1] + drift, steps=2)
            await pause(HOLD_S)

    def _is_there(self, told: Mapping[str, Any]) -> bool:
        order = told["order"]
        return bool(self.wanted and order and order["is_next"]) and order["side"] == self.wanted

    def _find_spot(self, told: Mapping[str, Any], shift: Point, start: Point) -> Point:
        """Return where to drop it: of an entry of a list on the named side of its middle, else beyond it, as seen from where it came from.

        Along a line of a list it goes straight: some lists take a step aside for the direction.
        """
        began: Any = self.began
        box: Box = told["target"]
        x_px, y_px = box["x"] + shift[0], box["y"] + shift[1]
        middle = (x_px + box["width"] / 2, y_px + box["height"] / 2)
        if not self.wanted:
            return middle
        first, last = _middle(began["element"]), _middle(began["target"])
        across, down = last[0] - first[0], last[1] - first[1]
        share = BEYOND if self.wanted == "after" else 1 - BEYOND
        if abs(down) >= abs(across) or not began["order"]:
            return _within(start[0], x_px, box["width"], middle[0]), y_px + box["height"] * share
        return x_px + box["width"] * share, _within(start[1], y_px, box["height"], middle[1])


def _within(place: float, begin: float, length: float, middle: float) -> float:
    """Return a place, if it is well within a length; else the middle of that."""
    return place if begin + length * (1 - BEYOND) / 2 < place < begin + length * (1 + BEYOND) / 2 else middle


def _middle(box: Box) -> Point:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _toward(start: Point, to: Point) -> Point:
    """Return a point a little way from one to another."""
    length = math.dist(start, to)
    share = min(1.0, AWAY_PX / length) if length else 0.0
    return start[0] + (to[0] - start[0]) * share, start[1] + (to[1] - start[1]) * share
