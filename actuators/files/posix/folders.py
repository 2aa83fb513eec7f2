"""Folders and files of POSIX, held open by descriptors."""

import asyncio
import contextlib
import ctypes
import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, BinaryIO

from actuators.deadlines import finish_within
from actuators.files.ports import FileState, Folder, FolderWatch, Held, Kind, OpenFile
from actuators.files.posix.kernel import rename_without_replacing
from actuators.files.stores.watching import PollingWatch

# A folder is held without the right to read it where the system has that: going through takes less than listing.
HOLD = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
_LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def describe(found: os.stat_result) -> FileState:
    """Return what a stat says."""
    return FileState(
        kind=_name_kind(found.st_mode),
        size_bytes=found.st_size,
        modified_ns=found.st_mtime_ns,
        mode=stat.S_IMODE(found.st_mode),
        identity=f"{found.st_dev}:{found.st_ino}",
        volume=str(found.st_dev),
        owner=(found.st_uid, found.st_gid),
        links=found.st_nlink,
        sparse=found.st_blocks * 512 < found.st_size,
    )


def _name_kind(mode: int) -> Kind:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "link" if stat.S_ISLNK(mode) else "other"


class PosixFile:
    """An open file."""

    def __init__(self, descriptor: int, mode: str) -> None:
        stream: Any = os.fdopen(descriptor, mode)
        self.stream: BinaryIO = stream

    def state(self) -> FileState:
        """Return what is known of it."""
        return describe(os.fstat(self.stream.fileno()))

    def adopt(self, like: FileState, *, times: bool) -> None:
        """Take mode and, where that is allowed, owner of another file."""
        self.stream.flush()
        _adopt(self.stream.fileno(), like, times=times)

    def sync(self) -> None:
        """Return once its content would outlive a loss of power."""
        self.stream.flush()
        os.fsync(self.stream.fileno())

    def close(self) -> None:
        """Let go of it; calling it again does nothing."""
        self.stream.close()


def _adopt(descriptor: int, like: FileState, *, times: bool) -> None:
    there = os.fstat(descriptor)
    if like.owner not in {(-1, -1), (there.st_uid, there.st_gid)}:
        with contextlib.suppress(PermissionError):  # only root may give files away
            os.fchown(descriptor, *like.owner)
    os.fchmod(descriptor, like.mode)
    if times:
        os.utime(descriptor, ns=(like.modified_ns, like.modified_ns))


class PosixFolder(Held):
    """A folder, held open by its descriptor; its path is without links."""

    def __init__(self, descriptor: int, path: str) -> None:
        self.descriptor = descriptor
        self.path = path

    def state(self, name: str = "") -> FileState:
        """Return what is known of an entry, or of the folder itself."""
        if not name or name == ".":
            return describe(os.fstat(self.descriptor))
        return describe(os.lstat(name, dir_fd=self.descriptor))

    def names(self) -> list[str]:
        """Return the names of all entries, sorted."""
        listed = os.open(".", _LIST, dir_fd=self.descriptor)
        try:
            with os.scandir(listed) as entries:
                return sorted(entry.name for entry in entries)
        finally:
            os.close(listed)

    def open(self, name: str) -> OpenFile:
        """Open a file for reading."""
        descriptor = os.open(name, _READ, dir_fd=self.descriptor)
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            os.close(descriptor)
            number = errno.EISDIR if stat.S_ISDIR(found.st_mode) else errno.EINVAL
            raise OSError(number, os.strerror(number), name)
        return PosixFile(descriptor, "rb")

    def create(self, name: str, *, private: bool = False) -> OpenFile:
        """Make a file that isn't there, for writing and reading."""
        return PosixFile(os.open(name, _CREATE, 0o600 if private else 0o666, dir_fd=self.descriptor), "w+b")

    def descend(self, name: str) -> Folder:
        """Open a folder in this one."""
        path = self.path if name == "." else f"{self.path.rstrip('/')}/{name}"
        return PosixFolder(os.open(name, HOLD, dir_fd=self.descriptor), path)

    def make(self, name: str, *, private: bool = False) -> None:
        """Make a folder that isn't there."""
        os.mkdir(name, 0o700 if private else 0o777, dir_fd=self.descriptor)

    def rename(self, name: str, into: Folder, new_name: str, *, replace: bool) -> None:
        """Move an entry, at once and as a whole."""
        assert isinstance(into, PosixFolder)
        if replace:
            os.rename(name, new_name, src_dir_fd=self.descriptor, dst_dir_fd=into.descriptor)
        else:
            rename_without_replacing(self.descriptor, name, into.descriptor, new_name)

    def remove(self, name: str) -> None:
        """Remove a file or link."""
        os.unlink(name, dir_fd=self.descriptor)

    def remove_folder(self, name: str) -> None:
        """Remove an empty folder."""
        os.rmdir(name, dir_fd=self.descriptor)

    def read_link(self, name: str) -> str:
        """Return what a link points to."""
        return os.readlink(name, dir_fd=self.descriptor)

    def make_link(self, name: str, target: str) -> None:
        """Make a link that isn't there."""
        os.symlink(target, name, dir_fd=self.descriptor)

    def adopt(self, name: str, like: FileState) -> None:
        """Give a folder the mode, owner and time of another."""
        descriptor = os.open(name, _LIST | os.O_NOFOLLOW, dir_fd=self.descriptor)
        try:
            _adopt(descriptor, like, times=True)
        finally:
            os.close(descriptor)

    def sync(self) -> None:
        """Return once its entries would outlive a loss of power."""
        descriptor = os.open(".", _LIST, dir_fd=self.descriptor)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def close(self) -> None:
        """Let go of it; calling it again does nothing."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


_CHANGES = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800  # modified … made, removed, moved; itself too
_EVENT_BYTES = 65_536


class InotifyWatch:
    """Waits until the kernel tells of something."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def pause(self, limit_s: float) -> None:
        """Return when something changed, or when the time is up."""
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        loop.add_reader(self._descriptor, ready.set)
        try:
            with contextlib.suppress(TimeoutError):
                await finish_within(ready.wait(), limit_s)
        finally:
            loop.remove_reader(self._descriptor)
        with contextlib.suppress(BlockingIOError):
            os.read(self._descriptor, _EVENT_BYTES)


class InotifyWatcher:
    """Watches folders that are held by descriptors."""

    @contextmanager
    def watch(self, folder: Folder) -> Generator[FolderWatch]:
        """Watch a folder while the context lasts; where the kernel has no watch left, by looking."""
        assert isinstance(folder, PosixFolder)
        library = ctypes.CDLL(None, use_errno=True)
        descriptor = int(library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        try:
            held = f"/proc/self/fd/{folder.descriptor}".encode()
            if descriptor < 0 or library.inotify_add_watch(descriptor, held, _CHANGES) < 0:
                yield PollingWatch()
            else:
                yield InotifyWatch(descriptor)
        finally:
            if descriptor >= 0:
                os.close(descriptor)
