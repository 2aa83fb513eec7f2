"""A service looks at how planners do by itself, and tells whoever has to be told."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress

from agent.facts.health_parts import HealthPlace, open_health
from agent.planners.health.checks import check_health
from core.base.errors import SurehandError
from core.planning.planners.clocks import SYSTEM_CLOCK
from core.planning.planners.ports import Clock

NoteFault = Callable[[str, str], None]


@asynccontextmanager
async def watch_health(place: HealthPlace, note: NoteFault, clock: Clock = SYSTEM_CLOCK) -> AsyncGenerator[None]:
    """Look at planners every ``check_every_s`` of the settings while this is open."""
    watching = asyncio.create_task(_look_again_and_again(place, note, clock), name="health")
    try:
        yield
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


async def _look_again_and_again(place: HealthPlace, note: NoteFault, clock: Clock) -> None:
    health = place.settings.health
    while True:
        await clock.sleep(health.check_every_s)
        try:
            async with open_health(place, clock) as parts:
                check = await check_health(parts.sources, health, parts.desk)
        except SurehandError as error:
            note("health.unread", error.message)
            continue
        if check.fault:
            note("health.not_told", check.fault.message)
