"""Which elements of an accessibility tree a plain selector names."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rapidfuzz import fuzz

from core.base.matching import fold_space
from core.selectors.selectors import ALIASES, ROLE_WORDS, PlainSelector, Region, quote_name, render_plain

if TYPE_CHECKING:
    from actuators.desktop.ports.desktop import Element

FIELDS = {"textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox"}
CONTROLS = FIELDS | {
    *("button", "link", "checkbox", "radio", "switch", "tab", "menu", "menuitem", "menuitemcheckbox", "menuitemradio"),
    *("option", "listitem", "treeitem", "cell", "row"),
}
_NEAREST = 5
_TRAILING = " :…*."
_LISTED = 10

# What applications call something, beside the roles that its word stands for: menus in a menu bar are entries of it.
_ALSO = {
    "menuitem": {"menu"},
    "option": {"listitem", "menuitem"},
    "listitem": {"option", "treeitem"},
    "list": {"listbox"},
    "listbox": {"list"},
    "textbox": {"searchbox", "document", "terminal"},
    "group": {"scroll pane"},
    "dialog": {"window"},
    "table": {"tree"},
    "tree": {"treegrid"},
}


def match_elements(plain: PlainSelector, elements: Sequence["Element"]) -> list["Element"]:
    """Return the elements that a selector names, in their order; ``nth`` is left to who asks.

    Case is ignored and white space folded. A name matches exactly first, then by the element's description, then by a
    part of the name; a field without a name also by the label that stands before it. Where what matches so can be seen in one place and not in others, only what is seen counts.
    """
    candidates = [
        each for each in elements if _is_of_kind(plain, each) and all(_is_in(each, part) for part in plain.regions)
    ]
    if plain.name:
        candidates = _match_name(fold(plain.name), candidates) or _match_label(plain.name, candidates, elements)
    return [each for each in candidates if "visible" in each.states] or candidates


def make_selector(role: str | None, name: str | None) -> PlainSelector:
    """Return the selector for a role and a name, either or both; a role may also be the system's own word."""
    word = fold(role or "")
    word = ALIASES.get(word, word)
    if not word:
        return PlainSelector("control", name or "", word="*")
    if word in {"field", "control"}:
        return PlainSelector("field" if word == "field" else "control", name or "")
    return PlainSelector("role", name or "", word)


def list_nearest(plain: PlainSelector, elements: Iterable["Element"]) -> list[str]:
    """Return the visible elements whose names are most like the one that is wanted, as selectors."""
    wanted = fold(plain.name or plain.word)
    named = [each for each in elements if each.name and "visible" in each.states]
    named.sort(key=lambda each: (-fuzz.ratio(wanted, fold(each.name)), not _is_of_kind(plain, each)))
    return list(dict.fromkeys(write_selector(each) for each in named))[:_NEAREST]


def write_selector(element: "Element") -> str:
    """Return a selector for an element, as people would write it."""
    return f"{element.role} {quote_name(element.name)}" if element.name else element.role


def list_with_numbers(plain: PlainSelector, matches: Sequence["Element"]) -> list[dict[str, Any]]:
    """Return elements that a selector can't tell apart, each with what names it alone."""
    return [
        describe_element(each)
        | {
            "selector": render_plain(PlainSelector(plain.kind, plain.name, plain.word, plain.regions, number)),
            "in": [write_path(part) for part in each.path if part[1]],
        }
        for number, each in enumerate(matches[:_LISTED], 1)
    ]


def describe_element(element: "Element") -> dict[str, Any]:
    """Return an element as data."""
    facts: dict[str, Any] = {"role": element.role, "name": element.name, "states": sorted(element.states)}
    if element.value is not None:
        facts["value"] = element.value
    if bounds := element.bounds:
        facts |= {"x": bounds.x, "y": bounds.y, "width": bounds.width, "height": bounds.height}
    return facts


def write_path(part: tuple[str, str]) -> str:
    """Return a container as a selector's region is written."""
    return f"{part[0]} {quote_name(part[1])}"


def fold(text: str) -> str:
    """Return a text without differences of case and white space."""
    return fold_space(text).casefold()


def _match_name(wanted: str, candidates: list["Element"]) -> list["Element"]:
    for matches in (
        [each for each in candidates if fold(each.name) == wanted],
        [each for each in candidates if fold(each.name).rstrip(_TRAILING) == wanted.rstrip(_TRAILING) != ""],
        [each for each in candidates if fold(str(each.details.get("description", ""))) == wanted],
        [each for each in candidates if wanted in fold(each.name)],
    ):
        if matches:
            return matches
    return []


def _match_label(name: str, candidates: Sequence["Element"], elements: Sequence["Element"]) -> list["Element"]:
    """Return the fields that have no name, but a label just before them in the same container."""
    wanted = fold(name).rstrip(_TRAILING)
    last: dict[tuple[tuple[str, str], ...], Element] = {}
    labelled: list[Element] = []
    for each in elements:
        before = last.get(each.path)
        if each.role in FIELDS and not each.name and before is not None and before.role == "label":
            labelled += [each] if fold(before.name).rstrip(_TRAILING) == wanted else []
        last[each.path] = each
    return [each for each in candidates if any(each is one for one in labelled)]


def _is_of_kind(plain: PlainSelector, element: "Element") -> bool:
    if plain.kind == "field":
        return element.role in FIELDS or "editable" in element.states
    if plain.kind == "control":
        return plain.word == "*" or element.role in CONTROLS or bool(element.actions) or "focusable" in element.states
    roles = {*ROLE_WORDS.get(plain.word, (plain.word,)), *_ALSO.get(plain.word, ())}
    return element.role in roles or element.details.get("role") == plain.word


def _is_in(element: "Element", region: Region) -> bool:
    roles = {*ROLE_WORDS.get(region.word, ()), *_ALSO.get(region.word, ())}
    return any(
        fold(name) == fold(region.name) and (not region.word or role in roles or role == region.word)
        for role, name in element.path
    )
