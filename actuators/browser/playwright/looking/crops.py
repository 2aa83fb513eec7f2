"""Pictures of one element with what stands around it, for people who compare then and now."""

import asyncio
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import FloatRect, Locator, Page

from actuators.browser.playwright.finding.masks import MASK_COLOR, list_masks
from actuators.browser.playwright.finding.persisting import EngineError
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.failure_files import write_run_picture
from core.tools.ports import ActionContext

BOX_MS = 400.0
CROP_S = 1.0
QUALITY = 70
WIDTH_PX, HEIGHT_PX = 560.0, 280.0
"""Of a picture; more where the element needs it, so that pictures of then and now have the same scale where they can."""
MARGIN_PX = 40.0
WIDEST_PX, TALLEST_PX = 900.0, 600.0


@dataclass(frozen=True, slots=True)
class Crop:
    """A picture of an element.

    Attributes:
        name: Of its file, among those of the run; empty where there is none.
        mark: Where on it the element is: left, top, width and height in pixels.
    """

    name: str = ""
    mark: tuple[float, ...] = ()


async def keep_crop(
    session: PlaywrightSession, context: ActionContext, page: Page, locator: Locator, name: str
) -> Crop:
    """Return a picture of an element with its surroundings, without secrets; none where it can't be taken."""
    if not session.settings.failure_pictures or not context.run_id:
        return Crop()
    try:
        async with asyncio.timeout(CROP_S):
            box = await locator.bounding_box(timeout=BOX_MS)
            ground: dict[str, Any] = await probe(page, "boxes", BOX_MS, refs=[])
            if box is None:
                return Crop()
            clip, mark, is_whole = _place(box, ground)
            masks = list_masks(page, context.vault)
            content = await page.screenshot(
                type="jpeg",
                quality=QUALITY,
                clip=clip,
                full_page=is_whole,
                scale="css",
                mask=masks,
                mask_color=MASK_COLOR,
            )
        await asyncio.to_thread(write_run_picture, session.settings.artifacts_dir, context.run_id, name, content)
    except (PlaywrightError, EngineError, TimeoutError, OSError):
        return Crop()
    return Crop(name, mark)


def _place(box: FloatRect, ground: dict[str, Any]) -> tuple[FloatRect, tuple[float, ...], bool]:
    """Return what of the page is shown, where the element is on that, and whether more than the window is needed."""
    width, height = ground["window"]
    is_seen = (
        box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
    )
    (left, top), (most_x, most_y) = ((0, 0), (width, height)) if is_seen else (ground["scrolled"], ground["page"])
    x, y = box["x"] + left, box["y"] + top
    from_x, wide = _span(x, box["width"], (WIDTH_PX, WIDEST_PX), most_x)
    from_y, tall = _span(y, box["height"], (HEIGHT_PX, TALLEST_PX), most_y)
    clip = FloatRect(x=from_x, y=from_y, width=wide, height=tall)
    mark = tuple(round(each, 1) for each in (x - from_x, y - from_y, box["width"], box["height"]))
    return clip, mark, not is_seen


def _span(start: float, length: float, limits: tuple[float, float], most: float) -> tuple[float, float]:
    """Return where the picture of something begins, and how long it is, with the thing in its middle as far as there is room."""
    usual, longest = limits
    wanted = min(max(usual, length + 2 * MARGIN_PX), longest, max(most, 1.0))
    begin = start - max(0.0, wanted - length) / 2
    return max(0.0, min(begin, most - wanted)), wanted
