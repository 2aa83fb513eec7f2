"""FakeClock: time that moves only when it is told to, or when everyone waits for it."""

import asyncio
import heapq
import itertools
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from weakref import WeakSet

_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
_WATCHERS = WeakSet["asyncio.Task[Any]"]()  # of all clocks: two that look at each other would never be done
_CALM_ROUNDS = 2  # what only calls back without a task is seen in the second


@dataclass(order=True, slots=True)
class _Sleeper:
    due_s: float
    number: int
    woken: "asyncio.Future[None]" = field(compare=False)


class FakeClock:
    """A `Clock` for tests.

    With ``moves_by_itself`` the time jumps to the next sleeper when all tasks of the loop wait. Where some of them wait
    for the real world, such as a browser, that is too early: move it by `advance` there.
    """

    def __init__(self, begins_at: datetime = _BEGIN, *, moves_by_itself: bool = False) -> None:
        """Set the clock; ``begins_at`` is the time of day at 0 s, aware."""
        self._begins_at = begins_at.astimezone(UTC)
        self._moves_by_itself = moves_by_itself
        self._now_s = 0.0
        self._sleepers: list[_Sleeper] = []
        self._numbers = itertools.count()
        self._slept: list[float] = []
        self._mover: asyncio.Task[None] | None = None

    @property
    def slept(self) -> Sequence[float]:
        """Seconds of each sleep that was asked for, in order."""
        return tuple(self._slept)

    @property
    def waiting(self) -> int:
        """How many are asleep."""
        return sum(not each.woken.done() for each in self._sleepers)

    def read_monotonic_s(self) -> float:
        """Return the seconds since it was set."""
        return self._now_s

    def read_utc(self) -> datetime:
        """Return the time of day, aware, in UTC."""
        return self._begins_at + timedelta(seconds=self._now_s)

    async def sleep(self, delay_s: float) -> None:
        """Return when time has moved by so many seconds."""
        self._slept.append(delay_s)
        if delay_s <= 0:
            await asyncio.sleep(0)
            return
        sleeper = _Sleeper(self._now_s + delay_s, next(self._numbers), asyncio.get_running_loop().create_future())
        heapq.heappush(self._sleepers, sleeper)
        if self._moves_by_itself and (self._mover is None or self._mover.done()):
            self._mover = asyncio.create_task(self._move_on())
        await sleeper.woken

    async def advance(self, by_s: float) -> None:
        """Move time, and wake whose time comes, the earliest first; return when all of them wait again.

        Args:
            by_s: Seconds, not below 0.

        Raises:
            ValueError: If time would go back.
        """
        if by_s < 0:
            raise ValueError("Time doesn't go back.")
        until_s = self._now_s + by_s
        await self.settle()
        while self._sleepers and self._sleepers[0].due_s <= until_s:
            self._wake_next()
            await self.settle()
        self._now_s = until_s

    async def settle(self) -> None:
        """Return when all other tasks of the loop wait for something."""
        with self._watch():
            calm = 0
            while calm < _CALM_ROUNDS:
                await asyncio.sleep(0)
                calm = calm + 1 if self._is_calm() else 0

    async def _move_on(self) -> None:
        await self.settle()
        while self._sleepers:
            self._wake_next()
            await self.settle()

    def _wake_next(self) -> None:
        due_s = self._sleepers[0].due_s
        while self._sleepers and self._sleepers[0].due_s == due_s:
            sleeper = heapq.heappop(self._sleepers)
            if not sleeper.woken.done():  # a sleeper that was cancelled moves nothing
                self._now_s = max(self._now_s, due_s)
                sleeper.woken.set_result(None)

    @contextmanager
    def _watch(self) -> Generator[None]:
        task = asyncio.current_task()
        if task is None or task in _WATCHERS:
            yield
            return
        _WATCHERS.add(task)
        try:
            yield
        finally:
            _WATCHERS.discard(task)

    def _is_calm(self) -> bool:
        return all(_is_waiting(task) for task in asyncio.all_tasks() if task not in _WATCHERS)


def _is_waiting(task: "asyncio.Task[Any]") -> bool:
    """Tell whether a task waits for a future that isn't there yet; asyncio has no public word for it, anyio asks the same."""
    waits_for: asyncio.Future[Any] | None = getattr(task, "_fut_waiter", None)
    return waits_for is not None and not waits_for.done()
