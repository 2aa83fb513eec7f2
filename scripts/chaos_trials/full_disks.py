"""A run with a journal that may not grow: whether anything is done that isn't written down first."""

import asyncio
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from agent.assembly import make_session
from agent.requests.requests import Request
from agent.settings.settings import Settings
from agent.store.journal.sqlite_journal import SqliteJournal
from core.addresses.path_parts import STATE_FOLDER
from core.approvals.approvals import ClassGate
from core.goals.meta_goals import Goal
from core.journal.serialization import unpack_value

_FILES = 12


@dataclass(slots=True)
class FullDisk:
    """What came of runs.

    Attributes:
        runs: How many.
        made: Files that were made.
        refused: Files that were not, since that couldn't be written down.
        acts_without_intent: Files that are there, and the journal doesn't say that they were going to be made.
    """

    runs: int = 0
    made: int = 0
    refused: int = 0
    acts_without_intent: int = 0

    def add(self, other: "FullDisk") -> None:
        """Count another's as well."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


def fill_disk(limit_bytes: int) -> FullDisk:
    """Make files while no file of this process may grow beyond a size; it is the journal's that meet it.

    Args:
        limit_bytes: The size.
    """
    with tempfile.TemporaryDirectory(prefix="surehand-full-") as folder:
        workspace = Path(folder)
        with limit_files(limit_bytes):
            codes = asyncio.run(_make_files(workspace))
        made = {str(file) for file in workspace.glob("*.txt")}
        intended = asyncio.run(_list_intended(workspace))
    refused = sum(code.startswith("journal_") for code in codes)
    return FullDisk(1, len(made), refused, len(made - intended))


@contextmanager
def limit_files(limit_bytes: int) -> Generator[None]:
    """Let no file of this process grow beyond a size, where the platform can do that."""
    if sys.platform == "win32":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def _make_files(workspace: Path) -> list[str]:
    """Make files in one run; return the codes of what went wrong."""
    goals = tuple(
        Goal("file", "create", {"object_type": "file", "name": str(workspace / f"{number}.txt"), "content": "x"})
        for number in range(_FILES)
    )
    async with make_session(Settings(), workspace) as session:
        result = await session.run(Request(goals=goals, gate=ClassGate({"apply_diff"})))
    errors = [log.result.error for log in result.step_logs if log.result.error]
    return [error.code for error in (*errors, *result.errors)]


async def _list_intended(workspace: Path) -> set[str]:
    """Return the files that the journal says were going to be made."""
    journal = SqliteJournal(workspace / STATE_FOLDER)
    try:
        records = [await journal.read(run_id) for run_id in await journal.list_runs()]
    finally:
        await journal.close()
    entries = [row.entry for record in records for row in record.rows]
    return {unpack_value(entry.body["params"])["name"] for entry in entries if entry.state == "intent"}
