"""What can be seen of an element: not what was scrolled out of view."""

from actuators.desktop.finding.element_tree import NOWHERE, ElementTree
from actuators.desktop.ports.desktop import Rect

_CLIPPING = {"scroll pane", "viewport"}


def find_visible_part(tree: ElementTree, place: int) -> Rect | None:
    """Return where an element can be seen; None where it is nowhere."""
    seen = tree.elements[place].bounds
    above = tree.parents[place]
    while seen is not None and above != NOWHERE:
        holder = tree.elements[above]
        if holder.role in _CLIPPING and holder.bounds is not None:
            seen = seen.intersect(holder.bounds)
        above = tree.parents[above]
    return seen
