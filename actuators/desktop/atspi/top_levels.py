"""Which of an application's accessible windows is the one that the window system tells of."""

from collections.abc import Sequence

from actuators.desktop.atspi.trees import AccessibleNode
from actuators.desktop.ports.desktop import Element, Rect, Window

_POPUPS = {"window", "menu", "popup menu", "tool tip", "list"}  # the system's words for menus that stand by themselves


def choose_top_levels(
    listed: Sequence[tuple[AccessibleNode, Element]], window: Window, pid: int, tolerance_px: int = 200
) -> list[AccessibleNode]:
    """Return the node that is a window, and the menus that are open over it.

    Args:
        tolerance_px: How far a place may be off, edges together, since frames and shadows are counted differently.
    """
    frames = [(node, element) for node, element in listed if node.role not in _POPUPS or node.name]
    own = pid == window.pid
    same_title = [each for each in frames if each[0].name == window.title]
    candidates = same_title or ([each for each in frames if each[0].is_showing] if own else [])
    if not same_title:
        candidates = [each for each in candidates if _distance(each[1].bounds, window.bounds) <= tolerance_px]
    if not candidates:
        return []
    nearest = min(candidates, key=lambda each: _distance(each[1].bounds, window.bounds))[0]
    popups = [node for node, _ in listed if node.role in _POPUPS and not node.name and node.is_showing]
    return [nearest, *popups]


def _distance(one: Rect | None, other: Rect) -> int:
    if one is None:
        return 1_000_000
    sizes = abs(one.width - other.width) + abs(one.height - other.height)
    if (one.x, one.y) == (0, 0):  # so says, too, who doesn't know where it is
        return sizes
    return abs(one.x - other.x) + abs(one.y - other.y) + sizes
