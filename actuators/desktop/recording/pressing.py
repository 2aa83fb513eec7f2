"""Pressing: buttons that go down and up, as clicks and drags of the elements that were under the pointer."""

from collections.abc import Callable
from typing import Any

from actuators.desktop.finding.element_index import ElementIndex
from actuators.desktop.finding.element_tree import NOWHERE
from actuators.desktop.finding.element_words import can_be_used, is_field
from actuators.desktop.ports.desktop import Accessibility, Element, Window
from actuators.desktop.ports.recordings import DesktopEvent, RawInput
from actuators.desktop.recording.sightings import HeardInput, Sightings, WindowSighting
from core.base.late_dataclasses import dataclass, field, replace

MENU_ENTRIES = {"menuitem", "menuitemcheckbox", "menuitemradio", "option"}
_OF_MENUS = MENU_ENTRIES - {"option"}
_MENUS = {"menu"}
_OVER = {*_MENUS, "popup menu", "listbox", "list", "dialog"}


def find_hit(index: ElementIndex, x: int, y: int, *, is_popup: bool = False) -> int | None:
    """Return the place of what a press at a pixel goes to, or in a popup over the window; None where nothing is there."""
    found = [place for place, each in enumerate(index.elements) if _is_under(index, place, each, x, y)]
    if is_popup:
        found = [place for place in found if _is_over(index.elements[place])]
    # A menu that is open lies over all else, and may be gone before anybody can ask which window was pressed.
    found = [place for place in found if index.elements[place].role in _OF_MENUS] or found
    if not found:
        return None
    inner = min(found, key=lambda place: (_measure(index, place), -len(index.elements[place].path), -place))
    return _find_usable(index, inner)


def list_menus(index: ElementIndex, place: int) -> list[int]:
    """Return the places of the menus that an entry is in, the outermost first."""
    above: list[int] = []
    at = index.tree.parents[place]
    while at != NOWHERE:
        element = index.elements[at]
        if element.role in _MENUS | MENU_ENTRIES and element.name:
            above.insert(0, at)
        at = index.tree.parents[at]
    return above


def is_usable(index: ElementIndex, place: int) -> bool:
    """Tell whether a person could act on an element."""
    return can_be_used(index.elements[place], holds_others=bool(index.tree.list_inside(place)))


def _is_under(index: ElementIndex, place: int, element: Element, x: int, y: int) -> bool:
    if "visible" not in element.states or element.bounds is None or not element.bounds.contains(x, y):
        return False
    seen = index.tree.find_visible_part(place)
    return seen is not None and seen.contains(x, y)


def _is_over(element: Element) -> bool:
    inside = any(role in _OVER for role, _ in element.path[1:]) or element.path[:1] == (("window", ""),)
    return element.role in MENU_ENTRIES or inside


def _measure(index: ElementIndex, place: int) -> int:
    seen = index.tree.find_visible_part(place)
    return seen.width * seen.height if seen else 0


def _find_usable(index: ElementIndex, place: int) -> int:
    """Return what a person acts on by pressing an element: itself, or what it is a part of."""
    at = place
    while at != NOWHERE:
        if is_usable(index, at):
            return at
        at = index.tree.parents[at]
    return place


AGAIN_S = 0.4
"""Within this time a second press of the same element makes a double click of both."""

_STILL_PX = 8
_TICKED = {"checkbox", "switch"}
_MENU_WORDS = MENU_ENTRIES | {"menu"}
Report = Callable[[DesktopEvent, Window], None]


@dataclass(slots=True)
class _Press:
    """A button that went down; its place is None where nothing was there."""

    raw: RawInput
    event: DesktopEvent
    window: Window
    sighting: WindowSighting
    place: int | None
    windows: frozenset[str] = field(default_factory=frozenset[str])

    @property
    def element(self) -> Element | None:
        """What was pressed."""
        return None if self.place is None else self.sighting.elements[self.place]


