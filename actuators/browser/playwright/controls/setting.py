"""Giving any control a value, by what it is made of."""

import operator
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.choices.matching_entries import find_option
from actuators.browser.playwright.controls.cells import find_cell, set_cell
from actuators.browser.playwright.controls.choosing import choose_options
from actuators.browser.playwright.controls.controls import (
    PageControl,
    SettingResult,
    aim_at,
    find_part,
    find_widget,
    hold_element,
    is_on,
    is_same_number,
    leave_field,
    press_part,
    read_back,
    read_control,
    read_ends,
    read_state,
    tell_difference,
    write_text,
    write_value,
)
from actuators.browser.playwright.controls.dating import set_moments
from actuators.browser.playwright.controls.entering import GONE, FieldEntry, enter_text, judge_value
from actuators.browser.playwright.controls.sections import set_sections
from actuators.browser.playwright.controls.stepping import bring_each, bring_to, bring_to_step, has_named_steps
from actuators.browser.playwright.controls.ticking import tick_box
from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.causes import unless_gone
from actuators.browser.playwright.finding.idling import LATEST_S, LONGEST_S, ask_until, is_awaiting
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import UNSETTLED, read_settled
from actuators.browser.ports.acts import Value
from core.base.errors import ActionError, TargetError
from core.base.moments import is_timely

SHOWN_OPTIONS = 30

Setter = Callable[[ActionTarget, PageControl, Value], Awaitable[SettingResult]]


async def set_control(aim: ActionTarget, selector: str, value: Value) -> tuple[PageControl, SettingResult]:
    """Give a control a value, or what its label or something around it names; return it as it was, and what came of it.

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
    if setter is None and control.kind == "other" and (cell := await find_cell(aim)):
        return control, await set_cell(cell, value, set_control)
    if setter is None and control.kind in {"other", "file"}:
        raise _refuse(aim, selector, control, "target_unsuitable", "takes no value")
    if control.kind == "text":
        return control, await _set_text(widget, selector, control, value)
    return control, await (setter or _fill_natively)(widget, control, value)


async def _fill_natively(aim: ActionTarget, control: PageControl, value: Value) -> SettingResult:
    if control.kind == "range" and has_named_steps(control, value):
        return await bring_to_step(aim, control, value)
    wanted = write_value(control.kind, value, control.limits, control.order)
    if control.held == wanted:
        return SettingResult(wanted)
    if control.kind == "range":
        return await _slide_natively(aim, control, wanted)
    return await _fill(aim, control, wanted)


async def _fill(aim: ActionTarget, control: PageControl, wanted: str) -> SettingResult:
    evidence = await enter_text(aim, FieldEntry(control.kind, wanted))
    if control.kind == "number":
        after = await _leave(aim)
        if after is None:
            return _as_setting(evidence | GONE)
        evidence |= {"value": after.held, **after.notes}
        if not is_same_number(after.held, wanted):
            raise _differs(wanted, after.held)
    notes = {UNSETTLED: True} if UNSETTLED in evidence else {}
    return SettingResult(evidence.get("value", ""), not notes and "field_gone" not in evidence, notes)


async def _slide_natively(aim: ActionTarget, control: PageControl, wanted: str) -> SettingResult:
    """Put a native slider one step beside the number, and press the key that leads to it: many pages take it when a key is let go."""
    limits, number = control.limits, Decimal(wanted)
    step = limits.step or Decimal(1)
    is_up = number - step >= (limits.lowest or 0)
    beside = number - step if is_up else number + step
    if control.facts["step"] != "any" and beside <= (Decimal(100) if limits.highest is None else limits.highest):
        # What is drawn over may be shown while it has the focus, and be the only one then.
        held, _ = await hold_element(aim)
        await held.begun.fill(f"{beside.normalize():f}", timeout=aim.take_ms())
        await held.locator.press("ArrowUp" if is_up else "ArrowDown", timeout=aim.take_ms())
        await leave_field(held)
    after = await read_back(aim)
    if is_same_number(after.held, wanted):
        return after.result
    return await _fill(aim, control, wanted)


async def _set_text(aim: ActionTarget, selector: str, control: PageControl, value: Value) -> SettingResult:
    text = write_text(value)
    if control.held == text and text and not control.facts["secret"]:
        return SettingResult(text)
    if not control.facts["secret"] and is_timely(text):
        return await set_moments(aim, control, text, _set_whole)
    if control.facts["suggests"]:
        return await _set_suggested(aim, selector, text)
    if not control.facts["editable"]:
        raise _refuse(aim, selector, control, "target_readonly", "is read-only and has no calendar for such a value")
    return await _set_plain(aim, selector, control, text)


async def _set_plain(aim: ActionTarget, selector: str, control: PageControl, text: str) -> SettingResult:
    """Write a text and leave the field, which is when many pages take it; numbers may get marks and units of the page's own."""
    evidence = await enter_text(aim, FieldEntry(selector, text))
    if UNSETTLED in evidence and not await ask_until(
        lambda: is_awaiting(aim.locator, LATEST_S), operator.not_, LONGEST_S
    ):
        del evidence[UNSETTLED]  # it may have asked for what it suggests
    if control.facts["secret"] or {"field_gone", UNSETTLED} & evidence.keys():
        return _as_setting(evidence)
    after = await _leave(aim)
    if after is None:
        return _as_setting(evidence | GONE)
    if after.held == evidence["value"]:
        return _as_setting(evidence | after.notes)
    if text and not after.held:  # it waits for a choice, which may have been on its way, and keeps nothing else
        with suppress(TargetError):
            chosen = await _set_suggested(aim, selector, text)
            after = await _leave(aim) or after
            if after.held:
                is_read = chosen.is_read or after.held == chosen.held
                return SettingResult(after.held, is_read and not after.notes, chosen.notes | after.notes)
    if judge_value("text", text, after.held) == "different":
        raise _differs(text, after.held)
    return after.result


