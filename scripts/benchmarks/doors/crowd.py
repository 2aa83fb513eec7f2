"""Two hundred sessions at once in one service: whether all end, how long it takes, and what one takes of the memory."""

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from actuators.browser.playwright.session.resting import REST_S
from agent.service.callers import Caller
from agent.service.orders import RunOrder
from agent.service.ports import Service
from agent.serving.opening import make_local_service
from agent.settings.settings import Settings
from scripts.benchmarks.doors.processes import measure_memory_mib

SESSIONS = 200
SETTLE_S = 7.0
PATHS = ("/table/small", "/shop/catalogue", "/elements/", "/slow/?ms=300")
ME = Caller()


async def measure_crowd(site: str, workspace: Path) -> Mapping[str, float]:
    """Return the figures.

    Args:
        site: Where the fixture sites are.
        workspace: Folder of the service.
    """
    service = make_local_service(Settings(), workspace)
    try:
        await _run_one(service, site, 0)
        first_mib = await _measure_at_rest()
        began = time.perf_counter()
        ended = await asyncio.gather(*(_run_one(service, site, number) for number in range(1, SESSIONS)))
        seconds = time.perf_counter() - began
        all_mib = await _measure_at_rest()
        return {
            "sessions_ended": 1.0 + sum(ended),
            "sessions_s": seconds,
            "first_session_mib": first_mib,
            "session_mib": (all_mib - first_mib) / (SESSIONS - 1),
        }
    finally:
        await service.close(drain_s=0)


async def _measure_at_rest() -> float:
    """Return what all take once nothing was asked of them for a moment."""
    await asyncio.sleep(REST_S + SETTLE_S)
    return measure_memory_mib()


async def _run_one(service: Service, site: str, number: int) -> bool:
    """Open two pages one after the other in a session of its own, and tell whether all was done."""
    goals: list[Mapping[str, Any]] = []
    for path in (PATHS[number % len(PATHS)], PATHS[0]):
        goals.append({"domain": "browser", "verb": "navigate", "params": {"url": site + path}})
        goals.append({"domain": "browser", "verb": "read", "params": {"target": "title"}})
    chained = [
        goal | ({"scope": f"after:g{index - 1}"} if index else {}) for index, goal in enumerate(map(dict, goals))
    ]
    ticket = await service.begin(ME, RunOrder(goals=tuple(chained), session=f"crowd-{number}"))
    record = await service.result(ME, ticket.run_id)
    return record["outcome"] == "success"
