"""Files for the user's eyes only, written whole or not at all."""

import os
import stat
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

_PRIVATE_FOLDER = 0o700
_PRIVATE_FILE = 0o600
_TEMPORARY = ".tmp"

FOREIGN = "foreign"
"""Beginning of the names of folders with what isn't known to be this person's; it is shown and never gone on with."""


def make_private_folder(folder: Path) -> None:
    """Make a folder, and those above it, for the user's eyes only; one that is there is closed to others.

    Raises:
        OSError: If it can't be made, or is a link to somewhere else.
    """
    if folder.is_symlink():
        raise NotADirectoryError(f"{folder} is a link, which Surehand doesn't follow")
    missing = [each for each in (folder, *folder.parents) if not each.is_dir()]
    for each in reversed(missing):
        each.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
        sync_folder(each.parent)
    if stat.S_IMODE(folder.stat().st_mode) & ~_PRIVATE_FOLDER:
        folder.chmod(_PRIVATE_FOLDER)


def write_whole(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Write a file in the place of an earlier one: whoever reads it, also after a crash, sees all of it or the other.

    Args:
        path: The file; its folder must be there.
        durable: Whether it must be on the disk when this returns; without that, a power cut may leave the file empty.

    Raises:
        OSError: If that isn't certain; the earlier file is there then, or already the new one, but never a part.
    """
    temporary = path.with_name(f".{path.name}.{os.urandom(8).hex()}{_TEMPORARY}")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, _PRIVATE_FILE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if durable:
        sync_folder(path.parent)


def rewrite_file(path: Path, before: bytes, content: bytes) -> bool:
    """Write a person's own file anew, through a link and with its rights; return whether it was still as it was before.

    Raises:
        OSError: As ``write_whole`` does.
    """
    target = path.resolve()
    rights = stat.S_IMODE(target.stat().st_mode)
    if target.read_bytes() != before:
        return False
    write_whole(target, content)
    target.chmod(rights)
    return True


def list_leftovers(path: Path) -> Iterator[Path]:
    """Yield what writers of a file that were killed left behind; only for whoever holds the file's lock."""
    yield from path.parent.glob(f".{path.name}.*{_TEMPORARY}")


def set_aside(path: Path, why: str) -> Path:
    """Rename a file so that nothing takes it for the kept one any more, and return where it lies now.

    Args:
        why: One word, for its new ending: ``corrupt``, ``replaced``.

    Raises:
        OSError: If it can't be renamed.
    """
    aside = name_copy(path, why)
    path.rename(aside)
    sync_folder(path.parent)
    return aside


def make_foreign_folder(folder: Path) -> Path:
    """Make a folder for what lies in another one and isn't known to be this person's, and return it.

    Raises:
        OSError: If it can't be made.
    """
    aside = name_copy(folder / FOREIGN, "")
    aside.mkdir(_PRIVATE_FOLDER)
    sync_folder(folder)
    return aside


def name_copy(path: Path, why: str) -> Path:
    """Return a path beside a file that nothing has yet."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    names = (
        path.with_name(f"{path.name}{f'.{why}' * bool(why)}-{moment}{'' if not more else f'-{more}'}")
        for more in range(1000)
    )
    return next(each for each in names if not each.exists())


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the platform has a way to say so.

    Raises:
        OSError: If that fails.
    """
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
