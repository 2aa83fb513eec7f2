"""What Windows says of its windows and displays: plain calls for a thread that sees real pixels. Windows only."""

import sys

from actuators.desktop.ports.desktop import Display, Rect, Window
from core.base.errors import ActionError, DeviceError, SurehandError

if sys.platform != "win32":
    raise ImportError("these are functions of Windows")

import pywintypes
import win32api
import win32con
import win32gui
import win32process

from actuators.desktop.win32.calls import is_cloaked, read_scale, read_visible_frame
from actuators.platforms.win32_programs import find_program

DESKTOP_CLASSES = {"Progman", "WorkerW", "#32769"}  # what lies behind all windows
SHELL_CLASSES = {*DESKTOP_CLASSES, "Shell_TrayWnd", "Shell_SecondaryTrayWnd"}
INVALID_WINDOW = 1400
ACCESS_DENIED = 5


def list_windows() -> tuple[Window, ...]:
    """Return the applications' windows, the front one first."""
    handles: list[int] = []

    def note(handle: int, _: object) -> bool:
        handles.append(handle)
        return True

    win32gui.EnumWindows(note, None)
    active = win32gui.GetForegroundWindow()
    read = (read_window(handle, active) for handle in handles if is_application_window(handle))
    return tuple(window for window in read if window is not None)


def is_application_window(handle: int) -> bool:
    """Tell whether a window is one that the task switcher would show."""
    if not win32gui.IsWindowVisible(handle) or win32gui.GetClassName(handle) in SHELL_CLASSES:
        return False
    style = win32gui.GetWindowLong(handle, win32con.GWL_EXSTYLE)
    if style & win32con.WS_EX_TOOLWINDOW or is_cloaked(handle):
        return False
    owned = win32gui.GetWindow(handle, win32con.GW_OWNER)
    return bool(style & win32con.WS_EX_APPWINDOW) or not owned or bool(win32gui.GetWindowText(handle))


def read_window(handle: int, active: int) -> Window | None:
    """Return a window as it is now; None if it was closed."""
    try:
        _, pid = win32process.GetWindowThreadProcessId(handle)
        placement = win32gui.GetWindowPlacement(handle)[1]
        return Window(
            id=hex(handle),
            title=win32gui.GetWindowText(handle),
            app=find_program(pid).removesuffix(".exe"),
            pid=pid,
            bounds=read_bounds(handle),
            active=handle == active,
            minimized=bool(win32gui.IsIconic(handle)),
            maximized=placement == win32con.SW_SHOWMAXIMIZED,
        )
    except pywintypes.error as error:
        if error.winerror == INVALID_WINDOW:
            return None
        raise


def read_bounds(handle: int) -> Rect:
    """Return where a window is seen."""
    left, top, right, bottom = read_visible_frame(handle) or win32gui.GetWindowRect(handle)
    return Rect(left, top, right - left, bottom - top)


def read_hidden_border(handle: int) -> tuple[int, int, int, int]:
    """Return by how much a window's rectangle is wider than what is seen of it: left, top, right, bottom."""
    whole = win32gui.GetWindowRect(handle)
    seen = read_visible_frame(handle) or whole
    return seen[0] - whole[0], seen[1] - whole[1], whole[2] - seen[2], whole[3] - seen[3]


def find_window_at(x: int, y: int) -> Window | None:
    """Return the window that a click at a pixel would reach."""
    found = win32gui.WindowFromPoint((x, y))
    top = win32gui.GetAncestor(found, win32con.GA_ROOT) if found else 0
    if not top or win32gui.GetClassName(top) in DESKTOP_CLASSES or top == win32gui.GetDesktopWindow():
        return None
    return read_window(top, win32gui.GetForegroundWindow())


def list_displays() -> tuple[Display, ...]:
    """Return the displays, the main one first."""
    found: list[Display] = []
    told_of = [(win32api.GetMonitorInfo(monitor), monitor) for monitor, _, _ in win32api.EnumDisplayMonitors()]
    told_of.sort(key=lambda each: not each[0]["Flags"] & win32con.MONITORINFOF_PRIMARY)  # Windows keeps no such order
    for index, (told, monitor) in enumerate(told_of):
        left, top, right, bottom = told["Monitor"]
        primary = bool(told["Flags"] & win32con.MONITORINFOF_PRIMARY)
        bounds = Rect(left, top, right - left, bottom - top)
        found.append(Display(index, told["Device"], bounds, read_scale(int(monitor)), primary))
    return tuple(found)


def explain(error: "pywintypes.error", window: Window) -> SurehandError:
    """Return what an error about a window means."""
    evidence = {"id": window.id, "title": window.title, "winerror": error.winerror}
    if error.winerror == ACCESS_DENIED:
        return ActionError(
            f"Windows does not let Surehand control the window {window.title!r}, which runs with higher rights.",
            code="not_permitted",
            hint="Run that program without administrator's rights, or Surehand with them.",
            evidence=evidence,
        )
    if error.winerror == INVALID_WINDOW:
        return window_gone(window)
    return ActionError(f"Windows refused: {error.strerror} ({error.winerror}).", evidence=evidence)


def window_gone(window: Window) -> DeviceError:
    """Return the error of a window that has been closed."""
    return DeviceError(
        f"The window {window.title!r} was closed.",
        code="window_missing",
        hint="List the windows to see which are open.",
        evidence={"id": window.id, "title": window.title},
    )
