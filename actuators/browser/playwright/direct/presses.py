"""Pressing directly: aimed at in one message, pressed by three that are sent together, known by one more."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.direct.world import DIRECT_SHARE, DirectPlace, EngineWorld, Told
from actuators.deadlines import Deadline, allow_s, pause
from core.rules.browser_choices import MouseButton

_MASKS = {"left": 1, "right": 2, "middle": 4}
_MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
_AGAIN_S = 0.01
# As Playwright says it of a press that was begun.
_BEGUN = "Timeout {:.0f}ms exceeded.\nCall log:\n  - locator resolved to it\n  - performing click action"


@dataclass(frozen=True, slots=True)
class PressWay:
    """How something is pressed."""

    button: MouseButton = "left"
    count: int = 1
    modifiers: Sequence[str] = ()


async def press_directly(place: DirectPlace, order: str, limit_ms: float, way: PressWay, **details: Any) -> Told | None:
    """Aim at an element and press it; return what the engine said and where it was said, or None where nothing was done.

    Raises:
        PlaywrightTimeoutError: If the page works on the press for longer than the limit, or doesn't answer.
    """
    deadline = Deadline(allow_s(limit_ms / 1000))
    told = await place.order(order, limit_ms, limit_ms=limit_ms * DIRECT_SHARE, **details)
    if told is None or told.get("already"):
        return told
    told |= {"document": place.world.document, "departures": place.world.departures}
    moves = _list_moves(told["x"], told["y"], way)
    sent = [place.world.wire.post("Input.dispatchMouseEvent", **each) for each in moves]
    try:
        async with asyncio.timeout(deadline.remaining_s):
            await asyncio.gather(*sent)
    except TimeoutError:
        raise PlaywrightTimeoutError(_BEGUN.format(limit_ms)) from None
    return told


async def hover_directly(place: DirectPlace, limit_ms: float) -> bool:
    """Move the pointer onto an element; return whether it was done."""
    told = await place.order("hover", limit_ms, limit_ms=limit_ms * DIRECT_SHARE)
    if told is None:
        return False
    await place.world.wire.call("Input.dispatchMouseEvent", **_move(told["x"], told["y"], 0))
    return True


def _move(x: float, y: float, modifiers: int) -> dict[str, Any]:
    return {"type": "mouseMoved", "x": x, "y": y, "button": "none", "modifiers": modifiers}


def _list_moves(x: float, y: float, way: PressWay) -> list[dict[str, Any]]:
    modifiers = sum(_MODIFIERS[each] for each in way.modifiers)
    moves = [_move(x, y, modifiers)]
    for count in range(1, way.count + 1):
        press = {"x": x, "y": y, "button": way.button, "clickCount": count, "modifiers": modifiers}
        moves.append(press | {"type": "mousePressed", "buttons": _MASKS[way.button]})
        moves.append(press | {"type": "mouseReleased", "buttons": 0})
    return moves


async def read_receipt(world: EngineWorld, token: str, limit_ms: float, pressed: Told) -> Told | None:
    """Return what came of a press, once the page has got where it set out for; None where its document is gone, and what it knew with it.

    Where a page sets out for another document, nothing is done on the one that it leaves.
    """
    deadline, document, moves = Deadline(allow_s(limit_ms / 1000)), pressed["document"], pressed["departures"]
    receipt: Told | None = None
    while not deadline.is_over:
        try:
            told = await world.order("told", deadline.remaining_ms, document=document, token=token)
        except PlaywrightTimeoutError:
            break
        except PlaywrightError:
            told = None
        receipt = receipt or (told and told["told"])
        if told is None or world.document != document or world.departures != moves or not told["is_leaving"]:
            break
        await pause(_AGAIN_S)
    if world.document != document and world.departures == moves:
        await world.await_departure(deadline.remaining_s)
    return receipt
