"""JournalWriter: the one that writes, for as long as nobody else took over."""

import os
import sqlite3
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from filelock import FileLock, Timeout

from agent.store.journal.files import PRIVATE_FILE, JournalFiles
from agent.store.journal.reading import delete_runs, find_old_runs, prove_run, read_run
from agent.store.journal.rows import Mark, StoredRow, advance, encode_body, list_values, seal_row
from agent.store.journal.schema import (
    INSERT_ROW,
    check_beginning,
    check_version,
    explain,
    open_for_reading,
    open_for_writing,
    read_tidied,
    read_writer,
    refuse_foreign,
    set_tidied,
    set_writer,
)
from agent.store.journal.witness import WitnessFile, read_last_seq, read_witness
from agent.store.seals import WHY_FOREIGN
from core.base.errors import JournalError, SurehandError
from core.base.late_dataclasses import dataclass, field
from core.journal.journal import JournalEntry

Clock = Callable[[], datetime]

_KEPT = timedelta(days=30)
_COMPACT_BYTES = 65_536
"""Of the witness: so much is added to it at least before it is cut to one line a run."""


@dataclass(frozen=True, slots=True)
class PendingRow:
    """A row that was handed over and isn't written yet.

    Attributes:
        monotonic_ns: The same by the clock that never jumps.
    """

    run_id: str
    action_id: str
    state: str
    body: str
    at: str
    monotonic_ns: int


@dataclass(frozen=True, slots=True)
class RowWriting:
    """How rows are written.

    Attributes:
        wait_s: Seconds to wait for another process that writes, counted from when the rows were handed over: others may be before them.
        is_given_up: Asked while it waits for that; true once nobody waits for the rows any more.
        synced: Whether they must be on the disk; else they outlive the process and no loss of power, until the next that must be.
        left: How far runs were when others were let write; one that is further by now is another process's.
        handed_over: When they were, by the clock that never jumps.
    """

    wait_s: float
    is_given_up: Callable[[], bool] = lambda: False
    synced: bool = True
    left: Mapping[str, Mark] = field(default_factory=dict[str, Mark])
    handed_over: float = field(default_factory=time.monotonic)


def prepare_row(entry: JournalEntry, clock: Clock) -> PendingRow:
    """Return an entry as it will be written, whatever becomes of the entry's body.

    Raises:
        JournalError: If the facts are no JSON.
    """
    body = encode_body(entry)
    return PendingRow(entry.run_id, entry.action_id, entry.state, body, format_time(clock()), time.monotonic_ns())


