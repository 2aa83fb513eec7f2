"""Single gestures of the pointer: scrolling, drawing a stroke, marking a text, staying over an element; and where that led."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import FloatRect, Page

from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.idling import LATEST_S, IdleWatch, ask_until
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import read_settled
from actuators.browser.ports.acts import DrawRequest, Point, ScrollRequest, join_points, shape_stroke
from actuators.deadlines import Deadline, pause
from core.base.errors import ActionError, TargetError

Box = Mapping[str, float] | FloatRect

FRAME_S = 0.008


async def stay_over(aim: ActionTarget, seconds: float) -> dict[str, Any]:
    """Follow an element with the pointer; return ``hovered`` and ``on_top`` at last, ``stayed_s``, and ``off_s``."""
    box = await aim.locator.bounding_box(timeout=aim.take_ms())
    started_s = looked_s = time.monotonic()
    off_s = 0.0
    seen: dict[str, Any] = {"hovered": False, "on_top": None}
    while box is not None:
        await aim.page.mouse.move(*find_middle(box))
        seen = await probe(aim.locator, "hovered")
        now_s = time.monotonic()
        off_s += 0 if seen["hovered"] else now_s - looked_s
        looked_s = now_s
        if now_s - started_s >= seconds:
            break
        await pause(FRAME_S)
        box = await aim.locator.bounding_box(timeout=aim.take_ms())
    stayed_s = round(time.monotonic() - started_s, 3)
    return {"hovered": seen["hovered"], "on_top": seen["on_top"], "stayed_s": stayed_s, "off_s": round(off_s, 3)}


SHOWN_CHARACTERS = 200


async def mark_text(aim: ActionTarget, selector: str, text: str | None) -> dict[str, Any]:
    """Mark the text of an element, or a part of it, and read back what is marked.

    Args:
        text: What to mark in it; all of it where None.

    Raises:
        TargetError: ``target_missing`` if the text isn't there; ``target_ambiguous`` if it is there several times.
        ActionError: ``value_differs`` if something else is marked afterwards.
    """
    await aim.locator.scroll_into_view_if_needed(timeout=aim.take_ms())
    places = (await probe(aim.locator, "mark", aim.take_ms(), text=text))["places"]
    if places != 1:
        raise refuse_places(selector, text, places, aim.page.url)
    reading = await read_settled(aim.locator, "marked")
    told = reading.held
    marked = " ".join(told["text"].split())
    if not told["secret"] and (
        not marked or (text is not None and marked.casefold() != " ".join(text.split()).casefold())
    ):
        raise ActionError(
            "The page marked other text than requested.",
            code="value_differs",
            hint="The page may mark text in its own way; check it.",
            evidence={"url": aim.page.url, "marked": marked[:SHOWN_CHARACTERS]},
        )
    return {"marked": marked[:SHOWN_CHARACTERS], **reading.evidence}


def refuse_places(selector: str, text: str | None, places: int, url: str) -> TargetError:
    """Return the error for a text, or any at all, that is in an element several times or not at all."""
    what = f"the text {text!r}" if text else "any text to mark"
    code, message, hint = "target_missing", f"{selector} does not have {what}.", "Check what it says."
    if places:
        code, message = "target_ambiguous", f"{selector} has the text {text!r} {places} times."
        hint = "Name the part of the page, or more of the text around it."
    return TargetError(message, code=code, hint=hint, evidence={"selector": selector, "url": url, "places": places})


MARGIN_PX = 4.0


async def draw(aim: ActionTarget, request: DrawRequest) -> dict[str, Any]:
    """Draw a line on an element; return ``from``, ``to``, ``points`` and ``changed``: whether it looks different."""
    await aim.locator.scroll_into_view_if_needed(timeout=aim.take_ms())
    box = await aim.locator.bounding_box(timeout=aim.take_ms())
    if box is None:
        raise TargetError("The element to draw at is no longer visible.", code="target_hidden")
    stroke = _plan(box, request)
    clip = _clip(stroke, aim.page)
    before = await aim.page.screenshot(clip=clip)
    await drag_along(aim.page, stroke)
    after = await aim.page.screenshot(clip=clip)
    ends = [{"x_px": round(x_px), "y_px": round(y_px)} for x_px, y_px in (stroke[0], stroke[-1])]
    return {"from": ends[0], "to": ends[1], "points": len(stroke), "changed": before != after}


def _plan(box: FloatRect, request: DrawRequest) -> list[Point]:
    if request.shape is not None:
        return shape_stroke(request.shape, find_middle(box), request.size_px)
    return join_points([(box["x"] + x_px, box["y"] + y_px) for x_px, y_px in request.points])


def find_middle(box: Box) -> Point:
    """Return the middle of a box."""
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _clip(stroke: Sequence[Point], page: Page) -> FloatRect:
    size = page.viewport_size or {"width": 100_000, "height": 100_000}
    left = max(0.0, min(x_px for x_px, _ in stroke) - MARGIN_PX)
    top = max(0.0, min(y_px for _, y_px in stroke) - MARGIN_PX)
    right = min(float(size["width"]), max(x_px for x_px, _ in stroke) + MARGIN_PX)
    bottom = min(float(size["height"]), max(y_px for _, y_px in stroke) + MARGIN_PX)
    return {"x": left, "y": top, "width": max(1.0, right - left), "height": max(1.0, bottom - top)}


async def drag_along(page: Page, stroke: Sequence[Point], steps: int = 1) -> None:
    """Move the pointer along a line with its button held down, in so many steps from point to point."""
    await page.mouse.move(*stroke[0])
    await page.mouse.down()
    try:
        for x_px, y_px in stroke[1:]:
            await page.mouse.move(x_px, y_px, steps=steps)
    finally:
        await page.mouse.up()


async def scroll_page(page: Page, request: ScrollRequest, timeout_s: float) -> dict[str, Any]:
    """Scroll the page, or the element in its middle that scrolls; at its end once the page is idle, or has grown."""
    deadline, is_down = Deadline(timeout_s * 0.9), (request.to or request.direction) in {"bottom", "down"}

    async def scroll() -> dict[str, Any]:
        return await probe(page, "scroll", deadline.remaining_ms, **asdict(request))

    def is_enough(told: dict[str, Any]) -> bool:
        return not is_down or told["before"] != told["after"]

    try:
        limit_s = min(LATEST_S, deadline.remaining_s)
        return await ask_until(scroll, is_enough, limit_s, idle=IdleWatch(lambda: list(page.frames)))
    except PlaywrightError as error:
        raise ActionError(f"The page {page.url} did not scroll: {error.message.splitlines()[0]}") from error


async def scroll_element(aim: ActionTarget, request: ScrollRequest) -> dict[str, Any]:
    """Scroll an element, or the nearest around it that scrolls; TargetError if none does in this direction."""
    found = await probe(aim.locator, "scroll", aim.take_ms(), **asdict(request))
    if found is None:
        message = f"Neither the element nor anything around it scrolls {request.to or request.direction}."
        raise aim.refuse(message, "Leave the selector out to scroll the page.")
    return found
