"""Locating: from what a target names to an element, or to a pixel that a pointer can act on. Strict: one or none."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from actuators.deadlines import Deadline
from actuators.desktop.finding.element_index import match_elements
from actuators.desktop.finding.element_naming import describe_element, write_path
from actuators.desktop.finding.element_tree import ElementTree
from actuators.desktop.finding.element_words import SILENT
from actuators.desktop.finding.looking import Sight, View
from actuators.desktop.finding.misses import (
    fail_ambiguous_elements,
    fail_ambiguous_places,
    fail_disabled,
    fail_hidden,
    fail_missing_element,
    fail_missing_image,
    fail_missing_text,
    fail_number,
    write_wanted,
)
from actuators.desktop.finding.text_matching import find_texts, list_nearest_lines
from actuators.desktop.finding.window_finding import ACTIVE, find_window
from actuators.desktop.ports.desktop import Element, Rect, Target, Window
from actuators.desktop.ports.parts import DesktopParts, TargetSpot
from core.base.errors import TargetError
from core.base.late_dataclasses import dataclass
from core.selectors.screen_targets import (
    ElementTarget,
    PointTarget,
    TextTarget,
    parse_element_target,
    parse_screen_target,
)
from core.selectors.selectors import PlainSelector
from core.tools.ports import ActionContext

_MENU_ENTRIES = {"menuitem", "menuitemcheckbox", "menuitemradio", "menu"}
_LATER = {"target_missing", "target_hidden", "target_disabled"}
_STEP_S = 0.5
_SILENCE_S = 5.0
"""Seconds that an application may be too busy to answer: until then it has not said that it lacks something."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LocatedElement:
    """An element that a target names, and the window if one was named."""

    element: Element
    listed: tuple[Element, ...]
    window: Window | None

    @property
    def place(self) -> int:
        """Which of the listed elements it is, from 0."""
        return next(place for place, each in enumerate(self.listed) if each is self.element)

    def list_inside(self) -> list[Element]:
        """Return what is in the element."""
        inside: list[Element] = []
        for each in self.listed[self.place + 1 :]:
            if len(each.path) <= len(self.element.path):
                break
            inside.append(each)
        return inside


