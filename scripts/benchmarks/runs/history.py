"""What a run costs after others in its folder, and what a step costs in a long flow.

A run writes one small file, in a folder where none, 100 and 1,000 runs ended before; beside it, in turn, the same file is written with the same
durability and two rows by SQLite alone. Then a first run in a process of its own, as from a command. Flows of 10 to 5,000 steps look at a file; each runs in a
fresh process. Syncs are counted by strace, where that is there: those of ten runs, beside a process that does none.
"""

import asyncio
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from scripts.benchmarks.environment import BUILD
from scripts.benchmarks.files import write_raw
from scripts.benchmarks.journal import open_raw, write_rows
from scripts.benchmarks.workers.run_jobs import Cost, run_once

ROOT = Path(__file__).resolve().parents[3]
WORKER = ROOT / "scripts" / "benchmarks" / "workers" / "run_jobs.py"
HISTORIES = (0, 100, 1000)
FLOWS = (10, 100, 1000, 5000)
RUNS_A_ROUND = 3
COUNTED_RUNS = 10
WARM_UP = 3


async def measure(rounds: int) -> dict[str, float]:
    """Return the figures by name: medians of milliseconds, syncs a run, and MiB.

    Args:
        rounds: Runs that are timed after each history, by three.
    """
    BUILD.mkdir(exist_ok=True)
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="history-", dir=BUILD) as place:
        folder = Path(place)
        for count in HISTORIES:
            workspace = folder / str(count)
            ask_worker("history", workspace, count)
            figures |= await time_runs(workspace, count, rounds * RUNS_A_ROUND)
            firsts = [ask_worker("first", workspace, 1) for _ in range(rounds)]
            figures[f"after_{count}_first_cpu_ms"] = statistics.median(first[0] for first in firsts)
            figures[f"after_{count}_first_wall_ms"] = statistics.median(first[1] for first in firsts)
            if (syncs := count_syncs(workspace)) is not None:
                figures[f"after_{count}_syncs"] = syncs
        for steps in FLOWS:
            cpu_ms, wall_ms, mib = ask_worker("flow", folder / f"flow{steps}", steps)
            figures[f"flow_{steps}_wall_ms_a_step"] = wall_ms / steps
            figures[f"flow_{steps}_cpu_ms_a_step"] = cpu_ms / steps
            figures[f"flow_{steps}_mib"] = mib
    return figures | compare(figures)


async def time_runs(workspace: Path, count: int, times: int) -> dict[str, float]:
    """Return what runs cost in a session, and the same work done bare, in turn."""
    ours: list[Cost] = []
    raws: list[Cost] = []
    with closing(open_raw(workspace / "raw.sqlite", "FULL")) as connection:

        def write() -> None:
            write_raw(str(workspace / "raw.txt"), b"A line of text.\n")
            write_rows(connection)

        async for cost in run_once(workspace, times + WARM_UP):
            ours.append(cost)
            raws.append(time_call(write))
    figures: dict[str, float] = {}
    for name, costs in (("", ours[WARM_UP:]), ("raw_", raws[WARM_UP:])):
        figures[f"after_{count}_{name}cpu_ms"] = statistics.median(cost.cpu_ms for cost in costs)
        figures[f"after_{count}_{name}wall_ms"] = statistics.median(cost.wall_ms for cost in costs)
    figures[f"after_{count}_wall_ratio"] = figures[f"after_{count}_wall_ms"] / figures[f"after_{count}_raw_wall_ms"]
    return figures


def time_call(work: Callable[[], object]) -> Cost:
    """Return what a call costs."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return Cost((time.process_time() - cpu) * 1000, (time.perf_counter() - wall) * 1000)


def ask_worker(what: str, workspace: Path, count: int) -> list[float]:
    """Return the numbers that a process of its own gives for a job."""
    workspace.mkdir(exist_ok=True)
    command = [sys.executable, str(WORKER), what, str(workspace), str(count)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return [float(each) for each in done.stdout.split()]


def count_syncs(workspace: Path) -> float | None:
    """Return how many times a run brings something to the disk, beside those of its file; None where nobody can count."""
    strace = shutil.which("strace")
    if strace is None:
        return None
    found: list[int] = []
    for count in (WARM_UP, WARM_UP + COUNTED_RUNS):
        log = workspace / "syncs.txt"
        command = [strace, "-f", "-o", str(log), "-e", "trace=fsync,fdatasync", sys.executable, str(WORKER)]
        subprocess.run(
            [*command, "history", str(workspace), str(count)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
        )
        found.append(log.read_text(encoding="utf-8").count("sync("))
    return (found[1] - found[0]) / COUNTED_RUNS


def compare(figures: dict[str, float]) -> dict[str, float]:
    """Return how much history and length make a run dearer: 1 where nothing."""
    last, longest = HISTORIES[-1], FLOWS[-1]
    return {
        "history_cpu_growth": figures[f"after_{last}_cpu_ms"] / figures["after_0_cpu_ms"],
        "history_first_cpu_growth": figures[f"after_{last}_first_cpu_ms"] / figures["after_0_first_cpu_ms"],
        "flow_cpu_growth": figures[f"flow_{longest}_cpu_ms_a_step"] / figures["flow_100_cpu_ms_a_step"],
        "flow_kib_a_step": figures[f"flow_{longest}_mib"] * 1024 / longest,
    }


if __name__ == "__main__":
    print(asyncio.run(measure(7)))
