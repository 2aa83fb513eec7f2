"""What a back end of the desktop family does. The tools are written once, over these.

All coordinates are pixels of the whole screen (all displays together), from its upper left corner.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from core.base.errors import TargetError
from core.base.late_dataclasses import dataclass

if TYPE_CHECKING:
    from actuators.base import Availability

MouseButton = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "Meta", "Shift"]
Direction = Literal["up", "down", "left", "right"]
Target = str | Mapping[str, Any]
"""``button "OK"``, ``text "OK"`` or ``{point: [x, y], …}``; see core.selectors.screen_targets."""
ScreenRegion = Mapping[str, Any]
"""``{x, y, width, height}`` in pixels, and ``space``: screen (default) or window."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle on the screen, in pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def center(self) -> tuple[int, int]:
        """The pixel in its middle."""
        return self.x + self.width // 2, self.y + self.height // 2

    def describe(self) -> dict[str, int]:
        """Return it as data."""
        return asdict(self)

    def list_sides(self) -> list[int]:
        """Return x, y, width and height."""
        return [self.x, self.y, self.width, self.height]

    def contains(self, x: int, y: int) -> bool:
        """Tell whether a pixel is in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def intersect(self, other: "Rect") -> "Rect | None":
        """Return what it has in common with another; None if that is nothing."""
        left, upper = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.width, other.x + other.width)
        lower = min(self.y + self.height, other.y + other.height)
        return Rect(left, upper, right - left, lower - upper) if left < right and upper < lower else None

    def clip(self, bounds: "Rect | None") -> "Rect":
        """Return the part of a rectangle that is in it, all of it for None; ``target_off_screen`` if there is none."""
        common = self.intersect(bounds) if bounds else self
        if common is None and bounds:
            evidence = {"part": bounds.list_sides(), "screen": [self.width, self.height]}
            raise TargetError("That area is not on the screen.", code="target_off_screen", evidence=evidence)
        return common or self


def bound(areas: Iterable[Rect]) -> Rect:
    """Return the smallest rectangle around some."""
    known = list(areas)
    left, upper = min(each.x for each in known), min(each.y for each in known)
    right, lower = max(each.x + each.width for each in known), max(each.y + each.height for each in known)
    return Rect(left, upper, right - left, lower - upper)


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


@dataclass(frozen=True, slots=True)
class Window:
    """A window of an application as it is now; ``bounds`` includes its frame."""

    id: str
    title: str
    app: str
    pid: int
    bounds: Rect
    active: bool = False
    minimized: bool = False
    maximized: bool = False


@dataclass(frozen=True, slots=True)
class Display:
    """A display; ``index`` counts from 0."""

    index: int
    name: str
    bounds: Rect
    scale: float = 1.0
    primary: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """An element of the accessibility tree as it is now.

    Attributes:
        role: Its role in the words of core.selectors.selectors.ROLE_WORDS (ARIA's), else the system's own word.
        value: Its text or number; None where it has none.
        states: Such as ``enabled``, ``checked``, ``focused``, ``visible``, ``editable``, ``expanded``, ``selected``.
        actions: What it can do, by the application's own names.
        pid: Process that it belongs to; 0 where it isn't known.
        path: Roles and names of what it is in, outermost first.
    """

    ref: Any
    role: str
    name: str
    value: str | None = None
    bounds: Rect | None = None
    states: frozenset[str] = frozenset()
    actions: tuple[str, ...] = ()
    pid: int = 0
    path: tuple[tuple[str, str], ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Picture:
    """Pixels of the screen: three bytes each, row by row; scaled displays have more or fewer than the bounds."""

    bounds: Rect
    width: int
    height: int
    rgb: bytes


class WindowSystem(Protocol):
    """Windows and displays. Acting methods return once the order is given; the tools read back what became of it.

    Where a window has gone meanwhile, acting methods raise DeviceError ``window_missing``.
    """

    def assess(self) -> "Availability":
        """Say whether it can be used (capability ``windows``)."""
        ...

    async def windows(self) -> tuple[Window, ...]:
        """Return the applications' windows, the front one first."""
        ...

    async def displays(self) -> tuple[Display, ...]:
        """Return the displays."""
        ...

    async def window_at(self, x: int, y: int) -> Window | None:
        """Return what a click at this pixel would reach, a menu or notification too; None if it is the empty desktop."""
        ...

    async def focus(self, window: Window) -> None:
        """Order that a window be raised and given the focus."""
        ...

    async def place(self, window: Window, bounds: Rect) -> None:
        """Order a place and size, frame included."""
        ...

    async def minimize(self, window: Window) -> None:
        """Order that a window be minimized."""
        ...

    async def maximize(self, window: Window) -> None:
        """Order that a window be maximized."""
        ...

    async def restore(self, window: Window) -> None:
        """Order that a window be neither minimized nor maximized."""
        ...

    async def close_window(self, window: Window) -> None:
        """Ask a window to close."""
        ...

    async def wait_for_change(self, timeout_s: float) -> None:
        """Return when something about windows may have changed since they were last listed, the time is up, or sooner."""
        ...

    async def close(self) -> None:
        """Let go of the system; calling it again does nothing."""
        ...


class Hands(Protocol):
    """Pointer and keyboard."""

    def assess(self) -> "Availability":
        """Say whether they can be used (capability ``input``)."""
        ...

    async def position(self) -> tuple[int, int]:
        """Return where the pointer is."""
        ...

    async def move_to(self, x: int, y: int) -> None:
        """Move the pointer."""
        ...

    async def button_down(self, button: "MouseButton") -> None:
        """Press a mouse button and hold it."""
        ...

    async def button_up(self, button: "MouseButton") -> None:
        """Let a mouse button go."""
        ...

    async def wheel(self, direction: "Direction", notches: int) -> None:
        """Turn the wheel."""
        ...

    async def can_press(self, key: str) -> bool:
        """Tell whether there is a key, named as core.selectors.keys does."""
        ...

    async def key_down(self, key: str) -> None:
        """Press a key, named as core.selectors.keys does (``Control``, ``a``, ``Enter``), and hold it."""
        ...

    async def strike(self, keys: Sequence[str]) -> None:
        """Press keys together and let them go, the last first; the system gets all of it in one piece.

        So none stays down and repeats itself where this process is killed meanwhile.
        """
        ...

    async def is_slow_for(self, text: str) -> bool:
        """Tell whether keys can type a text, but slowly: it has many different characters that the keyboard lacks."""
        ...

    async def type_text(self, text: str) -> None:
        """Type text as keys, losslessly; ``unsupported_text`` before anything is typed, if a character can't be."""
        ...

    async def release_all(self) -> None:
        """Let go of every key and button that is still held by us."""
        ...

    async def close(self) -> None:
        """Let go of the system; calling it again does nothing."""
        ...


class Screen(Protocol):
    """The screen's pixels."""

    def assess(self) -> "Availability":
        """Say whether it can be read (capability ``screen``)."""
        ...

    async def grab(self, bounds: Rect | None = None) -> Picture:
        """Return the pixels of a part, or of the whole screen."""
        ...

    async def close(self) -> None:
        """Let go of the system; calling it again does nothing."""
        ...


class Accessibility(Protocol):
    """The accessibility tree."""

    def assess(self) -> "Availability":
        """Say whether it can be used (capability ``accessibility``)."""
        ...

    async def elements(self, window: Window | None, *, depth: int | None = None) -> tuple[Element, ...]:
        """Return what is in a window, or in all of them: depth first, siblings in reading order.

        What can't be seen now, such as the entries of a closed menu, lacks the state ``visible`` and has no bounds. An
        application that doesn't answer is one element of role ``application`` with the state ``silent``.
        """
        ...

    async def refresh(self, element: Element) -> Element | None:
        """Return an element as it is now, or None if it is gone."""
        ...

    async def invoke(self, element: Element, action: str) -> None:
        """Let an element do one of its actions."""
        ...

    async def set_text(self, element: Element, text: str) -> None:
        """Replace an element's text."""
        ...

    async def set_number(self, element: Element, number: float) -> None:
        """Set an element's number; ``details["range"]`` says from where to where it goes, if that is known."""
        ...

    async def select(self, element: Element) -> None:
        """Choose an entry of a list in place of the one chosen there; ``target_unsuitable`` if it is in no such list."""
        ...

    async def focus(self, element: Element) -> None:
        """Give an element the keyboard focus."""
        ...

    async def wait_for_change(self, timeout_s: float) -> None:
        """Return when something about elements may have changed, or the time is up."""
        ...

    async def close(self) -> None:
        """Let go of the system; calling it again does nothing."""
        ...


@dataclass(frozen=True, slots=True)
class SeenText:
    """A line of text read in a picture, with confidence from 0 to 1; its letters are the places of all but white space."""

    text: str
    bounds: Rect
    confidence: float
    letters: tuple[Rect, ...] = ()


class TextReader(Protocol):
    """Reads text in pictures, and finds pictures in pictures."""

    def assess(self) -> "Availability":
        """Say whether it can be used (capability ``vision``)."""
        ...

    async def read(self, picture: Picture) -> tuple[SeenText, ...]:
        """Return the lines of text, in reading order."""
        ...

    async def find_image(self, picture: Picture, path: str) -> tuple[tuple[Rect, float], ...]:
        """Return where a picture from a file is in another, with confidence, the best first.

        Raises:
            TargetError: If it has no contrast, so that it would match everywhere, or is larger than the picture.
        """
        ...

    async def close(self) -> None:
        """Let go of what it loaded."""
        ...
