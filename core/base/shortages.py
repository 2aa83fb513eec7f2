"""Shortages: what the system refuses to the whole program (files, room, rights, memory), in words."""

import errno
from collections.abc import Mapping

from core.base.errors import ErrorInfo

_FILES = ErrorInfo(
    "too_many_files",
    "This program can't open another file or connection: as many are open as the system allows.",
    "Close programs that hold many, or raise the limit (ulimit -n), and try again.",
)
_ROOM = ErrorInfo("no_space", "The disk is full, or its quota is used up.", "Free some space and try again.")
_RIGHTS = ErrorInfo(
    "no_permission",
    "The system denies this program what it needs.",
    "Check the permissions of the named file and of the working folder.",
)
_MEMORY = ErrorInfo(
    "no_memory",
    "The system has no memory or processes left.",
    "Close programs that use a lot, and try again.",
)
_KNOWN: Mapping[int, ErrorInfo] = {
    errno.EMFILE: _FILES,
    errno.ENFILE: _FILES,
    10024: _FILES,  # what Windows says of sockets
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: _ROOM,
    errno.EACCES: _RIGHTS,
    errno.EPERM: _RIGHTS,
    errno.EROFS: ErrorInfo("read_only", "The disk is read-only.", "Use a folder on another disk."),
    errno.ENOMEM: _MEMORY,
}
_UNKNOWN = ErrorInfo(
    "system_error", "The system refused what this program needs.", "Check what it said, and the working folder."
)


def find_shortage(error: BaseException) -> ErrorInfo | None:
    """Return what an error of the system means for the whole program; None where it means nothing of that kind."""
    meaning = _KNOWN.get(error.errno or 0) if isinstance(error, OSError) else None
    return _tell(meaning, error) if meaning and isinstance(error, OSError) else None


def explain_system_error(error: OSError) -> ErrorInfo:
    """Return any error of the system as data, for where nobody knew better what it means."""
    return find_shortage(error) or _tell(_UNKNOWN, error)


def _tell(meaning: ErrorInfo, error: OSError) -> ErrorInfo:
    said = str(error)
    return ErrorInfo(meaning.code, f"{meaning.message} The system said: {said}.", meaning.hint, {"system": said})
