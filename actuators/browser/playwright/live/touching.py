"""What a person does to a page, by its own pointer and keyboard, and what is told of it: which elements, never which texts."""

from collections.abc import Awaitable, Callable, Mapping

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from actuators.browser.playwright.finding.persisting import EngineError
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.ports.screens import Touch
from actuators.browser.ports.takeover import PersonDeed
from core.base.errors import InputError
from core.base.phrases import quote_text

PROBE_MS = 500.0
BACK_MS = 10_000.0
LONGEST_NAME = 80

Act = Callable[[Page, Touch, float, float], Awaitable[PersonDeed | None]]


async def touch_page(page: Page, touch: Touch, width_px: int, height_px: int) -> PersonDeed | None:
    """Do one thing that a person does, and return what is worth telling of it.

    Raises:
        InputError: If there is no such key.
        PlaywrightError: If the page is gone.
    """
    return await _ACTS[touch.kind](page, touch, touch.x * width_px, touch.y * height_px)


async def _move(page: Page, touch: Touch, x_px: float, y_px: float) -> None:
    del touch
    await page.mouse.move(x_px, y_px)


async def _press(page: Page, touch: Touch, x_px: float, y_px: float) -> PersonDeed:
    what = await _name(page, "under", x_px=x_px, y_px=y_px)
    await page.mouse.move(x_px, y_px)
    await page.mouse.down(button=touch.button, click_count=touch.clicks)
    return PersonDeed("clicked", what)


async def _lift(page: Page, touch: Touch, x_px: float, y_px: float) -> None:
    await page.mouse.move(x_px, y_px)
    await page.mouse.up(button=touch.button, click_count=touch.clicks)


async def _turn(page: Page, touch: Touch, x_px: float, y_px: float) -> PersonDeed:
    await page.mouse.move(x_px, y_px)
    await page.mouse.wheel(touch.dx, touch.dy)
    return PersonDeed("scrolled")


async def _strike(page: Page, touch: Touch, x_px: float, y_px: float) -> PersonDeed:
    del x_px, y_px
    is_text = len(touch.key) == 1
    what = await _name(page, "active") if is_text else touch.key
    try:
        await page.keyboard.press(touch.key)
    except PlaywrightError as error:
        if "Unknown key" not in error.message:
            raise
        raise InputError(
            f"There is no key {quote_text(touch.key)}.", hint="Name keys such as Enter or Control+A."
        ) from error
    return PersonDeed("typed", what, 1) if is_text else PersonDeed("pressed", what)


async def _type(page: Page, touch: Touch, x_px: float, y_px: float) -> PersonDeed:
    del x_px, y_px
    what = await _name(page, "active")
    await page.keyboard.insert_text(touch.text)
    return PersonDeed("typed", what, len(touch.text))


async def _go_back(page: Page, touch: Touch, x_px: float, y_px: float) -> PersonDeed:
    del touch, x_px, y_px
    await page.go_back(wait_until="commit", timeout=BACK_MS)
    return PersonDeed("went back")


_ACTS: Mapping[str, Act] = {
    "move": _move, "down": _press, "up": _lift, "wheel": _turn, "key": _strike, "text": _type, "back": _go_back,
}  # fmt: skip


async def _name(page: Page, what: str, **options: float) -> str:
    """Return what an element is called, as selectors are written; empty where the page doesn't say."""
    try:
        found = await probe(page, what, PROBE_MS, **options)
    except (PlaywrightError, EngineError):
        return ""
    if not found:
        return ""
    kind = found["role"] or found["tag"]
    return f"{kind} {quote_text(found['name'], LONGEST_NAME)}" if found["name"] else str(kind)
