"""What setting an element's value means: a text, a number, an entry of a list, or a tick."""

from collections.abc import Sequence
from typing import Any, Literal

from rapidfuzz import fuzz

from actuators.desktop.finding.element_naming import refuse_element
from actuators.desktop.finding.element_words import fold, is_ticked_cell
from actuators.desktop.ports.desktop import Element
from core.base.errors import TargetError
from core.base.late_dataclasses import dataclass

# What people mean by pressing something, in the order of preference.
_ACTIONS = ("click", "press", "activate", "invoke", "toggle", "select", "check", "open", "jump", "expand", "do default")
_ON, _OFF = {"on", "true", "checked", "yes"}, {"off", "false", "unchecked", "no"}
_TICKED = {"checkbox", "switch", "menuitemcheckbox"}
_LISTS = {"combobox", "listbox", "list", "tablist", "tree", "menu"}
_ENTRIES = {"option", "listitem", "menuitem", "menuitemradio", "tab", "treeitem", "cell", "radio"}
_NUMBERS = {"slider", "spinbutton", "scrollbar"}
_NEAREST = 8


@dataclass(frozen=True, slots=True)
class ValueSetting:
    """How a value is set."""

    kind: Literal["text", "number", "entry", "tick"]
    text: str = ""
    number: float = 0.0
    entry: Element | None = None
    on: bool = False


def choose_setting(element: Element, inside: Sequence[Element], value: str | float) -> ValueSetting:
    """Return how a value is set.

    Args:
        inside: What is in it, depth first.
        value: The text of a field, the number of a slider, the entry of a list, ``on`` or ``off`` for a box.

    Raises:
        TargetError: ``target_unsuitable`` if the value doesn't fit (says what does), ``target_readonly`` if it can't be
            set at all.
    """
    text = value if isinstance(value, str) else (str(int(value)) if float(value).is_integer() else repr(value))
    if element.role in _TICKED or is_ticked_cell(element):
        return ValueSetting("tick", on=_read_tick(element, text))
    if "range" in element.details or element.role in _NUMBERS:
        return ValueSetting("number", number=_read_number(element, value))
    if element.role in _LISTS and not ("editable" in element.states and _find_entries(inside, text) == []):
        return ValueSetting("entry", text, entry=_find_entry(element, inside, text))
    if "editable" in element.states:
        return ValueSetting("text", text)
    hint = "Name the field itself, or press the control that changes it."
    raise refuse_element(element, "can't be changed", hint, code="target_readonly")


def choose_action(element: Element) -> str:
    """Return what is done when an element is pressed, by the application's name; ``target_unsuitable`` if nothing."""
    folded = {fold(action): action for action in reversed(element.actions) if action.strip()}
    for action in _ACTIONS:
        if action in folded:
            return folded[action]
    if folded:
        return next(action for action in element.actions if action.strip())
    raise refuse_element(element, "has no action", "Click it instead.", code="target_unsuitable")


def can_only_be_selected(element: Element) -> bool:
    """Tell whether an element has no action, but can be chosen among others, such as a tab."""
    return not element.actions and ("selectable" in element.states or element.role in _ENTRIES)


def check_step(element: Element, wanted: float, got: str | None) -> bool:
    """Tell whether a number that was read back is the wanted one, give or take the element's own step."""
    try:
        actual = float(got or "")
    except ValueError:
        return False
    step = float(element.details.get("step", 0.0))
    return abs(actual - wanted) <= max(step / 2, 1e-9 * max(1.0, abs(wanted)))


def _read_tick(element: Element, text: str) -> bool:
    folded = fold(text)
    if folded in _ON or folded in _OFF:
        return folded in _ON
    raise _fail(element, f"can only be ticked or not; {text!r} is neither", 'Give "on" or "off".')


def _read_number(element: Element, value: str | float) -> float:
    try:
        number = float(value)
    except ValueError:
        raise _fail(element, f"takes a number, not {value!r}", "Give a number.") from None
    lowest, highest = element.details.get("range", (number, number))
    if not lowest <= number <= highest:
        raise _fail(
            element, f"goes from {lowest:g} to {highest:g}; {number:g} is out of range", "Give a number in that range."
        )
    return number


def _find_entry(element: Element, inside: Sequence[Element], text: str) -> Element:
    entries = _find_entries(inside, text)
    if len(entries) == 1:
        return entries[0]
    known = [each.name for each in inside if each.role in _ENTRIES and each.name]
    if entries:
        raise _fail(element, f"has {len(entries)} entries {text!r}", "Press the one you mean, by its number (nth).")
    known.sort(key=lambda name: -fuzz.ratio(fold(name), fold(text)))
    listed = f" The nearest are {', '.join(map(repr, known[:_NEAREST]))}." if known else " It lists none."
    raise _fail(
        element, f"has no entry {text!r}.{listed}", "Name one of its entries, or open it first.", known[:_NEAREST]
    )


def _find_entries(inside: Sequence[Element], text: str) -> list[Element]:
    wanted = fold(text)
    return [each for each in inside if each.role in _ENTRIES and fold(each.name) == wanted]


def _fail(element: Element, why: str, hint: str, known: Sequence[str] = ()) -> TargetError:
    evidence: dict[str, Any] = {"range": list(element.details["range"])} if "range" in element.details else {}
    evidence |= {"entries": list(known)} if known else {}
    return refuse_element(element, why.removesuffix("."), hint, code="target_unsuitable", **evidence)
