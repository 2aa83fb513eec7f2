"""WindowLook: all that there is in a window at one moment, as items, and how each is named."""

from collections.abc import Mapping, Sequence

from actuators.desktop.finding.element_index import ElementIndex
from actuators.desktop.finding.element_naming import ElementNaming
from actuators.desktop.finding.element_words import SILENT
from actuators.desktop.finding.outline_items import ItemCollecting
from actuators.desktop.finding.shown_elements import ShownElements
from actuators.desktop.finding.visible_parts import find_visible_part
from actuators.desktop.ports.desktop import Element, Rect, Window
from actuators.desktop.ports.element_refs import ElementRefs
from core.goals.secret_values import Vault
from core.outlines.items import ItemName, Outline, OutlineItem
from core.selectors.selectors import quote_name

_TITLE = "window"
_MUTE = "The application reports nothing to the accessibility system. Read its text with read."
_NOTHING = range(0)


class WindowLook:
    """A look at a window."""

    def __init__(
        self, window: Window, elements: tuple[Element, ...], windows: Sequence[Window], refs: ElementRefs, vault: Vault
    ) -> None:
        """Take what was seen.

        Args:
            windows: All windows, the front one first.
            vault: Knows what must not be told.
        """
        self.window = window
        self.elements = elements
        front = next((place for place, each in enumerate(windows) if each.id == window.id), 0)
        self._above = [each for each in windows[:front] if not each.minimized]
        self._index = ElementIndex(elements)
        self._refs = refs
        self._conceal = vault.redact if vault.list_revealed() else str
        self._naming = ElementNaming(self._index, lambda text: self._conceal(text) != text)
        self._places: dict[str, int] = {}
        self._numbers: dict[int, str] = {}

    def list_items(self, opened: range = _NOTHING) -> list[OutlineItem]:
        """Return its items, below its title.

        Args:
            opened: The places of elements that are told even if they are hidden.
        """
        heads = [OutlineItem(_TITLE, 0, "heading", self._conceal(self.window.title), level_of_heading=1)]
        if not self.elements:
            heads.append(OutlineItem("mute", 1, "text", _MUTE))
        shown = ShownElements(self._index, self._naming, opened)
        return [*heads, *ItemCollecting(self._index, self._naming, shown, self._refer, self._conceal).collect()]

    def list_inside(self, place: int) -> range:
        """Return the places of an element and of all that is in it."""
        return range(place, self._index.tree.ends[place])

    async def name_items(self, items: Sequence[OutlineItem]) -> Mapping[str, ItemName]:
        """Return how items are named, and what covers them."""
        self._number()
        return {item.ref: self._name(self._places.get(item.ref)) for item in items}

    def place_lines(self, outline: Outline) -> dict[int, Rect]:
        """Return where the things with numbers are on the screen."""
        places = {line.number: self._places[line.ref] for line in outline.lines if line.number}
        seen = {number: find_visible_part(self._index.tree, place) for number, place in places.items()}
        return {number: part for number, part in seen.items() if part is not None}

    def _refer(self, element: Element) -> str:
        known = id(element)  # each is kept in this look
        if known not in self._numbers:
            self._numbers[known] = self._refs.refer(element)
        return self._numbers[known]

    def _number(self) -> None:
        if not self._places:
            self._places = {self._refer(each): place for place, each in enumerate(self.elements)}

    def _name(self, place: int | None) -> ItemName:
        if place is None or SILENT in self.elements[place].states:
            return ItemName("")
        return ItemName(self._naming.name(place), self._find_cover(self.elements[place]))

    def _find_cover(self, element: Element) -> str:
        if element.bounds is None or "visible" not in element.states:
            return ""
        center = element.bounds.center
        cover = next((each for each in self._above if each.bounds.contains(*center)), None)
        return f"window {quote_name(self._conceal(cover.title))}" if cover else ""
