"""One process of the browser benchmark: `browser_worker.py SITE FOLDER raw|engine|ours [PART,…]`, with the parts that are taken out.

Opens the site's first page, says so by a line, and then for each line on its input: a number, to do so many jobs and print the wall and CPU seconds of
each; `memory`, to print how much this process and all below it hold; `timings`, to do a job and print what each step took; or an address, to open a page
that transfers something, and print the seconds that it took. Ends where its input ends. `engine` is Playwright with our engine in every document.
"""

import asyncio
import gc
import json
import sys
import time
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # the scripts import each other from the root

from scripts.benchmarks.workers.browser_jobs import OurVisitor, RawVisitor, Visitor, take_out
from scripts.benchmarks.workers.browser_timings import Meter, time_steps

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


async def serve(visitor: Visitor, meter: Meter) -> None:
    """Open the first page, and then do what is asked for until nobody asks any more."""
    async with visitor:
        await visitor.arrive()
        _say("ready")
        while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
            _say(await answer(visitor, meter, line))


async def answer(visitor: Visitor, meter: Meter, line: str) -> Any:
    """Do what a line asks for, and return what is to be printed."""
    if line == "memory":
        return read_memory_mib()
    if line == "timings":
        await visitor.forget()
        return await time_steps(meter, visitor.do_job)
    if line.startswith("http"):
        assert isinstance(visitor, OurVisitor)
        return await visitor.time_transfer(line)
    return await time_jobs(visitor, int(line))


def make_visitor(site: str, folder: Path, side: str, meter: Meter) -> Visitor:
    """Return who does the job."""
    if side == "ours":
        return OurVisitor(site, folder)
    return RawVisitor(site, has_engine=side == "engine", on_step=meter.begin)


if __name__ == "__main__":
    site, folder, side, *parts = sys.argv[1:]
    take_out(parts[0] if parts else "")
    meter = Meter()
    if "timings" in parts[1:]:
        meter.watch()
    asyncio.run(serve(make_visitor(site, Path(folder), side, meter), meter))
