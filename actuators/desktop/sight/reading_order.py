"""The order in which people read what is on a screen: by lines, from the left."""

from collections.abc import Sequence

from actuators.desktop.ports.desktop import Rect


def order_boxes(boxes: Sequence[Rect | None]) -> list[int]:
    """Return the positions of boxes in reading order; what has no box comes last, in its own order.

    A box whose middle is above the lower edge of a line's first box is in that line.
    """
    placed = sorted((box.y, box.x, index, box) for index, box in enumerate(boxes) if box is not None)
    lines: list[list[tuple[int, int]]] = []
    lower_edge = 0
    for y, x, index, box in placed:
        if not lines or y + box.height // 2 >= lower_edge:
            lines.append([])
            lower_edge = y + box.height
        lines[-1].append((x, index))
    ordered = [index for line in lines for _, index in sorted(line)]
    return ordered + [index for index, box in enumerate(boxes) if box is None]
