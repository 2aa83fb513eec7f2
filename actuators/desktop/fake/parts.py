"""Puts the ports of a desktop in memory together."""

from actuators.base import Environment
from actuators.desktop.fake.accessibility import FakeAccessibility
from actuators.desktop.fake.hands import FakeHands
from actuators.desktop.fake.screen import FakeReader, FakeScreen
from actuators.desktop.fake.state import FakeDesktop
from actuators.desktop.fake.windows import FakeWindows
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.screenshot_store import ScreenshotStore


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
