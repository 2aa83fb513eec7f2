"""Giving any control a value, by what it is made of."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.controls.calendars import open_calendar, pick_date
from actuators.browser.playwright.controls.choosing import choose_options
from actuators.browser.playwright.controls.control_values import is_on, read_state, write_text, write_value
from actuators.browser.playwright.controls.controls import (
    PageControl,
    aim_at,
    find_part,
    find_widget,
    read_back,
    read_control,
)
from actuators.browser.playwright.controls.entering import FieldEntry, enter_text
from actuators.browser.playwright.controls.stepping import bring_to
from actuators.browser.playwright.controls.ticking import tick_box
from actuators.browser.playwright.finding.actionability import ActionTarget, begin_act
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import UNSETTLED
from actuators.browser.ports.forms import Value
from actuators.deadlines import Deadline, allow_s, pause
from core.base.dates import find_pattern, read_date, write_date
from core.base.errors import ActionError, InputError, TargetError

SUGGESTING_S = 1.5
LOOK_S = 0.05
SETTLED_S = 0.4
SHOWN_OPTIONS = 30


@dataclass(frozen=True, slots=True)
class SettingResult:
    """What came of it.

    Attributes:
        held: What the control holds now, read back; empty for a secret.
        is_read: Whether that was read back, and is the value.
        notes: More evidence.
    """

    held: str
    is_read: bool = True
    notes: dict[str, Any] = field(default_factory=dict[str, Any])


Setter = Callable[[ActionTarget, PageControl, Value], Awaitable[SettingResult]]


async def set_control(aim: ActionTarget, selector: str, value: Value) -> tuple[PageControl, SettingResult]:
    """Give a control a value and read it back.

    Args:
        aim: The control, its label or what is around it.
        selector: How the goal names it, for messages.
        value: The value, as people write it.

    Returns:
        The control as it was, and what came of it.

    Raises:
        TargetError: If it takes no value, is disabled or read-only, or has no such option.
        InputError: If the value doesn't fit.
        ActionError: If it kept something else.
    """
    control = await read_control(aim)
    widget = find_widget(aim)
    if control.facts["disabled"]:
        raise _refuse(aim, selector, control, "target_disabled", f"is disabled: {control.facts['disabled']}")
    setter = _SETTERS.get(control.kind)
    if setter is None and control.kind in {"other", "file"}:
        raise _refuse(aim, selector, control, "target_unsuitable", "takes no value")
    if setter is None:
        setter = _fill_natively
    if control.kind == "text":
        setting = await _set_text(widget, selector, control, value)
    else:
        setting = await setter(widget, control, value)
    return control, setting


async def _fill_natively(aim: ActionTarget, control: PageControl, value: Value) -> SettingResult:
    wanted = write_value(control.kind, value, control.limits, control.order)
    if control.held == wanted:
        return SettingResult(wanted)
    evidence = await enter_text(aim, FieldEntry(control.kind, wanted, "replace"))
    if control.kind == "number":
        await aim.begun.blur(timeout=aim.take_ms())
        after, notes = await read_back(aim)
        evidence |= {"value": after.held, **notes}
        if after.held != wanted:
            raise _differs(wanted, after.held)
    notes = {UNSETTLED: True} if UNSETTLED in evidence else {}
    return SettingResult(evidence.get("value", ""), not notes and "field_gone" not in evidence, notes)


async def _set_text(aim: ActionTarget, selector: str, control: PageControl, value: Value) -> SettingResult:
    text = write_text(value)
    if control.held == text and text and not control.facts["secret"]:
        return SettingResult(text)
    if control.facts["calendar"] and _is_date(text, control):
        return await _set_date(aim, selector, control, text)
    if not control.facts["editable"]:
        raise _refuse(aim, selector, control, "target_readonly", "is read-only and has no calendar for such a value")
    if control.facts["suggests"]:
        return await _set_suggested(aim, selector, text)
    return _as_setting(await enter_text(aim, FieldEntry(selector, text, "replace")))


def _as_setting(evidence: dict[str, Any]) -> SettingResult:
    unsure = {"reformatted_from", "field_gone", UNSETTLED} & evidence.keys()
    notes = {name: each for name, each in evidence.items() if name != "value"}
    return SettingResult(evidence.get("value", ""), not unsure, notes)


def _is_date(text: str, control: PageControl) -> bool:
    try:
        read_date(text, control.order)
    except InputError:
        return False
    return True


async def _set_date(aim: ActionTarget, selector: str, control: PageControl, text: str) -> SettingResult:
    """Pick it in the field's calendar; where none opens, write it as the field's hint shows."""
    if await open_calendar(aim):
        held = await pick_date(aim, control, text)
        after, notes = await read_back(aim)
        if after.held != held:
            raise _differs(held, after.held)
        return SettingResult(held, not notes, {"picked": True, **notes})
    if not control.facts["editable"]:
        raise _refuse(aim, selector, control, "target_readonly", "is read-only and has no calendar")
    pattern = find_pattern(control.facts["hint"])
    written = write_date(read_date(text, control.order), pattern) if pattern else text
    return _as_setting(await enter_text(aim, FieldEntry(selector, written, "replace")))


async def _set_suggested(aim: ActionTarget, selector: str, text: str) -> SettingResult:
    """Type the text as keys do, and take the suggestion that is the same, or the only one that is the same in full."""
    await enter_text(aim, FieldEntry(selector, text[:-1], "replace"))
    evidence = await enter_text(aim, FieldEntry(selector, text[-1:], "keys"))
    place, labels = await _wait_for_suggestion(aim, text)
    if place is None:
        return _as_setting(evidence | {"suggestions": labels[:SHOWN_OPTIONS]})
    await begin_act(find_part(aim, "suggestion", place)).click(timeout=aim.take_ms())
    after, notes = await read_back(aim)
    held = after.held
    if labels[place].casefold() not in held.casefold() and text.casefold() not in held.casefold():
        raise _differs(text, held)
    return SettingResult(held, not notes, {"suggestion": labels[place], **notes})


async def _wait_for_suggestion(aim: ActionTarget, text: str) -> tuple[int | None, list[str]]:
    """Wait for the suggestion that is the text, or the only fuller one; return its place, and all of them."""
    folded = " ".join(text.split()).casefold()
    deadline, earlier, settling = Deadline(allow_s(SUGGESTING_S)), [""], Deadline(0)
    while True:
        labels = [each["label"] for each in await probe(aim.locator, "suggestions") if not each["disabled"]]
        same = [place for place, label in enumerate(labels) if label.casefold() == folded]
        fuller = [place for place, label in enumerate(labels) if is_fuller(label, text)]
        if labels != earlier:
            earlier, settling = labels, Deadline(allow_s(SETTLED_S))
        if same or deadline.is_over or (len(fuller) == 1 and settling.is_over):
            found = same or (fuller if len(fuller) == 1 else [])
            return (found[0] if found else None), labels
        await pause(LOOK_S)


def is_fuller(label: str, text: str) -> bool:
    """Whether a suggestion is the same thing with more said of it: "Oslo, Norway (OSL)" for "Oslo" and for "OSL"."""
    said = re.escape(" ".join(text.split()))
    return re.search(rf"(?:^|[^\w\s]\s*){said}\s*(?:[^\w\s]|$)", " ".join(label.split()), re.IGNORECASE) is not None


async def _set_box(aim: ActionTarget, _: PageControl, value: Value) -> SettingResult:
    checked = read_state(value)
    evidence = await tick_box(aim, checked=checked)
    unsure = {"left_page", "pressed", UNSETTLED} & evidence.keys()
    notes = {name: each for name, each in evidence.items() if name in unsure}
    return SettingResult("on" if evidence["checked"] else "off", not unsure, notes)


async def _set_radio(aim: ActionTarget, control: PageControl, value: Value) -> SettingResult:
    options = control.facts["options"]
    place = find_option(options, write_text(value))
    if place is None and control.facts["place"] >= 0 and is_on(value):
        place = control.facts["place"]
    if place is None:
        raise _no_option(aim, value, options)
    await tick_box(aim_at(aim, find_part(aim, "radio", place)), checked=True)
    after, notes = await read_back(aim)
    if after.held != options[place]["label"]:
        raise _differs(options[place]["label"], after.held)
    return SettingResult(after.held, not notes, notes)


async def _set_choice(aim: ActionTarget, control: PageControl, value: Value) -> SettingResult:
    """Press one of several things beside each other; that it is chosen shows only if the page marks it."""
    options = control.facts["options"]
    place = find_option(options, write_text(value))
    if place is None:
        raise _no_option(aim, value, options)
    await begin_act(find_part(aim, "choice", place)).click(timeout=aim.take_ms())
    notes: dict[str, Any] = {}
    try:
        after, notes = await read_back(aim)
        held = after.held
    except PlaywrightError:
        held = ""  # choosing has closed the list
    return SettingResult(held or options[place]["label"], held == options[place]["label"] and not notes, notes)


async def _select(aim: ActionTarget, _: PageControl, value: Value) -> SettingResult:
    chosen = await choose_options(aim, [write_text(value)], by_place=False)
    return SettingResult(", ".join(chosen.labels), chosen.is_sure, chosen.notes)


async def _step(aim: ActionTarget, control: PageControl, value: Value) -> SettingResult:
    held, notes = await bring_to(aim, control, value)
    return SettingResult(held, not notes, notes)


def find_option(options: list[dict[str, Any]], wanted: str) -> int | None:
    """Return the place of an option: by exact label, by value, by label in any case."""
    folded = " ".join(wanted.split())
    tests = (
        lambda each: each["label"] == folded,
        lambda each: each["value"] == wanted,
        lambda each: each["label"].casefold() == folded.casefold(),
    )
    found = (place for test in tests for place, each in enumerate(options) if test(each))
    return next(found, None)


def _no_option(aim: ActionTarget, value: Value, options: list[dict[str, Any]]) -> TargetError:
    labels = [each["label"] for each in options][:SHOWN_OPTIONS]
    shown = ", ".join(f'"{label}"' for label in labels) or "none"
    evidence = {"url": aim.page.url, "options": labels}
    message = f"There is no option {write_text(value)!r}; there are: {shown}."
    return TargetError(message, code="target_missing", hint="Choose one of them.", evidence=evidence)


def _refuse(aim: ActionTarget, selector: str, control: PageControl, code: str, phrase: str) -> TargetError:
    evidence = {"selector": selector, "url": aim.page.url, "element": control.facts["element"]}
    return TargetError(f"{selector.strip()} {phrase}.", code=code, hint="Name a field or control.", evidence=evidence)


def _differs(wanted: str, held: str) -> ActionError:
    return ActionError(
        f"The page did not keep {wanted!r}: the control holds {held!r}.",
        code="value_differs",
        hint="Check what the page accepts.",
        evidence={"expected": wanted, "actual": held},
    ).after_act()


_SETTERS: dict[str, Setter] = {
    "box": _set_box,
    "radios": _set_radio,
    "choices": _set_choice,
    "select": _select,
    "list": _select,
    "slider": _step,
    "spin": _step,
    "text": _fill_natively,
}
