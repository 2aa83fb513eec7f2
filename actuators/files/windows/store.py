"""The files of Windows, below folders that are held open.

A folder that is held without leave to delete it can neither be renamed nor removed, nor can those above it, so that its
path, once asked from the handle, stays true; entries are then reached by that path under our own verbatim prefix.
Windows only.
"""

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path, PurePath, PureWindowsPath
from typing import Any, BinaryIO

from core.addresses.path_parts import lies_inside

if sys.platform != "win32":
    raise ImportError("these are the files of Windows")

from actuators.files.ports import FilePlace, FileState, Folder, Held, Kind, OpenFile
from actuators.files.stores.failures import refuse_outside
from actuators.files.windows.calls import (
    close_handle,
    explain_holding,
    find_final_path,
    hold_folder,
    make_plain,
    make_verbatim,
    open_file,
    set_time,
)

_MOST_LINKS = 32
_TOO_LONG = 234  # ERROR_MORE_DATA


def describe(found: os.stat_result) -> FileState:
    """Return what a stat says."""
    return FileState(
        kind=_name_kind(found),
        size_bytes=0 if stat.S_ISDIR(found.st_mode) else found.st_size,
        modified_ns=found.st_mtime_ns,
        mode=0o444
        if found.st_file_attributes & stat.FILE_ATTRIBUTE_READONLY and stat.S_ISREG(found.st_mode)
        else 0o666,
        identity=f"{found.st_dev}:{found.st_ino}",
        volume=str(found.st_dev),
        links=max(1, found.st_nlink),
        sparse=bool(found.st_file_attributes & stat.FILE_ATTRIBUTE_SPARSE_FILE),
    )


def _name_kind(found: os.stat_result) -> Kind:
    if stat.S_ISLNK(found.st_mode) or found.st_reparse_tag == stat.IO_REPARSE_TAG_MOUNT_POINT:
        return "link"
    if stat.S_ISDIR(found.st_mode):
        return "folder"
    return "file" if stat.S_ISREG(found.st_mode) else "other"


class WindowsFile:
    """An open file."""

    def __init__(self, descriptor: int, path: str, mode: str) -> None:
        stream: Any = os.fdopen(descriptor, mode)
        self.stream: BinaryIO = stream
        self._path = path

    def state(self) -> FileState:
        """Return what is known of it."""
        self.stream.flush()
        return describe(os.lstat(make_verbatim(self._path)))

    def adopt(self, like: FileState, *, times: bool) -> None:
        """Take the mark for read-only and, where asked for, the time of another file."""
        self.stream.flush()
        if like.read_only:
            Path(make_verbatim(self._path)).chmod(stat.S_IREAD)
        if times:
            set_time(self.stream.fileno(), like.modified_ns)

    def sync(self) -> None:
        """Return once its content would outlive a loss of power."""
        self.stream.flush()
        os.fsync(self.stream.fileno())

    def close(self) -> None:
        """Let go of it; calling it again does nothing."""
        self.stream.close()


