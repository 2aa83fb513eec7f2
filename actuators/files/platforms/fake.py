"""The tools of files on files in memory: for dry runs, simulation and fault injection."""

from actuators.base import Availability, Environment
from actuators.files.platforms.back_end import FileBackEnd, describe_anchors
from actuators.files.ports import FileHands, Opened
from actuators.files.stores.fake_store import FakeStore
from actuators.files.stores.watching import PollingWatcher
from actuators.files.trash.xdg_trash import XdgTrash
from core.base.late_dataclasses import dataclass, field

_USER = 1000


@dataclass(slots=True)
class FakeFileOpener:
    """Opens nothing and remembers the paths that it was asked for, oldest first."""

    opened: list[str] = field(default_factory=list[str])

    def assess(self) -> Availability:
        """Say that it is there, and that it is none."""
        return Availability("opener", available=True, reason="A simulated desktop that opens nothing.")

    def open(self, path: str) -> Opened:
        """Remember a path."""
        self.opened.append(path)
        return Opened("simulation")


@dataclass(slots=True)
class FakeDisk:
    """A machine in memory."""

    store: FakeStore = field(default_factory=FakeStore)
    opener: FakeFileOpener = field(default_factory=FakeFileOpener)
    workspace: str = "/home/ada/work"
    home: str = "/home/ada"


def make_fake_back_end(machine: FakeDisk, environment: Environment) -> FileBackEnd:
    """Return the tools of files on a machine in memory; its workspace, home and state folders are made."""
    for folder in (machine.workspace, machine.home, str(environment.state_dir)):
        machine.store.make_folders(folder)
    hands = FileHands(
        store=machine.store,
        trash=XdgTrash(machine.store, f"{machine.home}/.local/share", _USER),
        opener=machine.opener,
        watcher=PollingWatcher(),
        anchors=describe_anchors(environment),
    )
    return FileBackEnd(hands, environment, "simulated files in memory")
