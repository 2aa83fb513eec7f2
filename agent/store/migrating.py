"""Migrating: what is kept is brought to the present version, with a copy of each file as it was before."""

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from agent.store.context_file import CONTEXT_FILE, CONTEXT_LOCK
from agent.store.documents import (
    CONTEXT,
    FLOW,
    SESSION,
    DocumentKind,
    MigratedFile,
    bind_document,
    migrate_document,
    parse_document,
    report_foreign,
)
from agent.store.flow_files import FLOWS_FOLDER
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
from agent.store.journal.witness import WitnessFile
from agent.store.private_files import name_copy, sync_folder, write_whole
from agent.store.session_files import FORMAT_FILE, SESSIONS_FOLDER
from core.base.errors import ActionError, JournalError, SchemaError
from core.base.late_dataclasses import dataclass, field

_WAIT_S = 10.0


@dataclass(frozen=True, slots=True)
class Migrator:
    """Brings everything in a folder to the present version."""

    folder: Path
    context: DocumentKind = field(default=CONTEXT)
    session: DocumentKind = field(default=SESSION)
    flow: DocumentKind = field(default=FLOW)

    def migrate(self, *, dry: bool = False, adopt: bool = False) -> list[MigratedFile]:
        """Migrate every file that is of an older version.

        What isn't known to be this person's is left as it is, unless they say that it is theirs.

        The file that says of which version a folder is comes last: a migration that was cut short is gone on with.

        Returns:
            What came of each file that is of another version, or can't be understood.

        Raises:
            ActionError: ``memory_busy`` if another process changes the context memory.
            JournalError: If the journal can't be adopted.
            OSError: If a file can't be written; those before it have been migrated.
        """
        if not self.folder.is_dir():
            return []
        try:
            with FileLock(self.folder / CONTEXT_LOCK, timeout=_WAIT_S, mode=0o600):
                found = [self._migrate_one(path, kind, dry=dry, adopt=adopt) for path, kind in self._list_files()]
        except Timeout:
            text = f"{self.folder} is in use by another process."
            raise ActionError(text, code="memory_busy", hint="Try again when it has ended.") from None
        found += self._adopt_journal(dry=dry) if adopt else ()
        return [each for each in found if each.fault or each.is_adopted or each.before != each.after]

    def _adopt_journal(self, *, dry: bool) -> Iterator[MigratedFile]:
        files = JournalFiles(self.folder)
        if adopted := adopt_journal(files, dry=dry):
            yield MigratedFile(files.database, "journal", adopted[0], VERSION, adopted[1], is_adopted=True)

    def _list_files(self) -> Iterator[tuple[Path, DocumentKind]]:
        if (context := self.folder / CONTEXT_FILE).exists():
            yield context, self.context
        for path in sorted((self.folder / FLOWS_FOLDER).glob("*.json")):
            yield path, self.flow
        sessions = self.folder / SESSIONS_FOLDER
        for path in sorted(sessions.glob("r*.json")):
            yield path, self.session
        if (marker := sessions / FORMAT_FILE).exists():
            yield marker, self.session

    def _migrate_one(self, path: Path, kind: DocumentKind, *, dry: bool, adopt: bool) -> MigratedFile:
        try:
            document, is_own = parse_document(path, kind)
            if not is_own and not adopt:
                raise report_foreign(path)
        except SchemaError as error:
            return MigratedFile(path, kind.name, None, None, fault=str(error))
        before: int = document["schema_version"]
        is_marker = path.name == FORMAT_FILE and before <= kind.version
        try:
            migrated = kind.stamp({}) if is_marker else migrate_document(document, kind)
        except SchemaError as error:
            return MigratedFile(path, kind.name, before, before, fault=str(error))
        is_kept = before == kind.version and is_own
        if kind is self.context:
            migrated = bind_document(migrated, path)
        backup = "" if dry or is_kept else _replace(path, kind.write(migrated), before)
        return MigratedFile(path, kind.name, before, kind.version, backup, is_adopted=not is_own)


def _replace(path: Path, content: bytes, version: int) -> str:
    """Write a file anew, as old as it was, and return where it lies as it was before."""
    backup = name_copy(path, f"version-{version}")
    changed = path.stat()
    write_whole(backup, path.read_bytes())
    write_whole(path, content)
    os.utime(path, ns=(changed.st_atime_ns, changed.st_mtime_ns))  # runs are put in order by it
    return str(backup)


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
        check_owner(connection, files)
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
