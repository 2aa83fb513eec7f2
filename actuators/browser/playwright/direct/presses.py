"""Pressing directly: aimed at in one message, pressed by one, known by one more."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.direct.world import DIRECT_SHARE, DirectPlace, EngineWorld, Told
from actuators.deadlines import Deadline, allow_s, pause
from core.rules.browser_choices import MouseButton

_AGAIN_S = 0.01
# As Playwright says it of a press that was begun.
_BEGUN = "Timeout {:.0f}ms exceeded.\nCall log:\n  - locator resolved to it\n  - performing click action"


@dataclass(frozen=True, slots=True)
class PressWay:
    """How something is pressed."""

    button: MouseButton = "left"
    count: int = 1
    modifiers: Sequence[str] = ()


async def press_directly(
    place: DirectPlace, order: str, limit_ms: float, way: PressWay, page: Page, **details: Any
) -> Told | None:
    """Aim at an element and press it; return what the engine said and where it was said, or None where nothing was done.

    Raises:
        PlaywrightTimeoutError: If the page works on the press for longer than the limit, or doesn't answer.
    """
    if way.modifiers:
        return None  # a key that is held down beside it is Playwright's to hold
    deadline = Deadline(allow_s(limit_ms / 1000))
    told = await place.order(order, limit_ms, limit_ms=limit_ms * DIRECT_SHARE, **details)
    if told is None or told.get("already"):
        return told
    told |= {"document": place.world.document, "departures": place.world.departures}
    try:
        async with asyncio.timeout(deadline.remaining_s):
            await page.mouse.click(told["x"], told["y"], button=way.button, click_count=way.count)
    except TimeoutError:
        raise PlaywrightTimeoutError(_BEGUN.format(limit_ms)) from None
    return told


async def hover_directly(place: DirectPlace, limit_ms: float, page: Page) -> bool:
    """Move the pointer onto an element; return whether it was done."""
    told = await place.order("hover", limit_ms, limit_ms=limit_ms * DIRECT_SHARE)
    if told is None:
        return False
    await page.mouse.move(told["x"], told["y"])
    return True


async def read_receipt(
    world: EngineWorld, token: str, limit_ms: float, pressed: Told, then: Sequence[str] = ()
) -> tuple[Told | None, str | None]:
    """Return what came of a press, once the page has got where it set out for, and what parts of a selector read then.

    Both are None where its document is gone, and what it knew with it; the reading also where the page has set out.

    Where a page sets out for another document, nothing is done on the one that it leaves.
    """
    deadline, document, moves = Deadline(allow_s(limit_ms / 1000)), pressed["document"], pressed["departures"]
    receipt: Told | None = None
    read: str | None = None
    while not deadline.is_over:
        try:
            told = await world.order("told", deadline.remaining_ms, document=document, token=token, then=then)
        except PlaywrightTimeoutError:
            break
        except PlaywrightError:
            told = None
        if told:
            receipt, read = receipt or told["told"], told.get("then")
        if told is None or world.document != document or world.departures != moves or not told["is_leaving"]:
            break
        await pause(_AGAIN_S)
    if world.document != document and world.departures == moves:
        await world.await_departure(deadline.remaining_s)
    return receipt, read
