"""Runs in a folder, as the benchmark of history wants them: `python run_jobs.py history|first|flow FOLDER COUNT`.

`history` does so many runs; `first` prints the milliseconds of CPU and wall of one run of a fresh session; `flow` those of one run of so many steps, and the MiB that it left.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import psutil

from agent.assembly import make_session
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.goals.meta_goals import Goal

_FILES = 40


@dataclass(frozen=True, slots=True)
class Cost:
    """What something cost, in milliseconds."""

    cpu_ms: float
    wall_ms: float


class Yes:
    """Says yes to whatever is asked."""

    async def decide(self, request: object) -> bool:
        """Say yes."""
        del request
        return True


async def carry_out(session: AgentSession, goals: tuple[Goal, ...]) -> Cost:
    """Return what a run costs.

    Raises:
        RuntimeError: If it didn't succeed.
    """
    cpu, wall = time.process_time(), time.perf_counter()
    result = await session.run(Request(goals=goals, gate=Yes()))
    cost = Cost((time.process_time() - cpu) * 1000, (time.perf_counter() - wall) * 1000)
    if result.outcome != "success":
        raise RuntimeError(result.reply)
    return cost


async def run_once(folder: Path, count: int) -> AsyncIterator[Cost]:
    """Yield what each of so many runs costs, in one session."""
    async with make_session(Settings(log_file="off"), folder) as session:
        for number in range(count):
            params = {"path": f"f{number % _FILES}.txt", "content": f"Line {number}.\n"}
            yield await carry_out(session, (Goal("file", "write", params),))


async def run_flow(folder: Path, steps: int) -> tuple[Cost, float]:
    """Return what a run of so many steps costs, and the MiB that it left."""
    (folder / "a.txt").write_text("a", encoding="utf-8")
    async with make_session(Settings(log_file="off"), folder) as session:
        await carry_out(session, _make_flow(1))
        before = psutil.Process().memory_info().rss
        cost = await carry_out(session, _make_flow(steps))
        return cost, (psutil.Process().memory_info().rss - before) / 2**20


def _make_flow(steps: int) -> tuple[Goal, ...]:
    scopes = ("root", *(f"after:g{number}" for number in range(steps - 1)))
    return tuple(Goal("file", "info", {"path": "a.txt"}, scope=scope) for scope in scopes)


async def main() -> None:
    """Do a job and print its numbers."""
    what, folder, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    if what == "flow":
        cost, mib = await run_flow(folder, count)
        print(cost.cpu_ms, cost.wall_ms, mib)
        return
    costs = [cost async for cost in run_once(folder, count)]
    if what == "first":
        print(costs[0].cpu_ms, costs[0].wall_ms)


if __name__ == "__main__":
    asyncio.run(main())
