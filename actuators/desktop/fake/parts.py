"""FakeDesktop parts: the windows of a desktop in memory, and its ports put together."""

from actuators.base import Availability, Environment
from actuators.deadlines import pause
from actuators.desktop.fake.accessibility import FakeAccessibility
from actuators.desktop.fake.hands import FakeHands
from actuators.desktop.fake.screen import FakeReader, FakeScreen
from actuators.desktop.fake.state import FakeDesktop, FakeWindow
from actuators.desktop.ports.desktop import Display, Rect, Window
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.screenshot_store import ScreenshotStore
from core.base.errors import DeviceError

_STEP_S = 0.01


class FakeWindows:
    """A window system that follows at once."""

    def __init__(self, desktop: FakeDesktop) -> None:
        self._desktop = desktop

    def assess(self) -> Availability:
        """Say that it is there, and that it is none."""
        return Availability("windows", available=True, reason="A simulated desktop.")

    async def windows(self) -> tuple[Window, ...]:
        """Return the windows, the front one first."""
        self._desktop.fail("windows.windows")
        return tuple(self._show(each) for each in self._desktop.windows)

    async def displays(self) -> tuple[Display, ...]:
        """Return the displays."""
        return tuple(self._desktop.displays)

    async def window_at(self, x: int, y: int) -> Window | None:
        """Return the front window at a pixel."""
        found = self._desktop.find_at(x, y)
        return self._show(found) if found else None

    async def focus(self, window: Window) -> None:
        """Raise a window and give it the focus."""
        if (found := self._take("focus", window)) is not None:
            self._desktop.activate(found)

    async def place(self, window: Window, bounds: Rect) -> None:
        """Place a window."""
        if (found := self._take("place", window)) is not None:
            found.bounds = bounds

    async def minimize(self, window: Window) -> None:
        """Minimize a window; the next one gets the focus."""
        if (found := self._take("minimize", window)) is not None:
            found.minimized = True
            if self._desktop.active is found:
                self._desktop.active = next((each for each in self._desktop.windows if not each.minimized), None)

    async def maximize(self, window: Window) -> None:
        """Maximize a window on the first display."""
        if (found := self._take("maximize", window)) is not None:
            found.normal_bounds = found.normal_bounds or found.bounds
            found.bounds = self._desktop.displays[0].bounds
            found.minimized, found.maximized = False, True

    async def restore(self, window: Window) -> None:
        """Bring a window back to its size."""
        if (found := self._take("restore", window)) is not None:
            found.bounds = found.normal_bounds or found.bounds
            found.normal_bounds = None
            found.minimized = found.maximized = False

    async def close_window(self, window: Window) -> None:
        """Close a window, or let it ask."""
        found = self._take("close_window", window)
        if found is None:
            return
        if not found.asks:
            self._desktop.close(found)
        elif all(each.title != found.asks for each in self._desktop.windows):
            self._desktop.open(FakeWindow(found.asks, found.app, Rect(*found.bounds.center, 300, 120), pid=found.pid))

    async def wait_for_change(self, timeout_s: float) -> None:
        """Let a little time go by."""
        await pause(min(timeout_s, _STEP_S))

    async def close(self) -> None:
        """Do nothing."""

    def _take(self, order: str, window: Window) -> FakeWindow | None:
        """Return the window that an order is about; None if the order is ignored."""
        self._desktop.fail(f"windows.{order}")
        found = next((each for each in self._desktop.windows if each.id == window.id), None)
        if found is None:
            raise DeviceError(f"The window {window.title!r} was closed.", code="window_missing")
        self._desktop.touch()
        return None if order in self._desktop.ignored else found

    def _show(self, window: FakeWindow) -> Window:
        return Window(
            id=window.id,
            title=window.title,
            app=window.app,
            pid=window.pid,
            bounds=window.bounds,
            active=window is self._desktop.active,
            minimized=window.minimized,
            maximized=window.maximized,
        )


def make_fake_parts(desktop: FakeDesktop, environment: Environment) -> DesktopParts:
    """Return the ports of a desktop in memory."""
    windows, screen = FakeWindows(desktop), FakeScreen(desktop)
    return DesktopParts(
        environment=environment,
        windows=windows,
        hands=FakeHands(desktop),
        screen=screen,
        accessibility=FakeAccessibility(desktop),
        vision=FakeReader(desktop),
        clipboard=desktop.clipboard,
        screenshots=ScreenshotStore(screen, windows),
    )
