"""Giving controls of declared pages a value, by the same rules as in a real page."""

from dataclasses import dataclass
from typing import Any

from actuators.browser.control_values import (
    NUMERIC,
    TIMELY,
    ControlLimits,
    is_on,
    read_limit,
    read_state,
    write_text,
    write_value,
)
from actuators.browser.dates import DateOrder
from actuators.browser.fake.documents import TICK_ROLES, LiveElement
from actuators.browser.fake.effects import report_change, tick
from actuators.browser.fake.turns import Turn
from core.base.errors import TargetError

ORDER: DateOrder = "mdy"  # as a browser writes dates that speaks American English, which the fake pretends to be
_NATIVE = NUMERIC | TIMELY | {"color"}


@dataclass(frozen=True, slots=True)
class Control:
    """A control and what it holds.

    Attributes:
        kind: As the real pages' engine calls it.
        element: The element, or the group of radio buttons.
    """

    kind: str
    element: LiveElement

    @property
    def held(self) -> str:
        """What it holds now, as text."""
        if self.kind == "box":
            return "on" if self.element.checked else "off"
        if self.kind == "radios":
            return ", ".join(each.name for each in _list_radios(self.element) if each.checked)
        return ", ".join(self.element.chosen) if self.kind == "select" else self.element.value


def find_control(turn: Turn, selector: str) -> Control:
    """Return the control that a selector names.

    Raises:
        TargetError: If it is missing, ambiguous, disabled or read-only, or takes no value.
    """
    element = turn.reach(selector, by_pointer=False)
    kind = find_kind(element)
    if not kind:
        turn.refuse(selector, element, "target_unsuitable", "takes no value")
    if element.attribute("readonly") is not None:
        turn.refuse(selector, element, "target_readonly", "is read-only")
    return Control(kind, element)


def set_control(turn: Turn, control: Control, value: str | bool | float) -> None:
    """Give a control a value; nothing is reported where it has it already.

    Raises:
        TargetError: If it has no such option.
        InputError: If the value doesn't fit.
    """
    element, before = control.element, control.held
    if control.kind == "box":
        if read_state(value) != bool(element.checked):
            tick(turn, element, checked=read_state(value))
        return
    if control.kind == "radios":
        radio = _find_radio(turn, element, value)
        if not radio.checked:
            tick(turn, radio, checked=True)
        return
    if control.kind == "select":
        element.chosen = (_find_label(turn, element, write_text(value)),)
    else:
        element.value = write_value(control.kind, value, _read_limits(element), ORDER)
    if control.held != before:
        report_change(turn, element)


def find_kind(element: LiveElement) -> str:
    """Return what a control is made of, as the real pages' engine calls it; empty if it takes no value."""
    if element.declared.options:
        return "select"
    if element.role == "radio" or len(_list_radios(element)) > 1:
        return "radios"
    if element.role in TICK_ROLES:
        return "box"
    if element.kind in _NATIVE:
        return element.kind
    return "text" if element.is_editable else ""


def _list_radios(element: LiveElement) -> list[LiveElement]:
    if element.role != "radio":
        return [each for each in element.descend() if each.role == "radio"]
    group = element.attribute("name")
    return [each for each in element.document.elements if each.role == "radio" and each.attribute("name") == group]


def _find_radio(turn: Turn, element: LiveElement, value: str | bool | float) -> LiveElement:
    radios = _list_radios(element)
    wanted = write_text(value).strip()
    for each in radios:
        if wanted.casefold() in {each.name.casefold(), each.value.casefold()}:
            return each
    if element.role == "radio" and is_on(value):
        return element
    raise _missing_option(turn, wanted, [each.name for each in radios])


def _find_label(turn: Turn, element: LiveElement, wanted: str) -> str:
    options = element.declared.options
    found = [each.label for each in options if wanted in (each.label, each.value or each.label)]
    found += [each.label for each in options if each.label.casefold() == " ".join(wanted.split()).casefold()]
    if found:
        return found[0]
    raise _missing_option(turn, wanted, [each.label for each in options])


def _missing_option(turn: Turn, wanted: str, labels: list[str]) -> TargetError:
    shown = ", ".join(f'"{label}"' for label in labels)
    evidence: dict[str, Any] = {"url": turn.document.url, "options": labels}
    message = f"There is no option {wanted!r}; there are: {shown}."
    return TargetError(message, code="target_missing", hint="Choose one of them.", evidence=evidence)


def _read_limits(element: LiveElement) -> ControlLimits:
    lowest, highest, step = (read_limit(element.attribute(name)) for name in ("min", "max", "step"))
    return ControlLimits(lowest, highest, step or (read_limit("1") if element.kind in NUMERIC else None))
