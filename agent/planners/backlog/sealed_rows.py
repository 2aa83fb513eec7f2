"""The tables of the backlog by version, and SealedRows: their rows, each signed with the person's key. One that it doesn't prove is never told."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import MappingProxyType

from agent.planners.backlog.backlog_rows import BacklogRow
from agent.store.seals import Seal
from core.base.late_dataclasses import dataclass, field

Columns = Mapping[str, tuple[str, ...]]

OWNER_TABLE = "CREATE TABLE owner (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, checksum BLOB NOT NULL)"
"""The same in all versions: whose it is has to be known before anything else is believed."""

COLUMNS: Columns = MappingProxyType(
    {
        "items": ("scope", "item_id", "plan_id", "state", "body"),
        "transitions": ("scope", "item_id", "at", "body"),
        "checkpoints": ("scope", "plan_id", "at", "body"),
        "runs": ("scope", "planner_id", "began_at", "body"),
    }
)
"""What each table holds beside its number and the seal over the rest; the body is JSON."""

UNIQUE: Columns = {"items": ("scope", "item_id"), "checkpoints": ("scope", "plan_id")}
MOMENTS: Mapping[str, str] = {"transitions": "at", "runs": "began_at"}
"""The column that says when something happened."""

_WITHIN = "(scope = ? OR (scope > ? AND scope < ?))"
"""Scopes that are one or lie within it: a slash stands between names, and a zero is what follows a slash."""


@dataclass(frozen=True, slots=True)
class BacklogMigration:
    """What leads from a version to the next one.

    Attributes:
        columns: As they were: rows are proven by them, and those that nothing proves go before anything is changed.
        change: Changes tables and rows, within a transaction; all rows are sealed anew behind it.
    """

    columns: Columns
    change: Callable[[sqlite3.Connection], None]


@dataclass(frozen=True, slots=True)
class BacklogSchema:
    """The tables of one version."""

    version: int
    tables: tuple[str, ...]
    columns: Columns = field(default_factory=lambda: COLUMNS)
    migrations: Mapping[int, BacklogMigration] = field(default_factory=lambda: MappingProxyType({}))

    def make_tables(self, connection: sqlite3.Connection) -> None:
        """Make all tables, within a transaction."""
        for table in (OWNER_TABLE, *self.tables):
            connection.execute(table)
        connection.execute(f"PRAGMA user_version = {self.version}")

    def fits(self, connection: sqlite3.Connection) -> bool:
        """Return whether the database holds these tables and nothing else, such as a trigger."""
        found = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        return sorted(bytes(sql).decode(errors="replace") for (sql,) in found) == sorted((OWNER_TABLE, *self.tables))

    def describe(self) -> str:
        """Return the version and what tells these tables from others: what a start is held to."""
        digest = hashlib.sha256("\n".join((OWNER_TABLE, *self.tables)).encode()).hexdigest()
        return f"{self.version}, tables {digest[:16]}"


def _write_tables() -> tuple[str, ...]:
    made: list[str] = []
    for name, columns in COLUMNS.items():
        unique = f", UNIQUE ({', '.join(UNIQUE[name])})" if name in UNIQUE else ""
        declared = ", ".join(f"{column} TEXT NOT NULL" for column in columns)
        made.append(f"CREATE TABLE {name} (seq INTEGER PRIMARY KEY, {declared}, checksum BLOB NOT NULL{unique})")
    made += [f"CREATE INDEX {name}_by_{column} ON {name} ({column})" for name, column in MOMENTS.items()]
    return tuple(made)


BACKLOG_SCHEMA = BacklogSchema(1, _write_tables())


_OWNER = "planner store"
_ROW = "planner row"


class SealedRows:
    """Reads and writes rows of one database. All calls must come from one thread, which they block.

    Each may raise a JournalError where the key can't be used, and a sqlite3.Error.
    """

    def __init__(self, connection: sqlite3.Connection, seal: Seal, owner: str, columns: Columns = COLUMNS) -> None:
        """Take an open database; ``owner`` is what it calls itself: rows of another prove nothing here."""
        self.connection = connection
        self._seal = seal
        self._owner = owner
        self._columns = columns

    def select(self, table: str, *, within: str = "", since: str = "", **equal: str) -> list[BacklogRow]:
        """Return rows of a table, the oldest first."""
        conditions, given = [f"{name} = ?" for name in equal], [*equal.values()]
        if within:
            conditions.append(_WITHIN)
            given += [within, f"{within}/", f"{within}0"]
        if since:
            conditions.append(f"{MOMENTS[table]} >= ?")
            given.append(since)
        rows = self._read(table, " AND ".join(conditions) or "1", given)
        return [row for row, code in rows if self._proves(code, table, row)]

    def list_foreign(self) -> list[tuple[str, int]]:
        """Return table and number of each row that this person didn't write."""
        return [
            (table, row.seq)
            for table in self._columns
            for row, code in self._read(table, "1", ())
            if not self._proves(code, table, row)
        ]

    def put(self, table: str, values: Mapping[str, str], seq: int | None = None) -> None:
        """Write a row, in the place of one of the same number or the same unique columns."""
        columns = self._columns[table]
        code = self._seal.sign(_ROW, self._describe(table, values))
        marks = ", ".join("?" * (len(columns) + 2))
        named = f"({', '.join(('seq', *columns, 'checksum'))})"
        statement = _phrase("INSERT OR REPLACE INTO", table, named, f"VALUES ({marks})")
        self.connection.execute(statement, (seq, *(values[column] for column in columns), code))

    def delete(self, table: str, condition: str, given: Sequence[object]) -> None:
        """Delete the rows of a table that meet a condition in SQL of ours, with question marks for what is given."""
        self.connection.execute(_phrase("DELETE FROM", table, "WHERE", condition), tuple(given))

    def sign_all(self) -> None:
        """Sign every row as it is: where a person vouches for them, and behind a migration."""
        for table in self._columns:
            for row, _ in self._read(table, "1", ()):
                code = self._seal.sign(_ROW, self._describe(table, row.values))
                self.connection.execute(_phrase("UPDATE", table, "SET checksum = ? WHERE seq = ?"), (code, row.seq))

    def _read(self, table: str, condition: str, given: Sequence[object]) -> list[tuple[BacklogRow, bytes]]:
        columns = self._columns[table]
        named = ", ".join(("seq", "checksum", *columns))
        statement = _phrase("SELECT", named, "FROM", table, "WHERE", condition, "ORDER BY seq")
        found = self.connection.execute(statement, tuple(given))
        return [
            (BacklogRow(seq, dict(zip(columns, map(_decode, values), strict=True))), _check_bytes(code))
            for seq, code, *values in found.fetchall()
        ]

    def _proves(self, code: bytes, table: str, row: BacklogRow) -> bool:
        return self._seal.proves(code, _ROW, self._describe(table, row.values))

    def _describe(self, table: str, values: Mapping[str, str]) -> bytes:
        return json.dumps([self._owner, table, *(values[column] for column in self._columns[table])]).encode()


def set_owner(connection: sqlite3.Connection, seal: Seal, name: str) -> None:
    """Write whose database it is, within a transaction."""
    connection.execute("INSERT OR REPLACE INTO owner VALUES (1, ?, ?)", (name, seal.sign(_OWNER, name.encode())))


def read_owner(connection: sqlite3.Connection, seal: Seal) -> str:
    """Return what a database of this person calls itself; empty where it isn't known to be theirs."""
    try:
        found = connection.execute("SELECT name, checksum FROM owner WHERE id = 1").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
            raise
        return ""  # no such table, or column
    if found is None or not seal.proves(_check_bytes(found[1]), _OWNER, _decode(found[0]).encode()):
        return ""
    return _decode(found[0])


@contextmanager
def transact(connection: sqlite3.Connection, kind: str = "IMMEDIATE") -> Generator[None]:
    """Do all of it, or nothing where anything is raised."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # what failed is told, and closing drops the rest
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        raise


def _phrase(*parts: str) -> str:
    """Return a statement of parts that are all ours: what is given is bound to question marks."""
    return " ".join(parts)


def _decode(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _check_bytes(code: object) -> bytes:
    return code if isinstance(code, bytes) else b""
