"""Folders that the program uses for itself, outside the folders of the run: kept content, the trash."""

import contextlib
from contextlib import ExitStack

from actuators.files.ports import FileStore, Folder


def open_private_folder(store: FileStore, held: ExitStack, path: str) -> Folder:
    """Open a folder by its absolute path; it and those above are made where they are missing, for their owner only."""
    pure = store.flavour(path)
    missing: list[str] = []
    while (folder := find_folder(store, held, str(pure))) is None:
        missing.append(pure.name)
        pure = pure.parent
    for name in reversed(missing):
        with contextlib.suppress(FileExistsError):
            folder.make(name, private=True)
            folder.sync()
        folder = held.enter_context(folder.descend(name))
    return folder


def find_folder(store: FileStore, held: ExitStack, path: str) -> Folder | None:
    """Open a folder by its absolute path, if it is there."""
    try:
        spot = held.enter_context(store.find((store.flavour(path).anchor,), path))
        return held.enter_context(spot.descend())
    except FileNotFoundError:
        return None
