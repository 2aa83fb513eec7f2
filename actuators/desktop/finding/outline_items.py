"""The items of a window's outline: what a person sees there and could act on, in the order in which people read it."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property

from actuators.desktop.finding.element_index import ElementIndex
from actuators.desktop.finding.element_naming import ElementNaming
from actuators.desktop.finding.element_tree import NOWHERE
from actuators.desktop.finding.element_words import ENTRIES, FIELDS, SILENT, choose_element_word, is_field, is_secret
from actuators.desktop.finding.shown_elements import ShownElements
from actuators.desktop.ports.desktop import Element
from core.base.matching import fold_space
from core.outlines.items import OutlineItem
from core.outlines.writing import tell_counts

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
    """Return what an element takes, such as its choices; empty where that says itself, or isn't known."""
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


_SCROLLED = {"table", "treegrid", "tree", "list", "listbox", "scroll pane", "viewport"}
_LISTED = {*ENTRIES, "menuitem"}
_CLOSED = {"combobox", "menu", "menuitem"}
_MENUS = {"menu", "menuitem", "menuitemcheckbox", "menuitemradio"}
_TOLD_AS_THEY_ARE = {"heading", "image", "progressbar"}
_HIDDEN = "hidden"
Refer = Callable[[Element], str]


class ItemCollecting:
    """Turns elements into items."""

    def __init__(
        self, index: ElementIndex, naming: ElementNaming, shown: ShownElements, refer: Refer, conceal: Conceal = str
    ) -> None:
        self._index = index
        self._naming = naming
        self._shown = shown
        self._refer = refer
        self._conceal = conceal
        self._elements = index.elements

    def collect(self) -> list[OutlineItem]:
        """Return the items of all elements."""
        numbered = [(place, 0, self._make_item(place)) for place in self._shown.places]
        for place, hidden in self._hidden.items():
            if place != NOWHERE and self._opens(place):
                continue  # its own line says so
            end = self._index.tree.ends[place] if place != NOWHERE else len(self._elements)
            numbered.append((end - 1, 1 + len(self._elements) - place, self._tell_hidden(place, hidden)))
        numbered.sort(key=lambda each: each[:2])
        return [item for _, _, item in numbered]

    def _make_item(self, place: int) -> OutlineItem:
        element, level = self._elements[place], self._shown.levels[place]
        if SILENT in element.states:
            name = f"The application {self._tell(element.name)} does not answer."
            return OutlineItem(self._refer(element), level, "text", name)
        can_act, name = self._shown.usable[place], self._tell(self._naming.call(place))
        kind = self._choose_kind(element, name, is_text=not can_act and self._shown.is_leaf(place))
        value = tell_value(element, self._conceal, self._shown.written.get(place, ()))
        if kind == "text":
            return OutlineItem(self._refer(element), level, kind, name or value or "")
        return OutlineItem(
            ref=self._refer(element),
            level=level,
            kind=kind,
            name=name,
            value=value,
            states=list_states(element, is_scrolled_away=self._shown.is_scrolled_away(place)),
            takes=tell_taken(element, self._list_choices(place), self._conceal) or self._tell_opened(place),
            can_act=can_act,
            alike=self._find_alike(place) if element.role in _LISTED else "",
            level_of_heading=2 if element.role == "heading" and not can_act else 0,
        )

    def _tell(self, text: str) -> str:
        return tell(text, self._conceal)

    def _choose_kind(self, element: Element, name: str, *, is_text: bool) -> str:
        word = choose_element_word(element)
        if is_text and word not in _TOLD_AS_THEY_ARE and not element.details.get("unread"):
            return "text"
        return "field" if name and is_field(element) else word

    def _tell_opened(self, place: int) -> str:
        hidden = self._hidden.get(place) if self._opens(place) else None
        return f"opens: {tell_counts(hidden)}" if hidden else ""

    def _list_choices(self, place: int) -> list[str]:
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
        shown = set(self._shown.places)
        for place, element in enumerate(self._elements):
            if place in shown and (unread := element.details.get("unread")):
                hidden.setdefault(place, Counter())[self._guess_kind(place)] += unread
            if not self._shown.told[place] and self._shown.usable[place]:
                owner = self._find_owner(place, shown)
                if owner == NOWHERE or not self._list_choices(owner):
                    is_menu = element.role in _MENUS
                    kind = "menuitem" if is_menu else self._choose_kind(element, element.name, is_text=False)
                    hidden.setdefault(owner, Counter())[kind] += 1
        return hidden

    def _find_owner(self, place: int, shown: set[int]) -> int:
        """Return the nearest item around an element that opens it or holds more than can be seen; NOWHERE for none."""
        above = self._index.tree.parents[place]
        while above != NOWHERE and above not in shown:
            above = self._index.tree.parents[above]
        if above == NOWHERE or not (self._opens(above) or self._elements[above].role in _SCROLLED):
            return NOWHERE
        return above

    def _opens(self, place: int) -> bool:
        is_field_only = self._elements[place].role in FIELDS and not self._list_choices(place)
        return self._shown.usable[place] and not is_field_only

    def _guess_kind(self, place: int) -> str:
        """Return what the elements that a list didn't tell of most likely are: the same as its last one."""
        inside = self._index.tree.list_inside(place)
        own = (each for each in reversed(inside) if self._index.tree.parents[each] == place)
        return next((choose_element_word(self._elements[each]) for each in own), "listitem")

    def _tell_hidden(self, place: int, hidden: Counter[str]) -> OutlineItem:
        held = tuple(hidden.most_common())
        if place == NOWHERE:
            return OutlineItem(_HIDDEN, 1, "hidden", holds=held)
        ref = f"{_HIDDEN}:{self._refer(self._elements[place])}"
        return OutlineItem(ref, self._shown.levels[place] + 1, "hidden", "scrolled out of view", holds=held)