class Pressing:
    """Makes acts of presses."""

    def __init__(self, sightings: Sightings, accessibility: Accessibility, report: Report) -> None:
        self._sightings = sightings
        self._accessibility = accessibility
        self._report = report
        self._last: _Press | None = None
        self._open = False
        self._count = 0

    async def press(self, heard: HeardInput, window: Window) -> None:
        """Take a button that went down in a window."""
        raw, last = heard.raw, self._last
        if not raw.button:
            return
        sighting, place = await self._find(heard, window)
        self._count += 1
        event = DesktopEvent("click", f"press {self._count}", selector=_name(sighting, place))
        detail = _describe(sighting, place) | {"button": raw.button, "count": 1}
        detail["modifiers"] = sorted(raw.modifiers)
        if last is not None and _is_again(last, raw, event.selector):
            event = last.event
            detail = dict(event.detail) | {"count": event.detail["count"] + 1}
        event = replace(event, detail=detail)
        ids = frozenset(each.id for each in heard.listed)
        self._last, self._open = _Press(raw, event, window, sighting, place, ids), True
        if place is not None or heard.is_over:  # of a menu that no look has seen it is told that it is left out
            self._report(event, window)

    async def release(self, heard: HeardInput) -> None:
        """Take a button that was let go."""
        press, raw = self._last, heard.raw
        if press is None or raw.button != press.raw.button or not self._open:
            return
        self._open = False
        if abs(raw.x - press.raw.x) + abs(raw.y - press.raw.y) <= _STILL_PX or press.element is None:
            return
        sighting = self._sightings.last.get(press.window.id, press.sighting)
        place = find_hit(sighting.index, raw.x, raw.y)
        selector = _name(sighting, place)
        if place is not None and press.element.role in _MENU_WORDS and sighting.elements[place].role in _MENU_WORDS:
            self._count += 1
            detail = {**press.event.detail, **_describe(sighting, place)}
            self._report(DesktopEvent("click", f"press {self._count}", selector=selector, detail=detail), press.window)
        elif selector != press.event.selector:
            press.event = replace(press.event, kind="drag", detail={**press.event.detail, "to": selector})
            self._report(press.event, press.window)

    async def finish(self) -> None:
        """Tell what came of the last press, as far as that says what was meant by it."""
        press, self._last = self._last, None
        if press is None:
            return
        if press.place is None:
            await self._finish_outside(press)
        elif press.event.kind == "click" and not press.event.detail["is_control"]:
            told = {**press.event.detail, "is_idle": await self._is_idle(press)}
            self._report(replace(press.event, detail=told), press.window)
        elif press.element is not None and press.element.role in _TICKED and press.event.detail["count"] == 1:
            now = await self._accessibility.refresh(press.element)
            if now is not None and ("checked" in now.states) != ("checked" in press.element.states):
                told = {**press.event.detail, "ticked": "checked" in now.states}
                self._report(replace(press.event, detail=told), press.window)
        self._last = press if press.place is not None else None

    async def _find(self, heard: HeardInput, window: Window) -> tuple[WindowSighting, int | None]:
        """Return the look at which an element is found, and its place there; the look before the press comes first."""
        x, y, over = heard.raw.x, heard.raw.y, heard.is_over
        before = heard.looks.get(window.id)
        if before is not None and (place := find_hit(before.index, x, y, is_popup=over)) is not None:
            return before, place
        now = await self._sightings.look(window)
        return now, find_hit(now.index, x, y, is_popup=over)  # what lies behind a menu was not pressed

    async def _finish_outside(self, press: _Press) -> None:
        windows = await self._sightings.list_windows()
        if all(each.id != press.window.id for each in windows) and press.raw.button == "left":
            self._report(replace(press.event, kind="closed"), press.window)
        elif not press.sighting.elements:
            self._report(replace(press.event, detail={**press.event.detail, "is_mute": True}), press.window)

    async def _is_idle(self, press: _Press) -> bool:
        """Tell whether nothing came of a press."""
        ids = frozenset(each.id for each in await self._sightings.list_windows())
        now = await self._sightings.look(press.window)
        return ids == press.windows and _list_shown(now) == _list_shown(press.sighting)


def _is_again(last: _Press, raw: RawInput, selector: str) -> bool:
    near = abs(raw.x - last.raw.x) + abs(raw.y - last.raw.y) <= _STILL_PX
    is_soon = raw.at_s - last.raw.at_s < AGAIN_S and raw.button == last.raw.button
    return near and is_soon and last.place is not None and selector == last.event.selector


def _name(sighting: WindowSighting, place: int | None) -> str:
    return "" if place is None else sighting.naming.name(place)


def _describe(sighting: WindowSighting, place: int | None) -> dict[str, Any]:
    if place is None:
        return {"is_control": False, "is_field": False, "role": "", "menus": []}
    element = sighting.elements[place]
    menus = list_menus(sighting.index, place) if element.role in MENU_ENTRIES else []
    return {
        "is_control": is_usable(sighting.index, place),
        "is_field": is_field(element) and element.role not in {"combobox", "listbox", "slider"},
        "role": element.role,
        "menus": [_name(sighting, each) for each in menus],
    }


def _list_shown(sighting: WindowSighting) -> list[tuple[str, str, str | None, frozenset[str]]]:
    unseen = frozenset({"focused", "active"})
    return [(each.role, each.name, each.value, each.states - unseen) for each in sighting.elements]
