"""BacklogDatabase: the file of a backlog, opened, made, moved aside where it is another's, and read or written in one go."""

import secrets
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import timedelta

from filelock import FileLock, Timeout

from agent.planners.backlog.backlog_files import PRIVATE_FILE, BacklogFiles, make_private_file
from agent.planners.backlog.schema import BACKLOG_SCHEMA, BacklogSchema
from agent.planners.backlog.sealed_rows import SealedRows, read_owner, set_owner
from agent.store.documents import DAMAGED
from agent.store.journal.schema import connect
from agent.store.journal.writing import Clock, format_time, tell_time
from agent.store.seals import WHY_FOREIGN
from core.base.errors import ActionError, SchemaError, SurehandError

_FOREIGN = f"may not be yours: {WHY_FOREIGN}"
_KEPT = timedelta(days=30)
_MOST_RUNS = 5000
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class BacklogDatabase:
    """One database. All calls must come from one thread, which they block. Reading makes nothing."""

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
        """Read, all of it as it stands at one moment; None where nothing of this person is kept yet.

        Raises:
            SchemaError: If it is of another version, or damaged.
            ActionError: ``backlog_busy`` or ``backlog_unavailable``.
        """
        with self._explaining():
            rows = self._find_rows()
            if rows is None:
                yield None
                return
            with self._transaction("DEFERRED"):
                yield rows

    @contextmanager
    def writing(self) -> Generator[SealedRows]:
        """Write, all of it or nothing; it is on the disk when this ends. What is another's is moved aside first.

        Raises:
            SchemaError: If it is of another version, or damaged.
            ActionError: ``backlog_busy`` or ``backlog_unavailable``.
        """
        with self._explaining():
            rows = self._find_rows() or self._begin()
            with self._transaction("IMMEDIATE"):
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
        self._connection = self._connect()
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
        """Make the tables, unless another process has just done so."""
        self._files.make_folder()
        with FileLock(self._files.lock, timeout=self._wait_s, mode=PRIVATE_FILE):
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
        self._connection = self._connect()
        try:
            self._connection.execute("PRAGMA journal_mode = WAL")
            with self._transaction("IMMEDIATE"):
                self._schema.make_tables(self._connection)
                set_owner(self._connection, self._files.seal, secrets.token_hex(16))
        finally:
            self.close()

    def _connect(self) -> sqlite3.Connection:
        connection = connect(f"{self._files.database.absolute().as_uri()}?mode=rw", uri=True)
        for pragma in (f"busy_timeout = {round(self._wait_s * 1000)}", "synchronous = FULL", "fullfsync = ON"):
            connection.execute(f"PRAGMA {pragma}")
        return connection

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
    def _transaction(self, kind: str) -> Generator[None]:
        connection = self._connection
        assert connection is not None
        connection.execute(f"BEGIN {kind}")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # what failed is told, and closing drops the rest
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _explaining(self) -> Generator[None]:
        """Tell what a complaint of SQLite or the file system means; what failed is opened anew the next time."""
        try:
            yield
        except SurehandError:
            raise
        except Timeout:
            raise self._tell_busy() from None
        except (sqlite3.Error, OSError) as error:
            self.close()
            raise self._explain(error) from error

    def _explain(self, error: Exception) -> SurehandError:
        number = getattr(error, "sqlite_errorcode", None)
        code = number & 0xFF if isinstance(number, int) else None
        if code in _BUSY:
            return self._tell_busy()
        if code in _DAMAGED:
            return self._report_damage(str(error))
        return ActionError(
            f"{self._files.database} can't be used: {error}.",
            code="backlog_unavailable",
            hint="Free disk space, and check that the folder is writable.",
        )

    def _tell_busy(self) -> ActionError:
        text = f"{self._files.database} is in use by another process."
        return ActionError(text, code="backlog_busy", hint="Try again when it has ended.")

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
