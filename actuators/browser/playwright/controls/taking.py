"""Whether a page has taken a text that a field holds: some wait for a choice in what the field has opened, some until it is left."""

from typing import TYPE_CHECKING, Any

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.controls.calendars import is_open
from actuators.browser.playwright.controls.typing_checks import differing_value, judge_value
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import UNSETTLED, SettledReading, follow, read_settled
from core.base.errors import ActionError
from core.base.moments import is_timely

if TYPE_CHECKING:
    from actuators.browser.playwright.finding.actionability import ActionTarget

NOT_TAKEN = "not_taken"
EMPTIED = "emptied"


def tell_untaken(held: dict[str, Any]) -> dict[str, Any]:
    """Return the evidence that the page has not taken yet what a field holds; empty where nothing speaks against it."""
    return {NOT_TAKEN: "open" if held["untaken"] == "open" else "left"} if held["untaken"] else {}


async def bring_home(
    aim: "ActionTarget", selector: str, text: str, reading: SettledReading, facts: dict[str, Any]
) -> dict[str, Any]:
    """Return the evidence of a typed text with whether the page has taken it; a field that counts only once it is left is left, and gone back to.

    Raises:
        ActionError: ``value_differs`` if the field has another text once it was left.
    """
    held = reading.held
    if held["untaken"] == "open" or (is_timely(text) and await is_open(aim)):
        return facts | {NOT_TAKEN: "open"}
    if not held["untaken"] or UNSETTLED in facts:
        return facts
    if held["untaken"] == "left" or not await probe(aim.locator, "lookAway"):
        return facts | {NOT_TAKEN: "left"}
    return facts | await _read_again(aim, selector, held)


async def hold_on(aim: "ActionTarget", *, is_last: bool, what: str = "control") -> dict[str, Any]:
    """Look again at what was read back, once all has gone off that the act has set for the next second; return evidence if it is not over then.

    Args:
        is_last: Whether nothing follows in the run; else nobody is kept waiting.
        what: Which probe tells its state: ``control`` or ``tick``.

    Raises:
        ActionError: If the page has taken it back meanwhile.
    """
    try:
        told = await follow(aim.locator, what) if is_last else None
    except PlaywrightError:
        return {}  # it is gone, and what was read before is what is known
    if told is None:
        return {}
    before, after = (_write_state(each) for each in (told[0], told[1].held))
    if before != after and judge_value("text", before, after) == "different":
        raise ActionError(
            f"The page took it back: it held {before!r}, and holds {after!r} now.",
            code="state_not_kept" if what == "tick" else "value_differs",
            hint="Check what the page needs first.",
            evidence={"url": aim.page.url, "expected": before, "actual": after},
        ).after_act()
    return told[1].evidence


def _write_state(held: dict[str, Any] | None) -> str:
    if held is None:
        return ""
    return held["held"] if "held" in held else "ticked" if held["checked"] else "not ticked"


async def _read_again(aim: "ActionTarget", selector: str, before: dict[str, Any]) -> dict[str, Any]:
    """Return what leaving a field has made of its text."""
    try:
        reading = await read_settled(aim.locator, "value")
    except PlaywrightError:  # the page has taken the field away, and its text with it
        return {"field_gone": True}
    text: str = reading.held["value"]
    verdict = judge_value(before["kind"], before["value"], text)
    if verdict == "different" and text:
        raise differing_value(selector, before["value"], reading.held)
    told = {} if before["secret"] else {"value": text}
    return told | ({EMPTIED: True} if verdict == "different" else {}) | reading.evidence
