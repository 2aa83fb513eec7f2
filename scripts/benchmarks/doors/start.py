"""What the first second costs: commands in processes of their own, from their start to their end, beside an empty Python in turn.

`plan` and `interpret` read a sentence of two steps where no service runs; `warm` reads the title of the page that a service of the folder has
open, in the session that is named: the processor time is the command's, the wall time also the service's. Bytecode is kept, as where somebody
uses it, and what runs first isn't counted. Figures are medians; processor time is what the system counts for the process.
"""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from fixtures.site_server import SiteServer
from scripts.benchmarks.doors.callers import check
from scripts.benchmarks.doors.processes import PROGRAM, serve
from scripts.benchmarks.environment import keep_bytecode

PLANNED = "go to example.com and read the title"
SENTENCE = "read the title"
EMPTY = "empty"
COMMANDS: Mapping[str, Sequence[str]] = {
    EMPTY: (sys.executable, "-c", "pass"),
    "help": (str(PROGRAM), "--help"),
    "interpret": (str(PROGRAM), "interpret", PLANNED),
    "plan": (str(PROGRAM), "plan", PLANNED),
}
WARM = (str(PROGRAM), "run", "--session", "start", SENTENCE)
WARM_UP = 2
Spent = tuple[float, float]
"""Milliseconds of the processor, and of the clock."""


async def measure(rounds: int) -> dict[str, float]:
    """Return the figures: milliseconds, and processor time as a multiple of an empty Python's in the same round.

    Args:
        rounds: Every command is run twice in each.
    """
    with SiteServer() as site, keep_bytecode() as variables, tempfile.TemporaryDirectory() as folder:
        cold, served = Path(folder) / "cold", Path(folder) / "served"
        for each in (cold, served):
            each.mkdir()
        places = {name: (command, cold) for name, command in COMMANDS.items()} | {"warm": (WARM, served)}
        with serve(served):
            spend((*WARM[:-1], f"go to {site.url}/table/small"), served, variables)
            rows = [
                {name: spend(command, place, variables) for name, (command, place) in places.items()}
                for _ in range(WARM_UP + rounds * 2)
            ]
    return sum_up(rows[WARM_UP:])


def spend(command: Sequence[str], place: Path, variables: Mapping[str, str]) -> Spent:
    """Return what a command takes; it must succeed."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, cwd=place, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    check(done.stderr or done.stdout, is_right=done.returncode == 0)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000, wall * 1000


def sum_up(rows: Sequence[Mapping[str, Spent]]) -> dict[str, float]:
    """Return the figures of rounds."""
    figures: dict[str, float] = {}
    for name in rows[0]:
        figures[f"{name}_cpu_ms"] = statistics.median(row[name][0] for row in rows)
        figures[f"{name}_wall_ms"] = statistics.median(row[name][1] for row in rows)
        if name != EMPTY:
            figures[f"{name}_cpu_ratio"] = statistics.median(row[name][0] / row[EMPTY][0] for row in rows)
    return figures
