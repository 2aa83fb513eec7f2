"""Whether a folder of Surehand is what it made: no links, no second names, nothing that others own or may change."""

import hashlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from core.addresses.path_parts import STATE_FOLDER
from core.base.errors import RefusedError

PRINCIPALS_FOLDER = "principals"
"""Folder, in that of what is kept, with one for each principal but the person at this machine."""

_LONGEST_NAME = 100
_OPENED_BY_NAME = frozenset({"artifacts", "traces", "undo", "trash"})
"""Folders whose entries are opened without following links, or only made; they may hold many."""

_SOCKETS = frozenset({"service.sock"})
"""Where earlier versions listened; one that was left behind does no harm, since nothing is read from it."""

_DEPTH = 3


def locate_folder(folder: Path) -> Path:
    """Return the absolute path of a folder; one that goes upwards with ``..`` is followed on the disk, as a shell would."""
    return folder.resolve() if ".." in folder.parts else folder.absolute()


def check_folder(folder: Path) -> None:
    """Refuse a folder of Surehand through which something else would be read or written.

    Raises:
        RefusedError: ``unsafe_folder``; names the first part that is not right, and why.
    """
    is_closed = False
    for path in _walk(folder, _DEPTH):
        try:
            facts = path.lstat()
            is_closed = is_closed or (path == folder and not facts.st_mode & 0o077)
        except FileNotFoundError:  # it went in this moment
            continue
        except OSError as error:
            raise _refuse(path, f"it can't be read: {error.strerror}") from None
        if why := _find_fault(path, facts, is_closed=is_closed):
            raise _refuse(path, why)


def _walk(path: Path, depth: int) -> Iterator[Path]:
    yield path
    if not depth or path.name in _OPENED_BY_NAME or path.is_symlink() or not path.is_dir():
        return
    try:
        with os.scandir(path) as entries:
            parts = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
    except (FileNotFoundError, NotADirectoryError):  # it went, or was replaced, in this moment
        return
    except OSError as error:
        raise _refuse(path, f"it can't be read: {error.strerror}") from None
    for name, is_folder in parts:  # a file is looked at once, by whoever judges it: there may be hundreds
        yield from _walk(path / name, depth - 1) if is_folder else (path / name,)


def _find_fault(path: Path, facts: os.stat_result, *, is_closed: bool) -> str:
    """Return what is wrong with a part; what others may change makes no difference where they can't come."""
    if stat.S_ISLNK(facts.st_mode) or _is_junction(facts):
        return "it is a link, which Surehand doesn't follow"
    is_socket = stat.S_ISSOCK(facts.st_mode) and path.name in _SOCKETS
    if not (stat.S_ISDIR(facts.st_mode) or stat.S_ISREG(facts.st_mode) or is_socket):
        return "it is neither a file nor a folder"
    if stat.S_ISREG(facts.st_mode) and facts.st_nlink > 1 and not path.name.endswith(".lock"):
        return f"it is one file with {facts.st_nlink} names, some of which may be in other folders"
    if sys.platform == "win32":
        return ""
    if facts.st_uid != os.geteuid():
        return "it belongs to another user"
    return "others can change it" if facts.st_mode & 0o022 and not is_closed else ""


def _is_junction(facts: os.stat_result) -> bool:
    return getattr(facts, "st_reparse_tag", 0) == getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1)


def _refuse(path: Path, why: str) -> RefusedError:
    hint = "Check where it came from. If you move it away, Surehand makes a new one."
    if why == "others can change it":
        hint = f"If nothing in it was changed, run chmod -R go-w {path}"
    return RefusedError(
        f"{path} can't be used: {why}.", code="unsafe_folder", hint=hint, evidence={"path": str(path), "why": why}
    )


def locate_state(workspace: Path, principal: str = "") -> Path:
    """Return where what is kept of a principal's runs lies, once it is known that nothing else would be read or written there.

    All that a session keeps lies in that folder, so that no principal's session has another's in reach.

    Raises:
        RefusedError: ``unsafe_folder`` if something would.
    """
    folder = locate_folder(workspace) / STATE_FOLDER
    check_folder(folder)
    if not principal:
        return folder
    own = folder / PRINCIPALS_FOLDER / name_file(principal).replace("%", "=")  # no shell takes it for a variable
    check_folder(own)
    return own


def list_states(workspace: Path) -> list[Path]:
    """Return where what is kept of runs lies, of everybody who had some.

    Raises:
        RefusedError: ``unsafe_folder`` if something else would be read or written in one of them.
    """
    folder = locate_state(workspace)
    others = sorted((folder / PRINCIPALS_FOLDER).glob("*"))
    for each in others:
        check_folder(each)
    return [folder, *others]


def name_file(principal: str) -> str:
    """Return what stands for a principal in the name of a file: no two share one, also where capital letters make no difference."""
    escaped = "".join(
        f"%{ord(each):02X}" if "A" <= each <= "Z" or each == "." else quote(each, safe="", errors="surrogatepass")
        for each in principal
    )
    if len(escaped) <= _LONGEST_NAME:
        return escaped
    return f"%{hashlib.sha256(principal.encode('utf-8', 'surrogatepass')).hexdigest()}"
