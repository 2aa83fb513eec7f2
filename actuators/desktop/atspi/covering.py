"""Covering: which of the elements that lie one over another is the one that is shown.

GTK 4 tells of all pages of a stack that they are visible, each where it was when it was last shown. What is under a pixel
is told rightly.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from actuators.desktop.atspi.connection import COMPONENT, A11yConnection, Ref
from actuators.desktop.atspi.origins import WindowOrigin
from actuators.desktop.atspi.trees import AccessibleNode, walk_nodes
from actuators.desktop.ports.desktop import Element, Rect, bound
from actuators.platforms.session_bus import BusRefusalError

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
