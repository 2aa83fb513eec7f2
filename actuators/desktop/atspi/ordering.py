"""Siblings in the order in which people read them; applications have orders of their own."""

from collections.abc import Mapping

from actuators.desktop.atspi.trees import MOST_DEPTH, AccessibleNode
from actuators.desktop.ports.desktop import Element
from actuators.desktop.sight.reading_order import order_boxes


def order_siblings(top: AccessibleNode, read: Mapping[AccessibleNode, Element]) -> list[Element]:
    """Return what is in a window, depth first.

    Args:
        read: Elements by node; a node without one is left out with all that is in it.
    """
    ordered: list[Element] = []

    def add(node: AccessibleNode, depth: int) -> None:
        children = [child for child in node.children if child in read]
        for index in order_boxes([read[child].bounds for child in children]):
            ordered.append(read[children[index]])
            if depth < MOST_DEPTH:
                add(children[index], depth + 1)

    add(top, 0)
    return ordered
