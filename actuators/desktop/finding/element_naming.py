"""ElementNaming: how an element is called by a selector that names it and nothing else among those of a look, and told as data."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

from rapidfuzz import fuzz

from actuators.desktop.finding.element_index import ElementIndex
from actuators.desktop.finding.element_tree import NOWHERE, Range
from actuators.desktop.finding.element_words import (
    choose_element_word,
    choose_word,
    fold,
    is_field,
    is_of_kind,
    strip_label,
)
from core.base.errors import TargetError
from core.base.matching import fold_space
from core.selectors.selector_parts import LONE_WORDS
from core.selectors.selectors import ALIASES, PlainSelector, Region, quote_name, render_plain

if TYPE_CHECKING:
    from actuators.desktop.ports.desktop import Element

MOST_CHARS = 80
"""A longer name is cut where that still tells the element from all others."""

_MOST_REGIONS = 6
_MOST_CONTENTS = 8
_NEAREST = 5
_LISTED = 10
_COMPARED_CHARS = 200


class ElementNaming:
    """Names elements by the same rules by which selectors find them: each name is tried on all elements.

    The shortest form comes first: by its own name, then in one region, then in two, then by its number, which is counted
    among the fewest others.
    """

    def __init__(self, index: ElementIndex, is_secret: Callable[[str], bool] = lambda _: False) -> None:
        """Name elements of a look; nothing is called by a text that is secret."""
        self._index = index
        self._is_secret = is_secret
        self._names: dict[int, str] = {}

    def name(self, place: int) -> str:
        """Return the selector of an element; empty where nothing names it: it is hidden and another one is called so."""
        if place not in self._names:
            self._names[place] = self._choose(place)
        return self._names[place]

    def call(self, place: int) -> str:
        """Return what people call an element: its name, else its label, its description or what is written in it."""
        return next(self._list_names(place), "")

    def _choose(self, place: int) -> str:
        numbered: list[tuple[bool, int, PlainSelector]] = []
        for form in self._list_forms(place):
            found = self._index.match(form)
            # A word without a name mostly needs something behind it.
            if found == [place] and (form.name or form.regions or form.word in LONE_WORDS):
                return render_plain(form)
            number = bisect_left(found, place)
            if number < len(found) and found[number] == place:
                numbered.append((not form.name, len(found), replace(form, nth=number + 1)))
        return render_plain(min(numbered, key=lambda each: each[:2])[2]) if numbered else ""

    def _list_forms(self, place: int) -> Iterator[PlainSelector]:
        """Yield what may name an element, the shortest first."""
        heads = list(self._list_heads(place))
        yield from heads
        regions = self._list_regions(place)
        for inside in [*((each,) for each in regions), *combinations(regions, 2)]:
            for head in heads:
                yield replace(head, regions=inside)

    def _list_heads(self, place: int) -> Iterator[PlainSelector]:
        """Yield kind and name: by each name that it goes by, else without one."""
        element = self._index.elements[place]
        word = choose_element_word(element)
        for name in self._list_names(place):
            if is_field(element):
                yield PlainSelector("field", name)
            yield PlainSelector("role", name, word)
        yield PlainSelector("role", "", word)

    def _list_names(self, place: int) -> Iterator[str]:
        return (name for name in self._list_all_names(place) if not self._is_secret(name))

    def _list_all_names(self, place: int) -> Iterator[str]:
        element = self._index.elements[place]
        name = fold_space(element.name)
        if name:
            yield from _cut(strip_label(name) or name if is_field(element) else name)
        elif (label := self._index.labels.get(place)) is not None:
            yield from _cut(strip_label(fold_space(self._index.elements[label].name)))
        if description := fold_space(str(element.details.get("description", ""))):
            yield from _cut(description)
        for text in self._index.contents.get(place, [])[:_MOST_CONTENTS]:
            yield from _cut(text)

    def _list_regions(self, place: int) -> list[Region]:
        """Return what an element is in and can be named by, the nearest first.

        Its window tells it from what is in other windows only: it may be called otherwise soon, as documents are.
        """
        tree = self._index.tree
        regions: list[Region] = []
        for container in tree.list_above(place):
            if container.above == container.place == NOWHERE and not tree.has_several_windows:
                continue
            name = fold_space(container.name)
            texts = [name] if name else self._index.contents.get(container.place, [])[:1]
            for text in texts:
                if len(text) <= MOST_CHARS and not self._is_secret(text):
                    regions += [Region(text), Region(text, choose_word(container.role))]
        row = self._index.rows.get(place)
        if row is not None:
            regions[:0] = [Region(text) for text in self._list_row_texts(place, row)]
        return regions[:_MOST_REGIONS]

    def _list_row_texts(self, place: int, row: Range) -> Iterator[str]:
        beside = (each for each in range(*row) if each != place)
        texts = (text for each in beside for text in self._index.list_texts(each))
        return (
            text for text in islice(texts, _MOST_REGIONS // 2) if len(text) <= MOST_CHARS and not self._is_secret(text)
        )


def write_selector(element: "Element") -> str:
    """Return a selector for an element in the same words, where nothing is known of what is beside it."""
    name = fold_space(element.name)
    kept = name if len(name) <= MOST_CHARS else f"{name[:MOST_CHARS]}…"
    kind = "field" if is_field(element) and name else "role"
    return render_plain(PlainSelector(kind, kept, "" if kind == "field" else choose_element_word(element)))


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
    wanted = fold(plain.name or plain.word)[:_COMPARED_CHARS]
    naming = ElementNaming(ElementIndex(elements))
    named = [place for place, each in enumerate(elements) if "visible" in each.states and naming.call(place)]
    scores = {place: fuzz.ratio(wanted, fold(naming.call(place)[:_COMPARED_CHARS])) for place in named}
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
    return facts | (element.bounds.describe() if element.bounds else {})


def refuse_element(element: "Element", what: str, hint: str, *, code: str, **evidence: object) -> TargetError:
    """Return the refusal of an element, by what is said of it, such as ``is disabled``, and what to do."""
    facts = describe_element(element) | evidence
    return TargetError(f"The {write_selector(element)} {what}.", code=code, hint=hint, evidence=facts)


def write_path(part: tuple[str, str]) -> str:
    """Return a container as a selector's region is written."""
    return f"{part[0]} {quote_name(part[1])}"


def _cut(name: str) -> Iterator[str]:
    if len(name) <= MOST_CHARS:
        yield name
        return
    cut = name[:MOST_CHARS]
    words = cut.rpartition(" ")[0]
    yield words if len(words) > MOST_CHARS // 2 else cut
