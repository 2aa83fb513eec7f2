"""Elements of the accessibility bus with their places, values and actions; and where they are, if an application doesn't know.

GTK 4, and whatever speaks Wayland, is not told where its windows are, and gives places within the window as if they were
places on the screen; the window system knows. GTK 4 tells of all pages of a stack that they are visible, each where it was
when it was last shown; what is under a pixel is told rightly.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeVar

from actuators.desktop.atspi.connection import (
    ACCESSIBLE,
    ACTION,
    COMPONENT,
    TEXT,
    VALUE,
    A11yConnection,
    Ref,
)
from actuators.desktop.atspi.trees import AT_ONCE, AccessibleNode, is_own_action, name_kind, name_node, walk_nodes
from actuators.desktop.atspi.words import UNREADABLE, name_states, to_aria
from actuators.desktop.ports.desktop import Element, Rect, Window, WindowSystem, bound
from actuators.platforms.session_bus import BusObject, BusRefusalError
from core.base.errors import DeviceError
from core.base.late_dataclasses import dataclass, field

WindowOrigin = tuple[int, int]

KNOWN: WindowOrigin = (0, 0)
"""Of a window that tells places on the screen."""


class Origins:
    """Finds origins."""

    def __init__(self, windows: WindowSystem | None) -> None:
        """Ask a window system; without one applications are believed."""
        self._windows = windows

    async def find(
        self, bounds: Rect | None, title: str, pid: int, window: Window | None = None
    ) -> WindowOrigin | None:
        """Return what is to be added to the places that a window tells; None where that isn't known."""
        if self._windows is None or bounds is None or (bounds.x, bounds.y) != (0, 0):
            return KNOWN
        found = window or _choose(await self._list(), bounds, title, pid)
        return _measure(bounds, found.bounds) if found else None

    async def _list(self) -> Sequence[Window]:
        try:
            return await self._windows.windows() if self._windows else ()
        except DeviceError:
            return ()  # without a window manager nobody knows


def _choose(windows: Sequence[Window], bounds: Rect, title: str, pid: int) -> Window | None:
    own = [each for each in windows if each.pid == pid]
    named = [each for each in own if each.title == title] or own
    return min(
        named,
        key=lambda each: abs(each.bounds.width - bounds.width) + abs(each.bounds.height - bounds.height),
        default=None,
    )


def _measure(inner: Rect, outer: Rect) -> WindowOrigin:
    """Return where the inner rectangle begins: a frame is as wide on the left as on the right and at the bottom."""
    border = (outer.width - inner.width) // 2
    return outer.x + border, outer.y + outer.height - inner.height - border


_WINDOW = 1  # coordinates within the window


class Covering:
    """Asks what is under pixels."""

    def __init__(self, connection: A11yConnection) -> None:
        self._connection = connection

    async def find_covered(
        self, top: AccessibleNode, read: Mapping[AccessibleNode, Element], origin: WindowOrigin
    ) -> set[AccessibleNode]:
        """Return the elements in a window in whose place another one is shown, with all that is in them."""
        rivals = [
            (node, rival)
            for node in (top, *(node for node, _ in walk_nodes(top)))
            for rival in _list_rivals(node.children, read)
        ]
        lost = await asyncio.gather(*(self._is_lost(node.ref, rival, origin) for node, rival in rivals))
        covered: set[AccessibleNode] = set()
        for (_, rival), is_lost in zip(rivals, lost, strict=True):
            if is_lost:
                covered |= {rival.node, *(node for node, _ in walk_nodes(rival.node))}
        return covered

    async def _is_lost(self, parent: Ref, rival: "_Rival", origin: WindowOrigin) -> bool:
        x, y = rival.place.center
        target, own = parent.seen_as(COMPONENT), (x - origin[0], y - origin[1])
        try:
            found = Ref(*await self._connection.call(target, "GetAccessibleAtPoint", "iiu", *own, _WINDOW))
        except BusRefusalError:
            return False
        held = (each for other in rival.others for each in (other, *(node for node, _ in walk_nodes(other))))
        return any(each.ref == found for each in held)


@dataclass(slots=True)
class _Rival:
    node: AccessibleNode
    place: Rect
    others: list[AccessibleNode] = field(default_factory=list[AccessibleNode])


def _list_rivals(children: Sequence[AccessibleNode], read: Mapping[AccessibleNode, Element]) -> list[_Rival]:
    placed = [_Rival(child, place) for child in children if (place := _find_place(child, read))]
    for one, other in combinations(placed, 2):
        if _overlap(one.place, other.place):
            one.others.append(other.node)
            other.others.append(one.node)
    return [each for each in placed if each.others]


def _find_place(node: AccessibleNode, read: Mapping[AccessibleNode, Element]) -> Rect | None:
    """Return where an element is; of one that has no place itself, such as a page, where what is in it is."""
    own = read[node].bounds if node in read else None
    inside = [] if own else [place for child in node.children if (place := _find_place(child, read))]
    return bound(inside) if inside else own


def _overlap(one: Rect, other: Rect) -> bool:
    common = one.intersect(other)
    smaller = min(one.width * one.height, other.width * other.height)
    return common is not None and 2 * common.width * common.height > smaller


