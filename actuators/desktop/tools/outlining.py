"""Outlining: what there is in a window, line by line, each of which names what it shows."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from actuators.desktop.finding.element_index import ElementIndex
from actuators.desktop.finding.element_naming import ElementNaming
from actuators.desktop.finding.locating import Locating
from actuators.desktop.finding.looking import intersect
from actuators.desktop.finding.misses import SILENT
from actuators.desktop.finding.outline_items import ItemCollecting, ItemsOfWindow, narrow_items
from actuators.desktop.finding.window_finding import ACTIVE, describe_window, find_window
from actuators.desktop.ports.desktop import Element, Window
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.tools.numbered_windows import NumberedWindows
from core.outlines.disclosure import make_outline
from core.outlines.items import ItemName, Outline, OutlineItem, OutlineRequest
from core.results.tool_results import ToolOutcome
from core.selectors.screen_targets import parse_element_target
from core.selectors.selectors import quote_name
from core.tools.ports import ActionContext

_REMEMBERED = 16
_MUTE = "The application reports nothing to the accessibility system. Read its text with read."


@dataclass(frozen=True, slots=True)
class OutlineWish:
    """What is to be outlined.

    Attributes:
        window: Which window.
        scope: Selector of the one element whose inside is told; None for all.
        since: Whether only what has changed since the last look is told.
        picture: Whether a screenshot with the numbers of the lines is wanted.
        request: What is wanted of the outline itself.
    """

    window: str | None
    scope: str | None
    since: bool
    picture: bool
    request: OutlineRequest


@dataclass(frozen=True, slots=True)
class WindowLook:
    """A look at a window.

    Attributes:
        window: The window.
        above: The windows that lie over it, the front one first.
        elements: What is in it.
        naming: Names its elements.
        found: Its items.
    """

    window: Window
    above: tuple[Window, ...]
    elements: Sequence[Element]
    naming: ElementNaming
    found: ItemsOfWindow

    async def name_items(self, items: Sequence[OutlineItem]) -> Mapping[str, ItemName]:
        """Return selectors, and what covers it, for the items that are going to be shown."""
        return {item.ref: self._name(self.found.places[item.ref]) for item in items if item.ref in self.found.places}

    def _name(self, place: int) -> ItemName:
        element = self.elements[place]
        if SILENT in element.states:
            return ItemName("")
        return ItemName(self.naming.name(place), self._find_cover(element))

    def _find_cover(self, element: Element) -> str:
        if element.bounds is None or "visible" not in element.states:
            return ""
        x, y = element.bounds.center
        cover = next((each for each in self.above if each.bounds.contains(x, y)), None)
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
        self._numbered = NumberedWindows(parts)
        self._last: OrderedDict[str, tuple[OutlineItem, ...]] = OrderedDict()

    async def outline(self, context: ActionContext, wish: OutlineWish) -> ToolOutcome:
        """Return the outline of a window."""
        windows = await self._parts.windows.windows()
        window = find_window(wish.window or ACTIVE, windows)
        elements = await self._parts.accessibility.elements(window)
        ...
