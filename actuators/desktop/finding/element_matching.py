"""Which elements of an accessibility tree a plain selector names, and how elements are told as data."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rapidfuzz import fuzz

from actuators.desktop.finding.element_index import ElementIndex
from actuators.desktop.finding.element_naming import ElementNaming, write_selector
from actuators.desktop.finding.element_words import fold, is_of_kind
from core.selectors.selectors import ALIASES, PlainSelector, quote_name

if TYPE_CHECKING:
    from actuators.desktop.ports.desktop import Element

_NEAREST = 5
_LISTED = 10
_MOST_CHARS = 200


def match_elements(plain: PlainSelector, elements: Sequence["Element"]) -> list["Element"]:
    """Return the elements that a selector names, in their order; ``nth`` is left to who asks. See ElementIndex."""
    return [elements[place] for place in ElementIndex(elements).match(plain)]


def make_selector(role: str | None, name: str | None) -> PlainSelector:
    """Return the selector for a role and a name, either or both; a role may also be the system's own word."""
    word = fold(role or "")
    word = ALIASES.get(word, word)
    if not word:
        return PlainSelector("control", name or "", word="*")
    if word in {"field", "control"}:
        return PlainSelector("field" if word == "field" else "control", name or "")
    return PlainSelector("role", name or "", word)


def list_nearest(plain: PlainSelector, elements: Sequence["Element"]) -> list[str]:
    """Return the visible elements whose names are most like the one that is wanted, each by a selector of its own."""
    wanted = fold(plain.name or plain.word)[:_MOST_CHARS]
    naming = ElementNaming(ElementIndex(elements))
    named = [place for place, each in enumerate(elements) if "visible" in each.states and naming.call(place)]
    scores = {place: fuzz.ratio(wanted, fold(naming.call(place)[:_MOST_CHARS])) for place in named}
    named.sort(key=lambda place: (-scores[place], not is_of_kind(plain, elements[place])))
    return [selector for place in named[:_NEAREST] if (selector := naming.name(place))]


def list_with_numbers(matches: Sequence["Element"], elements: Sequence["Element"]) -> list[dict[str, Any]]:
    """Return elements that a selector can't tell apart, each with what names it alone."""
    naming = ElementNaming(ElementIndex(elements))
    places = {id(each): place for place, each in enumerate(elements)}
    return [
        describe_element(each)
        | {"selector": naming.name(places[id(each)]), "in": [write_path(part) for part in each.path if part[1]]}
        for each in matches[:_LISTED]
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


__all__ = [
    "describe_element",
    "fold",
    "list_nearest",
    "list_with_numbers",
    "make_selector",
    "match_elements",
    "write_path",
    "write_selector",
]
