"""The desktop of Microsoft Windows: its own functions, UI Automation, and reading by OCR. Windows only."""

import sys

from actuators.base import Environment

if sys.platform != "win32":
    raise ImportError("this is the desktop of Windows")

from actuators.clipboard.windows import WindowsClipboard
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.screenshot_store import ScreenshotStore
from actuators.desktop.sight.reader import make_reader
from actuators.desktop.tools.back_end import DesktopBackEnd
from actuators.desktop.win32.hands import Win32Hands
from actuators.desktop.win32.screen import Win32Screen
from actuators.desktop.win32.uia import UiAutomation
from actuators.desktop.win32.windows import Win32Windows
from actuators.seat.attending import Attendance
from actuators.seat.program_watch import ProgramWatch


def make_back_end(environment: Environment) -> DesktopBackEnd:
    """Return the tools for this session; nothing is started."""
    parts = make_parts(environment)
    return DesktopBackEnd(parts, Attendance(environment.find_lease(), ProgramWatch(parts.windows.windows)))


def make_parts(environment: Environment) -> DesktopParts:
    """Return the ports of this session; nothing is started."""
    windows, screen = Win32Windows(), Win32Screen()
    return DesktopParts(
        environment=environment,
        windows=windows,
        hands=Win32Hands(),
        screen=screen,
        accessibility=UiAutomation(),
        vision=make_reader(environment),
        clipboard=WindowsClipboard(),
        screenshots=ScreenshotStore(screen, windows),
    )
