"""RunRows: the rows of ``service.sqlite``; a connection's calls come one after another, block, and raise what SQLite and the system do."""

import json
import os
import secrets
import sqlite3
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from agent.store.private_files import make_private_folder
from agent.store.processes import describe_process, lives
from agent.store.seals import Seal
from core.base.late_dataclasses import dataclass

DATABASE = "service.sqlite"
LARGEST_RECORD = 8 * 1024 * 1024
"""Bytes of a record; of a larger one only what lists tell is kept."""

_KEPT = 5000
"""Runs of one principal; the oldest go first."""
_FORGOTTEN_AT_ONCE = 64
"""As many more may be there: to find the oldest, all that are kept are counted."""

_BUSY_S = 10.0
_KIND = "service run"
_VERSION = 1
_TABLES = (
    """CREATE TABLE IF NOT EXISTS runs (
        number INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL UNIQUE, principal TEXT NOT NULL,
        session TEXT NOT NULL, request_id TEXT NOT NULL, generation INTEGER NOT NULL, process TEXT NOT NULL,
        words TEXT NOT NULL, head TEXT NOT NULL, short TEXT NOT NULL, record TEXT NOT NULL, seal BLOB NOT NULL,
        record_seal BLOB NOT NULL
    )""",
    "CREATE UNIQUE INDEX IF NOT EXISTS runs_by_request ON runs (principal, request_id) WHERE request_id <> ''",
    "CREATE INDEX IF NOT EXISTS runs_by_principal ON runs (principal, number)",
)
_SEALED = ("run_id", "principal", "session", "request_id", "generation", "process", "head", "short")
_HEAD = ("order_digest", "began_at", "asked")
_INSERT = """INSERT INTO runs (run_id, principal, session, request_id, generation, process, words, head, short, record, seal, record_seal)
    VALUES (:run_id, :principal, :session, :request_id, :generation, :process, :words, :head, :short, :record, :seal, :record_seal)"""
_UPDATE = """UPDATE runs SET generation = :generation, process = :process, words = :words, short = :short, record = :record,
    seal = :seal, record_seal = :record_seal WHERE run_id = :run_id"""
_CHOOSE = """SELECT * FROM runs WHERE principal = ? AND ? IN ('', session) AND has_words(words, ?)
    ORDER BY number DESC LIMIT ?"""
_BY_REQUEST = "FROM runs WHERE principal = ? AND request_id = ? AND request_id <> ''"
"""Without the last condition, which is that of the index, every run of a principal is read."""
_FORGET = """DELETE FROM runs WHERE principal = ?
    AND number <= (SELECT number FROM runs WHERE principal = ? ORDER BY number DESC LIMIT 1 OFFSET ?)"""
