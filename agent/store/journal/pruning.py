"""Which runs a journal may forget."""

import sqlite3
from collections.abc import Sequence

from agent.store.journal.reading import read_run
from agent.store.journal.rows import StoredRow
from agent.store.journal.witness import Witness

KEPT_RUNS = 20
"""So many of the latest runs stay however old they look: a clock that jumps must not empty the journal."""

MOST_RUNS = 500
"""Forgotten at once, so that opening takes no time that matters."""

_OPENING = frozenset({"intent", "unknown"})
_SETTLING = frozenset({"done", "failed", "resolved", "undone"})


def find_old_runs(connection: sqlite3.Connection, witness: Witness, before: str) -> list[str]:
    """Return runs that ended long ago, are whole, and leave no question open.

    Args:
        before: The moment, as rows tell it, before which their last row must lie.

    Raises:
        sqlite3.Error: If the database can't be read.
    """
    query = "SELECT DISTINCT run_id FROM rows WHERE state = 'ended' AND at < ? LIMIT ?"
    ended = [name for (name,) in connection.execute(query, (before, MOST_RUNS))]
    if not ended:
        return []
    latest = "SELECT run_id FROM rows GROUP BY run_id ORDER BY max(seq) DESC LIMIT ?"
    kept = {name for (name,) in connection.execute(latest, (KEPT_RUNS,))}
    names = [name.decode(errors="replace") for name in ended if name not in kept]
    return [name for name in names if _is_old(connection, name, witness, before)]


def delete_runs(connection: sqlite3.Connection, run_ids: Sequence[str]) -> None:
    """Delete the rows of runs, within a transaction.

    Raises:
        sqlite3.Error: If that can't be written.
    """
    connection.executemany("DELETE FROM rows WHERE run_id = ?", [(run_id,) for run_id in run_ids])


def is_settled(rows: Sequence[StoredRow]) -> bool:
    """Tell whether a run has ended and the outcome of all its acts is known."""
    open_actions: set[str] = set()
    for row in rows:
        if row.state in _OPENING:
            open_actions.add(row.action_id)
        elif row.state in _SETTLING:
            open_actions.discard(row.action_id)
    whole = [row.state for row in rows if not row.action_id]
    return not open_actions and whole[-1:] == ["ended"]


def _is_old(connection: sqlite3.Connection, run_id: str, witness: Witness, before: str) -> bool:
    reading = read_run(connection, run_id, witness)
    rows = reading.chain.rows
    return bool(rows) and not reading.damage and max(row.at for row in rows) < before and is_settled(rows)
