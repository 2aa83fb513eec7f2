"""Giving the keyboard focus to an element, or to the field beside the one that has it."""

import secrets
from typing import Any

from playwright.async_api import Frame, Locator, Page

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.actionability import ActionTarget, begin_act
from actuators.browser.playwright.finding.causes import unless_gone
from actuators.browser.playwright.finding.probes import count_matches, probe
from actuators.browser.playwright.finding.settling import SettledReading, read_settled
from core.base.errors import TargetError
from core.rules.browser_choices import FocusMove


async def focus_element(aim: ActionTarget, selector: str) -> dict[str, Any]:
    """Focus an element; TargetError ``target_unsuitable`` if it doesn't take the focus."""
    await aim.begun.focus(timeout=aim.take_ms())
    what, told = (selector, "Focus a field, button or link."), {"selector": selector, "url": aim.page.url}
    return {"focused": True, **(await _read_focus(aim.locator, what, told)).evidence}


async def focus_beside(page: Page, move: FocusMove, timeout_s: float) -> dict[str, Any]:
    """Focus the field before or behind the one with the focus, in its frame; ``target_missing`` if there is none."""
    frame = await find_focused_frame(page)
    query = engine_selector("neighbour", token=secrets.token_hex(4), move=move)
    field = frame.locator(query)
    if not await count_matches(field):
        raise TargetError(
            f"No {move} field on {page.url}.",
            code="target_missing",
            hint="Name the field.",
            evidence={"url": page.url, "active": await probe(frame, "active")},
        )
    await begin_act(field).focus(timeout=timeout_s * 900)
    reading = await _read_focus(field, (f"The {move} field", "Click it."), {"url": page.url})
    return {"focused": True, "element": reading.held["active"], **reading.evidence}


async def _read_focus(field: Locator, what: tuple[str, str], told: dict[str, Any]) -> SettledReading:
    reading = await read_settled(field, "focused")
    if not reading.held["focused"]:
        message, evidence = f"{what[0]} does not take the focus.", {**told, "active": reading.held["active"]}
        raise TargetError(message, code="target_unsuitable", hint=what[1], evidence=evidence)
    return reading


async def find_focused_frame(page: Page) -> Frame:
    """Return the innermost frame that has the focus; the main one where none has."""
    focused = page.main_frame
    for frame in page.frames[1:]:
        seen = await unless_gone(probe(frame, "focused"), None)
        if seen and seen["in_focus"] and _is_inside(frame, focused):
            focused = frame
    return focused


def _is_inside(frame: Frame, outer: Frame) -> bool:
    parent = frame.parent_frame
    while parent is not None:
        if parent is outer:
            return True
        parent = parent.parent_frame
    return False
