"""PointerPort: acting with the pointer, and bringing elements into sight."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from actuators.browser.ports.pages import Done, PagePort
from actuators.browser.ports.value_conditions import ValueCondition
from core.rules.browser_choices import (
    Direction,
    FocusMove,
    Modifier,
    MouseButton,
    RevealMethod,
    ScrollEnd,
    ScrollUnit,
    Side,
    StrokeShape,
)
from core.tools.ports import ActionContext


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


class PointerPort(PagePort, Protocol):
    """Acts with the pointer. Selectors are resolved when they are used; elements are waited for, at most the action's time."""

    async def click(self, context: ActionContext, selector: str, request: ClickRequest) -> Done:
        """Click an element, or several one by one; facts ``received_by`` and ``events``."""
        ...

    async def hover(self, context: ActionContext, selector: str, seconds: float | None = None) -> Done:
        """Move the pointer onto an element, and keep it there for some time; facts ``hovered`` and ``on_top``."""
        ...

    async def focus(self, context: ActionContext, selector: str) -> Done:
        """Give an element the focus; facts ``focused``."""
        ...

    async def move_focus(self, context: ActionContext, move: FocusMove) -> Done:
        """Move the focus from field to field; facts ``focused`` and ``element``."""
        ...

    async def mark(self, context: ActionContext, selector: str, text: str | None) -> Done:
        """Mark a text, or all that is in an element; facts ``marked``."""
        ...

    async def drag(self, context: ActionContext, selector: str, request: DragRequest) -> Done:
        """Drag an element, or several one by one; facts say where it was before and after."""
        ...

    async def arrange(self, context: ActionContext, selector: str, order: str | Sequence[str]) -> Done:
        """Drag things until they stand in order; facts ``before``, ``after`` and ``moves``."""
        ...

    async def draw(self, context: ActionContext, selector: str, request: DrawRequest) -> Done:
        """Draw a line with the pointer; facts say from where to where, and whether the page shows another picture."""
        ...

    async def scroll(self, context: ActionContext, selector: str | None, request: ScrollRequest) -> Scrolled:
        """Scroll the page, or what scrolls an element."""
        ...

    async def reveal(self, context: ActionContext, selector: str, by: RevealMethod) -> Done:
        """Bring an element into sight; output ``by`` and ``through``."""
        ...