MOST_CHARACTERS = 100_000
_LABELLED_BY = 2
_LABELLED = {"textbox", "combobox", "spinbutton", "slider", "listbox", "searchbox"}
_SCREEN = 0  # coordinates of the whole screen
_SHOWS_NUMBER = {"spinbutton", "slider", "progressbar", "scrollbar"}
T = TypeVar("T")


class AtspiElementReader:
    """Reads what elements hold."""

    def __init__(self, connection: A11yConnection) -> None:
        self._connection = connection
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def read(
        self,
        node: AccessibleNode,
        path: tuple[tuple[str, str], ...],
        pid: int,
        *,
        whole: bool,
        origin: WindowOrigin | None = KNOWN,
        known: Element | None = None,
    ) -> Element:
        """Return an element as it is now, without a place where no origin is known; as a whole, also what it can do unseen."""
        role = known.role if known else to_aria(name_kind(node))
        shown = node.is_showing
        bounds, value, limits, actions, label = await asyncio.gather(
            self._read_bounds(node, origin if shown else None),
            self._read_text(node, shown or whole),
            self._read_numbers(node, shown or whole),
            self._read_actions(node, shown or whole),
            self._read_label(node, shown and role in _LABELLED),
        )
        name = " ".join((label or name_node(node, known.name if known else None)).split())
        if "number" in limits and (value is None or role in _SHOWS_NUMBER):
            value = limits["number"]
        if role == "combobox":
            value = name or None if value is None else value
            name = "" if name == value else name  # what is chosen is not what it is called
        states = name_states(node.bits, node.role) - (set() if bounds else {"visible"})
        details: dict[str, Any] = {"role": node.role} | {key: limits[key] for key in ("range", "step") if key in limits}
        if node.unread:
            details["unread"] = node.unread
        if node.description:
            details["description"] = node.description
        shows_itself = value == node.name and role not in _LABELLED
        return Element(
            node.ref, role, name, None if shows_itself else value, bounds, states, actions, pid, path, details
        )

    async def _read_bounds(self, node: AccessibleNode, origin: WindowOrigin | None) -> Rect | None:
        if origin is None or COMPONENT not in node.interfaces:
            return None
        extents = await self._ask(node.ref.seen_as(COMPONENT), "GetExtents", "u", _SCREEN)
        if extents is None or min(extents[2:]) <= 0:
            return None
        x, y, width, height = extents
        return Rect(origin[0] + x, origin[1] + y, width, height)

    async def _read_text(self, node: AccessibleNode, wanted: bool) -> str | None:
        if not wanted or TEXT not in node.interfaces or node.role == UNREADABLE:
            return None
        count = await self._get(node, TEXT, "CharacterCount")
        if count is None:
            return None
        return await self._ask(node.ref.seen_as(TEXT), "GetText", "ii", 0, min(count, MOST_CHARACTERS))

    async def _read_numbers(self, node: AccessibleNode, wanted: bool) -> dict[str, Any]:
        if not wanted or VALUE not in node.interfaces:
            return {}
        names = ("CurrentValue", "MinimumValue", "MaximumValue", "MinimumIncrement")
        current, lowest, highest, step = await asyncio.gather(*(self._get(node, VALUE, name) for name in names))
        if current is None:
            return {}
        numbers: dict[str, Any] = {"number": format_number(current)}
        if (lowest or 0.0) < (highest or 0.0):
            numbers["range"] = (lowest or 0.0, highest)
        if step:
            numbers["step"] = step
        return numbers

    async def _read_actions(self, node: AccessibleNode, wanted: bool) -> tuple[str, ...]:
        if not wanted or ACTION not in node.interfaces:
            return ()
        listed: Sequence[Sequence[str]] | None = await self._ask(node.ref.seen_as(ACTION), "GetActions")
        return tuple(each[0] for each in listed or () if is_own_action(each[0]))

    async def _read_label(self, node: AccessibleNode, wanted: bool) -> str:
        if not wanted:
            return ""
        relations = await self._ask(node.ref.seen_as(ACCESSIBLE), "GetRelationSet")
        labels = [Ref(*ref) for kind, refs in relations or () if kind == _LABELLED_BY for ref in refs]
        if not labels:
            return ""
        return await self._take_turn(lambda: self._connection.get(labels[0].seen_as(ACCESSIBLE), "Name")) or ""

    async def _get(self, node: AccessibleNode, interface: str, name: str) -> Any:
        return await self._take_turn(lambda: self._connection.get(node.ref.seen_as(interface), name))

    async def _ask(self, target: BusObject, member: str, signature: str = "", *body: object) -> Any:
        return await self._take_turn(lambda: self._connection.call(target, member, signature, *body))

    async def _take_turn(self, ask: Callable[[], Awaitable[T]]) -> T | None:
        """Wait for an answer; None if the element is gone or doesn't tell."""
        async with self._turns:
            try:
                return await ask()
            except BusRefusalError:
                return None


def format_number(number: float) -> str:
    """Write a number as people do: without the zeros that say nothing."""
    rounded = round(number, 10)
    return str(int(rounded)) if rounded.is_integer() else repr(rounded)
