"""JournalFiles: where a journal lies, and who may see it."""

import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

_PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600


@dataclass(frozen=True, slots=True)
class JournalFiles:
    """The files of one journal.

    Attributes:
        folder: Where they lie; nobody but the user may look inside.
    """

    folder: Path

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

    def make(self) -> None:
        """Make the folder and an empty database where there are none, for the user's eyes only.

        Raises:
            OSError: If they can't be made.
        """
        if not self.folder.is_dir():
            self.folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
            sync_folder(self.folder.parent)
        if stat.S_IMODE(self.folder.stat().st_mode) & ~_PRIVATE_FOLDER:
            self.folder.chmod(_PRIVATE_FOLDER)
        try:
            # SQLite gives its other files the mode of this one.
            os.close(os.open(self.database, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE_FILE))
        except FileExistsError:
            return
        sync_folder(self.folder)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the platform has a way to say so.

    Raises:
        OSError: If that fails.
    """
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
