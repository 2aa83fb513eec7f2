"""What acting with the pointer comes to between tools and back ends: orders, and what was seen of a scroll."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from actuators.browser.ports.value_conditions import ValueCondition
from core.rules.browser_choices import (
    Direction,
    Modifier,
    MouseButton,
    RevealMethod,
    ScrollEnd,
    ScrollUnit,
    Side,
    StrokeShape,
)


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

    button: MouseButton
    count: int
    modifiers: tuple[Modifier, ...]
    reveal: RevealMethod | None
    until: str | None = None
    value: ValueCondition | None = None
    order: str | tuple[str, ...] | None = None


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
    """Where to scroll.

    Attributes:
        unit: ``page`` or ``pixel``.
        to: Go to the top or bottom instead; None for a distance.
    """

    direction: Direction
    amount: float
    unit: ScrollUnit
    to: ScrollEnd | None


@dataclass(frozen=True, slots=True)
class Scrolled:
    """Positions before and after, each with ``x_px`` and ``y_px``, and whether it can't go further; ``facts`` as evidence."""

    facts: Mapping[str, Any]

    @property
    def output(self) -> dict[str, Any]:
        """Where it is now."""
        after = self.facts["after"]
        return {"x_px": after["x_px"], "y_px": after["y_px"], "at_end": self.facts["at_end"]}

    @property
    def has_moved(self) -> bool:
        """Whether it is elsewhere now."""
        return self.facts["before"] != self.facts["after"]
