"""Dragging an element onto another one or by a distance, and seeing what received it."""

from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import FloatRect, Locator, Position

from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import read_settled
from core.base.errors import TargetError
from core.rules.browser_choices import Side

STEPS = 10
GRIP_PX = 5.0  # from the corner by which a text area is made larger
BEYOND = 0.75  # of the length of what is dropped on, where things change their places in a list


async def drag_onto(
    aim: ActionTarget, target: ActionTarget, *, is_one_of_several: bool = False, side: Side | None = None
) -> dict[str, Any]:
    """Drag an element and drop it on another one.

    Args:
        aim: The element to drag.
        target: The element to drop it on.
        is_one_of_several: Whether others are dragged as well; if the target is one of them, it stays where it is.
        side: Where it shall come in a list that is put in order.

    Returns:
        Evidence: the place before and after, what received the drop, and whether anything came of it; where a side was
        named, whether it is there now.

    Raises:
        TargetError: If the page began a drag and nothing took the drop, or the element is its own target.
    """
    await aim.locator.wait_for(state="attached", timeout=aim.take_ms())
    if await aim.locator.and_(target.locator).count():
        return _leave_target(is_one_of_several=is_one_of_several)
    if await probe(target.locator, "hollow"):
        return await _drag_into(aim, target)
    before = await probe(aim.locator, "place")
    await probe(target.locator, "watchDrag")
    spot = await _find_spot_between(aim, target, side)
    await aim.locator.drag_to(target.locator, target_position=spot, timeout=aim.take_ms())
    told = await probe(target.locator, "readDrag") or {}
    if "dragstart" in told["events"] and "drop" not in told["events"]:
        raise TargetError(
            "The element was dragged, but the target did not accept it.",
            code="target_unsuitable",
            hint="Choose a target that accepts this element.",
            evidence={"url": aim.page.url, "before": before, "events": told["events"]},
        )
    receiver = told["received_by"] if told["on_target"] or "drop" in told["events"] else None
    after, notes = await _place_after(aim.locator)
    moved = bool(receiver) or before != after
    told_side = {"on_side": await _is_on_side(aim, target, side)} if side else {}
    is_right = told_side.get("on_side", moved)
    return {"before": before, "after": after, "received_by": receiver, "moved": is_right, **told_side, **notes}


async def _is_on_side(aim: ActionTarget, target: ActionTarget, side: Side) -> bool:
    """Return whether an element comes before or after another one now, in the order of reading."""
    place = await aim.locator.bounding_box(timeout=aim.take_ms())
    other = await target.locator.bounding_box(timeout=aim.take_ms())
    if place is None or other is None:
        return False
    (x_px, y_px), (other_x_px, other_y_px) = _middle(place), _middle(other)
    is_beside = abs(y_px - other_y_px) < min(place["height"], other["height"]) / 2
    is_before = x_px < other_x_px if is_beside else y_px < other_y_px
    return is_before == (side == "before")


async def _find_spot_between(aim: ActionTarget, target: ActionTarget, side: Side | None) -> Position | None:
    """Return where to drop what takes another one's place in a list: beyond its middle, as seen from where it comes from."""
    start = await aim.locator.bounding_box(timeout=aim.take_ms())
    place = await target.locator.bounding_box(timeout=aim.take_ms())
    is_beside = await target.locator.locator("xpath=..").locator(aim.locator).count() == 1
    if start is None or place is None or not (is_beside or side) or await target.locator.locator(aim.locator).count():
        return None
    (x_px, y_px), (to_x_px, to_y_px) = _middle(start), _middle(place)
    across, down = to_x_px - x_px, to_y_px - y_px
    share = {True: BEYOND, False: 1 - BEYOND}
    is_after = {"before": False, "after": True}.get(side or "")
    if abs(down) >= abs(across):
        return {"x": place["width"] / 2, "y": place["height"] * share[down > 0 if is_after is None else is_after]}
    return {"x": place["width"] * share[across > 0 if is_after is None else is_after], "y": place["height"] / 2}


