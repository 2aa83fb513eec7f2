"""Migrating the backlog: brought to the present version, or made this person's own by their word; a copy stays as it was."""

import secrets
import sqlite3
from contextlib import closing
from pathlib import Path

from filelock import Timeout

from agent.planners.backlog.database import BacklogFiles, make_private_file
from agent.planners.backlog.sealed_rows import (
    BACKLOG_SCHEMA,
    BacklogSchema,
    SealedRows,
    read_owner,
    set_owner,
    transact,
)
from agent.store.documents import MigratedFile
from agent.store.journal.schema import connect
from agent.store.private_files import name_copy
from agent.store.seals import WHY_FOREIGN
from core.base.late_dataclasses import dataclass, field

_KIND = "backlog"
_WAIT_S = 10.0


class _MisfitError(Exception):
    """What a migration came to is not what it has to be."""


@dataclass(frozen=True, slots=True)
class BacklogMigrator:
    """Brings the backlog of a folder to the present version."""

    files: BacklogFiles
    schema: BacklogSchema = field(default=BACKLOG_SCHEMA)

    def migrate(self, *, dry: bool = False, adopt: bool = False) -> list[MigratedFile]:
        """Migrate the database, all of it or nothing, if it is of an older version.

        What isn't known to be this person's is left as it is, unless they say that it is theirs.

        Raises:
            ActionError: ``backlog_busy`` if another process makes or moves it.
            OSError: If the copy can't be written.
        """
        if not self.files.database.exists():
            return []
        self.files.make_folder()
        try:
            with self.files.hold(_WAIT_S), closing(self.files.connect(_WAIT_S)) as connection:
                return self._migrate(connection, dry=dry, adopt=adopt)
        except Timeout:
            raise self.files.tell_busy() from None
        except sqlite3.Error as error:
            return [self._tell(None, None, fault=f"It can't be understood: {error}.")]

    def _migrate(self, connection: sqlite3.Connection, *, dry: bool, adopt: bool) -> list[MigratedFile]:
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return []
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        owner = read_owner(connection, self.files.seal)
        if not owner and not adopt:
            return [self._tell(None, None, fault=f"It may not be yours: {WHY_FOREIGN}.")]
        if owner and version == self.schema.version:
            return []
        if why := self._find_gap(version):
            return [self._tell(version, version, fault=why)]
        if dry:
            return [self._tell(version, self.schema.version, is_adopted=not owner)]
        backup = self._back_up(connection, version)
        try:
            with transact(connection):
                self._change(connection, version, owner)
        except _MisfitError:
            return [self._tell(version, version, fault="Its tables are not those that Surehand makes.")]
        return [self._tell(version, self.schema.version, backup=str(backup), is_adopted=not owner)]

    def _change(self, connection: sqlite3.Connection, version: int, owner: str) -> None:
        if owner:
            columns = self.schema.migrations[version].columns
            rows = SealedRows(connection, self.files.seal, owner, columns)
            for table, seq in rows.list_foreign():
                rows.delete(table, "seq = ?", (seq,))
        for each in range(version, self.schema.version):
            self.schema.migrations[each].change(connection)
        connection.execute(f"PRAGMA user_version = {self.schema.version}")
        if not self.schema.fits(connection):
            raise _MisfitError
        if not owner:
            owner = secrets.token_hex(16)
            set_owner(connection, self.files.seal, owner)
        SealedRows(connection, self.files.seal, owner, self.schema.columns).sign_all()

    def _find_gap(self, version: int) -> str:
        if version > self.schema.version:
            return f"It has version {version}; this Surehand uses version {self.schema.version}. Update Surehand."
        missing = [each for each in range(version, self.schema.version) if each not in self.schema.migrations]
        return f"This Surehand can't update it from version {missing[0]}." if missing else ""

    def _back_up(self, connection: sqlite3.Connection, version: int) -> Path:
        path = name_copy(self.files.database, f"version-{version}")
        make_private_file(path)
        with closing(connect(str(path), uri=False)) as target:
            connection.backup(target)
        return path

    def _tell(
        self, before: int | None, after: int | None, *, backup: str = "", fault: str = "", is_adopted: bool = False
    ) -> MigratedFile:
        return MigratedFile(self.files.database, _KIND, before, after, backup, fault, is_adopted)
