"""SessionFiles: one file for each run that was carried out, ``agent_sessions/<run id>.json``."""

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil

from agent.store.documents import (
    DAMAGED,
    SESSION,
    Document,
    DocumentKind,
    read_document,
    read_head,
    write_document,
)
from agent.store.private_files import make_private_folder, set_aside, write_whole
from core.errors import GoalError, SchemaError

SESSIONS_FOLDER = "agent_sessions"
FORMAT_FILE = "format.json"

_RUN = re.compile(r"r[0-9a-f]{16}")
_LONGEST_WRITING_S = 3600


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run as it is kept.

    Attributes:
        run_id: The run.
        document: What is kept, or the beginning of it; empty where the file can't be used.
        fault: Why not, then.
    """

    run_id: str
    document: Mapping[str, Any]
    fault: str = ""


class SessionFiles:
    """The files of a folder's runs; nothing is made before a run begins. All calls block."""

    def __init__(self, folder: Path, *, most: int = 500, kind: DocumentKind = SESSION) -> None:
        """Remember where; touch nothing.

        Args:
            folder: Where what is kept of runs lies.
            most: How many are kept; the oldest beyond go.
            kind: Version of the files.
        """
        self.folder = folder / SESSIONS_FOLDER
        self._most = most
        self._kind = kind

    def check(self) -> tuple[str, ...]:
        """Make sure that the files are of the present version; say so if that could not be read.

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
            if error.code != DAMAGED:
                raise
            aside = set_aside(marker, "corrupt")
            return (f"{error.message} It was moved to {aside}.",)
        return ()

    def write(self, run_id: str, body: Mapping[str, Any], *, durable: bool = True) -> None:
        """Keep what is known of a run, in the place of what was kept of it before.

        Args:
            run_id: The run.
            body: What is known.
            durable: Whether it must be on the disk when this returns.

        Raises:
            OSError: If it can't be written.
        """
        make_private_folder(self.folder.parent)
        make_private_folder(self.folder)
        marker = self.folder / FORMAT_FILE
        if not marker.exists():
            write_whole(marker, write_document(self._kind.stamp({})), durable=durable)
        write_whole(self._name(run_id), write_document(self._kind.stamp(body)), durable=durable)

    def read(self, run_id: str) -> Document:
        """Return what is kept of a run.

        Raises:
            SchemaError: If it is of another version, or can't be understood.
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
        """Return all runs, the latest first, each with the beginning of its file; those that can't be used with the reason."""
        runs = [self._load(run_id) for run_id in self.list_ids()]
        return sorted(runs, key=lambda run: str(run.document.get("began_at", "")), reverse=True)

    def find(self, named: str) -> Document:
        """Return what is kept of a run.

        Args:
            named: Its id, the beginning of it, or ``last``.

        Raises:
            GoalError: ``unknown_run`` or ``ambiguous_run``.
            SchemaError: As for ``read``.
        """
        ids = self.list_ids()
        if named == "last" and ids:
            return self.read(self.list_runs()[0].run_id)
        found = [named] if named in ids else [each for each in ids if named and each.startswith(named)]
        if len(found) == 1:
            return self.read(found[0])
        if found:
            hint = f"Meant may be {', '.join(found[:5])}."
            raise GoalError(f'Several runs begin with "{named}".', code="ambiguous_run", hint=hint)
        hint = "surehand sessions list shows what is kept."
        raise GoalError(f'Nothing is kept of a run "{named}" here.', code="unknown_run", hint=hint)

    def prune(self) -> None:
        """Remove the oldest runs beyond the most, and what writers that were killed left behind.

        Raises:
            OSError: If that fails.
        """
        for run_id in self.list_ids()[self._most :]:
            self._name(run_id).unlink(missing_ok=True)
        now = datetime.now(UTC).timestamp()
        for leftover in self.folder.glob(".*.tmp"):
            with contextlib.suppress(FileNotFoundError):
                if now - leftover.stat().st_mtime > _LONGEST_WRITING_S:
                    leftover.unlink()

    def _load(self, run_id: str) -> KeptRun:
        try:
            return KeptRun(run_id, read_head(self._name(run_id), self._kind))
        except (SchemaError, OSError) as error:
            return KeptRun(run_id, {}, str(error))

    def _name(self, run_id: str) -> Path:
        return self.folder / f"{run_id}.json"


def describe_process() -> dict[str, Any]:
    """Return what tells this process from a later one of the same number."""
    process = psutil.Process()
    return {"pid": process.pid, "started": process.create_time()}


def tell_status(document: Mapping[str, Any]) -> str:
    """Return what became of a run: its outcome, ``running``, or ``interrupted`` where its process ended before it."""
    if document.get("status") != "running":
        return str(document.get("outcome", "unknown"))
    process = document.get("process", {})
    try:
        alive = psutil.Process(process["pid"]).create_time() == process["started"]
    except (psutil.Error, KeyError, TypeError, ValueError):
        alive = False
    return "running" if alive else "interrupted"
