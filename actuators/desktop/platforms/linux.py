"""The desktop of Linux: X11, the accessibility bus, and reading by OCR."""

from actuators.base import Environment
from actuators.clipboard.linux import make_clipboard
from actuators.desktop.atspi.accessibility import AtspiAccessibility
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.screenshot_store import ScreenshotStore
from actuators.desktop.sight.reader import make_reader
from actuators.desktop.tools.back_end import DesktopBackEnd
from actuators.desktop.x11.hands import X11Hands
from actuators.desktop.x11.screen import MssScreen
from actuators.desktop.x11.windows import X11Windows
from actuators.seat.attending import Attendance
from actuators.seat.program_watch import ProgramWatch


def make_back_end(environment: Environment) -> DesktopBackEnd:
    """Return the tools for the session that the environment names; nothing is connected to yet."""
    parts = make_parts(environment)
    return DesktopBackEnd(parts, Attendance(environment.find_lease(), ProgramWatch(parts.windows.windows)))


def make_parts(environment: Environment) -> DesktopParts:
    """Return the ports of the session that the environment names; nothing is connected to yet."""
    windows, screen = X11Windows(environment), MssScreen(environment)
    return DesktopParts(
        environment=environment,
        windows=windows,
        hands=X11Hands(environment),
        screen=screen,
        accessibility=AtspiAccessibility(environment, windows),
        vision=make_reader(environment),
        clipboard=make_clipboard(environment),
        screenshots=ScreenshotStore(screen, windows),
    )
