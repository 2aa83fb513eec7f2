"""Which program a process of Windows runs. Windows only."""

import ctypes
import sys
from ctypes import wintypes
from pathlib import PureWindowsPath

if sys.platform != "win32":
    raise ImportError("these are functions of Windows")

LEAST_RIGHT_TO_ASK = 0x1000  # PROCESS_QUERY_LIMITED_INFORMATION: granted for processes of other users, too
LONGEST_PATH = 32768

kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
kernel32.OpenProcess.restype = wintypes.HANDLE
kernel32.OpenProcess.argtypes = [wintypes.DWORD, wintypes.BOOL, wintypes.DWORD]
kernel32.CloseHandle.argtypes = [wintypes.HANDLE]
kernel32.QueryFullProcessImageNameW.argtypes = [
    wintypes.HANDLE,
    wintypes.DWORD,
    wintypes.LPWSTR,
    ctypes.POINTER(wintypes.DWORD),
]


def find_program(pid: int) -> str:
    """Return the file name of a process's program, such as `notepad.exe`; empty where there is none or it may not be asked.

    psutil asks in a way that fails for protected processes, and always under wine.
    """
    handle = kernel32.OpenProcess(LEAST_RIGHT_TO_ASK, 0, pid) if pid else None
    if not handle:
        return ""
    try:
        path = ctypes.create_unicode_buffer(LONGEST_PATH)
        length = wintypes.DWORD(LONGEST_PATH)
        asked = kernel32.QueryFullProcessImageNameW(handle, 0, path, ctypes.byref(length))
        return PureWindowsPath(path.value).name if asked else ""
    finally:
        kernel32.CloseHandle(handle)