class Locating:
    """Finds what targets name; what isn't there yet is waited for a little."""

    def __init__(self, parts: DesktopParts, *, patience_s: float = 3.0) -> None:
        self._parts = parts
        self._patience_s = patience_s
        self._sight = Sight(parts)

    async def locate(
        self, target: Target | None, image: str | None, window: str | None, *, timeout_s: float
    ) -> TargetSpot:
        """Return where something is, in a window that is visible; see parts.Locator."""
        if image is not None:
            return await self._locate_in_view(lambda view: self._find_image(image, view), window, timeout_s)
        if target is None:
            raise TargetError("No element is named.", code="bad_selector", hint='Name it: button "OK".')
        parsed = parse_screen_target(target)
        if isinstance(parsed, PointTarget):
            return await self._locate_point(parsed, window)
        if isinstance(parsed, TextTarget):
            return await self._locate_in_view(lambda view: self._find_text(parsed, view), window, timeout_s)
        return await self._wait(lambda: self._locate_element(parsed, window), timeout_s)

    async def find_element(self, target: Target, window: str | None, *, timeout_s: float) -> LocatedElement:
        """Return the one element that a target names, also in a closed menu; a TargetError if it is disabled."""
        if not isinstance(target, str):
            raise TargetError("A point is not an element.", code="bad_selector", hint='Name an element: button "OK".')
        plain = parse_element_target(target).selector

        async def look() -> LocatedElement:
            found = await self.pick_element(plain, window)
            if "visible" not in found.element.states and found.element.role not in _MENU_ENTRIES:
                _fail_unseen(found.element)
            _check_enabled(found.element)
            return found

        return await self._wait(look, timeout_s)

    async def describe_target(self, context: ActionContext, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return role, name, place and window of the elements that are named; nothing of a text or a point."""
        facts: dict[str, Any] = {}
        for param, prefix in (("target", ""), ("to", "onto_")):
            target = args.get(param)
            if not isinstance(target, str) or not isinstance(parse_screen_target(target), ElementTarget):
                continue
            element = (await self.find_element(target, args.get("window"), timeout_s=context.timeout_s)).element
            facts[f"{prefix}role"], facts[f"{prefix}name"] = element.role, element.name
            facts[f"{prefix}in"] = [write_path(part) for part in element.path if part[1]]
            facts[f"{prefix}process"] = element.pid
        return facts

    async def pick_element(self, plain: PlainSelector, window: str | None) -> LocatedElement:
        """Return the one element that a selector names now, whether or not it can be seen; raises as ``pick_among``."""
        named = await self._sight.find_window(window)
        return self.pick_among(await self._parts.accessibility.elements(named), plain, named)

    def pick_among(self, listed: tuple[Element, ...], plain: PlainSelector, named: Window | None) -> LocatedElement:
        """Return the one of several elements that a selector names; ``target_missing`` or ``target_ambiguous``."""
        matches = self._match(plain, listed)
        if not matches:
            fail_missing_element(plain, listed, named)
        if plain.nth is not None and plain.nth > len(matches):
            fail_number(write_wanted(plain), plain.nth, len(matches))
        if plain.nth is None and len(matches) > 1:
            fail_ambiguous_elements(plain, matches, listed)
        return LocatedElement(matches[(plain.nth or 1) - 1], listed, named)

    def _match(self, plain: PlainSelector, listed: Sequence[Element]) -> list[Element]:
        if plain.kind == "ref":
            return [each for each in listed if self._parts.refs.is_called(each, plain.name)]
        return match_elements(plain, listed)

    async def _locate_element(self, target: ElementTarget, window: str | None) -> TargetSpot:
        found = await self.pick_element(target.selector, window)
        element, windows = found.element, await self._parts.windows.windows()
        owner = found.window or find_owner(element, windows)
        if owner is not None and owner.minimized:
            fail_hidden(element, f"the window {owner.title!r} is minimized", "Restore or focus it first.")
        if "visible" not in element.states or element.bounds is None:
            _fail_unseen(element)
        _check_enabled(element)
        seen = ElementTree(found.listed).find_visible_part(found.place)
        if seen is None:
            fail_hidden(element, "it is scrolled out of view", "Scroll to it first.")
        return TargetSpot(*seen.center, describe_element(element), owner, element)

    async def _locate_point(self, point: PointTarget, window: str | None) -> TargetSpot:
        named = find_window(window, await self._parts.windows.windows()) if window is not None else None
        if point.space == "screenshot":
            x, y = await self._parts.screenshots.resolve(point.screenshot, point.x_px, point.y_px)
        elif point.space == "window":
            named = named or find_window(ACTIVE, await self._parts.windows.windows())
            x, y = named.bounds.x + int(point.x_px), named.bounds.y + int(point.y_px)
        else:
            x, y = int(point.x_px), int(point.y_px)
        if named is not None and not named.bounds.contains(x, y):
            raise TargetError(
                f"The point {x}, {y} is outside the window {named.title!r}.",
                code="target_off_screen",
                hint="Give it with space: window, from the window's upper left corner.",
                evidence={"point": [x, y], "window": named.title},
            )
        return TargetSpot(x, y, {"point": [x, y]}, named)

    async def _locate_in_view(
        self, find: Callable[[View], Awaitable[TargetSpot]], window: str | None, timeout_s: float
    ) -> TargetSpot:
        deadline = Deadline(min(timeout_s, self._patience_s))
        while True:
            view = await self._sight.look(window)
            try:
                return await find(view)
            except TargetError as error:
                if error.code not in _LATER or deadline.is_over:
                    raise
            await self._sight.wait_for_change(view, deadline.remaining_s)

    async def _find_text(self, target: TextTarget, view: View) -> TargetSpot:
        lines = await self._sight.read(view)
        matches = find_texts(target.text, lines)
        if not matches:
            fail_missing_text(target.text, list_nearest_lines(target.text, lines), view)
        if target.nth is not None and target.nth > len(matches):
            fail_number(f"the text {target.text!r}", target.nth, len(matches))
        if target.nth is None and len(matches) > 1:
            fail_ambiguous_places(f"The text {target.text!r}", [(each.line, each.bounds) for each in matches])
        match = matches[(target.nth or 1) - 1]
        facts = {"text": match.text, "line": match.line, "confidence": match.confidence}
        return await self._make_spot(view, match.bounds, facts)

    async def _find_image(self, path: str, view: View) -> TargetSpot:
        found = await self._sight.find_image(view, path)
        if not found:
            fail_missing_image(path, view)
        if len(found) > 1:
            fail_ambiguous_places(f"The picture {path}", [(f"{confidence:.2f}", box) for box, confidence in found])
        box, confidence = found[0]
        return await self._make_spot(view, box, {"image": path, "confidence": round(confidence, 3)})

    async def _make_spot(self, view: View, box: Rect, facts: Mapping[str, Any]) -> TargetSpot:
        owner = view.window
        if owner is None and self._parts.windows.assess().available:
            owner = await self._parts.windows.window_at(*box.center)
        return TargetSpot(*box.center, facts, owner)

    async def _wait(self, look: Callable[[], Awaitable[T]], timeout_s: float) -> T:
        patience = Deadline(min(timeout_s, self._patience_s))
        silence = Deadline(min(timeout_s, max(self._patience_s, _SILENCE_S)))
        while True:
            try:
                return await look()
            except TargetError as error:
                deadline = silence if error.evidence.get(SILENT) else patience
                if error.code not in _LATER or deadline.is_over:
                    raise
            await self._parts.accessibility.wait_for_change(min(deadline.remaining_s, _STEP_S))


def find_owner(element: Element, windows: Sequence[Window]) -> Window | None:
    """Return the window that an element is in, by its process, the window's title and the place."""
    own = [each for each in windows if each.pid == element.pid] if element.pid else []
    titles = {name for _, name in element.path[:1]}
    titled = [each for each in own if each.title in titles] or own
    if len(titled) > 1 and element.bounds is not None:
        titled = [each for each in titled if each.bounds.contains(*element.bounds.center)]
    return titled[0] if titled else None


def _check_enabled(element: Element) -> None:
    if "enabled" not in element.states and (element.actions or element.role != "label"):
        fail_disabled(element)


def _fail_unseen(element: Element) -> NoReturn:
    menus = [name for role, name in element.path if role in {"menu", "menubar"} and name]
    if menus and element.role in _MENU_ENTRIES:
        fail_hidden(element, f"the menu {menus[-1]!r} is closed", "Open the menu first, or use invoke.")
    fail_hidden(element, "it, or its container, is not shown", "Show it first.")
