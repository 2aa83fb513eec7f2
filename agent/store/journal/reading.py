"""Reading a journal: each row is proven, and what can't be proven is said.

It is a ``JournalError`` if a journal can't be read at all, and a ``SchemaError`` if it is of another version.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from agent.store.journal.files import JournalFiles
from agent.store.journal.rows import Chain, StoredRow, link_rows, list_values, open_row
from agent.store.journal.schema import (
    SELECT_ONE,
    SELECT_PAGE,
    SELECT_RUN,
    check_beginning,
    check_owner,
    explain,
    open_for_reading,
    read_writer,
    refuse_foreign,
)
from agent.store.journal.witness import Witness, read_witness
from agent.store.seals import Seal
from core.base.errors import JournalError
from core.base.late_dataclasses import dataclass, field
from core.journal.journal import RunRecord

_PAGE_ROWS = 500
_MOST_SINGLE_ROWS = 100_000
_TRIES = 3

Found = TypeVar("Found")


@dataclass(slots=True)
class JournalReading:
    """A run as it was read."""

    chain: Chain
    damage: list[str] = field(default_factory=list[str])

    def as_record(self, run_id: str) -> RunRecord:
        """Return what the journal gives out."""
        return RunRecord(run_id, tuple(row.as_row() for row in self.chain.rows), tuple(self.damage))


@dataclass(slots=True)
class _Scan:
    """What a look at every row found."""

    rows: list[StoredRow] = field(default_factory=list[StoredRow])
    lost: int = 0


def read_record(files: JournalFiles, run_id: str) -> RunRecord:
    """Return the rows of a run."""

    def read(connection: sqlite3.Connection | None, witness: Witness) -> RunRecord:
        return _read_run(connection, run_id, witness).as_record(run_id)

    return _read(files, read, lambda record: not record.damage)


def list_runs(files: JournalFiles) -> tuple[str, ...]:
    """Return the ids of all runs, the latest begun first; those whose rows are gone come last."""

    def read(connection: sqlite3.Connection | None, witness: Witness) -> tuple[str, ...]:
        found = _list_stored(connection, witness) if connection else []
        return tuple(dict.fromkeys([*found, *reversed(list(witness.marks))]))

    return _read(files, read)


def check_standing(files: JournalFiles) -> tuple[str, ...]:
    """Return what the person should know before anything is done with the journal: that it is another's, or gone."""

    def read(connection: sqlite3.Connection | None, witness: Witness) -> tuple[str, ...]:
        if connection is None:
            check_beginning(witness)
        return ()

    try:
        return _read(files, read)
    except JournalError as error:
        if error.code not in {"journal_foreign", "journal_damaged"}:
            raise
        return (str(error),)


def find_faults(files: JournalFiles) -> tuple[str, ...]:
    """Return what is wrong with the journal, in words; looks at every row."""

    def read(connection: sqlite3.Connection | None, witness: Witness) -> tuple[str, ...]:
        faults = (
            [f"lines of journal.witness that can't be understood: {witness.bad_lines}"] if witness.bad_lines else []
        )
        runs = _list_stored(connection, witness) if connection else []
        if witness.marks and not runs:
            faults.append("the journal's rows are gone, but journal.witness knows them")
        if runs and not witness.is_there:
            faults.append("journal.witness is gone, so missing rows at the end can't be noticed")
        if connection:
            faults += _find_bad_rows(connection, witness)
        for run_id in dict.fromkeys([*runs, *witness.marks]):
            damage = _read_run(connection, run_id, witness).damage
            faults += [f"run {run_id}: {text}" for text in damage]
        return tuple(faults)

    return _read(files, read, lambda found: not found)


def read_run(connection: sqlite3.Connection, run_id: str, witness: Witness) -> JournalReading:
    """Return a run as far as it can be proven.

    Args:
        witness: As it was read before the database, so that it can't be ahead by what was written meanwhile.

    Raises:
        sqlite3.Error: If the database can't be read at all.
    """
    return prove_run(connection, run_id, witness) or _read_by_scan(connection, run_id, witness)


def prove_run(connection: sqlite3.Connection, run_id: str, witness: Witness) -> JournalReading | None:
    """Return a run that its own rows and the witness prove; None where every row must be looked at. The arguments are as above.

    Rows after the last that the witness knows of prove themselves unless one begins an act: an intent is told to it before its act
    begins, and outcomes and ends a moment later, so that none that the index doesn't find can hide an act.
    """
    try:
        chain = link_rows(run_id, connection.execute(SELECT_RUN, (run_id,)), witness.seal)
    except sqlite3.DatabaseError:
        return None
    mark = witness.marks.get(run_id)
    if chain.damage or (mark is None and (chain.rows or not witness.is_sound)):
        return None
    if mark is None:
        return JournalReading(chain)
    is_on_the_way = chain.marks[mark.position : mark.position + 1] == [mark]
    acts = any(row.state in _OPENING for row in chain.rows[mark.position + 1 :])
    return JournalReading(chain) if is_on_the_way and not acts else None


def _read(
    files: JournalFiles,
    read: Callable[[sqlite3.Connection | None, Witness], Found],
    is_fine: Callable[[Found], bool] = lambda _: True,
) -> Found:
    """Read the witness, then the database; again where a writer may have changed the one between the two."""
    try:
        witness = read_witness(files)
        found = _read_once(files, read, witness)
        for _ in range(_TRIES):
            if is_fine(found):
                break
            seen, witness = witness, read_witness(files)
            if witness == seen:
                break
            found = _read_once(files, read, witness)
        return found
    except (sqlite3.Error, OSError) as error:
        raise explain(error) from error


