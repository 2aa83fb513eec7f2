"""BacklogDatabase: the file of a backlog, opened, made, moved aside where it is another's, and read or written in one go."""

import os
import secrets
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path

from filelock import FileLock, Timeout

from agent.planners.backlog.sealed_rows import (
    BACKLOG_SCHEMA,
    BacklogSchema,
    SealedRows,
    read_owner,
    set_owner,
    transact,
)
from agent.settings.folder_checks import check_folder
from agent.store.documents import DAMAGED
from agent.store.journal.schema import connect
from agent.store.journal.writing import Clock, format_time, tell_time
from agent.store.private_files import make_foreign_folder, make_private_folder, sync_folder
from agent.store.seals import WHY_FOREIGN, Seal
from core.base.errors import ActionError, SchemaError, SurehandError
from core.base.late_dataclasses import dataclass, field

BACKLOG_FILE = "planners.sqlite"
BACKLOG_LOCK = "planners.lock"
PRIVATE_FILE = 0o600


@dataclass(frozen=True, slots=True)
class BacklogFiles:
    """The files of one backlog."""

    folder: Path
    seal: Seal = field(default_factory=Seal)

    @property
    def database(self) -> Path:
        """The rows."""
        return self.folder / BACKLOG_FILE

    def make_folder(self) -> None:
        """Make the folder where there is none, for the user's eyes only; refuse one that isn't what Surehand makes."""
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
        """Move the database into a folder beside it, as it is, and return that; only for whoever holds the lock."""
        aside = make_foreign_folder(self.folder)
        for ending in ("", "-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                self.database.with_name(BACKLOG_FILE + ending).rename(aside / (BACKLOG_FILE + ending))
        sync_folder(aside)
        sync_folder(self.folder)
        return aside

    def hold(self, wait_s: float) -> FileLock:
        """Return the lock, which is waited for so long; the kernel lets it go when its process dies."""
        return FileLock(self.folder / BACKLOG_LOCK, timeout=wait_s, mode=PRIVATE_FILE)

    def connect(self, wait_s: float) -> sqlite3.Connection:
        """Return a connection to the rows, which waits so long for others."""
        connection = connect(f"{self.database.absolute().as_uri()}?mode=rw", uri=True)
        for pragma in (f"busy_timeout = {round(wait_s * 1000)}", "synchronous = FULL", "fullfsync = ON"):
            connection.execute(f"PRAGMA {pragma}")
        return connection

    def tell_busy(self) -> ActionError:
        """Return that another process makes, moves or writes it."""
        text = f"{self.database} is in use by another process."
        return ActionError(text, code="backlog_busy", hint="Try again when it has ended.")


def make_private_file(path: Path) -> None:
    """Make an empty file where there is none, for the user's eyes only; its folder must be there."""
    try:
        # SQLite gives its other files the mode of this one.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE_FILE))
    except FileExistsError:
        return
    sync_folder(path.parent)


_FOREIGN = f"may not be yours: {WHY_FOREIGN}"
_KEPT = timedelta(days=30)
_MOST_RUNS = 5000
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class BacklogDatabase:
    """One database. All calls must come from one thread, which they block. Reading makes nothing.

    Reading and writing raise a SchemaError where it is of another version, or damaged, and an ActionError,
    ``backlog_busy`` or ``backlog_unavailable``.
    """

    def __init__(
        self,
        files: BacklogFiles,
        *,
        clock: Clock = tell_time,
        wait_s: float = 10.0,
        schema: BacklogSchema = BACKLOG_SCHEMA,
    ) -> None:
        self._files = files
        self._clock = clock
        self._wait_s = wait_s
        self._schema = schema
        self._connection: sqlite3.Connection | None = None
        self._rows: SealedRows | None = None
        self._identity: tuple[int, int] | None = None
        self._is_foreign = False
        self._has_forgotten = False
        self._notes: list[str] = []

    @contextmanager
    def reading(self) -> Generator[SealedRows | None]:
        """Read, all of it as it stands at one moment; None where nothing of this person is kept yet."""
        with self._explaining():
            rows = self._find_rows()
            if rows is None:
                yield None
                return
            with transact(rows.connection, "DEFERRED"):
                yield rows

    @contextmanager
    def writing(self) -> Generator[SealedRows]:
        """Write, all of it or nothing; it is on the disk when this ends. What is another's is moved aside first."""
        with self._explaining():
            rows = self._find_rows() or self._begin()
            with transact(rows.connection):
                if not self._has_forgotten:
                    self._forget_old(rows)
                yield rows
            self._has_forgotten = True

    def take_notes(self) -> tuple[str, ...]:
        """Return what the person should know, once."""
        notes, self._notes = tuple(dict.fromkeys(self._notes)), []
        return notes

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        connection, self._connection, self._rows = self._connection, None, None
        if connection is not None:
            connection.close()

    def _find_rows(self) -> SealedRows | None:
        """Return the rows of the file that is there now, opened if need be; None where there is none of this person."""
        identity = self._files.identify()
        if self._rows is not None and identity == self._identity:
            return self._rows
        self.close()
        if identity is None:
            return None
        self._files.make_folder()  # for its check: through no link, and closed to others
        self._identity = identity
        self._connection = self._files.connect(self._wait_s)
        owner = read_owner(self._connection, self._files.seal)
        self._is_foreign = not owner and bool(
            self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        )
        if not owner:
            self.close()
            if self._is_foreign:
                self._notes.append(f"The backlog in {self._files.folder} {_FOREIGN}. It is not used.")
            return None
        self._check_schema(self._connection)
        self._rows = SealedRows(self._connection, self._files.seal, owner, self._schema.columns)
        return self._rows

    def _begin(self) -> SealedRows:
        self._files.make_folder()
        with self._files.hold(self._wait_s):
            if rows := self._find_rows():
                return rows
            if self._is_foreign and self._files.identify():
                aside = self._files.set_aside()
                self._notes = [f"The backlog found here {_FOREIGN}. It was moved to {aside}."]
            make_private_file(self._files.database)
            self._make_tables()
            rows = self._find_rows()
            assert rows is not None
        return rows

    def _make_tables(self) -> None:
        self._connection = self._files.connect(self._wait_s)
        try:
            self._connection.execute("PRAGMA journal_mode = WAL")
            with transact(self._connection):
                self._schema.make_tables(self._connection)
                set_owner(self._connection, self._files.seal, secrets.token_hex(16))
        finally:
            self.close()

    def _check_schema(self, connection: sqlite3.Connection) -> None:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version != self._schema.version:
            newer = version > self._schema.version
            raise SchemaError(
                f"{self._files.database} has version {version}; this Surehand uses version {self._schema.version}.",
                hint="Update Surehand." if newer else "Update the files: surehand migrate. The old ones are saved.",
                evidence={"found": version, "expected": self._schema.version},
            )
        if not self._schema.fits(connection):
            raise self._report_damage("its tables are not those that Surehand makes")

    @contextmanager
    def _explaining(self) -> Generator[None]:
        """Tell what a complaint of SQLite or the file system means; what failed is opened anew the next time."""
        try:
            yield
        except SurehandError:
            raise
        except Timeout:
            raise self._files.tell_busy() from None
        except (sqlite3.Error, OSError) as error:
            self.close()
            raise self._explain(error) from error

    def _explain(self, error: Exception) -> SurehandError:
        number = getattr(error, "sqlite_errorcode", None)
        code = number & 0xFF if isinstance(number, int) else None
        if code in _BUSY:
            return self._files.tell_busy()
        if code in _DAMAGED:
            return self._report_damage(str(error))
        return ActionError(
            f"{self._files.database} can't be used: {error}.",
            code="backlog_unavailable",
            hint="Free disk space, and check that the folder is writable.",
        )

    def _report_damage(self, why: str) -> SchemaError:
        return SchemaError(
            f"{self._files.database} can't be understood: {why}.",
            code=DAMAGED,
            hint="Move the files planners.sqlite* away to start over.",
            evidence={"path": str(self._files.database)},
        )

    def _forget_old(self, rows: SealedRows) -> None:
        """Forget moves and runs that nobody asks for any more; items and checkpoints stay."""
        before = format_time(self._clock() - _KEPT)
        rows.delete("transitions", "at < ?", (before,))
        rows.delete("runs", "began_at < ?", (before,))
        rows.delete("runs", "seq <= (SELECT max(seq) FROM runs) - ?", (_MOST_RUNS,))