def _leave_target(*, is_one_of_several: bool) -> dict[str, Any]:
    if is_one_of_several:
        return {"left_out": "it is the target itself", "moved": True}
    raise TargetError(
        "The element and its target are the same.",
        code="target_unsuitable",
        hint="Name another target.",
    )


async def _drag_into(aim: ActionTarget, target: ActionTarget) -> dict[str, Any]:
    """Drag an element into an outline, which takes no pointer in its middle; it has arrived if its middle is inside."""
    start = await aim.locator.bounding_box(timeout=aim.take_ms())
    place = await target.locator.bounding_box(timeout=aim.take_ms())
    if start is None or place is None:
        raise TargetError("The element to drag, or its target, is no longer visible.", code="target_hidden")
    (x_px, y_px), (to_x_px, to_y_px) = _middle(start), _middle(place)
    evidence = await drag_by(aim, (to_x_px - x_px, to_y_px - y_px))
    end = await aim.locator.bounding_box(timeout=aim.take_ms()) if evidence["after"] else None
    inside = bool(end) and _holds(place, _middle(end))
    return evidence | {"inside": inside, "moved": evidence["moved"] and inside}


def _middle(box: FloatRect) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _holds(box: FloatRect, point: tuple[float, float]) -> bool:
    right, down = point[0] - box["x"], point[1] - box["y"]
    return 0 <= right <= box["width"] and 0 <= down <= box["height"]


async def drag_by(aim: ActionTarget, offset_px: tuple[float, float]) -> dict[str, Any]:
    """Drag an element by a distance.

    Args:
        aim: The element to drag.
        offset_px: How far to drag it, right and down.

    Returns:
        Evidence: the place before and after, with the value of a slider, what received the release, and whether the
        value, or the place of what has none, is another one.

    Raises:
        TargetError: If the press reached something else.
    """
    await aim.locator.hover(timeout=aim.take_ms())
    before = await probe(aim.locator, "place")
    await probe(aim.locator, "watchDrag")
    # Taken at the last moment: what is dragged may have moved since the pointer came to it.
    box = await aim.locator.bounding_box(timeout=aim.take_ms())
    if box is None:
        raise TargetError("The element to drag is no longer visible.", code="target_hidden")
    x_px, y_px = await _find_grip(aim, box)
    mouse = aim.page.mouse
    await mouse.move(x_px, y_px)
    await mouse.down()
    try:
        await mouse.move(x_px + offset_px[0], y_px + offset_px[1], steps=STEPS)
    finally:
        await mouse.up()
    after, notes = await _place_after(aim.locator)
    told = await probe(aim.locator, "readDrag") if after else None
    if told and told["pressed"] is False:
        raise TargetError(
            "The element to drag did not stay under the pointer: the press reached something else.",
            code="target_moving",
            hint="Wait until the page has settled, then check what it shows.",
            evidence={"url": aim.page.url, "before": before, "after": after, "received_by": told["received_by"]},
        )
    moved = after is not None and _spot(before) != _spot(after)
    received_by = (told or {}).get("received_by")
    return {"before": before, "after": after, "received_by": received_by, "moved": moved, **notes}


async def _find_grip(aim: ActionTarget, box: FloatRect) -> tuple[float, float]:
    """Return where to take hold: in the middle, but of a text area that can be made larger at its corner."""
    if await probe(aim.locator, "resizable"):
        return box["x"] + box["width"] - GRIP_PX, box["y"] + box["height"] - GRIP_PX
    return _middle(box)


def _spot(place: dict[str, Any]) -> Any:
    """Return what a drag changes: the value of a slider, else the place."""
    return place.get("value", place)


async def _place_after(locator: Locator) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """Return where the element is now, and evidence if the page has not settled; None if it has removed it upon the drop."""
    try:
        reading = await read_settled(locator, "place")
    except PlaywrightError:
        return None, {}
    return reading.held, reading.evidence
