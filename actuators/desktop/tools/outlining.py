"""Outlining: what there is in a window, line by line, each of which names what it shows."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from actuators.deadlines import Deadline
from actuators.desktop.finding.element_index import ElementIndex
from actuators.desktop.finding.element_naming import ElementNaming
from actuators.desktop.finding.locating import LocatedElement, Locating
from actuators.desktop.finding.misses import SILENT
from actuators.desktop.finding.outline_items import ItemCollecting, ItemsOfWindow
from actuators.desktop.finding.visible_parts import find_visible_part
from actuators.desktop.finding.window_finding import ACTIVE, describe_window, find_window
from actuators.desktop.ports.desktop import Element, Rect, Window
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.tools.window_pictures import WindowPictures
from core.goals.secret_values import Vault
from core.outlines.folding import make_outline
from core.outlines.items import ItemName, Outline, OutlineItem, OutlineRequest
from core.outlines.trees import narrow_items
from core.results.tool_results import ToolOutcome
from core.selectors.screen_targets import parse_element_target
from core.selectors.selectors import quote_name
from core.tools.ports import ActionContext

_REMEMBERED = 16
_MUTE = "The application reports nothing to the accessibility system. Read its text with read."
_TITLE = "window"


@dataclass(frozen=True, slots=True)
class OutlineWish:
    """What is to be outlined.

    Attributes:
        window: Which window; None for the active one.
        scope: Selector of the one element whose inside is told; None for all.
        since: Whether only what has changed since the last look is told.
        request: What is wanted of the outline itself.
    """

    window: str | None
    scope: str | None
    since: bool
    request: OutlineRequest


@dataclass(frozen=True, slots=True)
class WindowLook:
    """A look at a window.

    Attributes:
        window: The window.
        above: The windows that lie over it, the front one first.
        index: What is in it.
        naming: Names its elements.
        found: Its items.
    """

    window: Window
    above: tuple[Window, ...]
    index: ElementIndex
    naming: ElementNaming
    found: ItemsOfWindow

    async def name_items(self, items: Sequence[OutlineItem]) -> Mapping[str, ItemName]:
        """Return how items are named, and what covers them."""
        return {item.ref: self._name(self.found.places.get(item.ref)) for item in items}

    def place_lines(self, outline: Outline) -> dict[int, Rect]:
        """Return where the things with numbers are on the screen."""
        places = {line.number: self.found.places[line.ref] for line in outline.lines if line.number}
        seen = {number: find_visible_part(self.index.tree, place) for number, place in places.items()}
        return {number: part for number, part in seen.items() if part is not None}

    def _name(self, place: int | None) -> ItemName:
        if place is None or SILENT in self.index.elements[place].states:
            return ItemName("")
        return ItemName(self.naming.name(place), self._find_cover(self.index.elements[place]))

    def _find_cover(self, element: Element) -> str:
        if element.bounds is None or "visible" not in element.states:
            return ""
        center = element.bounds.center
        cover = next((each for each in self.above if each.bounds.contains(*center)), None)
        return f"window {quote_name(cover.title)}" if cover else ""


class WindowOutlines:
    """Outlines windows, and remembers what was there at the last look."""

    def __init__(self, parts: DesktopParts, locator: Locating) -> None:
        """Look on a desktop.

        Args:
            parts: Its ports.
            locator: Finds the element whose inside is told.
        """
        self._parts = parts
        self._locator = locator
        self._pictures = WindowPictures(parts)
        self._last: OrderedDict[str, tuple[OutlineItem, ...]] = OrderedDict()

    async def outline(self, context: ActionContext, wish: OutlineWish) -> ToolOutcome:
        """Return the outline of a window."""
        window = find_window(wish.window or ACTIVE, await self._parts.windows.windows())
        if wish.request.numbered:
            window = await self._pictures.uncover(window, Deadline(context.timeout_s))
        elements = await self._parts.accessibility.elements(window)
        scope = self._find_scope(elements, wish.scope, window)
        index = ElementIndex(elements)
        opened = range(len(elements)) if wish.request.find else range(0)
        if scope is not None:
            opened = range(scope.place, index.tree.ends[scope.place])
        look = await self._look(window, index, context.vault, opened)
        items = look.found.items
        if scope is not None:
            items = narrow_items(items, self._parts.refs.refer(scope.element))
        outline = await make_outline([*_list_heads(look, scope), *items], wish.request, look.name_items)
        output: dict[str, Any] = {
            "text": outline.text,
            "truncated": outline.folded > 0,
            "tokens": outline.tokens,
            "lines": [
                {"selector": each.selector, "ref": each.ref, "text": each.text, "number": each.number}
                for each in outline.lines
            ],
        }
        evidence: dict[str, Any] = {"window": describe_window(window), "left_out": outline.folded}
        if wish.request.numbered:
            path, facts = await self._pictures.draw(context, window, look.place_lines(outline))
            return ToolOutcome(output | {"picture": str(path)}, evidence=evidence | facts, artifacts=(str(path),))
        return ToolOutcome(output, evidence=evidence)

    async def _look(self, window: Window, index: ElementIndex, vault: Vault, opened: range) -> WindowLook:
        knows_secrets = bool(vault.list_revealed())
        naming = ElementNaming(index, (lambda text: vault.redact(text) != text) if knows_secrets else lambda _: False)
        conceal = vault.redact if knows_secrets else str
        found = ItemCollecting(index, naming, self._parts.refs.refer, conceal, opened).collect()
        windows = await self._parts.windows.windows()
        place = next((place for place, each in enumerate(windows) if each.id == window.id), 0)
        return WindowLook(window, tuple(each for each in windows[:place] if not each.minimized), index, naming, found)

    def _find_scope(self, elements: tuple[Element, ...], scope: str | None, window: Window) -> LocatedElement | None:
        if scope is None:
            return None
        return self._locator.pick_among(elements, parse_element_target(scope).selector, window)


def _list_heads(look: WindowLook, scope: LocatedElement | None) -> list[OutlineItem]:
    """Return what stands above the items: which window it is, and whether it says anything."""
    if scope is not None:
        return []
    heads = [OutlineItem(_TITLE, 0, "heading", look.window.title, level_of_heading=1)]
    if not look.index.elements:
        heads.append(OutlineItem("mute", 1, "text", _MUTE))
    return heads
