"""Covering: which of the elements that lie one over another is the one that is shown.

GTK 4 tells of all pages of a stack that they are visible, each where it was when it was last shown. What is under a pixel
is told rightly.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from actuators.desktop.atspi.connection import COMPONENT, A11yConnection, Ref
from actuators.desktop.atspi.origins import Origin
from actuators.desktop.atspi.trees import Node, walk_nodes
from actuators.desktop.ports import Element, Rect
from actuators.session_bus import BusRefusalError

_WINDOW = 1  # coordinates within the window


class Covering:
    """Asks what is under pixels."""

    def __init__(self, connection: A11yConnection) -> None:
        """Ask over a connection."""
        self._connection = connection

    async def find_covered(self, top: Node, read: Mapping[Node, Element], origin: Origin) -> set[Node]:
        """Return the elements in a window in whose place another one is shown, with all that is in them.

        Args:
            top: The window.
            read: Its elements.
            origin: Where its own coordinates begin.
        """
        rivals = [
            (node, child, others)
            for node in (top, *(node for node, _ in walk_nodes(top)))
            for child, others in _list_rivals(node.children, read)
        ]
        lost = await asyncio.gather(*(self._is_lost(*each, read, origin) for each in rivals))
        covered: set[Node] = set()
        for (_, child, _), is_lost in zip(rivals, lost, strict=True):
            if is_lost:
                covered |= {child, *(node for node, _ in walk_nodes(child))}
        return covered

    async def _is_lost(
        self, parent: Node, child: Node, others: Sequence[Node], read: Mapping[Node, Element], origin: Origin
    ) -> bool:
        bounds = read[child].bounds
        if bounds is None:
            return False
        x, y = bounds.center[0] - origin[0], bounds.center[1] - origin[1]
        try:
            found = await self._connection.call(
                parent.ref.seen_as(COMPONENT), "GetAccessibleAtPoint", "iiu", x, y, _WINDOW
            )
        except BusRefusalError:
            return False
        return any(_holds(other, Ref(*found)) for other in others)


def _list_rivals(children: Sequence[Node], read: Mapping[Node, Element]) -> Iterator[tuple[Node, list[Node]]]:
    """Yield those of some siblings that share most of their place with others, with these."""
    placed = [(child, bounds) for child in children if child in read and (bounds := read[child].bounds)]
    rivals: dict[Node, list[Node]] = {}
    for (one, its), (other, others) in combinations(placed, 2):
        if _overlap(its, others):
            rivals.setdefault(one, []).append(other)
            rivals.setdefault(other, []).append(one)
    yield from rivals.items()


def _overlap(one: Rect, other: Rect) -> bool:
    width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    smaller = min(one.width * one.height, other.width * other.height)
    return width > 0 and height > 0 and 2 * width * height > smaller


def _holds(node: Node, ref: Ref) -> bool:
    return node.ref == ref or any(each.ref == ref for each, _ in walk_nodes(node))