async def _leave(aim: ActionTarget) -> PageControl | None:
    try:
        await leave_field(aim)
        return await read_back(aim)
    except PlaywrightError:
        return None


def _as_setting(evidence: dict[str, Any]) -> SettingResult:
    unsure = {"reformatted_from", "field_gone", UNSETTLED} & evidence.keys()
    notes = {name: each for name, each in evidence.items() if name != "value"}
    return SettingResult(evidence.get("value", ""), not unsure, notes)


async def _set_suggested(aim: ActionTarget, selector: str, text: str) -> SettingResult:
    try:
        chosen = await choose_options(aim, [text], by_place=False)
    except TargetError as error:
        if error.code != "target_missing":
            raise
        return await _leave_text(aim, selector, text, error)
    return SettingResult(", ".join(chosen.labels), chosen.is_sure, {"suggestion": chosen.labels[0], **chosen.notes})


async def _leave_text(aim: ActionTarget, selector: str, text: str, missing: TargetError) -> SettingResult:
    evidence = await enter_text(aim, FieldEntry(selector, text))
    await leave_field(aim)
    after = await read_back(aim)
    if after.held != text:  # a field that has to be chosen for keeps nothing
        raise missing
    return _as_setting(evidence | {"suggestions": missing.evidence.get("options", []), **after.notes})


async def _set_box(aim: ActionTarget, _: PageControl, value: Value) -> SettingResult:
    evidence = await tick_box(aim, checked=read_state(value))
    notes = {name: evidence[name] for name in ("left_page", "field_gone", "pressed", UNSETTLED) if name in evidence}
    return SettingResult("on" if evidence["checked"] else "off", not notes, notes)


async def _set_radio(aim: ActionTarget, control: PageControl, value: Value) -> SettingResult:
    options = control.facts["options"]
    place = find_option(options, write_text(value))
    if place is None and control.facts["place"] >= 0 and is_on(value):
        place = control.facts["place"]
    if place is None:
        if counted := await _set_counted(aim, options, value):
            return counted
        raise _no_option(aim, value, options)
    await tick_box(aim_at(aim, find_part(aim, "radio", place)), checked=True)
    after = await read_back(aim)
    if after.held != options[place]["label"]:
        raise _differs(options[place]["label"], after.held)
    return after.result


