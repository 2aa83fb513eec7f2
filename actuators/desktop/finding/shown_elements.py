"""ShownElements: which elements of a look an outline tells of, and which of them a person could act on."""

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate

from actuators.desktop.finding.element_index import ElementIndex
from actuators.desktop.finding.element_naming import ElementNaming
from actuators.desktop.finding.element_tree import NOWHERE
from actuators.desktop.finding.element_words import (
    ENTRIES,
    FIELDS,
    SILENT,
    can_be_used,
    fold,
    is_field,
    is_ticked_cell,
    list_own_actions,
    strip_label,
)

# They are told with or without a name, where there is anything in them; others that hold things need one.
_HOLDERS = {"dialog", "alertdialog", "table", "treegrid", "tree", "list", "listbox"}
_PAGES = FIELDS | {"tab"}
_MOST_WRITTEN = 50


class ShownElements:
    """The elements of a look that are told, by their places."""

    def __init__(self, index: ElementIndex, naming: ElementNaming, opened: range = range(0)) -> None:
        """Choose from a look; where it is opened, what is hidden is told one by one.

        The entries of closed lists are told by the list, unless it is the first place there, or all places are named.
        """
        self._index = index
        self._naming = naming
        self._opened = opened
        self._elements = index.elements
        self._ends = index.tree.ends

    @cached_property
    def places(self) -> list[int]:
        """The places of the elements that are told."""
        telling = [place for place in range(len(self._elements)) if self.told[place] and self._tells(place)]
        holding = [place for place in range(len(self._elements)) if self.told[place] and self._holds(place, telling)]
        return sorted({*telling, *holding} - self._repeating)

    @cached_property
    def usable(self) -> list[bool]:
        """Whether a person could act on each element."""
        return [
            can_be_used(each, holds_others=not self.is_leaf(place)) and not self._is_part_of_entry(place)
            for place, each in enumerate(self._elements)
        ]

    @cached_property
    def told(self) -> list[bool]:
        """Whether each element is in sight, or told all the same."""
        return [self._is_told(place) for place in range(len(self._elements))]

    @cached_property
    def written(self) -> dict[int, list[str]]:
        """What is written in each thing that holds nothing else to act on, but for its name: its own line tells it."""
        before = [0, *accumulate(self.usable)]
        written: dict[int, list[str]] = {}
        for place, each in enumerate(self._elements):
            inside = self._index.tree.list_inside(place)
            is_page = each.role in _PAGES or len(inside) > _MOST_WRITTEN
            if inside and self.usable[place] and not is_page and before[inside.stop] == before[inside.start]:
                name = fold(self._naming.call(place))
                texts = (text for within in inside if self.told[within] for text in self._index.list_texts(within))
                written[place] = [text for text in dict.fromkeys(texts) if fold(text) not in name]
        return written

    @cached_property
    def levels(self) -> dict[int, int]:
        """How deep each element that is told stands among the others, from 1."""
        levels: dict[int, int] = {}
        ends: list[int] = []
        for place in self.places:
            while ends and ends[-1] <= place:
                ends.pop()
            levels[place] = len(ends) + 1
            ends.append(self._ends[place])
        return levels

    def is_leaf(self, place: int) -> bool:
        """Tell whether nothing is in an element."""
        return self._ends[place] == place + 1

    def is_scrolled_away(self, place: int) -> bool:
        """Tell whether an element was scrolled out of view."""
        return self._elements[place].bounds is not None and self._index.tree.find_visible_part(place) is None

    def _is_told(self, place: int) -> bool:
        states = self._elements[place].states
        is_beyond = place in self._entry_parts and self.is_scrolled_away(place)  # there may be any number of these
        if SILENT in states or ("visible" in states and not is_beyond):
            return True
        is_opened = self._lists.get(place, NOWHERE) in {NOWHERE, self._opened.start}
        return place in self._opened and (is_opened or len(self._opened) == len(self._elements))

    @cached_property
    def _entry_parts(self) -> set[int]:
        parts: set[int] = set()
        for place, parent in enumerate(self._index.tree.parents):
            if self._elements[place].role in ENTRIES or parent in parts:
                parts.add(place)
        return parts

    @cached_property
    def _lists(self) -> dict[int, int]:
        lists: dict[int, int] = {}
        for place, each in enumerate(self._elements):
            if each.role == "combobox":
                lists.update(dict.fromkeys(self._index.tree.list_inside(place), place))
        return lists

    def _is_part_of_entry(self, place: int) -> bool:
        """Tell whether a cell does nothing itself: its row is what is chosen, or what is in it is used."""
        element = self._elements[place]
        if element.role != "cell" or "editable" in element.states or is_ticked_cell(element):
            return False
        parent = self._index.tree.parents[place]
        if parent != NOWHERE and self._elements[parent].role == "row":
            return not list_own_actions(element)
        return not element.name and not element.value

    def _tells(self, place: int) -> bool:
        """Tell whether an element is told for itself, whatever is in it."""
        element = self._elements[place]
        if self.usable[place] or SILENT in element.states:
            return True
        is_text = bool(element.name) or (bool(element.value) and "range" not in element.details)
        return is_text and self.is_leaf(place) and element.role not in {"scrollbar", "separator"}

    def _holds(self, place: int, telling: list[int]) -> bool:
        """Tell whether an element is told for what is in it."""
        element = self._elements[place]
        if self.usable[place] or not (element.role in _HOLDERS or element.name):
            return False
        first = bisect_left(telling, place + 1)
        inside = bisect_left(telling, self._ends[place]) - first
        says_the_same = inside == 1 and self._index.names[telling[first]] == self._index.names[place]
        return bool(inside and not says_the_same) or bool(element.details.get("unread")) or self._holds_hidden(place)

    def _holds_hidden(self, place: int) -> bool:
        """Tell whether a list has entries of which none is in sight."""
        return self._elements[place].role in _HOLDERS and any(self.usable[each] for each in self._list_children(place))

    def _list_children(self, place: int) -> Iterator[int]:
        child = place + 1
        while child < self._ends[place]:
            yield child
            child = self._ends[child]

    @cached_property
    def _repeating(self) -> set[int]:
        """The labels that say what a field is called, and what is written in what tells it itself."""
        repeating = {label for field, label in self._index.labels.items() if self.told[field]}
        fields = {
            fold(self._naming.call(place))
            for place, each in enumerate(self._elements)
            if is_field(each) and self.told[place]
        }
        for place, each in enumerate(self._elements):
            if each.role == "label" and not self.usable[place] and strip_label(self._index.names[place]) in fields:
                repeating.add(place)
        for place in self.written:
            repeating.update(self._index.tree.list_inside(place))
        return repeating
