"""Asking the page engine about elements; cheaper than ``evaluate``, and out of the page's sight."""

import json
import secrets
from typing import Any

from playwright.async_api import Locator

from actuators.browser.playwright.page_engine import engine_selector

# Far more than an answer takes, also on a busy machine; what is gone for good costs this long.
PROBE_MS = 1000.0


async def probe(locator: Locator, what: str, timeout_ms: float = PROBE_MS, **options: Any) -> Any:
    """Ask the page engine about an element; cheaper than ``evaluate`` and out of the page's sight.

    Args:
        locator: The element.
        what: Name of the probe.
        timeout_ms: Milliseconds to wait for the element.
        options: What the probe takes.
    """
    part = locator.locator(engine_selector("probe", what=what, options=options))
    return json.loads(await part.text_content(timeout=timeout_ms) or "null")


async def probe_all(locator: Locator, what: str, timeout_ms: float = PROBE_MS, **options: Any) -> list[Any]:
    """Ask the page engine about all elements that match, without waiting for any.

    Args:
        locator: The elements; in the main frame of their page.
        what: Name of the probe.
        timeout_ms: Milliseconds to wait for their document.
        options: What the probe takes.
    """
    # The head is in every document: with it there is always something to ask, and it is left out of the list.
    return await probe_matches(locator.or_(locator.page.locator("head")), what, timeout_ms, **options)


async def probe_matches(locator: Locator, what: str, timeout_ms: float, **options: Any) -> list[Any]:
    """Ask the page engine about all elements that match, in any frame; waits for the first.

    Args:
        locator: The elements.
        what: Name of the probe.
        timeout_ms: Milliseconds to wait.
        options: What the probe takes.
    """
    query = engine_selector("each", token=secrets.token_hex(4), what=what, options=options)
    return json.loads(await locator.locator(query).text_content(timeout=timeout_ms) or "[]")