def _read_once(
    files: JournalFiles, read: Callable[[sqlite3.Connection | None, Witness], Found], witness: Witness
) -> Found:
    if not files.database.exists() or not files.database.stat().st_size:
        if witness.is_foreign:
            raise refuse_foreign(files)
        return read(None, witness)
    with open_for_reading(files) as connection:
        is_empty = not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not is_empty:
            check_owner(connection, files)
        return read(None if is_empty else connection, witness)


def _read_run(connection: sqlite3.Connection | None, run_id: str, witness: Witness) -> JournalReading:
    if connection is None:
        return JournalReading(Chain(), _compare(run_id, Chain(), witness, 0))
    return read_run(connection, run_id, witness)


def _read_by_scan(connection: sqlite3.Connection, run_id: str, witness: Witness) -> JournalReading:
    """Return a run from a look at every row, which finds what the index doesn't."""
    scan = _scan_rows(connection, witness, run_id)
    found = sorted(scan.rows, key=lambda row: row.position)
    chain = link_rows(run_id, [_list_raw(row) for row in found], witness.seal)
    return JournalReading(chain, _compare(run_id, chain, witness, scan.lost))


def _list_raw(row: StoredRow) -> tuple[Any, ...]:
    """Return the columns of a row as the database gives them."""
    return tuple(value.encode() if isinstance(value, str) else value for value in list_values(row))


def _compare(run_id: str, chain: Chain, witness: Witness, lost: int) -> list[str]:
    """Return what is wrong with a run, by its rows and by what the witness says of it."""
    damage = [chain.damage] if chain.damage else []
    end, mark = chain.find_end(run_id), witness.marks.get(run_id)
    if mark and mark.position > end.position:
        acted = "some of its acts had begun" if mark.acted else "none of its acts had begun, so you can start it again"
        damage.append(f"rows written: {mark.position + 1}, rows left: {end.position + 1}; {acted}")
    elif mark and chain.marks[mark.position].checksum != mark.checksum:
        damage.append(f"the row at position {mark.position} is not the one that was written")
    if lost and end != mark and (chain.rows or mark):
        damage.append(f"damaged rows of the journal that may belong to this run: {lost}")
    return damage


def _find_bad_rows(connection: sqlite3.Connection, witness: Witness) -> Iterator[str]:
    try:
        read_writer(connection, witness.seal)
    except JournalError as error:
        yield error.message
    scan = _scan_rows(connection, witness, "")
    if scan.lost:
        yield f"rows that are damaged or can't be read: {scan.lost}"


def _list_stored(connection: sqlite3.Connection, witness: Witness) -> list[str]:
    query = "SELECT run_id, min(seq) FROM rows NOT INDEXED GROUP BY run_id ORDER BY 2 DESC"
    try:
        names = [name.decode() for name, _ in connection.execute(query)]
    except (sqlite3.DatabaseError, UnicodeDecodeError, AttributeError):
        rows = _scan_rows(connection, witness, None).rows
        return list(dict.fromkeys(row.run_id for row in reversed(rows)))
    # A name that nothing else knows may be another's with a bad letter.
    return [name for name in names if name in witness.marks or _is_known(connection, name, witness)]


def _is_known(connection: sqlite3.Connection, run_id: str, witness: Witness) -> bool:
    reading = read_run(connection, run_id, witness)
    return bool(reading.chain.rows or reading.damage)


def _scan_rows(connection: sqlite3.Connection, witness: Witness, run_id: str | None) -> _Scan:
    """Look at every row, page by page, and one by one where a page can't be read.

    Args:
        run_id: Whose rows are kept; None for all.
    """
    scan = _Scan()
    last, seq = witness.last_seq or _MOST_SINGLE_ROWS, 0
    while True:
        page = _fetch(connection, SELECT_PAGE, (seq, _PAGE_ROWS))
        rows = _keep(scan, page or [], run_id, witness.seal)
        if page is not None and len(page) < _PAGE_ROWS:
            return scan
        if rows:
            seq = max(row.seq for row in rows)
            continue
        for single in range(seq + 1, seq + 1 + _PAGE_ROWS):
            found = _fetch(connection, SELECT_ONE, (single,))
            scan.lost += found is None
            _keep(scan, found or [], run_id, witness.seal)
        seq += _PAGE_ROWS
        if seq > last:
            scan.lost += 1  # whatever lies beyond
            return scan


def _keep(scan: _Scan, raws: list[tuple[Any, ...]], run_id: str | None, seal: Seal) -> list[StoredRow]:
    rows = [row for raw in raws if (row := open_row(raw, seal))]
    scan.lost += len(raws) - len(rows)
    scan.rows += [row for row in rows if run_id is None or row.run_id == run_id]
    return rows


def _fetch(connection: sqlite3.Connection, query: str, values: tuple[int, ...]) -> list[tuple[Any, ...]] | None:
    try:
        return connection.execute(query, values).fetchall()
    except sqlite3.DatabaseError:
        return None


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
    latest = "SELECT DISTINCT run_id FROM (SELECT run_id FROM rows NOT INDEXED ORDER BY seq DESC) LIMIT ?"
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