def format_time(moment: datetime) -> str:
    """Return a moment in UTC; texts sort as moments do."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def tell_time() -> datetime:
    """Return the time by the wall clock."""
    return datetime.now(UTC)


class JournalWriter:
    """Writes rows. All calls must come from one thread, which they block.

    Attributes:
        doubts: How often it can't have been certain any more that rows without a sync were there.
    """

    def __init__(self, files: JournalFiles, clock: Clock) -> None:
        self._files = files
        self._clock = clock
        self._lock = FileLock(files.lock, mode=PRIVATE_FILE, thread_local=False)
        self._witness_file = WitnessFile(files)
        self._connection: sqlite3.Connection | None = None
        self._identity: list[tuple[int, int]] = []
        self._ends: dict[str, Mark] = {}
        self._unsynced: dict[str, Mark] = {}
        self.doubts = 0
        self._epoch = 0
        self._last_seq = 0
        self._lost = ""
        self._tidied = -1
        self._boot_id = read_boot_id()
        self._notes: list[str] = []

    def append(self, rows: Sequence[PendingRow], how: RowWriting) -> None:
        """Write rows, all or none; if they are to be synced, they and all before them are on the disk when this returns.

        Args:
            rows: In order; without any, what was written before is synced.

        Raises:
            JournalError: If that isn't certain.
            SchemaError: If the journal is of another version.
        """
        if not rows and not (how.synced and self._unsynced):
            return
        if self._lost:
            raise self._lose(self._lost)
        try:
            connection = self._take(how)
            ends = self._write(connection, rows, how) if rows else self._sync()
            if how.synced:
                self._tell_witness(ends)
            else:
                self._unsynced |= ends
        except (sqlite3.Error, OSError, SurehandError) as error:
            self._doubt()
            if not self._epoch:
                self._lock.release(force=True)
            raise explain(error) from error
        self._ends |= ends
        for row in rows:
            if (
                row.state == "ended"
            ):  # what was read is kept for as long as nobody else writes, and there may be many runs
                self._ends.pop(row.run_id, None)

    def _tell_witness(self, ends: dict[str, Mark]) -> None:
        """Tell the witness how far runs got, of what is on the disk alone: else it would know of rows that a loss of power took."""
        self._witness_file.append(list((self._unsynced | ends).values()))
        self._unsynced.clear()
        if self._witness_file.added > max(_COMPACT_BYTES, self._witness_file.kept):
            self._compact()

    def find_ends(self, run_ids: Iterable[str]) -> dict[str, Mark]:
        """Return how far runs got, as far as that is certain; any thread may ask."""
        return {run_id: end for run_id in run_ids if (end := self._ends.get(run_id))}

    def rest(self) -> None:
        """Let others write, and keep what was read: the next `append` asks whether anybody did."""
        if self._lost or self._connection is None:
            self.let_go()
        self._lock.release(force=True)

    def let_go(self) -> None:
        """Close the file and let others write; the next `append` takes the right again."""
        with suppress(SurehandError):  # where another process writes, that brings these rows to the disk with its own
            self.append((), RowWriting(0.0))
        self._doubt()
        self._epoch, self._lost = 0, ""
        self._lock.release(force=True)

    def _take(self, how: RowWriting) -> sqlite3.Connection:
        """Hold the lock and a connection."""
        if is_taken := not self._lock.is_locked:
            if self._connection is None:
                self._files.make_folder()
            try:
                left_s = max(0.0, how.wait_s - (time.monotonic() - how.handed_over))
                self._lock.acquire(timeout=left_s, cancel_check=how.is_given_up)
            except Timeout:
                raise _tell_busy(self._files, how.wait_s) from None
            if not (self._connection and self._is_alone(self._connection)):
                self._doubt()
                self._epoch = 0
        if self._connection is None:
            self._connection = self._open()
            self._identity = _identify(self._files)
            found = self._connection.execute("SELECT max(seq) FROM rows").fetchone()[0] or 0
            self._last_seq = max(found, read_last_seq(self._files))
        if is_taken:
            self._tidy(self._connection)
        return self._connection

    def _is_alone(self, connection: sqlite3.Connection) -> bool:
        """Tell whether nobody else wrote since the right was let go, so that all that is known still holds."""
        try:
            is_here = check_version(connection, self._files) and _identify(self._files) == self._identity
            return is_here and read_writer(connection, self._files.seal)[0] == self._epoch
        except (sqlite3.Error, SurehandError):  # opening it anew meets the same, and tells it
            return False

    def _open(self) -> sqlite3.Connection:
        """Open the database; another's journal is set aside, and a new one begun."""
        if self._files.is_gone:
            check_beginning(read_witness(self._files))
        try:
            if self._files.is_gone and self._files.has_leftovers:
                raise refuse_foreign(self._files)
            self._files.make_database()
            return open_for_writing(self._files)
        except JournalError as error:
            if error.code != "journal_foreign":
                raise
        aside = self._files.set_aside()
        self._notes.append(f"The journal found here may not be yours: {WHY_FOREIGN}. It was moved to {aside}.")
        self._files.make_database()
        return open_for_writing(self._files)

    def take_notes(self) -> tuple[str, ...]:
        """Return what the person should know, once."""
        notes, self._notes = tuple(self._notes), []
        return notes

    def _write(self, connection: sqlite3.Connection, rows: Sequence[PendingRow], how: RowWriting) -> dict[str, Mark]:
        """Write rows in a transaction; return how far their runs got."""
        ends: dict[str, Mark] = {}
        connection.execute(f"PRAGMA synchronous = {'FULL' if how.synced else 'NORMAL'}")
        connection.execute("BEGIN IMMEDIATE")
        epoch = self._check_right(connection)
        for number, row in enumerate(rows, self._last_seq + 1):
            end = ends.get(row.run_id) or self._find_end(connection, row.run_id, how)
            sealed = self._seal(row, end, (number, epoch))
            connection.execute(INSERT_ROW, list_values(sealed))
            ends[row.run_id] = advance(end, sealed)
        connection.execute("COMMIT")
        self._check_files()
        self._epoch = epoch
        self._last_seq += len(rows)
        return ends

    def _sync(self) -> dict[str, Mark]:
        """Bring the log to the disk as it is: SQLite syncs nothing where there is nothing to commit."""
        self._check_files()
        descriptor = os.open(self._files.wal, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        return {}

    def _check_files(self) -> None:
        if not self._identity or _identify(self._files) != self._identity:
            raise self._lose("The journal's files were removed or replaced.")

    def _check_right(self, connection: sqlite3.Connection) -> int:
        """Return the epoch to write in: a new one for the first rows, later the same as long as it is the newest."""
        newest, pid = read_writer(connection, self._files.seal)
        if not self._epoch:
            set_writer(connection, newest + 1, os.getpid(), self._files.seal)
            return newest + 1
        if newest != self._epoch:
            raise self._lose(f"Another process (id {pid}) took over the journal.")
        return self._epoch

    def _lose(self, why: str) -> JournalError:
        self._lost = why
        return _tell_lost(why)

    def _find_end(self, connection: sqlite3.Connection, run_id: str, how: RowWriting) -> Mark:
        """Return how far a run got; what is wrong with it keeps it from going on."""
        if run_id in self._ends:
            return self._ends[run_id]
        known = read_witness(self._files, run_id)
        reading = prove_run(connection, run_id, known) or read_run(connection, run_id, read_witness(self._files))
        if reading.damage:
            raise JournalError(
                f"Run {run_id} can't be continued, because its rows are damaged: {'; '.join(reading.damage)}.",
                code="journal_damaged",
                hint="Check what it did, then start it again.",
                evidence={"run_id": run_id, "damage": reading.damage},
            )
        end = reading.chain.find_end(run_id)
        if end != how.left.get(run_id, end):
            raise _tell_lost(f"Another process continued or undid run {run_id} while it waited for an answer.")
        return end

    def _seal(self, row: PendingRow, end: Mark, place: tuple[int, int]) -> StoredRow:
        return seal_row(
            {
                "seq": place[0],
                "epoch": place[1],
                "run_id": row.run_id,
                "position": end.position + 1,
                "action_id": row.action_id,
                "state": row.state,
                "at": row.at,
                "monotonic_ns": row.monotonic_ns,
                "boot_id": self._boot_id,
                "body": row.body,
                "previous": end.checksum,
            },
            self._files.seal,
        )

    def _doubt(self) -> None:
        """Drop the connection, and with it what is not committed and all that was believed of the file.

        After a sync that failed, pages that were never written look as if they had been; the next opening writes them
        anew and proves the runs' tails against the witness.
        """
        connection, self._connection = self._connection, None
        self._ends.clear()
        self.doubts += bool(self._unsynced)
        self._unsynced.clear()
        if connection is None:
            return
        with suppress(sqlite3.Error):  # the file failed already, and closing drops the transaction as well
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        connection.close()

    def _tidy(self, connection: sqlite3.Connection) -> None:
        """Forget old runs, once a day; the witness first, so that it never knows of rows that were deleted."""
        now = self._clock()
        if self._tidied == (today := now.toordinal()):
            return
        if read_tidied(connection) != today:
            connection.execute("BEGIN IMMEDIATE")
            old = find_old_runs(connection, read_witness(self._files), format_time(now - _KEPT))
            self._compact(old)
            delete_runs(connection, old)
            set_tidied(connection, today)
            connection.execute("COMMIT")
        self._tidied = today

    def _compact(self, forgotten: Sequence[str] = ()) -> None:
        with suppress(PermissionError):  # on Windows, while somebody reads it; there is a next time
            self._witness_file.compact(forgotten)


def _tell_busy(files: JournalFiles, wait_s: float) -> JournalError:
    """Return an error that names who writes."""
    try:
        with open_for_reading(files) as connection:
            pid = read_writer(connection, files.seal)[1]
    except (sqlite3.Error, SurehandError):
        pid = 0
    who = f"Process {pid}" if pid else "Another process"
    text = f"{who} is writing the journal and did not finish within {wait_s:g} s."
    hint = "Wait until it is done, or end it."
    return JournalError(text, code="journal_busy", hint=hint, evidence={"pid": pid} if pid else {})


def _tell_lost(why: str) -> JournalError:
    hint = "This run stops here. See what the other process does, then start again."
    return JournalError(why, code="journal_lost", hint=hint)


def read_boot_id() -> str:
    """Return which boot of the machine this is; where nobody says, what is true of this process alone."""
    if sys.platform == "linux":
        with suppress(OSError):
            return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"process-{os.getpid()}-{uuid.uuid4().hex}"


def _identify(files: JournalFiles) -> list[tuple[int, int]]:
    """Return which files the names stand for, so that writing into one that was taken away is seen."""
    try:
        return [(found.st_dev, found.st_ino) for found in (files.database.stat(), files.wal.stat())]
    except FileNotFoundError:
        return []
