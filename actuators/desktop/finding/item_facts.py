"""What an outline tells of an element beside its name: what it holds, how it is, and what it takes."""

from collections.abc import Callable, Sequence

from actuators.desktop.finding.element_words import is_field, is_secret
from actuators.desktop.ports.desktop import Element
from core.base.matching import fold_space

MOST_NAME_CHARS = 200
_MOST_VALUE_CHARS = 120
_LONGER_THAN_SECRETS = 20
_MOST_CHOICE_CHARS = 40
_MOST_CHOICES, _MOST_CHOICES_CHARS = 8, 80

# In the order in which they are told.
_STATES = {
    "checked": "ticked",
    "mixed": "partly ticked",
    "selected": "selected",
    "pressed": "pressed",
    "expanded": "expanded",
    "disabled": "disabled",
    "required": "required",
    "invalid": "invalid",
    "read-only": "read-only",
    "busy": "busy",
    "focused": "focused",
    "password": "secret",
    "hidden": "hidden",
    "scrolled away": "scrolled out of view",
}
_BUTTONS = {"button", "toggle button"}


Conceal = Callable[[str], str]
"""Takes secrets out of a text."""


def tell(text: str, conceal: Conceal, most: int = MOST_NAME_CHARS) -> str:
    """Return a text without secrets, on one line, and no longer than that."""
    told = fold_space(conceal(text[: most * _LONGER_THAN_SECRETS]))  # none may be cut in two before it is found
    return f"{told[: most - 1].rstrip()}…" if len(told) > most else told


def list_states(element: Element, *, is_scrolled_away: bool = False) -> tuple[str, ...]:
    """Return how an element is, in words."""
    states = set(element.states)
    if is_scrolled_away:
        states.add("scrolled away")
    if "visible" not in states:
        states.add("hidden")
    if "enabled" not in states and element.role != "label":
        states.add("disabled")
    if "mixed" in states:
        states.discard("checked")  # Qt says both
    if element.role in _BUTTONS and "checked" in states:
        states = states - {"checked"} | {"pressed"}
    if not (is_field(element) and "editable" not in states):
        states.discard("read-only")
    return tuple(word for state, word in _STATES.items() if state in states)


def tell_value(element: Element, conceal: Conceal, more: Sequence[str] = ()) -> str | None:
    """Return what an element holds, but no password; what else is written in it where it holds nothing itself."""
    if is_secret(element):
        return None
    return tell(element.value or " · ".join(more), conceal, _MOST_VALUE_CHARS) or None


def tell_taken(element: Element, choices: Sequence[str], conceal: Conceal) -> str:
    """Return what an element takes; empty where that says itself, or isn't known.

    Args:
        choices: What can be chosen in it.
    """
    if choices:
        return _tell_choices(choices, conceal)
    limits = element.details.get("range")
    if limits is None or not is_field(element):
        return ""
    lowest, highest = limits
    return f"number {lowest:.15g}–{highest:.15g}"


def _tell_choices(choices: Sequence[str], conceal: Conceal) -> str:
    shown: list[str] = []
    length = 0
    for choice in choices[:_MOST_CHOICES]:
        told = tell(choice, conceal, _MOST_CHOICE_CHARS)
        if length + len(told) > _MOST_CHOICES_CHARS and shown:
            break
        shown.append(told)
        length += len(told)
    left = len(choices) - len(shown)
    return f"choose: {' | '.join(shown)}" + (f" … {left} more" if left else "")
