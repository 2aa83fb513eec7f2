"""SealedRows: the rows of the backlog, each signed with the person's key; one that the key doesn't prove is never told."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.planners.backlog.schema import COLUMNS, Columns
from agent.store.seals import Seal

_OWNER = "planner store"
_ROW = "planner row"


@dataclass(frozen=True, slots=True)
class SealedRow:
    """A row that is what this person wrote."""

    seq: int
    values: Mapping[str, str]


class SealedRows:
    """Reads and writes rows of one database. All calls must come from one thread, which they block."""

    def __init__(self, connection: sqlite3.Connection, seal: Seal, owner: str, columns: Columns = COLUMNS) -> None:
        """Take an open database.

        Args:
            owner: What the database calls itself: a row of another of the same person proves nothing here.
        """
        self._connection = connection
        self._seal = seal
        self._owner = owner
        self._columns = columns

    def select(self, table: str, condition: str = "1", given: Sequence[object] = ()) -> list[SealedRow]:
        """Return the rows of a table that meet a condition, the oldest first.

        Args:
            table: One of ``COLUMNS``.
            condition: In SQL; ours, with question marks for what is given.

        Raises:
            JournalError: If the key can't be read.
            sqlite3.Error: If the rows can't be read.
        """
        rows = self._read(table, condition, given)
        return [row for row, code in rows if self._seal.proves(code, _ROW, self._describe(table, row.values))]

    def list_foreign(self) -> list[tuple[str, int]]:
        """Return table and number of each row that this person didn't write.

        Raises:
            JournalError: If the key can't be read.
            sqlite3.Error: If the rows can't be read.
        """
        return [
            (table, row.seq)
            for table in self._columns
            for row, code in self._read(table, "1", ())
            if not self._seal.proves(code, _ROW, self._describe(table, row.values))
        ]

    def put(self, table: str, values: Mapping[str, str], seq: int | None = None) -> None:
        """Write a row, in the place of one of the same number or the same unique columns.

        Raises:
            JournalError: If the key can't be read or made.
            sqlite3.Error: If that can't be written.
        """
        columns = self._columns[table]
        code = self._seal.sign(_ROW, self._describe(table, values))
        marks = ", ".join("?" * (len(columns) + 2))
        named = f"({', '.join(('seq', *columns, 'checksum'))})"
        statement = _phrase("INSERT OR REPLACE INTO", table, named, f"VALUES ({marks})")
        self._connection.execute(statement, (seq, *(values[column] for column in columns), code))

    def delete(self, table: str, condition: str, given: Sequence[object]) -> None:
        """Delete the rows of a table that meet a condition.

        Raises:
            sqlite3.Error: If that can't be written.
        """
        self._connection.execute(_phrase("DELETE FROM", table, "WHERE", condition), tuple(given))

    def sign_all(self) -> None:
        """Sign every row as it is: where a person vouches for them, and behind a migration.

        Raises:
            JournalError: If the key can't be read or made.
            sqlite3.Error: If that can't be written.
        """
        for table in self._columns:
            for row, _ in self._read(table, "1", ()):
                code = self._seal.sign(_ROW, self._describe(table, row.values))
                self._connection.execute(_phrase("UPDATE", table, "SET checksum = ? WHERE seq = ?"), (code, row.seq))

    def _read(self, table: str, condition: str, given: Sequence[object]) -> list[tuple[SealedRow, bytes]]:
        columns = self._columns[table]
        named = ", ".join(("seq", "checksum", *columns))
        statement = _phrase("SELECT", named, "FROM", table, "WHERE", condition, "ORDER BY seq")
        found = self._connection.execute(statement, tuple(given))
        return [
            (SealedRow(seq, dict(zip(columns, map(_decode, values), strict=True))), _check_bytes(code))
            for seq, code, *values in found.fetchall()
        ]

    def _describe(self, table: str, values: Mapping[str, str]) -> bytes:
        return json.dumps([self._owner, table, *(values[column] for column in self._columns[table])]).encode()


def set_owner(connection: sqlite3.Connection, seal: Seal, name: str) -> None:
    """Write whose database it is, within a transaction.

    Args:
        name: What it calls itself; nobody guesses it.

    Raises:
        JournalError: If the key can't be read or made.
        sqlite3.Error: If that can't be written.
    """
    connection.execute("INSERT OR REPLACE INTO owner VALUES (1, ?, ?)", (name, seal.sign(_OWNER, name.encode())))


def read_owner(connection: sqlite3.Connection, seal: Seal) -> str:
    """Return what a database of this person calls itself; empty where it isn't known to be theirs.

    Raises:
        JournalError: If the key can't be read.
        sqlite3.Error: If the row can't be read.
    """
    try:
        found = connection.execute("SELECT name, checksum FROM owner WHERE id = 1").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
            raise
        return ""  # no such table, or column
    if found is None or not seal.proves(_check_bytes(found[1]), _OWNER, _decode(found[0]).encode()):
        return ""
    return _decode(found[0])


def _phrase(*parts: str) -> str:
    """Return a statement of parts that are all ours: what is given is bound to question marks."""
    return " ".join(parts)


def _decode(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _check_bytes(code: object) -> bytes:
    return code if isinstance(code, bytes) else b""
