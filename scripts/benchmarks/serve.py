"""What the doors add: a sentence through each of them, beside the bare call in one process, in turn, and what a service carries.

Each door has a page open in a session of its own, and is told to read the page's title. What a door adds is its time less that of the bare
call of the same round; of the slowest hundredth, the same of both. A second `surehand run` is timed as a whole, from the start of
its process to its end. 200 sessions begin at once in one service; each opens two pages and keeps the last one.
"""

import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from agent.assembly import make_session
from agent.settings.settings import Settings
from fixtures.site_server import SiteServer
from scripts.benchmarks.doors.callers import (
    Call,
    HttpCaller,
    call_client,
    call_http,
    call_in_process,
    call_mcp,
    call_wyoming,
    check,
)
from scripts.benchmarks.doors.crowd import measure_crowd
from scripts.benchmarks.doors.processes import PROGRAM, find_quantile, serve

SENTENCE = "read the title"
BARE = "in_process"
CALLS_A_ROUND = 20
WARM_UP = 10
PLANNING_S = 2.0


async def measure(rounds: int) -> dict[str, float]:
    """Return the figures; those of doors are milliseconds that they add.

    Args:
        rounds: Each door is called twenty times in each.
    """
    figures: dict[str, float] = {}
    with SiteServer() as site, tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            service = stack.enter_context(serve(make_folder(folder, "http")))
            doors = await open_doors(stack, Path(folder), service)
            figures |= await compare(doors, f"go to {site.url}/table/small", rounds * CALLS_A_ROUND)
            figures["plans_per_s"] = count_plans(service)
            figures["warm_run_s"] = time_warm_run(Path(folder) / "http", f"{site.url}/table/small", rounds)
        figures |= await measure_crowd(site.url, make_folder(folder, "crowd"))
    return figures


def make_folder(folder: str, name: str) -> Path:
    """Return a new workspace."""
    made = Path(folder) / name
    made.mkdir()
    return made


async def open_doors(stack: AsyncExitStack, folder: Path, service: Mapping[str, Any]) -> dict[str, Call]:
    """Open every door, and return how it is called."""
    session = await stack.enter_async_context(make_session(Settings(), make_folder(str(folder), BARE)))
    return {
        BARE: call_in_process(session),
        "http": await stack.enter_async_context(call_http(service)),
        "client": await stack.enter_async_context(call_client(folder / "http")),
        "mcp": await stack.enter_async_context(call_mcp(make_folder(str(folder), "mcp"))),
        "wyoming": await stack.enter_async_context(call_wyoming(make_folder(str(folder), "wyoming"))),
    }


async def compare(doors: Mapping[str, Call], opening: str, calls: int) -> dict[str, float]:
    """Call every door in turn, and return what each adds to the bare call."""
    taken: dict[str, list[float]] = {name: [] for name in doors}
    for call in doors.values():
        await call(opening)
    for number in range(WARM_UP + calls):
        for name, call in doors.items():
            seconds = await call(SENTENCE)
            if number >= WARM_UP:
                taken[name].append(seconds * 1000)
    bare = taken.pop(BARE)
    figures = {f"{BARE}_p50_ms": statistics.median(bare), f"{BARE}_p99_ms": find_quantile(bare, 0.99)}
    for name, times in taken.items():
        added = [one - other for one, other in zip(times, bare, strict=True)]
        figures[f"{name}_p50_ms"] = statistics.median(added)
        figures[f"{name}_p99_ms"] = find_quantile(times, 0.99) - find_quantile(bare, 0.99)
    return figures


def count_plans(service: Mapping[str, Any]) -> float:
    """Return how many plans a second a service makes for one client that asks for one after another."""
    caller, count, began = HttpCaller(service), 0, time.perf_counter()
    while (elapsed := time.perf_counter() - began) < PLANNING_S:
        caller.post("/v1/plan", {"text": SENTENCE, "session": "http"})
        count += 1
    caller.close()
    return count / elapsed


def time_warm_run(workspace: Path, address: str, rounds: int) -> float:
    """Return the seconds of a `surehand run` on the page that an earlier one left."""
    seconds: list[float] = []
    for sentence in (f"go to {address}", *[SENTENCE] * (rounds + 1)):
        began = time.perf_counter()
        command = [str(PROGRAM), "run", sentence, "--workspace", str(workspace)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds.append(time.perf_counter() - began)
        check(done.stderr or done.stdout, is_right=done.returncode == 0)
    return statistics.median(seconds[2:])
