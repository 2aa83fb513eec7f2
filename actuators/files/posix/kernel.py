"""Calls of Linux that Python's library doesn't have: openat2, and a rename that replaces nothing."""

import ctypes
import errno
import os
import sys

_OPENAT2 = 437  # the same on every architecture
_RESOLVE_NO_MAGICLINKS = 0x02
_RESOLVE_BENEATH = 0x08
_RENAME_NOREPLACE = 1
_TRIES = 8


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


_LIBRARY: ctypes.CDLL | None = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def open_beneath(folder: int, path: str, flags: int) -> int:
    """Open what lies below a folder; ``EXDEV`` if a link leads out of it, ``ENOSYS`` where the kernel lacks the call."""
    if _LIBRARY is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    how = _OpenHow(flags | os.O_CLOEXEC, 0, _RESOLVE_BENEATH | _RESOLVE_NO_MAGICLINKS)
    size = ctypes.c_size_t(ctypes.sizeof(how))
    number = errno.EAGAIN
    for _ in range(_TRIES):
        found = int(_LIBRARY.syscall(_OPENAT2, folder, os.fsencode(path), ctypes.byref(how), size))
        if found >= 0:
            return found
        number = ctypes.get_errno()
        if number not in {errno.EAGAIN, errno.EINTR}:  # EAGAIN: something was renamed meanwhile
            break
    raise OSError(number, os.strerror(number), path)


def has_openat2() -> bool:
    """Tell whether the kernel has openat2, and a sandbox lets it through."""
    try:
        folder = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return False
    try:
        os.close(open_beneath(folder, ".", os.O_RDONLY | os.O_DIRECTORY))
    except OSError:
        return False
    finally:
        os.close(folder)
    return True


def rename_without_replacing(folder: int, name: str, into: int, new_name: str) -> None:
    """Rename, unless something of the new name is there (``EEXIST``)."""
    if _LIBRARY is not None and hasattr(_LIBRARY, "renameat2"):
        if _LIBRARY.renameat2(folder, os.fsencode(name), into, os.fsencode(new_name), _RENAME_NOREPLACE) == 0:
            return
        number = ctypes.get_errno()
        if number not in {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP}:
            raise OSError(number, os.strerror(number), new_name)
    _rename_by_link(folder, name, into, new_name)


def _rename_by_link(folder: int, name: str, into: int, new_name: str) -> None:
    """Rename by what every POSIX system has; a folder only where there is nothing at the moment of looking."""
    try:
        os.link(name, new_name, src_dir_fd=folder, dst_dir_fd=into, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:  # a folder, or a volume without hard links
        try:
            os.lstat(new_name, dir_fd=into)
        except FileNotFoundError:
            os.rename(name, new_name, src_dir_fd=folder, dst_dir_fd=into)
            return
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new_name) from None
    os.unlink(name, dir_fd=folder)
