"""Calls of Windows that Python's library doesn't have: folders held open, where one really lies, and who has a file open.

Windows only.
"""

import ctypes
import errno
import os
import sys
from ctypes import wintypes
from pathlib import Path

if sys.platform != "win32":
    raise ImportError("kernel32 is a part of Windows")

import msvcrt

_KERNEL = ctypes.WinDLL("kernel32", use_last_error=True)
_KERNEL.CreateFileW.restype = wintypes.HANDLE
_KERNEL.CreateFileW.argtypes = (
    wintypes.LPCWSTR,
    wintypes.DWORD,
    wintypes.DWORD,
    wintypes.LPVOID,
    wintypes.DWORD,
    wintypes.DWORD,
    wintypes.HANDLE,
)
_KERNEL.CloseHandle.argtypes = (wintypes.HANDLE,)
_KERNEL.GetFinalPathNameByHandleW.argtypes = (wintypes.HANDLE, wintypes.LPWSTR, wintypes.DWORD, wintypes.DWORD)
_KERNEL.SetFileTime.argtypes = (wintypes.HANDLE, wintypes.LPVOID, wintypes.LPVOID, wintypes.LPVOID)

_INVALID = wintypes.HANDLE(-1).value
_LIST = 0x0001 | 0x0080 | 0x00100000  # list, read attributes, synchronise
_READ, _WRITE = 0x80000000, 0x40000000
_SHARE_READ, _SHARE_WRITE, _SHARE_DELETE = 1, 2, 4
_CREATE_NEW, _OPEN_EXISTING = 1, 3
_BACKUP_SEMANTICS, _OPEN_REPARSE_POINT = 0x02000000, 0x00200000
_LONGEST = 32_768
_EPOCH_100NS = 116_444_736_000_000_000
_VERBATIM, _VERBATIM_SHARE = "\\\\?\\", "\\\\?\\UNC\\"
_MOST = 10
_DELETE = 0x0001_0000
_SHARE_ALL = 7
_ASKED_ITSELF = 0x0200_0000 | 0x0020_0000  # folders too, and links themselves
_IN_USE = {32, 33}


def make_verbatim(path: str) -> str:
    """Return an absolute path in the form that has no limit of 260 characters and in which no name is special."""
    if path.startswith(_VERBATIM):
        return path
    return f"{_VERBATIM_SHARE}{path[2:]}" if path.startswith("\\\\") else f"{_VERBATIM}{path}"


def make_plain(path: str) -> str:
    """Return a path in the form that people write."""
    if path.startswith(_VERBATIM_SHARE):
        return f"\\\\{path.removeprefix(_VERBATIM_SHARE)}"
    return path.removeprefix(_VERBATIM)


def hold_folder(path: str, *, follow: bool) -> int:
    """Open a folder, absolute, so that neither it nor one above it can be renamed or removed; return its handle."""
    flags = _BACKUP_SEMANTICS | (0 if follow else _OPEN_REPARSE_POINT)
    handle = _create(path, _LIST, _SHARE_READ | _SHARE_WRITE, _OPEN_EXISTING, flags)
    if not Path(make_verbatim(path)).is_dir():
        close_handle(handle)
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
    return handle


def find_final_path(handle: int) -> str:
    """Return where an open file or folder really lies, links resolved."""
    text = ctypes.create_unicode_buffer(_LONGEST)
    length = _KERNEL.GetFinalPathNameByHandleW(handle, text, _LONGEST, 0)
    if not 0 < length < _LONGEST:
        raise ctypes.WinError(ctypes.get_last_error())
    return make_plain(text.value)


def close_handle(handle: int) -> None:
    """Let go of a handle."""
    _KERNEL.CloseHandle(handle)


def open_file(path: str, *, new: bool) -> int:
    """Open a file, absolute, for reading, or make a new one for writing; return a descriptor. A link is opened itself."""
    access = _READ | _WRITE if new else _READ
    share = _SHARE_READ | _SHARE_DELETE if new else _SHARE_READ | _SHARE_WRITE | _SHARE_DELETE
    handle = _create(path, access, share, _CREATE_NEW if new else _OPEN_EXISTING, _OPEN_REPARSE_POINT)
    return msvcrt.open_osfhandle(handle, (os.O_RDWR if new else os.O_RDONLY) | os.O_BINARY | os.O_NOINHERIT)


def set_time(descriptor: int, modified_ns: int) -> None:
    """Set when an open file was changed last."""
    stamp = ctypes.c_uint64(modified_ns // 100 + _EPOCH_100NS)
    if not _KERNEL.SetFileTime(msvcrt.get_osfhandle(descriptor), None, None, ctypes.byref(stamp)):
        raise ctypes.WinError(ctypes.get_last_error())


def _create(path: str, access: int, share: int, disposition: int, flags: int) -> int:
    handle = _KERNEL.CreateFileW(make_verbatim(path), access, share, None, disposition, flags, None)
    if handle is None or handle == _INVALID:
        error = ctypes.WinError(ctypes.get_last_error())
        error.filename = path
        raise error
    return handle


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