async def _set_counted(aim: ActionTarget, options: Sequence[dict[str, Any]], value: Value) -> SettingResult | None:
    """Choose by its number one of several that all say the same, as stars do; those before it may be marked with it."""
    text = write_text(value)
    is_alike = len({each["label"] for each in options}) == 1 and len(options) > 1
    if not (is_alike and text.isdecimal() and 1 <= int(text) <= len(options)):
        return None
    place = int(text) - 1
    await press_part(aim, "radio", place)
    reading = await read_settled(find_part(aim, "radio", place), "tick")
    behind = find_part(aim, "radio", place + 1)
    is_beyond = await behind.count() and (await probe(behind, "tick"))["checked"]
    if not reading.held["checked"] or is_beyond:
        raise _differs(str(place + 1), "another one")
    return SettingResult(str(place + 1), reading.is_settled, reading.evidence)


async def _set_choice(aim: ActionTarget, control: PageControl, value: Value) -> SettingResult:
    options = control.facts["options"]
    place = find_option(options, write_text(value))
    if place is None:
        raise _no_option(aim, value, options)
    await press_part(aim, "choice", place)
    label: str = options[place]["label"]
    after = await unless_gone(read_back(aim), None)
    if after is None:  # choosing has closed the list
        return SettingResult(label, is_read=False)
    return SettingResult(after.held or label, after.held == label and not after.notes, after.notes)


async def _select(aim: ActionTarget, _: PageControl, value: Value) -> SettingResult:
    chosen = await choose_options(aim, [write_text(value)], by_place=False)
    return SettingResult(", ".join(chosen.labels), chosen.is_sure, chosen.notes)


async def _set_sections(aim: ActionTarget, control: PageControl, value: Value) -> SettingResult:
    return (await set_sections(aim, control, write_text(value), _set_whole, leaves=True)).result


async def _set_whole(aim: ActionTarget, text: str) -> None:
    await set_control(aim, "the part of the date", text)


async def _step(aim: ActionTarget, control: PageControl, value: Value) -> SettingResult:
    if control.kind == "slider" and (ends := read_ends(value)):
        return await _set_ends(aim, ends)
    if control.kind == "slider" and has_named_steps(control, value):
        return await bring_to_step(aim, control, value)
    return await bring_to(aim, control, value)


async def _set_ends(aim: ActionTarget, ends: Sequence[float]) -> SettingResult:
    async def bring(handle: ActionTarget, wanted: float) -> None:
        await set_control(handle, "the handle", wanted)

    if (handles := len((await probe(aim.locator, "gauge"))["thumbs"])) != len(ends):
        raise aim.refuse(f"A range needs 2 handles, and the slider has {handles}.", "Give one number.")
    await bring_each(aim, ends, bring)
    after = await read_back(aim)
    if read_ends(after.held) != list(ends):
        raise _differs(" to ".join(f"{each:g}" for each in ends), after.held)
    return after.result


def _no_option(aim: ActionTarget, value: Value, options: list[dict[str, Any]]) -> TargetError:
    labels = [each["label"] for each in options][:SHOWN_OPTIONS]
    shown = ", ".join(f'"{label}"' for label in labels) or "none"
    message = f"There is no option {write_text(value)!r}; there are: {shown}."
    return aim.refuse(message, "Choose one of them.", "target_missing", options=labels)


def _refuse(aim: ActionTarget, selector: str, control: PageControl, code: str, phrase: str) -> TargetError:
    evidence = {"selector": selector, "element": control.facts["element"]}
    return aim.refuse(f"{selector.strip()} {phrase}.", "Name a field or control.", code, **evidence)


def _differs(wanted: str, held: str) -> ActionError:
    message = f"The page did not keep {wanted!r}: the control holds {held!r}."
    return tell_difference(message, "Check what the page accepts.", wanted, held)


_SETTERS: dict[str, Setter] = {
    "box": _set_box,
    "radios": _set_radio,
    "choices": _set_choice,
    "select": _select,
    "list": _select,
    "slider": _step,
    "spin": _step,
    "sections": _set_sections,
    "text": _fill_natively,
}
