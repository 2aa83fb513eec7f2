"""Keeping secrets out of pictures and prints of pages."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Locator, Page

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.probes import probe
from core.goals.secret_values import Vault

MASK_COLOR = "#202020"


def list_masks(page: Page, vault: Vault) -> list[Locator]:
    """Return what must not be seen on a picture of a page, frames and shadow trees included.

    That is every password field, every field that a secret was typed into, and whatever else shows one.
    """
    part = engine_selector("secrets", values=list(vault.list_revealed()))
    return [frame.locator(part) for frame in page.frames]


async def _cover(frame: Frame, values: list[str]) -> int:
    try:
        return await probe(frame, "cover", values=values)
    except PlaywrightError:
        if not frame.is_detached():
            raise
        return 0  # it went away, and shows nothing any more


@asynccontextmanager
async def cover_secrets(page: Page, vault: Vault) -> AsyncGenerator[int]:
    """Hide in the page itself what must not be printed, for as long as this is open; give how many elements that are."""
    values = list(vault.list_revealed())
    if not values:
        yield 0
        return
    frames = list(page.frames)
    try:
        yield sum([await _cover(frame, values) for frame in frames])
    finally:
        for frame in frames:
            with suppress(PlaywrightError):  # a frame that went away shows nothing any more
                await probe(frame, "uncover")
