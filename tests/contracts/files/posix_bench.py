"""The back end for POSIX in a folder of a test, with either way of finding files."""

import os
from pathlib import Path

import pytest

from actuators.files.platforms.back_end import FileBackEnd, describe_anchors
from actuators.files.platforms.desktop_opener import FileCommandOpener
from actuators.files.ports import FileHands
from actuators.files.posix.folders import InotifyWatcher
from actuators.files.posix.kernel import has_openat2
from actuators.files.posix.store import PosixStore
from actuators.files.stores.watching import PollingWatcher
from actuators.files.trash.xdg_trash import XdgTrash
from tests.contracts.files.bench import make_environment


def make_posix_back_end(folder: Path, *, openat2: bool) -> FileBackEnd:
    """Return the back end, as Linux uses it or as a system without openat2 and inotify does."""
    if openat2 and not has_openat2():
        pytest.skip("the kernel has no openat2, or a sandbox hides it")
    environment = make_environment(folder, folder / "work")
    store = PosixStore(openat2=openat2)
    hands = FileHands(
        store=store,
        trash=XdgTrash(store, str(folder / "home" / ".local" / "share"), os.getuid()),
        opener=FileCommandOpener([["xdg-open"]], environment.variables, needs_display=True),
        watcher=InotifyWatcher() if openat2 else PollingWatcher(),
        anchors=describe_anchors(environment),
    )
    return FileBackEnd(hands, environment, "a test's")
