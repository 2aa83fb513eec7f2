"""Functions of Windows that pywin32 lacks: how it scales, where a frame really is, and what shows. Windows only."""

import ctypes
import sys
from ctypes import wintypes

if sys.platform != "win32":
    raise ImportError("these are functions of Windows")

USUAL_DPI = 96
PER_MONITOR_AWARE = -4  # DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2
EXTENDED_FRAME_BOUNDS = 9
CLOAKED = 14
EFFECTIVE_DPI = 0

user32 = ctypes.WinDLL("user32", use_last_error=True)
user32.ShowWindowAsync.argtypes = [wintypes.HWND, ctypes.c_int]
dwmapi = ctypes.WinDLL("dwmapi")
dwmapi.DwmGetWindowAttribute.argtypes = [wintypes.HWND, wintypes.DWORD, ctypes.c_void_p, wintypes.DWORD]
shcore = ctypes.WinDLL("shcore")
shcore.GetDpiForMonitor.argtypes = [wintypes.HMONITOR, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]


def see_real_pixels() -> None:
    """Let the calling thread count in real pixels, not in those that Windows makes up for programs that don't scale."""
    user32.SetThreadDpiAwarenessContext.argtypes = [ctypes.c_void_p]
    user32.SetThreadDpiAwarenessContext.restype = ctypes.c_void_p
    user32.SetThreadDpiAwarenessContext(PER_MONITOR_AWARE)


def order_state(handle: int, how: int) -> None:
    """Order that a window be shown in a state; one that hangs does not hold us up."""
    user32.ShowWindowAsync(handle, how)


def read_visible_frame(handle: int) -> tuple[int, int, int, int] | None:
    """Return left, top, right and bottom of what is seen of a window; None where nobody composes the screen.

    A window's own rectangle is wider by borders that nobody sees.
    """
    frame = wintypes.RECT()
    failed = dwmapi.DwmGetWindowAttribute(handle, EXTENDED_FRAME_BOUNDS, ctypes.byref(frame), ctypes.sizeof(frame))
    empty = frame.right <= frame.left or frame.bottom <= frame.top
    return None if failed or empty else (frame.left, frame.top, frame.right, frame.bottom)


def is_cloaked(handle: int) -> bool:
    """Tell whether a window counts as visible but is not shown: suspended, or on another virtual desktop."""
    cloaked = wintypes.DWORD()
    failed = dwmapi.DwmGetWindowAttribute(handle, CLOAKED, ctypes.byref(cloaked), ctypes.sizeof(cloaked))
    return not failed and cloaked.value != 0


def read_scale(monitor: int) -> float:
    """Return how much a display enlarges, such as 1.5."""
    across, down = wintypes.UINT(), wintypes.UINT()
    failed = shcore.GetDpiForMonitor(monitor, EFFECTIVE_DPI, ctypes.byref(across), ctypes.byref(down))
    return 1.0 if failed or not across.value else across.value / USUAL_DPI
