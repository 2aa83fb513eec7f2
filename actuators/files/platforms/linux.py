"""The tools of files on Linux."""

import os

from actuators.base import Environment
from actuators.files.platforms.back_end import FileBackEnd, describe_anchors
from actuators.files.platforms.desktop_opener import FileCommandOpener
from actuators.files.ports import FileHands
from actuators.files.posix.folders import InotifyWatcher
from actuators.files.posix.store import PosixStore
from actuators.files.trash.xdg_trash import XdgTrash


def make_back_end(environment: Environment) -> FileBackEnd:
    """Return the tools of files for a Linux machine; nothing is started."""
    store = PosixStore()
    variables = environment.variables
    home = variables.get("HOME", "")
    data_home = variables.get("XDG_DATA_HOME", "") or (f"{home}/.local/share" if home else "")
    hands = FileHands(
        store=store,
        trash=XdgTrash(store, data_home, os.getuid()),
        opener=FileCommandOpener([["gio", "open"], ["xdg-open"]], variables, needs_display=True),
        watcher=InotifyWatcher(),
        anchors=describe_anchors(environment),
    )
    way = "by openat2" if store.uses_openat2 else "folder by folder; the kernel has no openat2, or a sandbox hides it"
    return FileBackEnd(hands, environment, f"files are reached {way}")
