"""BacklogFiles: where the backlog of a workspace lies, who may see it, and what proves it."""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from agent.settings.folder_checks import check_folder
from agent.store.private_files import make_foreign_folder, make_private_folder, sync_folder
from agent.store.seals import Seal

BACKLOG_FILE = "planners.sqlite"
BACKLOG_LOCK = "planners.lock"
PRIVATE_FILE = 0o600


@dataclass(frozen=True, slots=True)
class BacklogFiles:
    """The files of one backlog.

    Attributes:
        folder: Where they lie; nobody but the user may look inside.
        seal: Tells what the user wrote on this machine from all else.
    """

    folder: Path
    seal: Seal = field(default_factory=Seal)

    @property
    def database(self) -> Path:
        """The rows."""
        return self.folder / BACKLOG_FILE

    @property
    def lock(self) -> Path:
        """Held by a process that makes, migrates or moves the database; the kernel lets it go when that process dies."""
        return self.folder / BACKLOG_LOCK

    def make_folder(self) -> None:
        """Make the folder where there is none, for the user's eyes only.

        Raises:
            OSError: If it can't be made.
            RefusedError: If it isn't what Surehand makes.
        """
        check_folder(self.folder)
        make_private_folder(self.folder)

    def identify(self) -> tuple[int, int] | None:
        """Return which file the name stands for, so that one that was taken away is noticed; None where there is none."""
        try:
            found = self.database.stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    def set_aside(self) -> Path:
        """Move the database into a folder beside it, as it is, and return that; only for whoever holds the lock.

        Raises:
            OSError: If it can't be moved.
        """
        aside = make_foreign_folder(self.folder)
        for ending in ("", "-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                self.database.with_name(BACKLOG_FILE + ending).rename(aside / (BACKLOG_FILE + ending))
        sync_folder(aside)
        sync_folder(self.folder)
        return aside


def make_private_file(path: Path) -> None:
    """Make an empty file where there is none, for the user's eyes only; its folder must be there.

    Raises:
        OSError: If it can't be made.
    """
    try:
        # SQLite gives its other files the mode of this one.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE_FILE))
    except FileExistsError:
        return
    sync_folder(path.parent)
