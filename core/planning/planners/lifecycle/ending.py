"""Ends tasks in limited time, and says how they ended."""

import asyncio
from typing import Any, Final, Self

from core.base.errors import ErrorInfo
from core.planning.planners.lifecycle.progress import explain_fault

ENDING_S: Final = 0.15
"""Seconds that a task has to end when it is told to; a run that is stopped ends within 200 ms."""

_LEFTOVERS: Final[set[asyncio.Task[Any]]] = set()


async def end_task(task: asyncio.Task[Any]) -> bool:
    """Tell a task to end, and wait a moment for that; return whether it has ended.

    Args:
        task: One that goes on regardless is kept until it ends, and nobody waits for it.
    """
    if not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=ENDING_S)
    if not task.done():
        _LEFTOVERS.add(task)
        task.add_done_callback(_forget)
    return task.done()


class FaultCatcher:
    """Keeps an error that its block raised, whatever it is; being cancelled is none."""

    def __init__(self) -> None:
        self.error: Exception | None = None

    def __enter__(self) -> Self:
        """Return the catcher."""
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        """Keep the error; return whether it ends here."""
        del kind, trace
        self.error = error if isinstance(error, Exception) else None
        return self.error is not None


def read_fault(task: asyncio.Task[Any], planner_id: str) -> ErrorInfo | None:
    """Return why a task that ended did not do what it was there for; None if it did."""
    if task.cancelled():
        text = f"Planner “{planner_id}” ended its own work."
        return ErrorInfo("internal_error", text, "This is a fault in the planner.", {"planner": planner_id})
    error: BaseException | None = task.exception()
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return explain_fault(error, planner_id) if error else None


def _forget(task: asyncio.Task[Any]) -> None:
    _LEFTOVERS.discard(task)
    if not task.cancelled():
        task.exception()  # asked for, so that nobody is told that it never was
