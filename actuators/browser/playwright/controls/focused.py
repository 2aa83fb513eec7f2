"""Typing into whatever has the keyboard focus, as a keyboard does: where the caret is, and on to wherever the page takes it."""

from dataclasses import dataclass
from typing import Any

from playwright.async_api import Frame

from actuators.browser.playwright.acting.focusing import find_focused_frame
from actuators.browser.playwright.controls.entering import FieldEntry, enter_text, tell_untaken
from actuators.browser.playwright.controls.typing_checks import differing_value, judge_value
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.candidates import describe_element
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import SettledReading, read_settled
from core.base.errors import TargetError
from core.rules.browser_choices import TypingMode

Facts = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FocusedEntry:
    """A text for what has the focus, and how it is put there: as a keyboard does, where no mode was said."""

    text: str
    mode: TypingMode | None


async def type_into_focus(aim: ActionTarget, entry: FocusedEntry) -> Facts:
    """Type a text into what has the focus and read it back; return the evidence.

    Args:
        aim: The page; afterwards aims at what had the focus.

    Raises:
        TargetError: ``target_missing`` if nothing has the focus and the page took nothing; ``target_unsuitable`` if what has it holds no text.
        ActionError: ``value_differs`` if the field kept something else.
    """
    frame = await find_focused_frame(aim.page)
    held: Facts | None = await probe(frame, "note_focus")
    aim.frame, aim.locator = frame, frame.locator(engine_selector("noted"))
    if entry.mode in {"replace", "append"}:
        return await _type_into_field(aim, entry, held)
    is_whole = bool(held and held["takes_lines"]) and entry.mode is None
    if is_whole or not entry.text:
        await aim.page.keyboard.insert_text(entry.text)  # keys would be completed, indented and closed by editors
    else:
        await aim.page.keyboard.type(entry.text)
    return _judge(aim, entry, held, await _read_back(frame))


async def _type_into_field(aim: ActionTarget, entry: FocusedEntry, held: Facts | None) -> Facts:
    """Replace what the field with the focus holds, or append to it."""
    if held is None:
        raise _refuse_nothing(aim, entry.text, is_tried=False)
    named = describe_element(held["who"])
    if not held["is_text"]:
        raise TargetError(
            f"{named} has the focus and holds no text.",
            code="target_unsuitable",
            hint="Leave mode out to press the keys of the text.",
            evidence={"received_by": held["who"], "url": aim.page.url},
        )
    facts = await enter_text(aim, FieldEntry(named, entry.text, entry.mode or "replace"))
    return {**facts, "received_by": held["who"]}


async def _read_back(frame: Frame) -> SettledReading:
    return await read_settled(frame.locator(":root"), "noted")


def _judge(aim: ActionTarget, entry: FocusedEntry, held: Facts | None, reading: SettledReading) -> Facts:
    """Return the evidence of what was typed; ``unread`` where it can't be told whether it is there."""
    now: Facts = reading.held
    has_acted = bool(now["changes"]) or now["moved"] or not reading.is_settled
    if held is None:
        if not has_acted:
            raise _refuse_nothing(aim, entry.text, is_tried=True)
        return {"received_by": None, "unread": True, **reading.evidence}
    facts: Facts = {"received_by": held["who"], **reading.evidence}
    if now["moved"]:
        facts["focus_now"] = now["now"]
    if held["secret"] or now["secret"]:
        return facts | {"unread": True, "length": len(now.get("value") or "")}
    if not now["connected"]:
        return facts | {"field_gone": True}
    verdict = _compare(entry.text, held, now)
    if verdict == "different" and not (has_acted or entry.text in now["value"] or not held["is_text"]):
        raise differing_value(describe_element(held["who"]), _expect(entry.text, held) or entry.text, now)
    facts |= {"value": now["value"], "length": len(now["value"])} | tell_untaken(now)
    return facts if verdict == "same" else facts | {"unread": True}


def _compare(text: str, held: Facts, now: Facts) -> str:
    """Return whether a field holds what it should after typing; ``unclear`` where that isn't known."""
    if not held["is_text"]:
        return "unclear"
    if (wanted := _expect(text, held)) is not None:
        return judge_value(held["kind"], wanted, now["value"])
    typed, before, after = (_fold(each) for each in (text, held["value"], now["value"]))
    return "same" if after.count(typed) > before.count(typed) else "different"


def _expect(text: str, held: Facts) -> str | None:
    """Return what a field should hold; None where it isn't known where its caret is."""
    if not held["caret"]:
        return None
    start, end = held["caret"]
    return held["value"][:start] + text + held["value"][end:]


def _fold(text: str) -> str:
    return "".join(text.split())


def _refuse_nothing(aim: ActionTarget, text: str, *, is_tried: bool) -> TargetError:
    tried = f", and nothing changed when “{text}” was typed" if is_tried else ""
    error = TargetError(
        f"Nothing on {aim.page.url} has the focus{tried}.",
        code="target_missing",
        hint="Click or focus a field first, or name it.",
        evidence={"url": aim.page.url},
    )
    return error.after_act() if is_tried else error
