"""Marking text on a page."""

from typing import Any

from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import read_settled
from core.base.errors import ActionError, TargetError

SHOWN_CHARACTERS = 200


async def mark_text(aim: ActionTarget, selector: str, text: str | None) -> dict[str, Any]:
    """Mark the text of an element, or a part of it, and read back what is marked.

    Args:
        text: What to mark in it; all of it where None.

    Raises:
        TargetError: ``target_missing`` if the text isn't there; ``target_ambiguous`` if it is there several times.
        ActionError: ``value_differs`` if something else is marked afterwards.
    """
    await aim.locator.scroll_into_view_if_needed(timeout=aim.take_ms())
    places = (await probe(aim.locator, "mark", aim.take_ms(), text=text))["places"]
    if places != 1:
        raise refuse_places(selector, text, places, aim.page.url)
    reading = await read_settled(aim.locator, "marked")
    told = reading.held
    marked = " ".join(told["text"].split())
    if not told["secret"] and (
        not marked or (text is not None and marked.casefold() != " ".join(text.split()).casefold())
    ):
        raise ActionError(
            "The page marked other text than requested.",
            code="value_differs",
            hint="The page may mark text in its own way; check it.",
            evidence={"url": aim.page.url, "marked": marked[:SHOWN_CHARACTERS]},
        )
    return {"marked": marked[:SHOWN_CHARACTERS], **reading.evidence}


def refuse_places(selector: str, text: str | None, places: int, url: str) -> TargetError:
    """Return the error for a text that is in an element several times or not at all.

    Args:
        text: What was looked for; None for all text.
    """
    evidence = {"selector": selector, "url": url, "places": places}
    if places:
        return TargetError(
            f"{selector} has the text {text!r} {places} times.",
            code="target_ambiguous",
            hint="Name the part of the page, or more of the text around it.",
            evidence=evidence,
        )
    what = f"the text {text!r}" if text else "any text to mark"
    return TargetError(
        f"{selector} does not have {what}.",
        code="target_missing",
        hint="Check what it says.",
        evidence=evidence,
    )
