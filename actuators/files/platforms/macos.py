"""The tools of files on macOS. Unproven there: the store is the one that Linux is tested with when it lacks openat2."""

from actuators.base import Environment
from actuators.files.platforms.back_end import FileBackEnd, describe_anchors
from actuators.files.platforms.desktop_opener import FileCommandOpener
from actuators.files.ports import FileHands
from actuators.files.posix.store import PosixStore
from actuators.files.stores.watching import PollingWatcher
from actuators.files.trash.macos_trash import MacTrash


def make_back_end(environment: Environment) -> FileBackEnd:
    """Return the tools of files for a Mac; nothing is started."""
    store = PosixStore(openat2=False)
    variables = environment.variables
    hands = FileHands(
        store=store,
        trash=MacTrash(store, variables.get("HOME", ""), str(environment.state_dir / "trash")),
        opener=FileCommandOpener([["open"]], variables, needs_display=False),
        watcher=PollingWatcher(),
        anchors=describe_anchors(environment),
    )
    return FileBackEnd(hands, environment, "files are reached folder by folder")
