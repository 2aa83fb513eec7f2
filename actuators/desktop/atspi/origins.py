"""Origins: where a window's own coordinates begin on the screen, for applications that don't know where they are.

GTK 4, and whatever speaks Wayland, is not told where its windows are, and gives places within the window as if they were
places on the screen. The window system knows.
"""

from collections.abc import Sequence
from typing import Protocol

from actuators.desktop.ports.desktop import Rect, Window
from core.base.errors import DeviceError

WindowOrigin = tuple[int, int]

KNOWN: WindowOrigin = (0, 0)
"""Of a window that tells places on the screen."""


class WindowList(Protocol):
    """What lists windows."""

    async def windows(self) -> tuple[Window, ...]:
        """Return the applications' windows, the front one first."""
        ...


class Origins:
    """Finds origins."""

    def __init__(self, windows: WindowList | None) -> None:
        """Ask a window system; without one applications are believed."""
        self._windows = windows

    async def find(
        self, bounds: Rect | None, title: str, pid: int, window: Window | None = None
    ) -> WindowOrigin | None:
        """Return what is to be added to the places that a window tells; None where that isn't known."""
        if self._windows is None or bounds is None or (bounds.x, bounds.y) != (0, 0):
            return KNOWN
        found = window or _choose(await self._list(), bounds, title, pid)
        return _measure(bounds, found.bounds) if found else None

    async def _list(self) -> Sequence[Window]:
        try:
            return await self._windows.windows() if self._windows else ()
        except DeviceError:
            return ()  # without a window manager nobody knows


def _choose(windows: Sequence[Window], bounds: Rect, title: str, pid: int) -> Window | None:
    own = [each for each in windows if each.pid == pid]
    named = [each for each in own if each.title == title] or own
    return min(named, key=lambda each: _differ(each.bounds, bounds), default=None)


def _differ(one: Rect, other: Rect) -> int:
    return abs(one.width - other.width) + abs(one.height - other.height)


def _measure(inner: Rect, outer: Rect) -> WindowOrigin:
    """Return where the inner rectangle begins: a frame is as wide on the left as on the right and at the bottom."""
    border = (outer.width - inner.width) // 2
    return outer.x + border, outer.y + outer.height - inner.height - border