class WindowsFolder(Held):
    """A folder, held open by its handle; its path is without links."""

    def __init__(self, handle: int, path: str) -> None:
        self._handle = handle
        self.path = path

    def state(self, name: str = "") -> FileState:
        """Return what is known of an entry, or of the folder itself."""
        return describe(self.spell(name).lstat())

    def names(self) -> list[str]:
        """Return the names of all entries, sorted."""
        with os.scandir(self.spell("")) as entries:
            return sorted(entry.name for entry in entries)

    def open(self, name: str) -> OpenFile:
        """Open a file for reading."""
        kind = self.state(name).kind
        if kind != "file":
            number = {"folder": errno.EISDIR, "link": errno.ELOOP}.get(kind, errno.EINVAL)
            raise OSError(number, os.strerror(number), name)
        file = WindowsFile(open_file(str(self.spell(name)), new=False), str(self.spell(name)), "rb")
        if os.fstat(file.stream.fileno()).st_ino != self.spell(name).lstat().st_ino:
            file.close()
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name)
        return file

    def create(self, name: str, *, private: bool = False) -> OpenFile:
        """Make a file that isn't there; who may read it follows from the folder."""
        del private
        return WindowsFile(open_file(str(self.spell(name)), new=True), str(self.spell(name)), "w+b")

    def descend(self, name: str) -> Folder:
        """Open a folder in this one."""
        if name in {"", "."}:
            return WindowsFolder(hold_folder(self.path, follow=False), self.path)
        if self.state(name).kind == "link":
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), name)
        return WindowsFolder(hold_folder(str(self.spell(name)), follow=False), make_plain(str(self.spell(name))))

    def make(self, name: str, *, private: bool = False) -> None:
        """Make a folder that isn't there; who may enter it follows from this one."""
        del private
        self.spell(name).mkdir()

    def rename(self, name: str, into: Folder, new_name: str, *, replace: bool) -> None:
        """Move an entry, at once and as a whole."""
        assert isinstance(into, WindowsFolder)
        source, target = self.spell(name), into.spell(new_name)
        try:
            (os.replace if replace else os.rename)(source, target)
        except PermissionError as error:
            raise explain_holding(error, str(source), str(target)) from error

    def remove(self, name: str) -> None:
        """Remove a file or link, read-only or not."""
        path, state = self.spell(name), self.state(name)
        if state.kind == "folder":
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
        try:
            self._unlink(path, state)
        except PermissionError as error:
            raise explain_holding(error, str(path)) from error

    def _unlink(self, path: Path, state: FileState) -> None:
        if state.read_only:
            path.chmod(stat.S_IWRITE)
        if state.kind == "link" and path.lstat().st_file_attributes & stat.FILE_ATTRIBUTE_DIRECTORY:
            path.rmdir()
        else:
            path.unlink()

    def remove_folder(self, name: str) -> None:
        """Remove an empty folder."""
        self.spell(name).rmdir()

    def read_link(self, name: str) -> str:
        """Return what a link points to."""
        if self.state(name).kind != "link":
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), name)
        return str(self.spell(name).readlink())

    def make_link(self, name: str, target: str) -> None:
        """Make a link that isn't there; Windows wants to know whether it leads to a folder."""
        leads_to_folder = (Path(self.path) / target).is_dir()
        self.spell(name).symlink_to(target, target_is_directory=leads_to_folder)

    def adopt(self, name: str, like: FileState) -> None:
        """Give a folder the time of another, where Windows lets that be."""
        with contextlib.suppress(OSError):
            os.utime(self.spell(name), ns=(like.modified_ns, like.modified_ns))

    def sync(self) -> None:
        """Do nothing: the journal of the volume keeps the order of its entries."""

    def close(self) -> None:
        """Let go of it; calling it again does nothing."""
        if self._handle:
            close_handle(self._handle)
            self._handle = 0

    def spell(self, name: str) -> Path:
        """Return the path of an entry, or of the folder itself, in the form without limits."""
        path = self.path if name in {"", "."} else f"{self.path.rstrip(chr(92))}\\{name}"
        return Path(make_verbatim(path))


class WindowsStore:
    """Files, reached below folders that are held."""

    flavour: type[PurePath] = PureWindowsPath
    platform: str = "win32"

    def find(self, roots: Sequence[str], path: str, *, follow: bool = True) -> FilePlace:
        """Find the place of a path and hold its folder open."""
        if not any(lies_inside(path, root, "win32") for root in (*roots, *_resolve(roots))):
            raise refuse_outside(path, list(roots))
        pure = PureWindowsPath(path)
        for _ in range(_MOST_LINKS):
            if pure.parent == pure:
                return FilePlace(self._hold(roots, pure, path), "")
            spot = FilePlace(
                self._hold(roots, pure.parent, path, roots_too=any(pure == PureWindowsPath(r) for r in roots)),
                pure.name,
            )
            state = spot.state()
            if state is None or state.kind != "link" or not follow:
                return spot
            target = make_verbatim(str(PureWindowsPath(spot.folder.path) / spot.folder.read_link(spot.name)))
            spot.close()
            pure = PureWindowsPath(os.path.normpath(target.removeprefix("\\\\?\\")))
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)

    def _hold(
        self, roots: Sequence[str], folder: PureWindowsPath, path: str, *, roots_too: bool = False
    ) -> WindowsFolder:
        held = _open_folder(roots, folder)
        if roots_too or any(lies_inside(held.path, real, "win32") for real in _resolve(roots)):
            return held
        held.close()
        raise refuse_outside(path, list(roots))


def _open_folder(roots: Sequence[str], folder: PureWindowsPath) -> WindowsFolder:
    handle = hold_folder(str(folder), follow=True)
    try:
        return WindowsFolder(handle, find_final_path(handle))
    except OSError as error:
        close_handle(handle)
        if error.winerror != _TOO_LONG:  # Wine can't say where something with a long path lies
            raise
        return _walk(roots, folder)


def _walk(roots: Sequence[str], folder: PureWindowsPath) -> WindowsFolder:
    root = PureWindowsPath(min((each for each in _resolve(roots) if lies_inside(str(folder), each, "win32")), key=len))
    held: Folder = WindowsFolder(hold_folder(str(root), follow=True), str(root))
    for part in folder.parts[len(root.parts) :]:
        with held as above:
            held = above.descend(part)
    assert isinstance(held, WindowsFolder)
    return held


def _resolve(roots: Sequence[str]) -> list[str]:
    """Return where roots really lie, as handles say it; those that aren't there as they are."""
    resolved: list[str] = []
    for root in roots:
        resolved.append(root)
        with contextlib.suppress(OSError):
            handle = hold_folder(root, follow=True)
            try:
                resolved.append(find_final_path(handle))
            finally:
                close_handle(handle)
    return resolved
