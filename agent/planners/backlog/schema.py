"""The tables of the backlog, by version, and what leads from one version to the next."""

import hashlib
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

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

_UNIQUE = {"items": ("scope", "item_id"), "checkpoints": ("scope", "plan_id")}
_SORTED = {"transitions": ("at",), "runs": ("began_at",)}


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
        """Make all tables, within a transaction.

        Raises:
            sqlite3.Error: If that can't be written.
        """
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
        unique = f", UNIQUE ({', '.join(_UNIQUE[name])})" if name in _UNIQUE else ""
        declared = ", ".join(f"{column} TEXT NOT NULL" for column in columns)
        made.append(f"CREATE TABLE {name} (seq INTEGER PRIMARY KEY, {declared}, checksum BLOB NOT NULL{unique})")
    made += [f"CREATE INDEX {name}_by_{column} ON {name} ({column})" for name, by in _SORTED.items() for column in by]
    return tuple(made)


BACKLOG_SCHEMA = BacklogSchema(1, _write_tables())
