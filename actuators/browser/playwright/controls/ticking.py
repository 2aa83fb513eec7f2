"""Ticking and clearing checkboxes, switches and radio buttons."""

import secrets
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.direct.presses import PressWay, press_directly, read_receipt
from actuators.browser.playwright.direct.world import find_place
from actuators.browser.playwright.engine.scripts import ENTRY_MARK, engine_selector
from actuators.browser.playwright.finding.causes import answer_or, read_failure, unless_gone
from actuators.browser.playwright.finding.idling import ask_until
from actuators.browser.playwright.finding.probes import LOOK_MS, probe
from actuators.browser.playwright.finding.settling import SettledReading, after, read_settled
from core.base.errors import ActionError

if TYPE_CHECKING:
    from actuators.browser.playwright.finding.actionability import ActionTarget

# Some boxes show their state only when the server has agreed.
SETTLE_S = 2.0
# Parts of Playwright's messages.
NO_BOX = "Not a checkbox or radio button"
UNCLEARABLE = "Cannot uncheck radio button"
UNCHANGED = "did not change its state"


async def tick_box(aim: "ActionTarget", *, checked: bool) -> dict[str, Any]:
    """Bring a box into a state; does nothing where it has that state already.

    Returns the state read back, and ``already`` where nothing had to be done; ``left_page`` where the page was left at
    once, so that nothing could be read back, ``field_gone`` where the box went with what it closed; ``pressed`` where it is an entry of a menu, which has no state. TargetError
    if it is no box, or a radio button that should be cleared; ActionError if the page did not keep the state.
    """
    token, url = secrets.token_hex(4), aim.page.url
    was_set, first = await _set_checked(aim, token, checked=checked)
    if not was_set:
        await aim.locator.click(timeout=aim.take_ms())
        return {"checked": True, "pressed": True}
    reading = await unless_gone(_read_back(aim, token, first, checked=checked), None)
    if aim.page.url != url:  # ticking it led to another page
        return {"checked": checked, "left_page": True}
    if reading is None or (reading.held["gone"] and reading.held.get("checked") is not checked):
        return {"checked": checked, "field_gone": True}
    held = reading.held
    if held.get("checked") is not checked or held["mixed"]:
        raise ActionError(
            f"The box was clicked and is still {'not ' if checked else ''}ticked; the page put it back.",
            code="state_not_kept",
            hint="Check what the page needs first.",
            evidence={"url": aim.page.url, "expected": checked, "actual": held.get("checked")},
        ).after_act()
    before = held["before"]
    already = bool(before and before["checked"] == checked and not before["mixed"])
    return {"checked": checked, "already": already, **reading.evidence}


async def _set_checked(aim: "ActionTarget", token: str, *, checked: bool) -> tuple[bool, str | None]:
    """Click the box as it takes; return False of an entry that is selected by pressing it, which was not touched, and what was told of the box at once."""
    url = aim.page.url
    box = aim.locator.locator(engine_selector("box", token=token, refuses_entries=checked))
    try:
        was_set, first = await _set_directly(aim, token, checked=checked)
        if was_set:
            return True, first
        await aim.insist(lambda left_ms: box.set_checked(checked, timeout=left_ms))
    except PlaywrightError as error:
        failure = read_failure(error.message)
        fault, was_pressed = failure.fault, failure.was_performed and isinstance(error, PlaywrightTimeoutError)
        is_entry = bool(fault and fault.message == ENTRY_MARK)
        if is_entry and await probe(aim.locator, "tick") is None:
            return False, None
        if is_entry or NO_BOX in error.message:
            await _press_toggle(aim, checked=checked)
        elif UNCLEARABLE in error.message:
            raise aim.refuse("A radio button can't be cleared; choose another one in its group.") from None
        elif UNCHANGED not in error.message and aim.page.url == url and not (was_pressed and await _is_gone(aim)):
            raise
    return True, None


async def _is_gone(aim: "ActionTarget") -> bool:
    return not await answer_or(aim.locator.filter(visible=True).count(), 1)


async def _set_directly(aim: "ActionTarget", token: str, *, checked: bool) -> tuple[bool, str | None]:
    """Press a box that lies open, unless it is so; return whether it is done, and what was told of it. A press that was stopped on its way to something else is none."""
    place = await find_place(aim.locator)
    if place is None:
        return False, None
    limit_ms = aim.take_ms()
    receipt = {"token": token, "button": "left", "count": 1, "text": "", "limit_ms": int(limit_ms)}
    told = await press_directly(
        place, "tick", min(limit_ms, LOOK_MS * 2), PressWay(), aim.page, token=token, checked=checked, receipt=receipt
    )
    if told is None or told.get("already"):
        return told is not None, None
    then = [*place.parts, after("ticked", token=token)]
    known, first = await read_receipt(place.world, token, aim.deadline.remaining_ms, told, then)
    return known is None or bool(known["events"] or known["strays"]), first


async def _read_back(aim: "ActionTarget", token: str, first: str | None, *, checked: bool) -> SettledReading:
    tellings = [first]  # what was told already is asked once
    return await ask_until(
        lambda: read_settled(aim.locator, "ticked", first=tellings.pop() if tellings else None, token=token),
        lambda reading: reading.held.get("checked") is checked and not reading.held["mixed"],
        min(SETTLE_S, aim.deadline.remaining_s),
    )


async def _press_toggle(aim: "ActionTarget", *, checked: bool) -> None:
    """Press a button that stays down or an entry of which several may be chosen, no boxes to Playwright, unless it is so."""
    tick = await probe(aim.locator, "tick")
    if tick is None:
        raise aim.refuse("The element can't be ticked: it is not a checkbox, switch or radio button.")
    if tick["checked"] != checked:
        await aim.insist(lambda left_ms: aim.begun.click(timeout=left_ms))
