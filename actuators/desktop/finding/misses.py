"""The errors of looking: nothing found, more than one found, or what was found can't be acted on."""

from collections.abc import Sequence
from typing import NoReturn

from actuators.desktop.finding.element_naming import (
    list_nearest,
    list_with_numbers,
    refuse_element,
    write_path,
)
from actuators.desktop.finding.element_words import SILENT
from actuators.desktop.finding.looking import View
from actuators.desktop.finding.window_finding import name_window
from actuators.desktop.ports.desktop import Element, Rect, Window
from core.base.errors import TargetError
from core.selectors.selectors import PlainSelector, quote_name, render_plain

_LISTED = 10
_CHARS = 60


def fail_missing_element(plain: PlainSelector, listed: Sequence[Element], window: Window | None) -> NoReturn:
    """Say that no element is called so, and which ones are most like it."""
    wanted, place = write_wanted(plain), f" in the window {name_window(window)}" if window else ""
    hung = [each.name for each in listed if SILENT in each.states]
    nearest = list_nearest(plain, listed)
    evidence = {"target": wanted, "window": window.title if window else None, "nearest": nearest, "silent": hung}
    if hung and not nearest:
        raise TargetError(
            f"No {wanted} found{place}: {', '.join(hung)} does not answer.",
            hint="It may hang, or wait for a dialog that invoke opened: then use keys, or text on the screen "
            f"(text {quote_name(plain.name or '…')}).",
            evidence=evidence,
        )
    if window is not None and not listed:
        raise TargetError(
            f"No {wanted} found{place}: the application reports nothing to the accessibility system.",
            hint=f"Name it by its text on the screen: text {quote_name(plain.name or '…')}, or use keys.",
            evidence=evidence,
        )
    also = f" {', '.join(hung)} does not answer." if hung else ""
    near = f" The nearest are {', '.join(nearest)}." if nearest else ""
    hint = "Name one of them." if nearest else "See what is there: surehand look WINDOW."
    raise TargetError(f"No {wanted} found{place}.{near}{also}", hint=hint, evidence=evidence)


def fail_ambiguous_elements(plain: PlainSelector, matches: Sequence[Element], elements: Sequence[Element]) -> NoReturn:
    """Say that more than one of the elements is called so, and how each is named alone."""
    listed = list_with_numbers(matches, elements)
    shown = "; ".join(f"{each['selector']} ({' in '.join(reversed(each['in'])) or 'on the screen'})" for each in listed)
    raise TargetError(
        f"{len(matches)} elements are {write_wanted(plain)}: {shown}.",
        code="target_ambiguous",
        hint='Name a window or a region (in "…"), or which one (nth 2).',
        evidence={"target": write_wanted(plain), "matches": listed},
    )


def fail_number(wanted: str, nth: int, count: int) -> NoReturn:
    """Say that there are fewer than the number that was asked for."""
    raise TargetError(
        f"Only {count} of {wanted} found, not {nth}.",
        hint="Count from 1, in reading order.",
        evidence={"target": wanted, "nth": nth, "count": count},
    )


def fail_hidden(element: Element, why: str, hint: str) -> NoReturn:
    """Say that an element can't be seen."""
    inside = {"in": [write_path(part) for part in element.path if part[1]]}
    raise refuse_element(element, f"is not visible: {why}", hint, code="target_hidden", **inside)


def fail_disabled(element: Element) -> NoReturn:
    """Say that an element is disabled."""
    raise refuse_element(element, "is disabled", "Enable it first.", code="target_disabled")


def fail_missing_text(text: str, lines: Sequence[str], view: View) -> NoReturn:
    """Say that a text can't be read anywhere, and what is most like it."""
    near = "; ".join(repr(line[:_CHARS]) for line in lines)
    nearest = f" The nearest lines are {near}." if near else " No text is readable there."
    raise TargetError(
        f"The text {text!r} can't be read {write_place(view)}.{nearest}",
        hint=_hint_uncovering(view) or "Write it exactly as shown; small or decorated text may be misread.",
        evidence={"text": text, "nearest": list(lines), "covered_by": view.name_above()},
    )


def fail_ambiguous_places(wanted: str, places: Sequence[tuple[str, Rect]]) -> NoReturn:
    """Say that a text or a picture is in more than one place."""
    listed = [{"text": text, **box.describe()} for text, box in places]
    shown = "; ".join(f"{text!r} at {box.x}, {box.y}" for text, box in places[:_LISTED])
    raise TargetError(
        f"{wanted} is in {len(places)} places: {shown}.",
        code="target_ambiguous",
        hint="Name a window, or for a text which one (nth 2).",
        evidence={"matches": listed[:_LISTED]},
    )


def fail_missing_image(path: str, view: View) -> NoReturn:
    """Say that a picture isn't there."""
    raise TargetError(
        f"The picture {path} isn't {write_place(view)}.",
        hint=_hint_uncovering(view) or "It must be cut from this screen, at the same scale and in the same colours.",
        evidence={"image": path, "covered_by": view.name_above()},
    )


def write_place(view: View) -> str:
    """Say where was looked, and what is in the way."""
    if view.window is None:
        return "on the screen"
    above = f", which {' and '.join(view.name_above())} covers in part" if view.above else ""
    return f"in the window {name_window(view.window)}{above}"


def write_wanted(plain: PlainSelector) -> str:
    """Return what was looked for, as it would be written."""
    if plain.word == "*":
        return f"element {quote_name(plain.name)}"
    return render_plain(plain)


def _hint_uncovering(view: View) -> str:
    return "Focus the window first, so that nothing covers it." if view.above else ""
