"""SessionFiles: one file for each run that was carried out, ``agent_sessions/<run id>.json``."""

import contextlib
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agent.store.documents import (
    DAMAGED,
    FOREIGN,
    SESSION,
    DocumentKind,
    StoredDocument,
    check_version,
    parse_document,
    read_document,
    read_head,
)
from agent.store.private_files import FOREIGN as FOREIGN_FOLDER
from agent.store.private_files import make_foreign_folder, make_private_folder, set_aside, write_whole
from agent.store.processes import lives
from agent.store.seals import WHY_FOREIGN
from core.base.errors import GoalError, SchemaError, SurehandError
from core.base.late_dataclasses import dataclass, replace

SESSIONS_FOLDER = "agent_sessions"
FORMAT_FILE = "format.json"

_RUN = re.compile(r"r[0-9a-f]{16}")
_LONGEST_WRITING_S = 3600

_SLACK = 10
"""Of so many runs that are kept one more may be, so that not each run looks for the oldest."""


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run as it is kept.

    Attributes:
        document: What is kept, or the beginning of it; empty where the file can't be used.
        is_foreign: Whether it isn't known to be this person's: it is shown, and nothing else is done with it.
    """

    run_id: str
    document: Mapping[str, Any]
    fault: str = ""
    is_foreign: bool = False


class SessionFiles:
    """The files of a folder's runs; nothing is made before a run begins. All calls block."""

    def __init__(self, folder: Path, *, most: int = 500, kind: DocumentKind = SESSION) -> None:
        """Remember where; touch nothing.

        Args:
            most: How many are kept; the oldest beyond go, once there are a tenth more.
        """
        self.folder = folder / SESSIONS_FOLDER
        self._most = most
        self._kind = kind

    def check(self) -> tuple[str, ...]:
        """Make sure that the files are this person's and of the present version; say so if they aren't, or that can't be read.

        Files of somebody else are set aside, all together.

        Raises:
            SchemaError: ``schema_drift`` if they aren't.
            OSError: If they can't be read.
        """
        marker = self.folder / FORMAT_FILE
        try:
            read_document(marker, self._kind)
        except FileNotFoundError:
            return ()
        except SchemaError as error:
            if error.code == FOREIGN:
                aside = make_foreign_folder(self.folder.parent) / SESSIONS_FOLDER
                self.folder.rename(aside)
                return (f"The runs saved here may not be yours: {WHY_FOREIGN}. They were moved to {aside}.",)
            if error.code != DAMAGED:
                raise
            aside = set_aside(marker, "corrupt")
            return (f"{error.message} It was moved to {aside}.",)
        return ()

    def write(self, run_id: str, body: Mapping[str, Any], *, durable: bool = True) -> None:
        """Keep what is known of a run, in the place of what was kept of it before.

        Args:
            durable: Whether it must be on the disk when this returns.

        Raises:
            OSError: If it can't be written.
        """
        make_private_folder(self.folder.parent)
        make_private_folder(self.folder)
        marker = self.folder / FORMAT_FILE
        if not marker.exists():
            write_whole(marker, self._kind.write(self._kind.stamp({})), durable=durable)
        write_whole(self._name(run_id), self._kind.write(self._kind.stamp(body)), durable=durable)

    def read(self, run_id: str) -> StoredDocument:
        """Return what this person kept of a run.

        Raises:
            SchemaError: If it is of another version, somebody else's, or can't be understood.
            OSError: If it can't be read, or isn't there.
        """
        return read_document(self._name(run_id), self._kind)

    def list_ids(self) -> list[str]:
        """Return the ids of the runs that are kept, the latest first."""
        found: list[tuple[int, str]] = []
        for path in self.folder.glob("r*.json"):
            with contextlib.suppress(FileNotFoundError):  # another process removed it just now
                if _RUN.fullmatch(path.stem):
                    found.append((path.stat().st_mtime_ns, path.stem))
        return [run_id for _, run_id in sorted(found, reverse=True)]

    def list_runs(self) -> list[KeptRun]:
        """Return all runs, the latest first, each with the beginning of its file; those that can't be used with the reason.

        Runs of somebody else come last.
        """
        runs = [*(self._load(run_id) for run_id in self.list_ids()), *self._list_aside()]
        runs.sort(key=lambda run: str(run.document.get("began_at", "")), reverse=True)
        return sorted(runs, key=lambda run: run.is_foreign)

    def find(self, named: str) -> KeptRun:
        """Return what is kept of a run, whole.

        Args:
            named: Its id, the beginning of it, or ``last``.

        Raises:
            GoalError: ``unknown_run`` or ``ambiguous_run``.
            SchemaError: As for ``read``.
        """
        ids = self.list_ids()
        if named == "last" and ids:
            return self._read_whole(self.list_runs()[0].run_id)
        found = [named] if named in ids else [each for each in ids if named and each.startswith(named)]
        if len(found) == 1:
            return self._read_whole(found[0])
        for aside in () if found else self._open_asides():
            with contextlib.suppress(GoalError):
                return replace(aside.find(named), is_foreign=True)
        if found:
            hint = f"Did you mean {', '.join(found[:5])}?"
            raise GoalError(f"Several runs begin with “{named}”.", code="ambiguous_run", hint=hint)
        hint = "surehand sessions list shows the saved runs."
        raise GoalError(f"No saved run “{named}” in this workspace.", code="unknown_run", hint=hint)

    def prune(self) -> None:
        """Remove the oldest runs beyond the most, and what writers that were killed left behind.

        Raises:
            OSError: If that fails.
        """
        with os.scandir(self.folder) as entries:  # after each run: no file is looked at that may stay
            names = [entry.name for entry in entries]
        if sum(name.endswith(".json") for name in names) > self._most + self._most // _SLACK:
            for run_id in self.list_ids()[self._most :]:
                self._name(run_id).unlink(missing_ok=True)
        now = datetime.now(UTC).timestamp()
        for leftover in (self.folder / name for name in names if name.startswith(".") and name.endswith(".tmp")):
            with contextlib.suppress(FileNotFoundError):
                if now - leftover.stat().st_mtime > _LONGEST_WRITING_S:
                    leftover.unlink()

    def _load(self, run_id: str) -> KeptRun:
        try:
            path = self._name(run_id)
            return KeptRun(run_id, read_head(path, self._kind), is_foreign=not self._kind.proves(path.read_bytes()))
        except (SurehandError, OSError) as error:
            return KeptRun(run_id, {}, str(error))

    def _read_whole(self, run_id: str) -> KeptRun:
        path = self._name(run_id)
        document, is_own = parse_document(path, self._kind)
        check_version(path, self._kind, document["schema_version"])
        return KeptRun(run_id, document, is_foreign=not is_own)

    def _list_aside(self) -> list[KeptRun]:
        return [replace(run, is_foreign=True) for aside in self._open_asides() for run in aside.list_runs()]

    def _open_asides(self) -> list["SessionFiles"]:
        """Return what was set aside, the latest first."""
        folders = self.folder.parent.glob(f"{FOREIGN_FOLDER}-*/{SESSIONS_FOLDER}")
        return [SessionFiles(each.parent, kind=self._kind) for each in sorted(folders, reverse=True)]

    def _name(self, run_id: str) -> Path:
        return self.folder / f"{run_id}.json"


def tell_status(document: Mapping[str, Any]) -> str:
    """Return what became of a run: its outcome, ``running``, or ``interrupted`` where its process ended before it."""
    if document.get("status") != "running":
        return str(document.get("outcome", "unknown"))
    return "running" if lives(document.get("process", {})) else "interrupted"
