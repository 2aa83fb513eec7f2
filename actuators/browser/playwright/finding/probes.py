"""Asking the page engine about elements; cheaper than ``evaluate``, and out of the page's sight."""

import json
import secrets
from collections.abc import Sequence
from typing import Any, Literal

from playwright.async_api import Frame, FrameLocator, Locator, Page

from actuators.browser.playwright.direct.world import DIRECT_SHARE, find_place
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.causes import persist
from actuators.deadlines import Deadline, allow_s

# Far more than an answer takes, also on a busy machine; what is gone for good costs this long.
PROBE_MS = 1000.0
# How long something is looked for directly; then Playwright's way is taken, which says what is wrong with it.
LOOK_MS = 400.0
LEAST_MS = 50.0


async def probe(
    place: Locator | Frame | FrameLocator | Page, what: str, timeout_ms: float = PROBE_MS, **options: Any
) -> Any:
    """Ask the page engine about an element, or about a document, which may have no element yet, or be none of HTML."""
    return json.loads(await ask_text(place, engine_selector("probe", what=what, options=options), timeout_ms) or "null")


async def probe_all(locator: Locator, what: str, timeout_ms: float = PROBE_MS, **options: Any) -> list[Any]:
    """Ask the page engine about all elements that match in the main frame of their page, without waiting for any."""
    told = await order_at(locator, "each", timeout_ms, what=what, options=options, is_sorted=True)
    if told is not None:
        return told["answers"]
    # With the ground there is always something to ask, and it is left out of the list.
    ground = locator.page.locator(engine_selector("ground"))
    return await _ask_each(locator.or_(ground), what, timeout_ms, options)


async def probe_matches(locator: Locator, what: str, timeout_ms: float, **options: Any) -> list[Any]:
    """Ask the page engine about all elements that match, in any frame; waits for the first."""
    told = await order_at(locator, "each", timeout_ms, what=what, options=options)
    return told["answers"] if told and told["answers"] else await _ask_each(locator, what, timeout_ms, options)


async def _ask_each(locator: Locator, what: str, timeout_ms: float, options: dict[str, Any]) -> list[Any]:
    query = engine_selector("each", token=secrets.token_hex(4), what=what, options=options)
    return json.loads(await ask_text(locator, query, timeout_ms) or "[]")


async def count_matches(locator: Locator, timeout_ms: float = PROBE_MS) -> int:
    """Return how many elements match now; again within so many milliseconds, where the document is just being replaced."""
    told = await order_at(locator, "count", max(timeout_ms, PROBE_MS))
    return told["count"] if told else await persist(lambda _: locator.count(), timeout_ms, locator.page.url)


async def ask_text(place: Locator | Frame | FrameLocator | Page, query: str, timeout_ms: float) -> str | None:
    """Return the text of what a part of a selector finds in a place, which is waited for."""
    told = await order_at(place, "text", timeout_ms, query, limit_ms=min(timeout_ms / 2, LOOK_MS))
    if told:
        return told["text"]
    part = place.locator(query)
    return await persist(lambda left_ms: part.text_content(timeout=left_ms), timeout_ms, part.page.url)


async def order_at(
    place: Locator | Frame | FrameLocator | Page, order: str, timeout_ms: float, query: str = "", **details: Any
) -> dict[str, Any] | None:
    """Have something done directly at a place that changes nothing there, again where its document was just being replaced; None where it is left to Playwright."""
    found = await find_place(place)
    if found is None:
        return None
    found = found / query if query else found
    return await persist(lambda left_ms: found.order(order, left_ms, **details), timeout_ms, found.world.name)


async def await_state(
    locator: Locator, state: Literal["attached", "visible"], timeout_ms: float, then: Sequence[str] = ()
) -> str | None:
    """Wait until an element, or the first of several, is there, or the only one shows; PlaywrightError says why not.

    Returns what parts of a selector read in its document then, where that was said at once.
    """
    limit = Deadline(allow_s(timeout_ms / 1000))
    told = await order_at(locator, state, timeout_ms, limit_ms=timeout_ms * DIRECT_SHARE, then=then)
    if told is None:
        element = locator.first if state == "attached" else locator
        await element.wait_for(state=state, timeout=max(limit.remaining_ms, LEAST_MS))
    return told.get("then") if told else None
