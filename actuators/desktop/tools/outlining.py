"""WindowOutlines: what there is in a window, line by line, each of which names what it shows."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from actuators.deadlines import Deadline
from actuators.desktop.finding.element_index import ElementIndex
from actuators.desktop.finding.element_naming import ElementNaming
from actuators.desktop.finding.element_words import SILENT
from actuators.desktop.finding.locating import Locating
from actuators.desktop.finding.outline_items import ItemCollecting
from actuators.desktop.finding.shown_elements import ShownElements
from actuators.desktop.finding.window_finding import ACTIVE, describe_window, find_window, list_in_front
from actuators.desktop.ports.desktop import Element, Rect, Window
from actuators.desktop.ports.parts import DesktopParts, ElementRefs
from actuators.desktop.tools.screenshots import WindowPictures
from core.base.late_dataclasses import dataclass
from core.goals.secret_values import Vault
from core.outlines.folding import make_changes_outline, make_outline
from core.outlines.items import ItemName, Outline, OutlineItem, OutlineRequest
from core.outlines.trees import narrow_items
from core.results.tool_results import ToolOutcome
from core.selectors.screen_targets import parse_element_target
from core.selectors.selectors import quote_name
from core.tools.ports import ActionContext

_TITLE = "window"
_MUTE = "The application reports nothing to the accessibility system. Read its text with read."
_NOTHING = range(0)


class WindowLook:
    """A look at a window."""

    def __init__(
        self, window: Window, elements: tuple[Element, ...], windows: Sequence[Window], refs: ElementRefs, vault: Vault
    ) -> None:
        """Take what was seen, with all windows, the front one first; the vault knows what must not be told."""
        self.window = window
        self.elements = elements
        self._above = list_in_front(window, windows)
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
        seen = {number: self._index.tree.find_visible_part(place) for number, place in places.items()}
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


_REMEMBERED = 16


@dataclass(frozen=True, slots=True)
class OutlineWish:
    """What is to be outlined.

    Attributes:
        window: Which window; None for the active one.
        scope: Selector of the one element whose inside is told; None for all.
        since: Whether only what has changed since the last look is told.
    """

    window: str | None
    scope: str | None
    since: bool
    request: OutlineRequest


class WindowOutlines:
    """Outlines windows, and remembers what was there at the last look."""

    def __init__(self, parts: DesktopParts, locator: Locating) -> None:
        self._parts = parts
        self._locator = locator
        self._pictures = WindowPictures(parts)
        self._last: OrderedDict[str, list[OutlineItem]] = OrderedDict()

    async def outline(self, context: ActionContext, wish: OutlineWish) -> ToolOutcome:
        """Return the outline of a window."""
        look = await self._look(context, wish)
        outline = await self._write(look, wish)
        lines = [
            {"selector": each.selector, "ref": each.ref, "text": each.text, "number": each.number}
            for each in outline.lines
        ]
        output: dict[str, Any] = {"text": outline.text, "truncated": outline.folded > 0, "tokens": outline.tokens}
        evidence: dict[str, Any] = {"window": describe_window(look.window), "left_out": outline.folded}
        if not wish.request.numbered:
            return ToolOutcome(output | {"lines": lines}, evidence=evidence)
        path, facts = await self._pictures.draw(context, look.window, look.place_lines(outline))
        output |= {"lines": lines, "picture": str(path)}
        return ToolOutcome(output, evidence=evidence | facts, artifacts=(str(path),))

    async def _look(self, context: ActionContext, wish: OutlineWish) -> WindowLook:
        windows = await self._parts.windows.windows()
        window = find_window(wish.window or ACTIVE, windows)
        if wish.request.numbered:
            window = await self._pictures.uncover(window, Deadline(context.timeout_s))
            windows = await self._parts.windows.windows()
        elements = await self._parts.accessibility.elements(window)
        return WindowLook(window, elements, windows, self._parts.refs, context.vault)

    async def _write(self, look: WindowLook, wish: OutlineWish) -> Outline:
        now = look.list_items()
        before = self._last.get(look.window.id)
        self._remember(look.window.id, now)
        shown, scope = now, ""
        if wish.scope is not None:
            plain = parse_element_target(wish.scope).selector
            found = self._locator.pick_among(look.elements, plain, look.window)
            scope = self._parts.refs.refer(found.element)
            shown = look.list_items(look.list_inside(found.place))
        elif wish.request.find:
            shown = look.list_items(range(len(look.elements)))
        if wish.since and before is not None:
            earlier = _narrow(before, scope)
            return await make_changes_outline(earlier, _narrow(now, scope), wish.request, look.name_items)
        return await make_outline(_narrow(shown, scope), wish.request, look.name_items)

    def _remember(self, window: str, items: list[OutlineItem]) -> None:
        self._last[window] = items
        self._last.move_to_end(window)
        if len(self._last) > _REMEMBERED:
            self._last.popitem(last=False)


def _narrow(items: list[OutlineItem], scope: str) -> list[OutlineItem]:
    return narrow_items(items, scope) if scope else items
