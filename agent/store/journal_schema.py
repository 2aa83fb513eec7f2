"""The journal's tables, how the database is opened, and what its complaints mean."""

import hashlib
import shutil
import sqlite3
import tempfile
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from agent.store.journal_files import JournalFiles
from core.errors import JournalError, SchemaError, SurehandError

VERSION = 1
"""Of the tables; another is neither read nor written."""

_BUSY_S = 5.0
_TABLES = (
    """CREATE TABLE rows (
        seq INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, run_id TEXT NOT NULL, position INTEGER NOT NULL,
        action_id TEXT NOT NULL, state TEXT NOT NULL, at TEXT NOT NULL, monotonic_ns INTEGER NOT NULL,
        boot_id TEXT NOT NULL, body TEXT NOT NULL, previous BLOB NOT NULL, checksum BLOB NOT NULL
    )""",
    "CREATE UNIQUE INDEX rows_by_run ON rows (run_id, position)",
    "CREATE INDEX ended_runs ON rows (at) WHERE state = 'ended'",
    "CREATE TABLE writer (id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER, pid INTEGER, checksum BLOB)",
)
SELECT_RUN = "SELECT * FROM rows INDEXED BY rows_by_run WHERE run_id = ? ORDER BY position"
SELECT_PAGE = "SELECT * FROM rows NOT INDEXED WHERE seq > ? ORDER BY seq LIMIT ?"
SELECT_ONE = "SELECT * FROM rows NOT INDEXED WHERE seq = ?"
INSERT_ROW = "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

# What SQLite says where it may read but would have to write first, as beside a log that was left behind.
_NEEDS_WRITING = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})
_CODES = {
    sqlite3.SQLITE_BUSY: "journal_busy",
    sqlite3.SQLITE_LOCKED: "journal_busy",
    sqlite3.SQLITE_CORRUPT: "journal_damaged",
    sqlite3.SQLITE_NOTADB: "journal_damaged",
    sqlite3.SQLITE_CONSTRAINT: "journal_damaged",
}
_HINTS = {
    "journal_unavailable": "Make room on the disk, and see that the folder may be written.",
    "journal_busy": "Wait until the other process is done.",
    "journal_damaged": "Nothing is lost by waiting: keep a copy of .surehand/journal.*, then move these files away to begin anew.",
}


def open_for_writing(files: JournalFiles) -> sqlite3.Connection:
    """Return a connection whose commits are on the disk when they return; makes the tables where there are none.

    Raises:
        SchemaError: If the tables are of another version.
        JournalError: If the file system can't keep a write-ahead log.
        sqlite3.Error: If it can't be opened.
    """
    connection = _connect(str(files.database), uri=False)
    try:
        is_new = not check_version(connection)
        if connection.execute("PRAGMA journal_mode = WAL").fetchone() != (b"wal",):
            raise JournalError(
                "The journal's file system can't keep a write-ahead log.", hint=_HINTS["journal_unavailable"]
            )
        for pragma in (
            "synchronous = FULL",
            "fullfsync = ON",
            "checkpoint_fullfsync = ON",
            "journal_size_limit = 4194304",
        ):
            connection.execute(f"PRAGMA {pragma}")
        if is_new:
            make_tables(connection)
        # What a failed sync left in the log looks written and may not be. The database is synced from it once more,
        # and the log begins anew, before anything else relies on it.
        if connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            raise JournalError("The journal is being read for too long to go on.", code="journal_busy")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def open_for_reading(files: JournalFiles) -> Generator[sqlite3.Connection]:
    """Open the database without writing a row; a copy of it where even a reader would have to write.

    Raises:
        SchemaError: If the tables are of another version.
        sqlite3.Error: If it can't be opened.
    """
    try:
        connection = _connect_read_only(files.database)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in _NEEDS_WRITING:
            raise
        with tempfile.TemporaryDirectory(prefix="surehand-journal-") as folder:
            copy = JournalFiles(Path(folder))
            for source, target in ((files.database, copy.database), (files.wal, copy.wal)):
                if source.exists():
                    shutil.copyfile(source, target)
            with closing(_connect_read_only(copy.database)) as connection:
                yield connection
        return
    with closing(connection):
        yield connection


def check_version(connection: sqlite3.Connection) -> bool:
    """Return whether the tables are there.

    Raises:
        SchemaError: If they are of another version.
    """
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    is_empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if version == VERSION and not is_empty:
        return True
    if version == 0 and is_empty:
        return False
    raise SchemaError(
        f"The journal has version {version}, and this Surehand keeps version {VERSION}.",
        hint="Use the Surehand that made it, or move the files named journal.* away to begin a new one.",
        evidence={"found": version, "expected": VERSION},
    )


def make_tables(connection: sqlite3.Connection) -> None:
    """Make all tables, or none.

    Raises:
        sqlite3.Error: If that can't be written.
    """
    connection.execute("BEGIN IMMEDIATE")
    for table in _TABLES:
        connection.execute(table)
    connection.execute("INSERT INTO writer VALUES (1, 0, 0, ?)", (_seal_writer(0, 0),))
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def read_writer(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the newest epoch, and the id of the process that began it.

    Raises:
        JournalError: If what is there isn't what was written.
        sqlite3.Error: If it can't be read.
    """
    found = connection.execute("SELECT epoch, pid, checksum FROM writer WHERE id = 1").fetchone()
    if found is None or _seal_writer(found[0], found[1]) != found[2]:
        text = "The journal doesn't say any more who may write it: that row is bad."
        raise JournalError(text, code="journal_damaged", hint=_HINTS["journal_damaged"])
    return found[0], found[1]


def set_writer(connection: sqlite3.Connection, epoch: int, pid: int) -> None:
    """Begin an epoch, within a transaction.

    Raises:
        sqlite3.Error: If that can't be written.
    """
    changed = connection.execute(
        "UPDATE writer SET epoch = ?, pid = ?, checksum = ? WHERE id = 1", (epoch, pid, _seal_writer(epoch, pid))
    )
    assert changed.rowcount == 1


def explain(error: Exception) -> SurehandError:
    """Return what a complaint of SQLite or the file system means for the journal."""
    if isinstance(error, SurehandError):
        return error
    number = getattr(error, "sqlite_errorcode", None)
    code = _CODES.get(number & 0xFF, "journal_unavailable") if isinstance(number, int) else "journal_unavailable"
    if isinstance(error, sqlite3.DatabaseError) and number is None:
        code = "journal_damaged"
    evidence = {"error": type(error).__name__, "name": getattr(error, "sqlite_errorname", "")}
    text = f"The journal can't be used: {error}."
    return JournalError(text, code=code, hint=_HINTS[code], evidence=evidence)


def _connect_read_only(database: Path) -> sqlite3.Connection:
    connection = _connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
    try:
        check_version(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(name: str, *, uri: bool) -> sqlite3.Connection:
    connection = sqlite3.connect(name, timeout=_BUSY_S, isolation_level=None, uri=uri)
    connection.text_factory = bytes  # decoded where it is checked
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _seal_writer(epoch: object, pid: object) -> bytes:
    return hashlib.sha256(f"writer {epoch!r} {pid!r}".encode()).digest()
