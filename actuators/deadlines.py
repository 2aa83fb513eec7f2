"""How much of an action's time is left, and waiting for it in steps. Any family may use it."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from core.base.errors import DeviceError

MOST_RESERVE_S = 0.5
SHORTEST_S = 0.001
T = TypeVar("T")


class Deadline:
    """The end of an action's time, a little before the executor's, so that there is time to say what was missing."""

    def __init__(self, timeout_s: float) -> None:
        """Start counting (``timeout_s``: seconds until the executor cancels the action; greater than zero)."""
        self._start_s = time.monotonic()
        self._end_s = self._start_s + timeout_s - min(MOST_RESERVE_S, timeout_s * 0.1)

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start_s

    @property
    def remaining_s(self) -> float:
        """Seconds left; never less than a millisecond, because some libraries take zero for "for ever"."""
        return max(self._end_s - time.monotonic(), SHORTEST_S)

    @property
    def remaining_ms(self) -> float:
        """Milliseconds left, at least one."""
        return self.remaining_s * 1000

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return time.monotonic() >= self._end_s


def allow_s(wait_s: float) -> float:
    """Return the time-out whose deadline comes after just that many seconds."""
    return wait_s + min(MOST_RESERVE_S, wait_s / 9)


async def pause(seconds: float) -> None:
    """Let that much time go by, for what announces no change of its own; can be cancelled."""
    with suppress(TimeoutError):
        await finish_within(asyncio.Event().wait(), max(seconds, SHORTEST_S))


async def finish_within(work: Awaitable[T], seconds: float) -> T:
    """Return what work comes to, else a TimeoutError; unlike `asyncio.wait_for` it loses no stop at the end."""
    async with asyncio.timeout(seconds):
        return await work


async def limit(work: Awaitable[T], timeout_s: float, what: str) -> T:
    """Wait for a system that might not answer; ``not_settled`` if it takes longer."""
    try:
        return await finish_within(work, timeout_s)
    except TimeoutError:
        raise DeviceError(
            f"{what} did not answer within {timeout_s:g} s.",
            code="not_settled",
            hint="Check whether it hangs, and try again.",
            evidence={"waited_s": timeout_s},
        ) from None


async def settle(
    is_so: Callable[[], Awaitable[bool]], change: Callable[[float], Awaitable[None]], deadline: Deadline
) -> bool:
    """Look after every change until something is so or the time is up; return the last answer."""
    while not (answer := await is_so()) and not deadline.is_over:
        await change(deadline.remaining_s)
    return answer
