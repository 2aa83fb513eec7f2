"""One process of the browser benchmark: `browser_worker.py SITE FOLDER raw|ours [PART,…]`, with the parts that are taken out.

Opens the site's first page, says so by a line, and then for each line on its input: a number, to do so many jobs and print the wall and CPU seconds of
each, or `memory`, to print how much this process and all below it hold. Ends where its input ends.
"""

import asyncio
import gc
import json
import sys
import time
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the scripts import each other from the root

from scripts.benchmarks.browser_jobs import OurVisitor, RawVisitor, Visitor, take_out

_MIB = 1024 * 1024


def read_cpu_s() -> float:
    """Return the CPU seconds of this process and all below it that run."""
    me = psutil.Process()
    total = 0.0
    for process in (me, *me.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue  # it ended meanwhile
        total += times.user + times.system
    return total


def read_memory_mib() -> float:
    """Return what this process and all below it hold; what several share is counted once where the system says."""
    gc.collect()
    me = psutil.Process()
    total = 0
    for process in (me, *me.children(recursive=True)):
        try:
            held = process.memory_full_info()
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
        total += getattr(held, "pss", held.uss)
    return total / _MIB


async def time_jobs(visitor: Visitor, count: int) -> dict[str, list[float]]:
    """Return the wall and CPU seconds of jobs."""
    times: dict[str, list[float]] = {"wall": [], "cpu": []}
    for _ in range(count):
        await visitor.forget()
        gc.collect()
        cpu, wall = read_cpu_s(), time.perf_counter()
        await visitor.do_job()
        times["wall"].append(time.perf_counter() - wall)
        times["cpu"].append(read_cpu_s() - cpu)
    return times


def _say(what: Any) -> None:
    print(json.dumps(what), flush=True)


async def serve(visitor: Visitor) -> None:
    """Open the first page, and then do what is asked for until nobody asks any more."""
    async with visitor:
        await visitor.arrive()
        _say("ready")
        while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
            _say(read_memory_mib() if line == "memory" else await time_jobs(visitor, int(line)))


if __name__ == "__main__":
    site, folder, side, *parts = sys.argv[1:]
    take_out(*parts or [""])
    asyncio.run(serve(RawVisitor(site) if side == "raw" else OurVisitor(site, Path(folder))))
