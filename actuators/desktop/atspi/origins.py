"""Origins: where a window's own coordinates begin on the screen, for applications that don't know where they are.

GTK 4, and whatever speaks Wayland, is not told where its windows are, and gives places within the window as if they were
places on the screen. The window system knows.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Protocol

from actuators.desktop.atspi.connection import COMPONENT, A11yConnection, Ref
from actuators.desktop.atspi.trees import AccessibleNode, walk_nodes
from actuators.desktop.ports.desktop import Element, Rect, Window, bound
from actuators.platforms.session_bus import BusRefusalError
from core.base.errors import DeviceError

WindowOrigin = tuple[int, int]

KNOWN: WindowOrigin = (0, 0)
"""Of a window that tells places on the screen."""


class WindowList(Protocol):
    """What lists windows."""

    async def windows(self) -> tuple[Window, ...]:
        """Return the applications' windows, the front one first."""
        ...


class Origins:
    """Finds origins."""

    def __init__(self, windows: WindowList | None) -> None:
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
    return min(named, key=lambda each: _differ(each.bounds, bounds), default=None)


def _differ(one: Rect, other: Rect) -> int:
    return abs(one.width - other.width) + abs(one.height - other.height)


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
        return any(_holds(other, found) for other in rival.others)


@dataclass(slots=True)
class _Rival:
    """An element that shares most of its place with others beside it."""

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


def _holds(node: AccessibleNode, ref: Ref) -> bool:
    return node.ref == ref or any(each.ref == ref for each, _ in walk_nodes(node))
