"""Time limits on what others do for us."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from core.base.errors import DeadlineError

Result = TypeVar("Result")


def is_told_to_end() -> bool:
    """Tell whether somebody told the current task to end; where not, only what it waits for was cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def keep_within(timeout_s: float, work: Awaitable[Result], text: str) -> Result:
    """Return what comes of some work that is cancelled when its time is up.

    Raises:
        DeadlineError: If its time was up, also if it went on regardless and ended after all.
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
