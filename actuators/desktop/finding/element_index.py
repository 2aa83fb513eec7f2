"""ElementIndex: which elements of a look a plain selector names; any number of selectors can be asked of it."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from actuators.desktop.finding.element_tree import NOWHERE, ElementTree, Range, keep_inside, merge_ranges
from actuators.desktop.finding.element_words import (
    ENTRIES,
    fold,
    is_container_called,
    is_control,
    is_of_kind,
    is_secret,
    strip_label,
)
from core.base.matching import fold_space
from core.selectors.selectors import PlainSelector, Region

if TYPE_CHECKING:
    from actuators.desktop.ports.desktop import Element

_MOST_CHARS = 200
_UNLABELLED = ENTRIES | {"label", "menu", "menuitem", "tab"}
Places = list[int]


class ElementIndex:
    """The elements of a look by what they are called.

    A name matches exactly first, then but for a colon or dots at its end, then by the description; then an entry of a list
    that has no name by a text in it; then by a part of the name; and last a field or
    another control without a name by the label that stands before it. Where what matches so can be seen in one place and not in others, only what is seen counts.
    """

    def __init__(self, elements: Sequence["Element"]) -> None:
        """Take a list as it was told; what isn't asked for is never worked out."""
        self.elements = elements
        self._answers: dict[PlainSelector, Places] = {}
        self._kinds: dict[tuple[str, str], Places] = {}
        self._ranges: dict[Region, list[Range]] = {}

    def match(self, plain: PlainSelector) -> Places:
        """Return the places of the elements that a selector names, in order; ``nth`` is left to who asks."""
        plain = replace(plain, nth=None)
        if plain not in self._answers:
            found = self._match_name(plain) if plain.name else self._keep_fitting(self._list_kind(plain), plain)
            self._answers[plain] = [place for place in found if self.is_visible(place)] or found
        return self._answers[plain]

    def is_visible(self, place: int) -> bool:
        """Tell whether an element can be seen."""
        return "visible" in self.elements[place].states

    def list_texts(self, place: int) -> Iterable[str]:
        """Return what can be read on an element, unless it is long: its name and its value."""
        element = self.elements[place]
        told = (element.name, "" if is_secret(element) else element.value or "")
        return (text for each in told if 0 < len(each) <= _MOST_CHARS and (text := fold_space(each)))

    @cached_property
    def tree(self) -> ElementTree:
        """What is in what."""
        return ElementTree(self.elements)

    @cached_property
    def names(self) -> list[str]:
        """The name of each, folded."""
        return [fold(each.name) for each in self.elements]

    @cached_property
    def labels(self) -> dict[int, int]:
        """The places of controls without a name, and for each that of the label just before it in the same container."""
        last: dict[tuple[tuple[str, str], ...], int] = {}
        found: dict[int, int] = {}
        for place, each in enumerate(self.elements):
            before = last.get(each.path, NOWHERE)
            takes_label = not each.name and is_control(each) and each.role not in _UNLABELLED
            if takes_label and before != NOWHERE and self.elements[before].role == "label":
                found[place] = before
            last[each.path] = place
        return found

    @cached_property
    def contents(self) -> dict[int, list[str]]:
        """The places of entries without a name, and for each the texts in it."""
        found: dict[int, list[str]] = {}
        for place, each in enumerate(self.elements):
            if each.role not in ENTRIES or self.names[place]:
                continue
            inside = self.tree.list_inside(place)
            texts = (text for within in inside if self.is_visible(within) for text in self.list_texts(within))
            found[place] = list(dict.fromkeys(texts))
        return found

    @cached_property
    def rows(self) -> dict[int, Range]:
        """The places of cells that stand in a table without rows, and for each where the cells in the same line are."""
        rows: dict[int, Range] = {}
        for place, each in enumerate(self.elements):
            parent = self.tree.parents[place]
            if each.role != "cell" or each.bounds is None or parent == NOWHERE or self.elements[parent].role == "row":
                continue
            before = self.elements[place - 1]
            start = place
            if place - 1 in rows and before.bounds is not None and before.path == each.path:
                middle = before.bounds.center[1]
                start = rows[place - 1][0] if each.bounds.y <= middle < each.bounds.y + each.bounds.height else place
            rows.update(dict.fromkeys(range(start, place + 1), (start, self.tree.ends[place])))
        return rows

    @cached_property
    def _by_row_text(self) -> dict[str, Places]:
        return _group((text, place) for place in self.rows for text in map(fold, self.list_texts(place)))

    @cached_property
    def _by_name(self) -> dict[str, Places]:
        return _group((name, place) for place, name in enumerate(self.names))

    @cached_property
    def _by_bare_name(self) -> dict[str, Places]:
        return _group((strip_label(name), place) for place, name in enumerate(self.names))

    @cached_property
    def _by_description(self) -> dict[str, Places]:
        told = ((str(each.details.get("description", "")), place) for place, each in enumerate(self.elements))
        return _group((fold(text), place) for text, place in told if text)

    @cached_property
    def _by_text(self) -> dict[str, Places]:
        told = ((fold(text), place) for place in range(len(self.elements)) for text in self.list_texts(place))
        return _group(told)

    @cached_property
    def _by_content(self) -> dict[str, Places]:
        return _group((fold(text), place) for place, texts in self.contents.items() for text in texts)

    @cached_property
    def _by_label(self) -> dict[str, Places]:
        return _group((strip_label(self.names[label]), place) for place, label in self.labels.items())

    @cached_property
    def _containers(self) -> dict[str, list[int]]:
        return _group((fold(each.name), number) for number, each in enumerate(self.tree.containers))

    def _match_name(self, plain: PlainSelector) -> Places:
        wanted = fold(plain.name)
        ways: tuple[Callable[[], Places], ...] = (
            lambda: self._by_name.get(wanted, []),
            lambda: self._by_bare_name.get(strip_label(wanted), []),
            lambda: self._by_description.get(wanted, []),
            lambda: self._by_content.get(wanted, []),
            lambda: [place for place in self._list_kind(plain) if wanted in self.names[place]],
            lambda: self._by_label.get(strip_label(wanted), []),
        )
        for find in ways:
            if found := [
                place for place in self._keep_fitting(find(), plain) if is_of_kind(plain, self.elements[place])
            ]:
                return found
        return []

    def _list_kind(self, plain: PlainSelector) -> Places:
        kind = (plain.kind, plain.word)
        if kind not in self._kinds:
            self._kinds[kind] = [
                place for place in range(len(self.elements)) if is_of_kind(plain, self.elements[place])
            ]
        return self._kinds[kind]

    def _keep_fitting(self, places: Places, plain: PlainSelector) -> Places:
        for region in plain.regions:
            places = keep_inside(places, self._find_ranges(region)) if places else places
        for text in plain.texts:
            told = self._by_text.get(fold(text), [])
            places = [place for place in places if bisect_left(told, place) < bisect_left(told, self.tree.ends[place])]
        return places

    def _find_ranges(self, region: Region) -> list[Range]:
        if region not in self._ranges:
            self._ranges[region] = merge_ranges(
                self._list_matches(region.selector) if region.selector else self._list_called(region)
            )
        return self._ranges[region]

    def _list_called(self, region: Region) -> list[Range]:
        """Return containers by their name, else entries of lists, and lines of tables, by a text in them."""
        wanted = fold(region.name)
        named = [self.tree.containers[number] for number in self._containers.get(wanted, [])]
        called = [(each.start, each.end) for each in named if is_container_called(each.role, region.word)]
        if called:
            return called
        entries = [
            (place + 1, self.tree.ends[place])
            for place in self._by_content.get(wanted, [])
            if is_container_called(self.elements[place].role, region.word)
        ]
        lines = self._by_row_text.get(wanted, []) if is_container_called("row", region.word) else []
        return [*entries, *(self.rows[place] for place in lines)]

    def _list_matches(self, plain: PlainSelector) -> list[Range]:
        found = self.match(plain)
        if plain.nth is not None:
            found = found[plain.nth - 1 : plain.nth]
        return [(place + 1, self.tree.ends[place]) for place in found]


def match_elements(plain: PlainSelector, elements: Sequence["Element"]) -> list["Element"]:
    """Return the elements that a selector names, in their order; ``nth`` is left to who asks. See ElementIndex."""
    return [elements[place] for place in ElementIndex(elements).match(plain)]


def _group(pairs: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    """Return for each text but the empty one the places where it is, in order."""
    found: dict[str, list[int]] = {}
    for text, place in pairs:
        if text:
            found.setdefault(text, []).append(place)
    return found
