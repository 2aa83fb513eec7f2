"""Dragging an element onto another one or by a distance, and seeing what received it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from playwright.async_api import FloatRect, Locator

from actuators.browser.playwright.acting.gestures import drag_along, find_middle
from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.causes import unless_gone
from actuators.browser.playwright.finding.idling import ask_until
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import read_settled
from actuators.browser.ports.acts import Point
from actuators.deadlines import pause
from core.base.errors import ActionError, TargetError
from core.rules.browser_choices import Side

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
    """Where an element is taken hold of; a long one is held for a while before the pointer moves."""

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
        """Drag the element once, perhaps again after a vain try; return what the page engine saw of it."""
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
        box: Mapping[str, float] = told["target"]
        x_px, y_px = box["x"] + shift[0], box["y"] + shift[1]
        middle = find_middle({**box, "x": x_px, "y": y_px})
        if not self.wanted:
            return middle
        first, last = find_middle(began["element"]), find_middle(began["target"])
        across, down = last[0] - first[0], last[1] - first[1]
        share = BEYOND if self.wanted == "after" else 1 - BEYOND
        if abs(down) >= abs(across) or not began["order"]:
            return _within(start[0], x_px, box["width"], middle[0]), y_px + box["height"] * share
        return x_px + box["width"] * share, _within(start[1], y_px, box["height"], middle[1])


def _within(place: float, begin: float, length: float, middle: float) -> float:
    return place if begin + length * (1 - BEYOND) / 2 < place < begin + length * (1 + BEYOND) / 2 else middle


def _toward(start: Point, to: Point) -> Point:
    length = math.dist(start, to)
    share = min(1.0, AWAY_PX / length) if length else 0.0
    return start[0] + (to[0] - start[0]) * share, start[1] + (to[1] - start[1]) * share


GRIP_PX = 5.0  # from the corner by which a text area is made larger
ARRIVING_S = 1.0
LOOK_S = 0.05
LEAST_TRY_S = 1.0


async def drag_onto(
    aim: ActionTarget, target: ActionTarget, *, is_one_of_several: bool = False, side: Side | None = None
) -> dict[str, Any]:
    """Drag an element and drop it on another one.

    It is taken hold of where it looks as if it could be; where nothing comes of that, at a handle in it, and then by a long press.

    Args:
        is_one_of_several: Whether others are dragged as well; if the target is one of them, it stays where it is.
        side: Where it shall come in a list that is put in order.

    Returns:
        Evidence: the place before and after, what received the drop, and whether anything came of it; where a side was
        named, whether it is there now.

    Raises:
        TargetError: If the page began a drag and nothing took the drop, or the element is its own target.
        ActionError: If it is not on the side that was named.
    """
    await aim.locator.wait_for(state="attached", timeout=aim.take_ms())
    if await aim.locator.and_(target.locator).count():
        return _leave_target(is_one_of_several=is_one_of_several)
    if await probe(target.locator, "hollow"):
        return await _drag_into(aim, target)
    return await _drag_by_grips(Carrier(aim, target, side))


async def _drag_by_grips(carrier: Carrier) -> dict[str, Any]:
    aim, side = carrier.aim, carrier.side
    before = await probe(aim.locator, "place")
    told: dict[str, Any] = {}
    evidence: dict[str, Any] = {}
    for number, grip in enumerate(await _list_grips(aim)):
        if number and aim.deadline.remaining_s < LEAST_TRY_S:
            break
        told = await carrier.carry(grip, again=number > 0)
        after, notes = await _place_after(aim.locator)
        evidence = {"before": before, "after": after, "received_by": _find_receiver(told), **notes}
        has_come = await _has_come(carrier, told) if side else bool(evidence["received_by"]) or before != after
        if has_come:
            return evidence | {"moved": True, **({"on_side": True} if side else {})}
    _refuse_idle(told, evidence | {"url": aim.page.url}, side)
    return evidence | {"moved": False}


async def _list_grips(aim: ActionTarget) -> list[Grip]:
    grips = [Grip(each["x_px"], each["y_px"]) for each in await probe(aim.locator, "grips")]
    return [*grips, replace(grips[0], is_long=True)]


def _find_receiver(told: Mapping[str, Any]) -> dict[str, Any] | None:
    is_taken = told.get("on_target") and (told["changes"] or told["requests"] or told["is_drawn"])
    return told["received_by"] if is_taken or "drop" in told.get("events", ()) else None


async def _has_come(carrier: Carrier, told: Mapping[str, Any]) -> bool:
    async def look() -> bool:
        order = await carrier.find_order()
        if order is None:
            return await _is_on_side(carrier)
        return order["side"] == carrier.side and order["is_next"]

    return await ask_until(look, bool, ARRIVING_S if told.get("changes") else LOOK_S)


async def _is_on_side(carrier: Carrier) -> bool:
    limit_ms = carrier.aim.take_ms()
    place = await carrier.aim.locator.bounding_box(timeout=limit_ms)
    other = await carrier.target.locator.bounding_box(timeout=limit_ms)
    if place is None or other is None:
        return False
    (x_px, y_px), (other_x_px, other_y_px) = find_middle(place), find_middle(other)
    is_beside = abs(y_px - other_y_px) < min(place["height"], other["height"]) / 2
    is_before = x_px < other_x_px if is_beside else y_px < other_y_px
    return is_before == (carrier.side == "before")


def _refuse_idle(told: Mapping[str, Any], evidence: Mapping[str, Any], side: Side | None) -> None:
    events = told.get("events", ())
    if "dragstart" in events and "drop" not in events:
        raise TargetError(
            "The element was dragged, but the target did not accept it.",
            code="target_unsuitable",
            hint="Choose a target that accepts this element.",
            evidence={**evidence, "events": events},
        )
    if side:
        raise ActionError(
            f"The element was dragged, but it does not stand right {side} the target.",
            code="state_not_kept",
            hint="Check whether this list can be put in order, and by what.",
            evidence={**evidence, "on_side": False},
        ).after_act()
    if told and not (told["changes"] or told["requests"] or told["is_drawn"]):
        raise TargetError(
            "The element was dragged to the target, but nothing came of it.",
            code="target_unsuitable",
            hint="Name what the page moves it by, such as a handle.",
            evidence=evidence,
        )


def _leave_target(*, is_one_of_several: bool) -> dict[str, Any]:
    if is_one_of_several:
        return {"left_out": "it is the target itself", "moved": True}
    raise TargetError("The element and its target are the same.", code="target_unsuitable", hint="Name another target.")


async def _drag_into(aim: ActionTarget, target: ActionTarget) -> dict[str, Any]:
    start = await aim.locator.bounding_box(timeout=aim.take_ms())
    place = await target.locator.bounding_box(timeout=aim.take_ms())
    if start is None or place is None:
        raise TargetError("The element to drag, or its target, is no longer visible.", code="target_hidden")
    (x_px, y_px), (to_x_px, to_y_px) = find_middle(start), find_middle(place)
    evidence = await drag_by(aim, (to_x_px - x_px, to_y_px - y_px))
    end = await aim.locator.bounding_box(timeout=aim.take_ms()) if evidence["after"] else None
    inside = bool(end) and _holds(place, find_middle(end))
    return evidence | {"inside": inside, "moved": evidence["moved"] and inside}


def _holds(box: FloatRect, point: tuple[float, float]) -> bool:
    right, down = point[0] - box["x"], point[1] - box["y"]
    return 0 <= right <= box["width"] and 0 <= down <= box["height"]


async def drag_by(aim: ActionTarget, offset_px: tuple[float, float]) -> dict[str, Any]:
    """Drag an element by a distance; return its place and value before and after, and whether they are others."""
    await aim.locator.hover(timeout=aim.take_ms())
    before = await probe(aim.locator, "place")
    await probe(aim.locator, "watchDrag")
    # Taken at the last moment: what is dragged may have moved since the pointer came to it.
    box = await aim.locator.bounding_box(timeout=aim.take_ms())
    if box is None:
        raise TargetError("The element to drag is no longer visible.", code="target_hidden")
    x_px, y_px = await _find_grip(aim, box)
    await drag_along(aim.page, [(x_px, y_px), (x_px + offset_px[0], y_px + offset_px[1])], STEPS)
    after, notes = await _place_after(aim.locator)
    told = await probe(aim.locator, "readDrag") if after else None
    if told and told["pressed"] is False:
        message = "The element to drag did not stay under the pointer: the press reached something else."
        hint, found = "Wait until the page has settled, then check what it shows.", told["received_by"]
        raise aim.refuse(message, hint, "target_moving", before=before, after=after, received_by=found)
    # What a drag changes: the value of a slider, else the place.
    moved = after is not None and before.get("value", before) != after.get("value", after)
    received_by = (told or {}).get("received_by")
    return {"before": before, "after": after, "received_by": received_by, "moved": moved, **notes}


async def _find_grip(aim: ActionTarget, box: FloatRect) -> tuple[float, float]:
    if await probe(aim.locator, "resizable"):
        return box["x"] + box["width"] - GRIP_PX, box["y"] + box["height"] - GRIP_PX
    return find_middle(box)


async def _place_after(locator: Locator) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    reading = await unless_gone(read_settled(locator, "place"), None)
    return (reading.held, reading.evidence) if reading else (None, {})
