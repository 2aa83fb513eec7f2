"""Lines that are drawn with the pointer: through points, or a shape around or through a place."""

import math
from collections.abc import Sequence
from itertools import pairwise

from core.rules.browser_choices import StrokeShape

Point = tuple[float, float]

_STEPS = 48
_LINE_STEPS = 12


def shape_stroke(shape: StrokeShape, middle: Point, size_px: float) -> list[Point]:
    """Return the points of a shape, close together, in the order in which they are drawn.

    Args:
        shape: A circle around the place, or a line through it.
    """
    x_px, y_px = middle
    half = size_px / 2
    if shape == "circle":
        turns = (2 * math.pi * step / _STEPS for step in range(_STEPS + 1))
        return [(x_px + half * math.cos(turn), y_px + half * math.sin(turn)) for turn in turns]
    ends = ((x_px - half, y_px), (x_px + half, y_px))
    if shape == "vertical line":
        ends = ((x_px, y_px - half), (x_px, y_px + half))
    return join_points(ends)


def join_points(points: Sequence[Point]) -> list[Point]:
    """Return the points of straight lines from each point to the next.

    Args:
        points: At least two.
    """
    joined = [points[0]]
    for (x_px, y_px), (to_x_px, to_y_px) in pairwise(points):
        shares = [step / _LINE_STEPS for step in range(1, _LINE_STEPS + 1)]
        joined += [(x_px + (to_x_px - x_px) * share, y_px + (to_y_px - y_px) * share) for share in shares]
    return joined
