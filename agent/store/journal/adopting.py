"""Adopting: a person says that a journal is theirs although nothing proves it, and it is sealed anew.

That is the only way in for a journal of an earlier version, whose checksums had no key, of another machine, or of a key that
is gone: what is in it can't be told from what somebody else wrote.
"""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from typing import Any

from filelock import FileLock, Timeout

from agent.store.journal.files import PRIVATE_FILE, JournalFiles
from agent.store.journal.rows import (
    COLUMNS,
    NO_CHECKSUM,
    Chain,
    Mark,
    advance,
    decode_row,
    list_values,
    seal_row,
    write_values,
)
from agent.store.journal.schema import UNSEALED_VERSION, VERSION, check_owner, connect, explain, set_writer
from agent.store.journal.witness import WitnessFile, read_witness
from agent.store.private_files import name_copy, sync_folder
from core.base.errors import JournalError

_WAIT_S = 10.0
_ROWS = "SELECT * FROM rows ORDER BY run_id, position"


def adopt_journal(files: JournalFiles, *, dry: bool = False) -> tuple[int, str] | None:
    """Make a journal this person's own, with a copy of it as it was.

    Rows that don't hang together stay as they are, and are damage from then on.

    Args:
        dry: Whether to say only what would be done.

    Returns:
        The version that it was of, and where the copy lies (empty on a dry run); None where nothing is to be done.

    Raises:
        JournalError: If it can't be read or written, or another process writes.
    """
    if files.is_gone:
        return None
    try:
        with (
            FileLock(files.lock, timeout=_WAIT_S, mode=PRIVATE_FILE),
            closing(connect(str(files.database), uri=False)) as found,
        ):
            version: int = found.execute("PRAGMA user_version").fetchone()[0]
            if version not in {UNSEALED_VERSION, VERSION} or (version == VERSION and _is_own(found, files)):
                return None
            return version, "" if dry else _adopt(found, files, version)
    except Timeout:
        text = "Another process is writing the journal."
        raise JournalError(text, code="journal_busy", hint="Wait until it is done.") from None
    except (sqlite3.Error, OSError) as error:
        raise explain(error) from error


def _is_own(connection: sqlite3.Connection, files: JournalFiles) -> bool:
    try:
        check_owner(connection, files, read_witness(files))
    except JournalError as error:
        if error.code != "journal_foreign":
            raise
        return False
    return True


def _adopt(connection: sqlite3.Connection, files: JournalFiles, version: int) -> str:
    copy = name_copy(files.database, f"version-{version}")
    copy.touch(PRIVATE_FILE)
    with closing(sqlite3.connect(copy)) as kept:
        connection.backup(kept)
    sync_folder(files.folder)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("BEGIN IMMEDIATE")
    marks = [
        mark for run_id, raws in _list_runs(connection) if (mark := _seal_run(connection, files, run_id, raws, version))
    ]
    epoch = connection.execute("SELECT max(epoch) FROM rows").fetchone()[0] or 0
    set_writer(connection, epoch, 0, files.seal)
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")
    files.witness.unlink(missing_ok=True)
    WitnessFile(files).append(marks)
    return str(copy)


def _list_runs(connection: sqlite3.Connection) -> Iterator[tuple[Any, list[tuple[Any, ...]]]]:
    place = COLUMNS.index("run_id")
    for run_id, raws in groupby(connection.execute(_ROWS).fetchall(), key=lambda raw: raw[place]):
        yield run_id, list(raws)


def _seal_run(
    connection: sqlite3.Connection, files: JournalFiles, run_id: bytes, raws: list[tuple[Any, ...]], version: int
) -> Mark | None:
    """Seal a run's rows as far as they hang together, and return how far it got; None where no row is right."""
    chain, before = Chain(), NO_CHECKSUM
    for raw in raws:
        end = chain.find_end(run_id.decode(errors="replace"))
        row = decode_row(raw)
        if row is None or row.position != end.position + 1 or row.previous != before or not _is_right(raw, version):
            break
        values = dict(zip(COLUMNS, list_values(row), strict=True))
        values.pop("checksum")
        sealed = seal_row(values | {"previous": end.checksum}, files.seal)
        changed = (sealed.previous, sealed.checksum, sealed.seq)
        connection.execute("UPDATE rows SET previous = ?, checksum = ? WHERE seq = ?", changed)
        before = row.checksum
        chain.rows.append(sealed)
        chain.marks.append(advance(end, sealed))
    return chain.marks[-1] if chain.marks else None


def _is_right(raw: tuple[Any, ...], version: int) -> bool:
    """Tell whether a row is as it was written, as far as its own version lets tell."""
    if version != UNSEALED_VERSION:
        return True
    row = decode_row(raw)
    return row is not None and hashlib.sha256(write_values(list_values(row)[:-1])).digest() == row.checksum
