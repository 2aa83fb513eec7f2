"""Win32Windows: windows and displays of Microsoft Windows through pywin32. Windows only."""

import contextlib
import functools
import sys
from collections.abc import Callable, Generator
from typing import TypeVar

from actuators.base import Availability
from actuators.deadlines import pause
from actuators.desktop.ports.desktop import Display, Rect, Window
from actuators.platforms.device_thread import DeviceThread
from core.base.errors import ActionError, DeviceError, SurehandError

if sys.platform != "win32":
    raise ImportError("these are functions of Windows")

import pywintypes
import win32api
import win32con
import win32gui
import win32process

from actuators.desktop.win32.calls import is_cloaked, order_state, read_scale, read_visible_frame, see_real_pixels
from actuators.platforms.win32_programs import find_program

Result = TypeVar("Result")
ANSWER_LIMIT_S = 5.0
LOOK_AGAIN_S = 0.03
ATTACH, DETACH = 1, 0
DESKTOP_CLASSES = {"Progman", "WorkerW", "#32769"}  # what lies behind all windows
SHELL_CLASSES = {*DESKTOP_CLASSES, "Shell_TrayWnd", "Shell_SecondaryTrayWnd"}
INVALID_WINDOW = 1400
ACCESS_DENIED = 5


class Win32Windows:
    """The window system of Microsoft Windows."""

    def __init__(self) -> None:
        self._thread = DeviceThread("win32-windows", begin=see_real_pixels)

    def assess(self) -> Availability:
        """Say that it is there: Windows has no session without it."""
        return Availability("windows", available=True, reason="Windows' own window functions by pywin32.")

    async def windows(self) -> tuple[Window, ...]:
        """Return the applications' windows, the front one first."""
        return await self._call(list_windows)

    async def displays(self) -> tuple[Display, ...]:
        """Return the displays."""
        return await self._call(list_displays)

    async def window_at(self, x: int, y: int) -> Window | None:
        """Return the window that a click at this pixel would reach."""
        return await self._call(functools.partial(find_window_at, x, y))

    async def focus(self, window: Window) -> None:
        """Order that a window be raised and given the focus."""
        await self._order(window, bring_to_front)

    async def place(self, window: Window, bounds: Rect) -> None:
        """Order a place and size, as they are seen."""
        await self._order(window, functools.partial(set_place, bounds=bounds))

    async def minimize(self, window: Window) -> None:
        """Order that a window be minimized."""
        await self._show(window, win32con.SW_MINIMIZE)

    async def maximize(self, window: Window) -> None:
        """Order that a window be maximized."""
        await self._show(window, win32con.SW_MAXIMIZE)

    async def restore(self, window: Window) -> None:
        """Order that a window be neither minimized nor maximized."""
        await self._show(window, win32con.SW_RESTORE)
        if window.minimized:  # it may come back maximized; the second order then makes it a usual window
            await self._show(window, win32con.SW_RESTORE)

    async def close_window(self, window: Window) -> None:
        """Ask a window to close, as its own button does."""
        await self._order(window, lambda handle: win32gui.PostMessage(handle, win32con.WM_CLOSE, 0, 0))

    async def wait_for_change(self, timeout_s: float) -> None:
        """Return after a moment: what has changed shows when it is read again."""
        await pause(min(timeout_s, LOOK_AGAIN_S))

    async def close(self) -> None:
        """Let the thread end; calling it again does nothing."""
        await self._thread.close()

    async def _show(self, window: Window, how: int) -> None:
        await self._order(window, lambda handle: order_state(handle, how))

    async def _order(self, window: Window, act: Callable[[int], object]) -> None:
        def do() -> None:
            handle = int(window.id, 16)
            if not win32gui.IsWindow(handle):
                raise window_gone(window)
            try:
                act(handle)
            except pywintypes.error as error:
                if win32gui.IsWindow(handle) and win32gui.IsWindowVisible(handle):
                    raise explain(error, window) from error
                raise window_gone(window) from error

        await self._call(do)

    async def _call(self, work: Callable[[], Result]) -> Result:
        try:
            return await self._thread.run(work, timeout_s=ANSWER_LIMIT_S)
        except TimeoutError as error:
            raise DeviceError(
                f"Windows' window functions did not answer within {ANSWER_LIMIT_S:g} s.", code="server_missing"
            ) from error


def bring_to_front(handle: int) -> None:
    """Raise a window and give it the focus.

    Windows gives the focus only to a program that has it; so our thread shares the state of the one that has, as long
    as it takes.
    """
    if win32gui.IsIconic(handle):
        order_state(handle, win32con.SW_RESTORE)
    front = win32gui.GetForegroundWindow()
    owner = win32process.GetWindowThreadProcessId(front)[0] if front else 0
    with share_input(owner):
        win32gui.BringWindowToTop(handle)
        win32gui.SetForegroundWindow(handle)


@contextlib.contextmanager
def share_input(owner: int) -> Generator[None]:
    """Share the focus with another thread for the time of a block; 0 for none."""
    own = win32api.GetCurrentThreadId()
    if owner in {0, own}:
        yield
        return
    with contextlib.suppress(pywintypes.error):  # a thread of higher rights shares nothing; the order may yet succeed
        win32process.AttachThreadInput(own, owner, ATTACH)
    try:
        yield
    finally:
        with contextlib.suppress(pywintypes.error):
            win32process.AttachThreadInput(own, owner, DETACH)


def set_place(handle: int, *, bounds: Rect) -> None:
    """Order a place and size; a window that fills the screen or is minimized becomes a usual one first."""
    if win32gui.IsIconic(handle) or win32gui.GetWindowPlacement(handle)[1] == win32con.SW_SHOWMAXIMIZED:
        win32gui.ShowWindow(handle, win32con.SW_SHOWNOACTIVATE)
    left, top, right, bottom = read_hidden_border(handle)
    flags = win32con.SWP_NOZORDER | win32con.SWP_NOACTIVATE | win32con.SWP_ASYNCWINDOWPOS
    width, height = bounds.width + left + right, bounds.height + top + bottom
    win32gui.SetWindowPos(handle, 0, bounds.x - left, bounds.y - top, width, height, flags)


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
