"""Drawing a line with the pointer, and seeing whether the page shows it."""

from collections.abc import Sequence
from typing import Any

from playwright.async_api import FloatRect, Page

from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.ports.pointer import DrawRequest
from actuators.browser.ports.strokes import Point, join_points, shape_stroke
from core.base.errors import TargetError

MARGIN_PX = 4.0


async def draw(aim: ActionTarget, request: DrawRequest) -> dict[str, Any]:
    """Draw a line around, through or upon an element.

    Returns:
        Evidence ``from``, ``to`` and ``points``, and ``changed``: whether there is another picture now where it was drawn.

    Raises:
        TargetError: If the element is not visible.
    """
    await aim.locator.scroll_into_view_if_needed(timeout=aim.take_ms())
    box = await aim.locator.bounding_box(timeout=aim.take_ms())
    if box is None:
        raise TargetError("The element to draw at is no longer visible.", code="target_hidden")
    stroke = _plan(box, request)
    clip = _clip(stroke, aim.page)
    before = await aim.page.screenshot(clip=clip)
    await _move_along(aim.page, stroke)
    after = await aim.page.screenshot(clip=clip)
    ends = [{"x_px": round(x_px), "y_px": round(y_px)} for x_px, y_px in (stroke[0], stroke[-1])]
    return {"from": ends[0], "to": ends[1], "points": len(stroke), "changed": before != after}


def _plan(box: FloatRect, request: DrawRequest) -> list[Point]:
    """Return where the pointer goes, in pixels of the window."""
    if request.shape is not None:
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        return shape_stroke(request.shape, middle, request.size_px)
    return join_points([(box["x"] + x_px, box["y"] + y_px) for x_px, y_px in request.points])


def _clip(stroke: Sequence[Point], page: Page) -> FloatRect:
    """Return the part of the window around a line."""
    size = page.viewport_size or {"width": 100_000, "height": 100_000}
    left = max(0.0, min(x_px for x_px, _ in stroke) - MARGIN_PX)
    top = max(0.0, min(y_px for _, y_px in stroke) - MARGIN_PX)
    right = min(float(size["width"]), max(x_px for x_px, _ in stroke) + MARGIN_PX)
    bottom = min(float(size["height"]), max(y_px for _, y_px in stroke) + MARGIN_PX)
    return {"x": left, "y": top, "width": max(1.0, right - left), "height": max(1.0, bottom - top)}


async def _move_along(page: Page, stroke: Sequence[Point]) -> None:
    await page.mouse.move(*stroke[0])
    await page.mouse.down()
    try:
        for x_px, y_px in stroke[1:]:
            await page.mouse.move(x_px, y_px)
    finally:
        await page.mouse.up()
