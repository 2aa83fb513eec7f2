"""FakeDesktop: the state that the fake's ports share, how it is declared, and what went wrong on purpose."""

from collections.abc import Callable
from itertools import count
from typing import Any

from actuators.base import Availability
from actuators.clipboard.fake import FakeClipboard
from actuators.desktop.ports.desktop import Display, Rect
from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass, field

_numbers = count(1)


@dataclass(slots=True, eq=False)
class FakeDesktopElement:
    """An element of an application; its place is in its window, None where it can't be seen.

    Attributes:
        states: As in Element; ``editable`` ones take text, ``checked`` is switched by ``toggle``.
        on_act: Called with the action's name when it is invoked, and with ``click`` when it is clicked.
    """

    role: str
    name: str = ""
    bounds: Rect | None = None
    value: str | None = None
    states: set[str] = field(default_factory=lambda: {"enabled", "visible"})
    actions: tuple[str, ...] = ()
    children: list["FakeDesktopElement"] = field(default_factory=list["FakeDesktopElement"])
    on_act: Callable[[str], None] | None = None
    lowest: float | None = None
    highest: float | None = None


@dataclass(slots=True, eq=False)
class FakeWindow:
    """A window, with the places of texts and pictures in it; ``asks`` is the dialog that it opens to close."""

    title: str
    app: str
    bounds: Rect
    elements: list[FakeDesktopElement] = field(default_factory=list[FakeDesktopElement])
    texts: dict[str, Rect] = field(default_factory=dict[str, Rect])
    images: dict[str, Rect] = field(default_factory=dict[str, Rect])
    asks: str = ""
    pid: int = 0
    id: str = ""
    minimized: bool = False
    maximized: bool = False
    normal_bounds: Rect | None = None

    def __post_init__(self) -> None:
        """Give it an id and a process of its own where none is named."""
        number = next(_numbers)
        self.id = self.id or f"fake-{number}"
        self.pid = self.pid or 100_000 + number


class FakeDesktop:
    """A desktop in memory.

    Attributes:
        popups: Menus and notifications, which lie above and are in no list of windows; the front one first.
        person: Where a person moves the pointer, one place whenever it is asked for.
        events: What came in: ``("click", button, x, y, *modifiers)``, ``("wheel", direction, notches, x, y)``,
            ``("key", keys, title)`` and ``("text", text, title)``, with the title of the window that had the focus.
        typable: Characters that keys can type; None for all.
        faults: Errors by ``port.method``, such as ``windows.focus``; each is raised once.
        ignored: Orders that the window manager doesn't follow, such as ``focus`` or ``place``.
    """

    def __init__(self, *windows: FakeWindow, size: tuple[int, int] = (1280, 800)) -> None:
        """Open windows on one display of a size in pixels, the first one in front and with the focus."""
        self.windows = list(windows)
        self.displays: list[Display] = [Display(0, "fake", Rect(0, 0, *size), primary=True)]
        self.popups: list[FakeWindow] = []
        self.active: FakeWindow | None = windows[0] if windows else None
        self.focused: FakeDesktopElement | None = None
        self.pointer = (size[0] // 2, size[1] // 2)
        self.person: list[tuple[int, int]] = []
        self.held: list[str] = []
        self.events: list[tuple[Any, ...]] = []
        self.typable: str | None = None
        self.clipboard = FakeClipboard()
        self.faults: dict[str, SurehandError] = {}
        self.ignored: set[str] = set()
        self.changes = 0

    def fail(self, place: str) -> None:
        """Raise the fault that was set for a place, once."""
        if fault := self.faults.pop(place, None):
            raise fault

    def touch(self) -> None:
        """Note that something has changed."""
        self.changes += 1

    def open(self, window: FakeWindow) -> FakeWindow:
        """Open a window in front of the others and give it the focus."""
        self.windows.insert(0, window)
        self.activate(window)
        return window

    def close(self, window: FakeWindow) -> None:
        """Close a window; the next one gets the focus."""
        self.windows.remove(window)
        if self.active is window:
            self.focused = None
            self.active = next((each for each in self.windows if not each.minimized), None)
        self.touch()

    def activate(self, window: FakeWindow) -> None:
        """Raise a window and give it the focus; a popup stays as it is."""
        if window in self.popups:
            return
        self.windows.remove(window)
        self.windows.insert(0, window)
        window.minimized = False
        if self.active is not window:
            self.active, self.focused = window, None
        self.touch()

    def find_at(self, x: int, y: int) -> FakeWindow | None:
        """Return the front window at a pixel, popups included."""
        return next(
            (each for each in (*self.popups, *self.windows) if not each.minimized and each.bounds.contains(x, y)), None
        )

    def find_element_at(self, x: int, y: int) -> FakeDesktopElement | None:
        """Return the innermost element at a pixel."""
        window = self.find_at(x, y)
        if window is None:
            return None
        inside = [
            each for each, _ in walk(window.elements) if each.bounds and shift(each.bounds, window).contains(x, y)
        ]
        return inside[-1] if inside else None

    def act(self, element: FakeDesktopElement, action: str) -> None:
        """Let an element do something."""
        if action in {"toggle", "click"} and "toggle" in element.actions:
            element.states ^= {"checked"}
        if element.on_act:
            element.on_act(action)
        self.touch()


class FakePort:
    """A port of a desktop in memory."""

    capability = ""

    def __init__(self, desktop: FakeDesktop) -> None:
        self._desktop = desktop

    def assess(self) -> Availability:
        """Say that it is there, and that it is none."""
        return Availability(self.capability, available=True, reason="A simulated desktop.")

    async def close(self) -> None:
        """Do nothing."""


def walk(
    elements: list[FakeDesktopElement], path: tuple[FakeDesktopElement, ...] = ()
) -> list[tuple[FakeDesktopElement, tuple[FakeDesktopElement, ...]]]:
    """Return elements and all that is in them, depth first, each with what it is in."""
    found: list[tuple[FakeDesktopElement, tuple[FakeDesktopElement, ...]]] = []
    for each in elements:
        found.append((each, path))
        found.extend(walk(each.children, (*path, each)))
    return found


def shift(bounds: Rect, window: FakeWindow) -> Rect:
    """Return where a part of a window is on the screen."""
    return Rect(window.bounds.x + bounds.x, window.bounds.y + bounds.y, bounds.width, bounds.height)
