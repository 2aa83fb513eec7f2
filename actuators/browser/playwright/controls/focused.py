"""Typing into whatever has the keyboard focus, as a keyboard does: where the caret is, and on to wherever the page takes it."""

from dataclasses import replace
from typing import Any

from actuators.browser.playwright.acting.focusing import find_focused_frame
from actuators.browser.playwright.controls.entering import (
    FieldEntry,
    differing_value,
    enter_text,
    judge_value,
    tell_untaken,
)
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.candidates import describe_element
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import SettledReading, read_settled
from core.base.errors import TargetError
from core.rules.browser_choices import TypingMode

Facts = dict[str, Any]


async def type_into_focus(aim: ActionTarget, text: str, mode: TypingMode | None) -> Facts:
    """Type a text into what has the focus, which is aimed at then, and read it back; without a mode as a keyboard does.

    Raises:
        TargetError: ``target_missing`` if nothing has the focus and the page took nothing; ``target_unsuitable`` if what has it holds no text.
        ActionError: ``value_differs`` if the field kept something else.
    """
    frame = await find_focused_frame(aim.page)
    held: Facts | None = await probe(frame, "note_focus")
    aim.frame, aim.locator = frame, frame.locator(engine_selector("noted"))
    if mode is not None and mode != "keys":
        return await _type_into_field(aim, FieldEntry("", text, mode), held)
    is_whole = bool(held and held["takes_lines"]) and mode is None
    if is_whole or not text:
        await aim.page.keyboard.insert_text(text)  # keys would be completed, indented and closed by editors
    else:
        await aim.page.keyboard.type(text)
    return _judge(aim, text, held, await read_settled(frame.locator(":root"), "noted"))


async def _type_into_field(aim: ActionTarget, entry: FieldEntry, held: Facts | None) -> Facts:
    if held is None:
        raise _refuse_nothing(aim, entry.text, is_tried=False)
    named = describe_element(held["who"])
    if not held["is_text"]:
        message, hint = f"{named} has the focus and holds no text.", "Leave mode out to press the keys of the text."
        raise aim.refuse(message, hint, received_by=held["who"])
    return await enter_text(aim, replace(entry, selector=named)) | {"received_by": held["who"]}


def _judge(aim: ActionTarget, text: str, held: Facts | None, reading: SettledReading) -> Facts:
    """Return the evidence of what was typed; ``unread`` where it can't be told whether it is there."""
    now: Facts = reading.held
    has_acted = bool(now["changes"]) or now["moved"] or not reading.is_settled
    if held is None:
        if not has_acted:
            raise _refuse_nothing(aim, text, is_tried=True)
        return {"received_by": None, "unread": True, **reading.evidence}
    facts: Facts = {"received_by": held["who"], **reading.evidence}
    if now["moved"]:
        facts["focus_now"] = now["now"]
    if held["secret"] or now["secret"]:
        return facts | {"unread": True, "length": len(now.get("value") or "")}
    if not now["connected"]:
        return facts | {"field_gone": True}
    verdict = _compare(text, held, now)
    if verdict == "different" and not (has_acted or text in now["value"] or not held["is_text"]):
        raise differing_value(describe_element(held["who"]), _expect(text, held) or text, now)
    facts |= {"value": now["value"], "length": len(now["value"])} | tell_untaken(now)
    return facts if verdict == "same" else facts | {"unread": True}


def _compare(text: str, held: Facts, now: Facts) -> str:
    if not held["is_text"]:
        return "unclear"
    if (wanted := _expect(text, held)) is not None:
        return judge_value(held["kind"], wanted, now["value"])
    typed, before, after = ("".join(each.split()) for each in (text, held["value"], now["value"]))
    return "same" if after.count(typed) > before.count(typed) else "different"


def _expect(text: str, held: Facts) -> str | None:
    if not held["caret"]:
        return None
    start, end = held["caret"]
    return held["value"][:start] + text + held["value"][end:]


def _refuse_nothing(aim: ActionTarget, text: str, *, is_tried: bool) -> TargetError:
    tried = f", and nothing changed when “{text}” was typed" if is_tried else ""
    message = f"Nothing on {aim.page.url} has the focus{tried}."
    error = aim.refuse(message, "Click or focus a field first, or name it.", "target_missing")
    return error.after_act() if is_tried else error
