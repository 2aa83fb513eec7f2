"""Worlds of files on this machine, for POSIX systems."""

import os
from pathlib import Path

from actuators.files.ports import FileStore
from actuators.files.posix.store import PosixStore
from actuators.files.trash.macos_trash import MacTrash
from actuators.files.trash.xdg_trash import XdgTrash
from tests.contracts.files.bench import RealEyes, make_environment
from tests.contracts.files.mortal_bench import World


def make_posix_world(folder: Path, *, mac: bool = False) -> World:
    """Return a folder of this machine; it is made where it is missing.

    Args:
        folder: Where.
        mac: Whether to use the trash of macOS.
    """
    environment = make_environment(folder, folder / "work")
    for name in ("work", "home", "state"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    home = str(folder / "home")

    def make_trash(store: FileStore) -> XdgTrash | MacTrash:
        if mac:
            return MacTrash(store, home, f"{folder}/state/trash")
        return XdgTrash(store, f"{home}/.local/share", os.getuid())

    return World(
        store=PosixStore(),
        eyes=RealEyes(),
        environment=environment,
        root=str(folder / "work"),
        make_trash=make_trash,
        trash_folders=(f"{home}/.Trash", f"{folder}/state/trash") if mac else (f"{home}/.local/share/Trash",),
    )
