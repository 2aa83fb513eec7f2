"""WindowOutlines: what there is in a window, line by line, each of which names what it shows."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from actuators.deadlines import Deadline
from actuators.desktop.finding.locating import Locating
from actuators.desktop.finding.window_finding import ACTIVE, describe_window, find_window
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.tools.window_looks import WindowLook
from actuators.desktop.tools.window_pictures import WindowPictures
from core.outlines.folding import make_changes_outline, make_outline
from core.outlines.items import Outline, OutlineItem, OutlineRequest
from core.outlines.trees import narrow_items
from core.results.tool_results import ToolOutcome
from core.selectors.screen_targets import parse_element_target
from core.tools.ports import ActionContext

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
