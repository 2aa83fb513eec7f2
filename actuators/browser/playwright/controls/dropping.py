"""Dropping files on an element, as if they came from a window of files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, FloatRect
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.probes import probe

COPIES = 1
"""The kind of drag that a window of files offers, as the protocol counts."""


async def drop_files(aim: ActionTarget, paths: Sequence[Path]) -> None:
    """Drop files on an element; by the browser itself, so that the page gets what it would get of a person.

    Raises:
        PlaywrightError: If the element takes no drop.
    """
    await aim.begun.hover(trial=True, timeout=aim.take_ms())
    box = await aim.locator.bounding_box(timeout=aim.take_ms())
    session = await _connect(aim)
    if session is None or box is None:
        await aim.locator.drop({"files": list(paths)}, timeout=aim.take_ms())
        return
    try:
        await probe(aim.locator, "watchDrop")
        for kind in ("dragEnter", "dragOver"):
            await session.send("Input.dispatchDragEvent", _describe(kind, box, paths))
        # What nobody takes the browser would open itself, in place of the page.
        is_taken = await probe(aim.locator, "readDrop")
        await session.send("Input.dispatchDragEvent", _describe("drop" if is_taken else "dragCancel", box, paths))
    finally:
        await session.detach()
    if not is_taken:
        raise PlaywrightError("the element takes no drop")


async def _connect(aim: ActionTarget) -> CDPSession | None:
    """Return a wire to the browser's own protocol; None where it has none."""
    try:
        return await aim.page.context.new_cdp_session(aim.page)
    except PlaywrightError:
        return None


def _describe(kind: str, box: FloatRect, paths: Sequence[Path]) -> dict[str, Any]:
    x_px, y_px = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    data = {"items": list[Any](), "files": [str(path) for path in paths], "dragOperationsMask": COPIES}
    return {"type": kind, "x": x_px, "y": y_px, "data": data}
