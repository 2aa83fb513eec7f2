"""Being told of changes in a folder by Linux, through inotify."""

import asyncio
import contextlib
import ctypes
import os
from collections.abc import Generator
from contextlib import contextmanager

from actuators.deadlines import finish_within
from actuators.files.ports import Folder, FolderWatch
from actuators.files.posix.folders import PosixFolder
from actuators.files.stores.watching import PollingWatch

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
