"""Who has a file open, as the Restart Manager of Windows knows it. Windows only."""

import ctypes
import errno
import sys
from ctypes import wintypes

if sys.platform != "win32":
    raise ImportError("the Restart Manager is a part of Windows")

_MOST = 10
_DELETE = 0x0001_0000
_SHARE_ALL = 7
_OPEN_EXISTING = 3
_ASKED_ITSELF = 0x0200_0000 | 0x0020_0000  # folders too, and links themselves
_IN_USE = {32, 33}


class _ProcessInfo(ctypes.Structure):
    _fields_ = (
        ("pid", wintypes.DWORD),
        ("start_low", wintypes.DWORD),
        ("start_high", wintypes.DWORD),
        ("application", wintypes.WCHAR * 256),
        ("service", wintypes.WCHAR * 64),
        ("kind", wintypes.DWORD),
        ("status", wintypes.ULONG),
        ("session", wintypes.DWORD),
        ("restartable", wintypes.BOOL),
    )


class HeldError(PermissionError):
    """Another program has a file open; the holders are names with process ids, as far as they are known."""

    holders: tuple[str, ...] = ()


def explain_holding(error: OSError, *paths: str) -> OSError:
    """Return a better error if what failed did so because a file is open elsewhere.

    Windows says "access denied" when a file that is open is to be replaced; asked for leave to delete it, it says why.

    Args:
        paths: The files that it may be about.
    """
    if error.winerror not in {5, *_IN_USE}:
        return error
    for path in paths:
        if error.winerror in _IN_USE or _is_held(path):
            held = HeldError(errno.EBUSY, "another program has it open", path)
            held.holders = find_holders(path)
            return held
    return error


def find_holders(path: str) -> tuple[str, ...]:
    """Return the programs that have a file open; none where that can't be known."""
    try:
        manager = ctypes.WinDLL("rstrtmgr")
    except OSError:
        return ()
    session = wintypes.DWORD()
    key = ctypes.create_unicode_buffer(33)
    if manager.RmStartSession(ctypes.byref(session), 0, key) != 0:
        return ()
    try:
        files = (wintypes.LPCWSTR * 1)(path.removeprefix("\\\\?\\"))
        if manager.RmRegisterResources(session, 1, files, 0, None, 0, None) != 0:
            return ()
        needed, count, reasons = wintypes.UINT(), wintypes.UINT(_MOST), wintypes.DWORD()
        found = (_ProcessInfo * _MOST)()
        asked = manager.RmGetList(session, ctypes.byref(needed), ctypes.byref(count), found, ctypes.byref(reasons))
        return tuple(f"{each.application} ({each.pid})" for each in found[: count.value]) if asked == 0 else ()
    finally:
        manager.RmEndSession(session)


def _is_held(path: str) -> bool:
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.CreateFileW.restype = wintypes.HANDLE
    handle = kernel.CreateFileW(wintypes.LPCWSTR(path), _DELETE, _SHARE_ALL, None, _OPEN_EXISTING, _ASKED_ITSELF, None)
    if handle is None or handle == wintypes.HANDLE(-1).value:
        return ctypes.get_last_error() in _IN_USE
    kernel.CloseHandle(wintypes.HANDLE(handle))
    return False
