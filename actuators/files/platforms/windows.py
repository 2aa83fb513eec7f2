"""The tools of files on Windows. Windows only."""

import os
import sys

if sys.platform != "win32":
    raise ImportError("these are the hands for Windows")

from actuators.base import Availability, Environment
from actuators.files.platforms.back_end import FileBackEnd, describe_anchors
from actuators.files.ports import FileHands, Opened
from actuators.files.stores.watching import PollingWatcher
from actuators.files.trash.windows_bin import WindowsBin
from actuators.files.windows.store import WindowsStore
from core.base.errors import UnsupportedError
from core.base.phrases import escape_text

_NO_ASSOCIATION = 1155


class ShellOpener:
    """Opens files by the shell. Unproven: no desktop was there where this could be run."""

    def assess(self) -> Availability:
        """Say that the shell is a part of Windows."""
        return Availability("opener", available=True, reason="files are opened by the shell")

    def open(self, path: str) -> Opened:
        """Open a file or folder."""
        try:
            os.startfile(path, "open")
        except OSError as error:
            if error.winerror == _NO_ASSOCIATION:
                raise UnsupportedError(
                    f"No program is registered for “{escape_text(path)}”.",
                    hint="Choose one in Settings > Default apps.",
                    evidence={"path": path},
                ) from error
            raise
        return Opened()


def make_back_end(environment: Environment) -> FileBackEnd:
    """Return the tools of files for a Windows machine; nothing is started."""
    store = WindowsStore()
    hands = FileHands(
        store=store,
        trash=WindowsBin(store, environment.variables.get("USERPROFILE", "")),
        opener=ShellOpener(),
        watcher=PollingWatcher(),
        anchors=describe_anchors(environment),
    )
    return FileBackEnd(hands, environment, "files are reached below folders that are held open")
