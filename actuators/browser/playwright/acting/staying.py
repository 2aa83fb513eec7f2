"""Keeping the pointer over an element for a while, also while it moves."""

import time
from typing import Any

from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.probes import probe
from actuators.deadlines import pause

FRAME_S = 0.008


async def stay_over(aim: ActionTarget, seconds: float) -> dict[str, Any]:
    """Follow an element with the pointer.

    Returns:
        Evidence: ``hovered`` and ``on_top`` as they were at last, ``stayed_s``, and ``off_s``, how long it was not under the
        pointer in between.
    """
    box = await aim.locator.bounding_box(timeout=aim.take_ms())
    started_s = looked_s = time.monotonic()
    off_s = 0.0
    seen: dict[str, Any] = {"hovered": False, "on_top": None}
    while box is not None:
        await aim.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
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
