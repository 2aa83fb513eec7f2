"""Asking the page engine about elements; cheaper than ``evaluate``, and out of the page's sight."""

import json
import secrets
from typing import Any

from playwright.async_api import Frame, FrameLocator, Locator, Page

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.causes import persist

# Far more than an answer takes, also on a busy machine; what is gone for good costs this long.
PROBE_MS = 1000.0


async def probe(
    place: Locator | Frame | FrameLocator | Page, what: str, timeout_ms: float = PROBE_MS, **options: Any
) -> Any:
    """Ask the page engine about an element, or a document; cheaper than ``evaluate`` and out of the page's sight.

    Args:
        place: The element; the document of a frame or page, which may have no element yet, or be none of HTML.

    Raises:
        EngineError: If the engine failed to the end.
    """
    return json.loads(await _ask(place, engine_selector("probe", what=what, options=options), timeout_ms) or "null")


async def probe_all(locator: Locator, what: str, timeout_ms: float = PROBE_MS, **options: Any) -> list[Any]:
    """Ask the page engine about all elements that match in the main frame of their page, without waiting for any."""
    # With the ground there is always something to ask, and it is left out of the list.
    return await probe_matches(
        locator.or_(locator.page.locator(engine_selector("ground"))), what, timeout_ms, **options
    )


async def probe_matches(locator: Locator, what: str, timeout_ms: float, **options: Any) -> list[Any]:
    """Ask the page engine about all elements that match, in any frame; waits for the first."""
    query = engine_selector("each", token=secrets.token_hex(4), what=what, options=options)
    return json.loads(await _ask(locator, query, timeout_ms) or "[]")


async def count_matches(locator: Locator, timeout_ms: float = PROBE_MS) -> int:
    """Return how many elements match now; again within so many milliseconds, where the document is just being replaced."""
    return await persist(lambda _: locator.count(), timeout_ms, locator.page.url)


async def _ask(place: Locator | Frame | FrameLocator | Page, query: str, timeout_ms: float) -> str | None:
    part = place.locator(query)
    return await persist(lambda left_ms: part.text_content(timeout=left_ms), timeout_ms, part.page.url)
