"""Scrolling pages and scrolling elements, and saying where that led."""

from dataclasses import asdict
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.ports.pointer import ScrollRequest
from core.base.errors import ActionError, TargetError


async def scroll_page(page: Page, request: ScrollRequest, timeout_s: float) -> dict[str, Any]:
    """Scroll the page, or the element in its middle where the page itself doesn't scroll.

    Raises:
        ActionError: If the page doesn't answer in time.
    """
    try:
        return await probe(page, "scroll", timeout_s * 900, **asdict(request))
    except PlaywrightError as error:
        raise ActionError(f"The page {page.url} did not scroll: {error.message.splitlines()[0]}") from error


async def scroll_element(aim: ActionTarget, request: ScrollRequest) -> dict[str, Any]:
    """Scroll an element, or the nearest one around it that scrolls.

    Raises:
        TargetError: If neither it nor anything around it scrolls in this direction.
    """
    found = await probe(aim.locator, "scroll", aim.take_ms(), **asdict(request))
    if found is None:
        raise TargetError(
            f"Neither the element nor anything around it scrolls {request.to or request.direction}.",
            code="target_unsuitable",
            hint="Leave the selector out to scroll the page.",
            evidence={"url": aim.page.url},
        )
    return found
