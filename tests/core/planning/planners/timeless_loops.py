"""Loops in which time passes by timers only."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class TimelessLoop(asyncio.SelectorEventLoop):
    """A loop in which time passes by timers only, at once, so that how long something takes is not a matter of the machine."""

    def __init__(self) -> None:
        """Begin at zero."""
        self._now_s = 0.0
        super().__init__(TimelessSelector(self))

    def time(self) -> float:
        """Return the seconds so far."""
        return self._now_s

    def pass_by(self, seconds: float) -> None:
        """Let time pass."""
        self._now_s += seconds


class TimelessSelector(selectors.SelectSelector):
    """Lets the time that a loop would wait pass at once."""

    def __init__(self, loop: TimelessLoop) -> None:
        """Serve a loop."""
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready; where nothing is, time has passed."""
        if timeout is None:
            raise AssertionError("Nothing will ever happen any more.")
        ready = super().select(0)
        if not ready:
            self._loop.pass_by(timeout)
        return ready


def run_timeless(make: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run something in a loop in which time passes by timers only."""
    with asyncio.Runner(loop_factory=TimelessLoop) as runner:
        return runner.run(make())
