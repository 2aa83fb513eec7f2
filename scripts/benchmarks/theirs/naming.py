"""Selectors of ours for what another suite holds in its hands: pages, frames, locators and handles of elements."""

from itertools import count
from operator import attrgetter

from playwright.async_api import ElementHandle, Frame, Locator, Page

MARK = "data-theirs"
_ENTER = " >> internal:control=enter-frame >> "
# A locator tells its selector and its frame to nobody, and what it is made of only here.
_READ_OWN = attrgetter("_impl_obj")
_READ_FRAME = attrgetter("_impl_obj._frame")
_READ_SELECTOR = attrgetter("_impl_obj._selector")
_numbers = count(1)


async def name_in(place: Page | Frame, selector: str, *, strict: bool) -> str:
    """Return a selector from its page's top.

    Args:
        place: Where the selector is from.
        selector: Playwright's own.
        strict: Whether it has to match one element; the first one is meant otherwise.
    """
    chosen = selector if strict else f"{selector} >> nth=0"
    frame = place if isinstance(place, Frame) else place.main_frame
    return await _enter(frame) + chosen


async def name_locator(locator: Locator) -> str:
    """Return a selector of what a locator stands for."""
    own = _READ_FRAME(locator)
    frame = next(each for each in locator.page.frames if _READ_OWN(each) is own)
    return await _enter(frame) + _READ_SELECTOR(locator)


async def name_handle(handle: ElementHandle) -> tuple[Page, str]:
    """Return the page of an element, and a selector of it."""
    frame = await handle.owner_frame()
    assert frame
    mark = await _mark(handle)
    return frame.page, await _enter(frame) + mark


async def _enter(frame: Frame) -> str:
    """Return what a selector begins with that looks into a frame."""
    if frame.parent_frame is None:
        return ""
    element = await frame.frame_element()
    return f"{await _enter(frame.parent_frame)}{await _mark(element)}{_ENTER}"


async def _mark(element: ElementHandle) -> str:
    """Write a number on an element by which it is found again."""
    number = await element.evaluate(
        f"(node, fresh) => {{ const element = node.nodeType === 1 ? node : node.parentElement; if (!element.hasAttribute('{MARK}')) element.setAttribute('{MARK}', fresh);"
        f" return element.getAttribute('{MARK}'); }}",
        str(next(_numbers)),
    )
    return f'css=[{MARK}="{number}"]'
