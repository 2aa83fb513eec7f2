"""The items of a window's outline: what a person sees there and could act on, in the order in which people read it."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate

from actuators.desktop.finding.element_index import ElementIndex
from actuators.desktop.finding.element_naming import ElementNaming
from actuators.desktop.finding.element_tree import NOWHERE
from actuators.desktop.finding.element_words import (
    ENTRIES,
    FIELDS,
    can_be_used,
    choose_word,
    fold,
    is_field,
    list_own_actions,
    strip_label,
)
from actuators.desktop.finding.item_facts import Conceal, list_states, tell, tell_taken, tell_value
from actuators.desktop.finding.misses import SILENT
from actuators.desktop.finding.visible_parts import find_visible_part
from actuators.desktop.ports.desktop import Element
from core.outlines.items import OutlineItem
from core.outlines.writing import tell_counts

# They are told with or without a name, where there is anything in them; others that hold things need one.
_HOLDERS = {"dialog", "alertdialog", "table", "treegrid", "tree", "list", "listbox"}
_SCROLLED = {"table", "treegrid", "tree", "list", "listbox", "scroll pane", "viewport"}
_LISTED = {*ENTRIES, "menuitem"}
_CLOSED = {"combobox", "menu", "menuitem"}
_MENUS = {"menu", "menuitem", "menuitemcheckbox", "menuitemradio"}
_PAGES = FIELDS | {"tab"}
_MOST_WRITTEN = 50
_FLAT = {"checkable", "editable"}
Refer = Callable[[Element], str]


class ItemCollecting:
    """Turns elements into items."""

    def __init__(
        self,
        index: ElementIndex,
        naming: ElementNaming,
        refer: Refer,
        conceal: Conceal = str,
        opened: range = range(0),
    ) -> None:
        """Collect from a look.

        Args:
            index: The elements.
            naming: Calls them by name.
            refer: Gives an element its number.
            conceal: Takes secrets out of a text.
            opened: Where what is hidden is told one by one; else it is only counted. The entries of closed lists are
                told by the list, unless it is the first place, or all places are named.
        """
        self._index = index
        self._naming = naming
        self._refer = refer
        self._conceal = conceal
        self._opened = opened
        self._elements = index.elements

    def collect(self) -> list[OutlineItem]:
        """Return the items of all elements."""
        numbered = [(place, 0, self._make_item(place)) for place in self._shown]
        for place, hidden in self._hidden.items():
            if place != NOWHERE and self._opens(place):
                continue  # its own line says so
            end = self._index.tree.ends[place] if place != NOWHERE else len(self._elements)
            numbered.append((end - 1, 1 + len(self._elements) - place, self._tell_hidden(place, hidden)))
        numbered.sort(key=lambda each: each[:2])
        return [item for _, _, item in numbered]

    @cached_property
    def _usable(self) -> list[bool]:
        """Whether a person could act on each element."""
        ends, usable = self._index.tree.ends, []
        for place, each in enumerate(self._elements):
            can_act = can_be_used(each, holds_others=ends[place] > place + 1)
            usable.append(can_act and not self._is_part_of_entry(place, each))
        return usable

    def _is_part_of_entry(self, place: int, element: Element) -> bool:
        """Tell whether a cell does nothing itself: its row is what is chosen, or what is in it is used."""
        if element.role != "cell":
            return False
        if _FLAT & element.states:
            return False
        parent = self._index.tree.parents[place]
        in_row = parent != NOWHERE and self._elements[parent].role == "row"
        says_nothing = not element.name and not element.value
        return (in_row or says_nothing) and not (in_row and list_own_actions(element))

    @cached_property
    def _shown(self) -> list[int]:
        """The places of the elements that are items."""
        seen = [self._is_told(place) for place in range(len(self._elements))]
        telling = [place for place, each in enumerate(self._elements) if seen[place] and self._tells(place, each)]
        holding = [
            place
            for place, each in enumerate(self._elements)
            if seen[place] and not self._usable[place] and self._holds(place, each, telling)
        ]
        return sorted({*telling, *holding} - self._repeating)

    def _is_told(self, place: int) -> bool:
        states = self._elements[place].states
        if "visible" in states or SILENT in states:
            return True
        is_opened = self._lists.get(place, NOWHERE) in {NOWHERE, self._opened.start}
        return place in self._opened and (is_opened or len(self._opened) == len(self._elements))

    @cached_property
    def _lists(self) -> dict[int, int]:
        """For each element that is in a combo box the place of that."""
        lists: dict[int, int] = {}
        for place, each in enumerate(self._elements):
            if each.role == "combobox":
                lists.update(dict.fromkeys(self._index.tree.list_inside(place), place))
        return lists

    def _tells(self, place: int, element: Element) -> bool:
        """Tell whether an element is told for itself, whatever is in it."""
        if self._usable[place] or SILENT in element.states:
            return True
        return (
            self._is_leaf(place)
            and bool(element.name or element.value)
            and element.role not in {"scrollbar", "separator"}
        )

    def _is_leaf(self, place: int) -> bool:
        return self._index.tree.ends[place] == place + 1

    def _holds(self, place: int, element: Element, telling: Sequence[int]) -> bool:
        """Tell whether an element is told for what is in it."""
        inside = telling[bisect_right(telling, place) : bisect_left(telling, self._index.tree.ends[place])]
        if not inside and not element.details.get("unread"):
            return False
        says_the_same = len(inside) == 1 and self._index.names[inside[0]] == self._index.names[place]
        return element.role in _HOLDERS or (bool(element.name) and not says_the_same)

    @cached_property
    def _repeating(self) -> set[int]:
        """The labels that say what a field is called, and what is written in an entry that is called so."""
        repeating = {label for field, label in self._index.labels.items() if self._is_told(field)}
        fields = {
            fold(self._naming.call(place))
            for place, each in enumerate(self._elements)
            if is_field(each) and self._is_told(place)
        }
        for place, each in enumerate(self._elements):
            if each.role == "label" and not self._usable[place] and strip_label(self._index.names[place]) in fields:
                repeating.add(place)
        for place in self._written:
            repeating.update(self._index.tree.list_inside(place))
        return repeating

    @cached_property
    def _written(self) -> dict[int, list[str]]:
        """What is written in each thing that holds nothing else to act on, but for its name: its own line tells it."""
        before = [0, *accumulate(self._usable)]
        written: dict[int, list[str]] = {}
        for place, each in enumerate(self._elements):
            inside = self._index.tree.list_inside(place)
            if not self._usable[place] or not inside or each.role in _PAGES or len(inside) > _MOST_WRITTEN:
                continue
            if before[inside.stop] == before[inside.start]:
                name = fold(self._naming.call(place))
                told = (text for within in inside if self._is_told(within) for text in self._index.list_texts(within))
                written[place] = [text for text in dict.fromkeys(told) if fold(text) not in name]
        return written

    @cached_property
    def _levels(self) -> dict[int, int]:
        """The levels of the items, by place."""
        levels: dict[int, int] = {}
        ends: list[int] = []
        for place in self._shown:
            while ends and ends[-1] <= place:
                ends.pop()
            levels[place] = len(ends) + 1
            ends.append(self._index.tree.ends[place])
        return levels

    def _make_item(self, place: int) -> OutlineItem:
        element = self._elements[place]
        if SILENT in element.states:
            name = f"The application {self._tell(element.name)} does not answer."
            return OutlineItem(self._refer(element), self._levels[place], "text", name)
        can_act, is_leaf = self._usable[place], self._is_leaf(place)
        name = self._tell(self._naming.call(place))
        kind = self._choose_kind(element, name, can_act=can_act, is_leaf=is_leaf)
        value = tell_value(element, self._conceal, self._written.get(place, ()))
        if kind == "text":
            name, value = name or value or "", None
        return OutlineItem(
            ref=self._refer(element),
            level=self._levels[place],
            kind=kind,
            name=name,
            value=value,
            states=() if kind == "text" else list_states(element, is_scrolled_away=self._is_scrolled_away(place)),
            takes=tell_taken(element, self._list_choices(place), self._conceal) or self._tell_opened(place),
            can_act=can_act,
            alike=self._find_alike(place) if element.role in _LISTED else "",
            level_of_heading=2 if element.role == "heading" and not can_act else 0,
        )

    def _tell(self, text: str) -> str:
        return tell(text, self._conceal)

    def _tell_opened(self, place: int) -> str:
        """Return what comes into sight when an element is pressed."""
        hidden = self._hidden.get(place) if self._opens(place) else None
        return f"opens: {tell_counts(hidden)}" if hidden else ""

    def _is_scrolled_away(self, place: int) -> bool:
        return self._elements[place].bounds is not None and find_visible_part(self._index.tree, place) is None

    def _choose_kind(self, element: Element, name: str, *, can_act: bool, is_leaf: bool) -> str:
        word = choose_word(element.role)
        if can_act and name and is_field(element):
            return "field"
        if can_act or not is_leaf or word in {"heading", "image", "progressbar"} or element.details.get("unread"):
            return word
        return "text"

    def _list_choices(self, place: int) -> list[str]:
        """Return what can be chosen in a list or a menu that is closed."""
        if self._elements[place].role not in _CLOSED:
            return []
        return [self._elements[each].name for each in self._entries.get(place, ())]

    @cached_property
    def _entries(self) -> dict[int, list[int]]:
        """The entries of each list and menu that can't be seen now, but not those of menus within it."""
        entries: dict[int, list[int]] = {}
        owners: list[int] = []  # for each element the list or menu that it is in
        for place, (each, parent) in enumerate(zip(self._elements, self._index.tree.parents, strict=True)):
            around = owners[parent] if parent != NOWHERE else NOWHERE
            is_entry = each.role in _LISTED | _MENUS and each.name and "visible" not in each.states
            if is_entry and around != NOWHERE:
                entries.setdefault(around, []).append(place)
            owners.append(place if each.role in _CLOSED and (each.name or around == NOWHERE) else around)
        return entries

    def _find_alike(self, place: int) -> str:
        parent = self._index.tree.parents[place]
        above = self._refer(self._elements[parent]) if parent != NOWHERE else ""
        return f"{self._elements[place].role} in {above}"

    @cached_property
    def _hidden(self) -> dict[int, Counter[str]]:
        """What can't be seen as it is, counted by what opens or scrolls it; the rest by NOWHERE."""
        hidden: dict[int, Counter[str]] = {}
        shown = set(self._shown)
        for place, element in enumerate(self._elements):
            if place in shown and (unread := element.details.get("unread")):
                hidden.setdefault(place, Counter())[self._guess_kind(place)] += unread
            if not self._is_told(place) and self._usable[place]:
                owner = self._find_owner(place, shown)
                if owner == NOWHERE or not self._list_choices(owner):
                    hidden.setdefault(owner, Counter())[self._choose_hidden_kind(element)] += 1
        return hidden

    def _find_owner(self, place: int, shown: set[int]) -> int:
        """Return the nearest item around an element that opens it or holds more than can be seen; NOWHERE for none."""
        above = self._index.tree.parents[place]
        while above != NOWHERE and above not in shown:
            above = self._index.tree.parents[above]
        return above if above != NOWHERE and (self._opens(above) or self._is_scrolled(above)) else NOWHERE

    def _opens(self, place: int) -> bool:
        return self._usable[place] and (self._elements[place].role not in FIELDS or bool(self._list_choices(place)))

    def _is_scrolled(self, place: int) -> bool:
        return self._elements[place].role in _SCROLLED

    def _choose_hidden_kind(self, element: Element) -> str:
        if element.role in _MENUS:
            return "menuitem"
        return self._choose_kind(element, element.name, can_act=True, is_leaf=True)

    def _guess_kind(self, place: int) -> str:
        """Return what the elements that a list didn't tell of most likely are: the same as its last one."""
        inside = self._index.tree.list_inside(place)
        own = (each for each in reversed(inside) if self._index.tree.parents[each] == place)
        return next((choose_word(self._elements[each].role) for each in own), "listitem")

    def _tell_hidden(self, place: int, hidden: Counter[str]) -> OutlineItem:
        held = tuple(hidden.most_common())
        if place == NOWHERE:
            return OutlineItem("hidden", 1, "hidden", holds=held)
        ref = self._refer(self._elements[place])
        return OutlineItem(f"hidden:{ref}", self._levels[place] + 1, "hidden", "scrolled out of view", holds=held)
