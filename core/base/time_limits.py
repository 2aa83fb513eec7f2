"""Time limits on what others do for us."""

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

from core.base.errors import DeadlineError

Result = TypeVar("Result")

_ENDING_S = 0.15
"""Seconds that what is stopped has to end; ``stop`` promises 200 ms in all."""


def is_told_to_end() -> bool:
    """Tell whether somebody told the current task to end; where not, only what it waits for was cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def keep_within(timeout_s: float, work: Awaitable[Result], text: str) -> Result:
    """Return what comes of some work that is cancelled when its time is up.

    That is a DeadlineError also if the work went on regardless and ended after all.
    """
    limit = asyncio.timeout(timeout_s)
    try:
        async with limit:
            result = await work
        if limit.expired():
            raise TimeoutError
    except TimeoutError:
        if not limit.expired():
            raise
        raise DeadlineError(text) from None
    return result


async def finish_unless_stopped(work: Coroutine[Any, Any, Result], stop: asyncio.Event) -> Result | None:
    """Do something for a run, and return what it gives; None if the run is stopped before it ends."""
    if stop.is_set():
        work.close()
        return None
    task, stopper = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({task, stopper}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopper.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=_ENDING_S)
    return task.result() if task.done() and not task.cancelled() else None
