"""What the journal adds to an acting step, beside another engine that makes steps durable, and beside the least that a disk allows.

An acting step writes two rows: what is going to be done, and what came of it; each is on the disk before the step goes on. Beside it,
in turn on the same disk: steps of a DBOS workflow on SQLite, which do nothing and write their outcome only; two commits of SQLite
itself, synced (the floor); and the same without syncing, which shows what of it is the disk.
"""

import asyncio
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from agent.store.journal.sqlite_journal import SqliteJournal
from core.journal.journal import JournalEntry
from scripts.benchmarks.environment import BUILD, prepare_environment

ROOT = Path(__file__).resolve().parents[2]
STEPS = 5
TURNS_PER_ROUND = 8

_ACT = {
    "digest": "d" * 64,
    "tool": "file_write",
    "params": {"path": "workspace:/notes/today.txt", "content": "A line of text, as it is written every day.\n"},
    "facts": {"before": "a" * 64, "after": "b" * 64},
    "description": "Write the file workspace:/notes/today.txt",
}
_OUTCOME = {"status": "ok", "effect": "confirmed", "output": {"bytes": 44}, "evidence": {"sha256": "b" * 64}, "ms": 1.2}


class DbosWorkflow:
    """A process that does steps of a DBOS workflow."""

    def __init__(self, database: Path) -> None:
        """Start it, in an environment of its own that is made first where need be."""
        self._process = subprocess.Popen(
            [
                str(prepare_environment()),
                str(ROOT / "scripts" / "benchmarks" / "workers" / "dbos_steps.py"),
                str(database),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._read()

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.stdout.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def time_steps(self, count: int) -> list[float]:
        """Return the milliseconds of steps that do nothing, without what the workflow itself costs."""
        assert self._process.stdin
        self._process.stdin.write(f"{count}\n")
        self._process.stdin.flush()
        return json.loads(self._read())[0]

    def _read(self) -> str:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("dbos ended; what it said is above")
        return line


async def measure(rounds: int) -> dict[str, float]:
    """Return the figures by name: milliseconds a step, and ratios of medians.

    Args:
        rounds: How long; 8 turns of 5 steps each.
    """
    BUILD.mkdir(exist_ok=True)
    times: dict[str, list[float]] = {"journal": [], "dbos": [], "raw": [], "unsynced": []}
    with tempfile.TemporaryDirectory(prefix="journal-", dir=BUILD) as place:
        folder = Path(place)
        journal = SqliteJournal(folder / "journal")
        with DbosWorkflow(folder / "dbos.sqlite") as workflow:
            jobs: dict[str, Callable[[int], Awaitable[list[float]]]] = {
                "journal": partial(time_journal, journal),
                "dbos": lambda _: asyncio.to_thread(workflow.time_steps, STEPS),
                "raw": lambda _: asyncio.to_thread(time_raw, folder / "raw.sqlite", "FULL"),
                "unsynced": lambda _: asyncio.to_thread(time_raw, folder / "unsynced.sqlite", "OFF"),
            }
            for number in range(rounds * TURNS_PER_ROUND + 1):
                # Short turns in a random order, so that none always comes after the same other.
                for name in random.sample(tuple(times), len(times)):
                    found = await jobs[name](number)
                    times[name] += found if number else []  # the first turn of each is not counted
        await journal.close()
    return find_figures(times)


async def time_journal(journal: SqliteJournal, number: int) -> list[float]:
    """Return the milliseconds of steps of one run, without its first row."""
    run_id = f"r{number:016x}"
    await journal.append([JournalEntry(run_id, "", "begun")])
    found: list[float] = []
    for step in range(STEPS):
        action_id = f"g{step}_file_1"
        began = time.perf_counter()
        await journal.append([JournalEntry(run_id, action_id, "intent", _ACT)])
        await journal.append([JournalEntry(run_id, action_id, "done", _OUTCOME)])
        found.append((time.perf_counter() - began) * 1000)
    await journal.release()  # as a session does after each run
    return found


def time_raw(database: Path, synchronous: str) -> list[float]:
    """Return the milliseconds of two commits each, of the same bytes, into a log that begins anew as the journal's does."""
    found: list[float] = []
    with closing(open_raw(database, synchronous)) as connection:
        for _ in range(STEPS):
            began = time.perf_counter()
            write_rows(connection)
            found.append((time.perf_counter() - began) * 1000)
    return found


def open_raw(database: Path, synchronous: str) -> sqlite3.Connection:
    """Return a connection to a table of rows, with a log."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    connection.execute("CREATE TABLE IF NOT EXISTS rows (body TEXT)")
    return connection


def write_rows(connection: sqlite3.Connection) -> None:
    """Write an intent and an outcome, a commit each."""
    for body in (_ACT, _OUTCOME):
        connection.execute("INSERT INTO rows VALUES (?)", (json.dumps(body),))


def find_figures(times: dict[str, list[float]]) -> dict[str, float]:
    """Return medians, 95th percentiles, and the journal's medians as ratios to the others'."""
    figures: dict[str, float] = {}
    for name, found in times.items():
        figures[f"{name}_p50_ms"] = statistics.median(found)
        figures[f"{name}_p95_ms"] = statistics.quantiles(found, n=20)[-1]
    for other in ("dbos", "raw"):
        figures[f"{other}_ratio"] = figures["journal_p50_ms"] / figures[f"{other}_p50_ms"]
    figures["journal_least_ms"], figures["raw_least_ms"] = min(times["journal"]), min(times["raw"])
    if sys.platform != "win32":
        figures["load"] = os.getloadavg()[0]  # beside others, ratios near 1 say little
    return figures
