"""Signals that stop a run: the first in order, the second at once."""

import contextlib
import signal
import sys
from collections.abc import Callable, Coroutine, Generator
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from agent.sessions.session import AgentSession

Result = TypeVar("Result")


@contextlib.contextmanager
def stop_by_signals(halt: Callable[[], object]) -> Generator[None]:
    """Let the first signal stop the work in order; the second has its usual effect.

    Args:
        halt: Stops the work; called on the loop that runs now.
    """
    import asyncio  # who blocks has no loop

    loop = asyncio.get_running_loop()
    with halt_by_signals(lambda: loop.call_soon_threadsafe(halt)):
        yield


@contextlib.contextmanager
def halt_by_signals(halt: Callable[[], object]) -> Generator[None]:
    """Do the same where no loop runs: what stops the work is called at once, between any two steps of it."""
    previous = {number: signal.getsignal(number) for number in _list_stopping_signals()}

    def stop(number: int, _: object) -> None:
        signal.signal(number, previous[signal.Signals(number)])
        halt()

    for number in previous:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


async def carry_out(session: "AgentSession", work: Coroutine[Any, Any, Result]) -> Result:
    """Do what a session is asked, and close it; the first signal stops it in order, the second at once."""
    with stop_by_signals(session.stop):
        async with session:
            return await work


def _list_stopping_signals() -> list[signal.Signals]:
    """Return the signals that stop a run: also that the terminal is gone, unless nohup or the like has it ignored."""
    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    return numbers
