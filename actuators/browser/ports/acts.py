"""What tools order of back ends: to click, drag, draw, scroll and type; and the lines that are drawn."""

import math
from collections.abc import Sequence
from itertools import pairwise

from actuators.browser.ports.values import ValueCondition
from core.base.late_dataclasses import dataclass
from core.goals.secret_values import Secret
from core.rules.browser_choices import (
    Direction,
    Modifier,
    MouseButton,
    RevealMethod,
    ScrollEnd,
    ScrollUnit,
    Side,
    StrokeShape,
    TypingMode,
)

Point = tuple[float, float]

_STEPS = 48
_LINE_STEPS = 12

Value = str | bool | float
"""What people give a control: a text, whether it is on, a number."""


@dataclass(frozen=True, slots=True)
class TypingRequest:
    """What to type, how, and whether to press Enter afterwards; without a mode, a field's text is replaced, and the focus gets keys."""

    text: str | Secret
    mode: TypingMode | None
    submit: bool


@dataclass(frozen=True, slots=True)
class ClickRequest:
    """How to click.

    Attributes:
        reveal: What to open or go through first if the element isn't in sight; None for nothing.
        until: What shall be there, or have a value, at last; None to click once.
        value: What it must be; None if being visible is enough.
        order: In which order several elements are clicked: by their numbers or texts, or the texts of those that come first; None for
            that of the page.
    """

    button: MouseButton = "left"
    count: int = 1
    modifiers: tuple[Modifier, ...] = ()
    reveal: RevealMethod | None = None
    until: str | None = None
    value: ValueCondition | None = None
    order: str | tuple[str, ...] | None = None


PLAIN_CLICK = ClickRequest()


@dataclass(frozen=True, slots=True)
class DragRequest:
    """Where to drag: onto a target, before or after one, or by an offset in CSS pixels."""

    target: str | None
    offset: tuple[float, float] | None
    side: Side | None


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """What to draw with the pointer.

    Attributes:
        shape: Around or through the middle of an element; None where points are given.
        points: Places from the upper left corner of an element, in CSS pixels, at least two; they are joined by lines.
        size_px: Diameter or length of the shape.
    """

    shape: StrokeShape | None
    points: tuple[tuple[float, float], ...]
    size_px: float


@dataclass(frozen=True, slots=True)
class ScrollRequest:
    """Where to scroll: so many ``page`` or ``pixel``, or all the way to the top or bottom."""

    direction: Direction
    amount: float
    unit: ScrollUnit
    to: ScrollEnd | None


def shape_stroke(shape: StrokeShape, middle: Point, size_px: float) -> list[Point]:
    """Return the points of a shape around or through a place, close together, in the order in which they are drawn."""
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
    """Return the points of straight lines from each of two points or more to the next."""
    joined = [points[0]]
    for (x_px, y_px), (to_x_px, to_y_px) in pairwise(points):
        shares = [step / _LINE_STEPS for step in range(1, _LINE_STEPS + 1)]
        joined += [(x_px + (to_x_px - x_px) * share, y_px + (to_y_px - y_px) * share) for share in shares]
    return joined
