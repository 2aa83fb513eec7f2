"""The journal's tables, how the database is opened, and what its complaints mean."""

import shutil
import sqlite3
import tempfile
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from agent.store.journal.files import JournalFiles
from agent.store.journal.witness import Witness, read_witness
from agent.store.seals import WHY_FOREIGN, Seal
from core.base.errors import JournalError, SchemaError, SurehandError

VERSION = 2
"""Of the tables; another is neither read nor written."""

UNSEALED_VERSION = 1
"""Its checksums had no key, so that anybody could have written what it holds."""

_WRITER = "journal writer"

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
    "journal_unavailable": "Free disk space, and check that the folder is writable.",
    "journal_busy": "Wait until the other process is done.",
    "journal_damaged": "Copy .surehand/journal.*, then move these files away to start over.",
}


def open_for_writing(files: JournalFiles) -> sqlite3.Connection:
    """Return a connection whose commits are on the disk when they return; makes the tables where there are none.

    Raises:
        SchemaError: If the tables are of another version.
        JournalError: If somebody else wrote them, rows are gone, or the file system can't keep a write-ahead log.
        sqlite3.Error: If it can't be opened.
    """
    connection = connect(str(files.database), uri=False)
    try:
        is_new = not check_version(connection, files)
        if is_new:
            check_beginning(read_witness(files))
        else:
            check_owner(connection, files)
        if connection.execute("PRAGMA journal_mode = WAL").fetchone() != (b"wal",):
            raise JournalError(
                "The file system of the journal doesn't support a write-ahead log.", hint=_HINTS["journal_unavailable"]
            )
        for pragma in (
            "synchronous = FULL",
            "fullfsync = ON",
            "checkpoint_fullfsync = ON",
            "journal_size_limit = 4194304",
        ):
            connection.execute(f"PRAGMA {pragma}")
        if is_new:
            make_tables(connection, files.seal)
        # What a failed sync left in the log looks written and may not be. The database is synced from it once more,
        # and the log begins anew, before anything else relies on it.
        if connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            raise JournalError("Another process has been reading the journal for too long.", code="journal_busy")
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
        connection = _connect_read_only(files)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in _NEEDS_WRITING:
            raise
        with tempfile.TemporaryDirectory(prefix="surehand-journal-") as folder:
            copy = replace(files, folder=Path(folder))
            for source, target in ((files.database, copy.database), (files.wal, copy.wal)):
                if source.exists():
                    shutil.copyfile(source, target)
            with closing(_connect_read_only(copy)) as connection:
                yield connection
        return
    with closing(connection):
        yield connection


def check_version(connection: sqlite3.Connection, files: JournalFiles) -> bool:
    """Return whether the tables are there.

    Raises:
        JournalError: ``journal_foreign`` if they are of the version whose checksums had no key.
        SchemaError: If they are of another version.
    """
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    is_empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if version == VERSION and not is_empty:
        return True
    if version == 0 and is_empty:
        return False
    if version == UNSEALED_VERSION:
        raise refuse_foreign(files)
    raise SchemaError(
        f"The journal has version {version}; this Surehand uses version {VERSION}.",
        hint="Use the Surehand that made it, or move the files journal.* away to start a new one.",
        evidence={"found": version, "expected": VERSION},
    )


def check_owner(connection: sqlite3.Connection, files: JournalFiles) -> None:
    """Refuse a journal that this person didn't write on this machine; what the witness knows of isn't another's, only damaged.

    Raises:
        JournalError: ``journal_foreign``.
    """
    try:
        read_writer(connection, files.seal)
    except JournalError as error:
        if error.code != "journal_damaged":  # the key itself can't be used
            raise
        if not read_witness(files).marks:
            raise refuse_foreign(files) from None
    except sqlite3.DatabaseError:  # a page that can't be read is damage, and found out later
        return


def check_beginning(witness: Witness) -> None:
    """Refuse to begin anew where there were rows before.

    Raises:
        JournalError: ``journal_damaged`` if there were.
    """
    if witness.marks:
        runs = f"{len(witness.marks)} run{'s' * (len(witness.marks) > 1)}"
        text = f"The journal's rows are gone, but journal.witness knows {runs}."
        raise JournalError(text, code="journal_damaged", hint=_HINTS["journal_damaged"])


def refuse_foreign(files: JournalFiles) -> JournalError:
    """Return the error about a journal that this person didn't write on this machine, as far as its key tells."""
    return JournalError(
        f"The journal in {files.folder} may not be yours: {WHY_FOREIGN}. Its runs can't be resumed or undone.",
        code="journal_foreign",
        hint="If it is yours, run surehand migrate --adopt. Otherwise leave it: the next run that acts moves it aside.",
        evidence={"folder": str(files.folder), "key": str(files.seal.file)},
    )


def make_tables(connection: sqlite3.Connection, seal: Seal) -> None:
    """Make all tables, or none."""
    connection.execute("BEGIN IMMEDIATE")
    for table in _TABLES:
        connection.execute(table)
    connection.execute("INSERT INTO writer VALUES (1, 0, 0, ?)", (seal.sign(_WRITER, _name_writer(0, 0)),))
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def read_writer(connection: sqlite3.Connection, seal: Seal) -> tuple[int, int]:
    """Return the newest epoch, and the id of the process that began it.

    Raises:
        JournalError: If what is there isn't what was written.
        sqlite3.Error: If it can't be read.
    """
    found = connection.execute("SELECT epoch, pid, checksum FROM writer WHERE id = 1").fetchone()
    if (
        found is None
        or not isinstance(found[2], bytes)
        or not seal.proves(found[2], _WRITER, _name_writer(found[0], found[1]))
    ):
        text = "The row of the journal that says who may write it is damaged."
        raise JournalError(text, code="journal_damaged", hint=_HINTS["journal_damaged"])
    return found[0], found[1]


def set_writer(connection: sqlite3.Connection, epoch: int, pid: int, seal: Seal) -> None:
    """Begin an epoch, within a transaction."""
    code = seal.sign(_WRITER, _name_writer(epoch, pid))
    changed = connection.execute("UPDATE writer SET epoch = ?, pid = ?, checksum = ? WHERE id = 1", (epoch, pid, code))
    assert changed.rowcount == 1


def read_tidied(connection: sqlite3.Connection) -> int:
    """Return the day, counted from year 1, on which old runs were last looked for; it is in the file's header, where SQLite leaves a number to programs."""
    return int(connection.execute("PRAGMA application_id").fetchone()[0])


def set_tidied(connection: sqlite3.Connection, day: int) -> None:
    """Write down the day, within a transaction."""
    connection.execute(f"PRAGMA application_id = {day}")


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


def _connect_read_only(files: JournalFiles) -> sqlite3.Connection:
    connection = connect(f"{files.database.absolute().as_uri()}?mode=ro", uri=True)
    try:
        check_version(connection, files)
    except BaseException:
        connection.close()
        raise
    return connection


def connect(name: str, *, uri: bool) -> sqlite3.Connection:
    """Return a connection that trusts nothing in the file, and gives texts as bytes."""
    connection = sqlite3.connect(name, timeout=_BUSY_S, isolation_level=None, uri=uri)
    connection.text_factory = bytes  # decoded where it is checked
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _name_writer(epoch: object, pid: object) -> bytes:
    return f"writer {epoch!r} {pid!r}".encode()