_LIVE: set[str] = set()
"""Those of this process that are open, by their marks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenEnd:
    """What came of a run, as it is kept.

    Attributes:
        words: What a search finds it by.
    """

    short: str
    record: str
    words: str


def write_end(short: Mapping[str, Any], record: Mapping[str, Any]) -> WrittenEnd:
    """Return what came of a run as it is kept."""
    told, whole = _dump(short), _dump(record)
    if len(whole) > LARGEST_RECORD:
        whole = _dump({**short, "cut": f"Only the beginning of {len(whole)} bytes was saved."})
    return WrittenEnd(short=told, record=whole, words=str(short.get("reply", "")).casefold())


class RunRows:
    """Reads and writes rows, each sealed; one that its seal doesn't prove is treated as if it were not there."""

    def __init__(self, folder: Path | None, seal: Seal, *, waits: bool = True) -> None:
        """Touch nothing yet.

        Args:
            waits: Whether a call may wait for other writers and for the disk.
        """
        self._folder = folder
        self._seal = seal
        self._waits = waits
        self._connection: sqlite3.Connection | None = None
        self._mark = secrets.token_hex(8)
        self._claimed = Counter[str]()
        self._is_durable: bool | None = None
        self.is_closed = False
        _LIVE.add(self._mark)

    def claim(self, run: Mapping[str, Any], *, durable: bool) -> Mapping[str, Any] | None:
        """Keep a run, or return the one that its request id stands for already.

        Args:
            run: With ``ended`` where it is known already what came of it.
            durable: Whether it must be on the disk when this returns.
        """
        head = {name: run[name] for name in _HEAD}
        row: dict[str, Any] = {name: run[name] for name in ("run_id", "principal", "session", "request_id")}
        row |= {"generation": 0, "process": self._describe_self(), "head": _dump(head), "short": "", "record": ""}
        row["words"] = str(run["asked"]).casefold()
        if ended := run.get("ended"):
            row |= _add_end(row, ended)
        with self._write(durable=durable) as connection:
            if run["request_id"]:
                named = (run["principal"], run["request_id"])
                for found in self._select(connection, f"SELECT * {_BY_REQUEST}", named):
                    return self._tell(found, whole=True)
                connection.execute(f"DELETE {_BY_REQUEST}", named)
            connection.execute(_INSERT, self._sign(row))
            self._forget(connection, run["principal"])
        return None

    def begin_again(self, principal: str, run_id: str) -> None:
        """Keep that this process goes on with a run, durably; one that isn't kept stays so."""
        with self._write(durable=True) as connection:
            for row in self._select_run(connection, principal, run_id):
                again = {
                    "generation": row["generation"] + 1,
                    "process": self._describe_self(),
                    "short": "",
                    "record": "",
                }
                connection.execute(_UPDATE, self._sign({**row, **again}))

    def end(self, whose: tuple[str, str], ended: WrittenEnd) -> None:
        """Keep what came of a run."""
        with self._write(durable=False) as connection:
            for row in self._select_run(connection, *whose):
                connection.execute(_UPDATE, self._sign({**row, **_add_end(row, ended)}))

    def find(self, principal: str, run_id: str) -> Mapping[str, Any] | None:
        """Return a principal's run, whole; None where it isn't kept."""
        if self._is_empty:
            return None
        return next((self._tell(row, whole=True) for row in self._select_run(self.open(), principal, run_id)), None)

    def list_of(self, whose: tuple[str, str], words: Sequence[str], most: int) -> list[Mapping[str, Any]]:
        """Return runs, the latest first.

        Args:
            whose: Principal, and session or nothing.
        """
        if self._is_empty:
            return []
        rows = self._select(self.open(), _CHOOSE, (*whose, _dump(words), max(0, most)))
        return [self._tell(row, whole=False) for row in rows]

    def close(self) -> None:
        """Let go of the file; calling it again does nothing."""
        self.is_closed = True
        _LIVE.discard(self._mark)
        connection, self._connection = self._connection, None
        if connection:
            connection.close()

    @property
    def is_open(self) -> bool:
        """Whether the file is open, so that nothing need be made."""
        return self._connection is not None

    def open(self) -> sqlite3.Connection:
        """Open the file, made where it isn't there; calling it again returns the same."""
        if self._connection is None:
            path = self._make_file(self._folder) if self._folder else ":memory:"
            patience_s = _BUSY_S if self._waits else 0
            connection = sqlite3.connect(path, timeout=patience_s, isolation_level=None, check_same_thread=False)
            connection.row_factory = sqlite3.Row
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _make_file(self, folder: Path) -> Path:
        make_private_folder(folder)
        with suppress(FileExistsError):  # SQLite gives its other files the mode of this one
            os.close(os.open(folder / DATABASE, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        return folder / DATABASE

    @property
    def _is_empty(self) -> bool:
        """Whether nothing was kept yet, so that nothing need be made to read it."""
        return self._folder is not None and not (self._folder / DATABASE).exists()

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA trusted_schema = OFF")
        if not self._waits:  # moving what was written to its place does
            connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.create_function("has_words", 2, _has_words, deterministic=True)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _VERSION):
            raise ValueError(f"it is of version {version}, and this Surehand writes {_VERSION}")
        connection.execute("PRAGMA journal_mode = WAL")
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {_VERSION}")

    @contextmanager
    def _write(self, *, durable: bool) -> Generator[sqlite3.Connection]:
        """Write all or nothing; what is not durable outlives this process, but not a power cut."""
        connection = self.open()
        if durable != self._is_durable:
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            self._is_durable = durable
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")

    def _forget(self, connection: sqlite3.Connection, principal: str) -> None:
        if not self._claimed[principal] % _FORGOTTEN_AT_ONCE:
            connection.execute(_FORGET, (principal, principal, _KEPT))
        self._claimed[principal] += 1

    def _select_run(self, connection: sqlite3.Connection, principal: str, run_id: str) -> Iterator[dict[str, Any]]:
        return self._select(connection, "SELECT * FROM runs WHERE principal = ? AND run_id = ?", (principal, run_id))

    def _select(
        self, connection: sqlite3.Connection, statement: str, values: Sequence[Any]
    ) -> Iterator[dict[str, Any]]:
        """Yield the rows that are proven."""
        for row in connection.execute(statement, values).fetchall():
            found = dict(row)
            if self._seal.proves(found["seal"], _KIND, _join(found, _SEALED)):
                yield found

    def _sign(self, row: dict[str, Any]) -> dict[str, Any]:
        seal = self._seal.sign(_KIND, _join(row, _SEALED))
        return {**row, "seal": seal, "record_seal": self._seal.sign(_KIND, _join(row, ("run_id", "record")))}

    def _tell(self, row: Mapping[str, Any], *, whole: bool) -> Mapping[str, Any]:
        """Return a row as the parts of a run."""
        text = row["record"] if whole else row["short"]
        if whole and not self._seal.proves(row["record_seal"], _KIND, _join(row, ("run_id", "record"))):
            text = row["short"]
        names = ("run_id", "principal", "session", "request_id", "generation")
        alive = not row["record"] and self._is_alive(row["process"])
        told = {name: row[name] for name in names} | json.loads(row["head"])
        return {**told, "record": json.loads(text) if text else None, "is_alive": alive}

    def _describe_self(self) -> str:
        return _dump({**describe_process(), "mark": self._mark})

    def _is_alive(self, process: str) -> bool:
        known = json.loads(process)
        if known["pid"] == os.getpid():
            return known["mark"] in _LIVE
        return lives(known)


def _add_end(row: Mapping[str, Any], ended: WrittenEnd) -> dict[str, str]:
    return {"short": ended.short, "record": ended.record, "words": f"{row['words']} {ended.words}"}


def _has_words(text: str, words: str) -> bool:
    return all(word in text for word in json.loads(words))


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), default=str)


def _join(row: Mapping[str, Any], names: Sequence[str]) -> bytes:
    """Return the parts of a row so that no two rows give the same bytes."""
    return json.dumps([row[name] for name in names], ensure_ascii=True).encode("ascii")
