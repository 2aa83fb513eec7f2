"""JournalFiles: where a journal lies, who may see it, and what proves it."""

import os
from contextlib import suppress
from pathlib import Path

from agent.settings.folder_checks import check_folder
from agent.store.private_files import make_foreign_folder, make_private_folder, sync_folder
from agent.store.seals import Seal
from core.base.late_dataclasses import dataclass, field

PRIVATE_FILE = 0o600
_MOVED = ("journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm", "journal.sqlite-journal", "journal.witness")


@dataclass(frozen=True, slots=True)
class JournalFiles:
    """The files of one journal.

    Attributes:
        folder: Where they lie; nobody but the user may look inside.
        seal: Tells what the user wrote on this machine from all else.
    """

    folder: Path
    seal: Seal = field(default_factory=Seal)

    @property
    def database(self) -> Path:
        """The rows."""
        return self.folder / "journal.sqlite"

    @property
    def wal(self) -> Path:
        """The rows that SQLite hasn't moved into the database yet."""
        return self.folder / "journal.sqlite-wal"

    @property
    def lock(self) -> Path:
        """Held by the process that writes; the kernel lets it go when that process dies."""
        return self.folder / "journal.lock"

    @property
    def witness(self) -> Path:
        """How far each run got, beside the database, so that a cut tail is seen."""
        return self.folder / "journal.witness"

    @property
    def is_gone(self) -> bool:
        """Whether there is no database, or nothing in it."""
        return not self.database.exists() or not self.database.stat().st_size

    @property
    def has_leftovers(self) -> bool:
        """Whether parts of a journal lie here; a witness may be empty."""
        return self.wal.exists() or (self.witness.exists() and bool(self.witness.stat().st_size))

    def make_folder(self) -> None:
        """Make the folder where there is none, for the user's eyes only.

        Raises:
            OSError: If it can't be made.
            RefusedError: If it isn't what Surehand makes.
        """
        check_folder(self.folder)
        make_private_folder(self.folder)

    def make_database(self) -> None:
        """Make an empty database where there is none, and a witness of nothing, for the user's eyes only.

        Raises:
            OSError: If it can't be made.
        """
        try:
            # SQLite gives its other files the mode of this one.
            os.close(os.open(self.database, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE_FILE))
        except FileExistsError:
            return
        self.witness.touch(PRIVATE_FILE)
        sync_folder(self.folder)

    def set_aside(self) -> Path:
        """Move the journal into a folder beside it, as it is, and return that; only for whoever holds the lock.

        Raises:
            OSError: If it can't be moved.
        """
        aside = make_foreign_folder(self.folder)
        for name in _MOVED:
            with suppress(FileNotFoundError):
                (self.folder / name).rename(aside / name)
        sync_folder(aside)
        sync_folder(self.folder)
        return aside
