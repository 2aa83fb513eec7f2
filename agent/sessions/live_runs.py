"""Taking up runs: which one is meant, that nobody else in this process has it, and that it can be stopped."""

import asyncio
from collections.abc import Callable, Coroutine, Generator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from core.base.errors import GoalError

_LIVE: set[str] = set()
_ENDING_S = 0.15
"""Seconds that what is stopped has to end; ``stop`` promises 200 ms in all."""

Found = TypeVar("Found")


@contextmanager
def hold_run(run_id: str, list_leftovers: Callable[[str], Sequence[asyncio.Task[Any]]]) -> Generator[None]:
    """Keep everybody else in this process from taking a run up, also while acts that were told to end still go on.

    Args:
        list_leftovers: Returns what still goes on of it although it was told to end.

    Raises:
        GoalError: ``run_alive`` if somebody has it.
    """
    if run_id in _LIVE:
        raise GoalError(f"Run {run_id} is still running.", code="run_alive", hint="Wait until it ends, or stop it.")
    _LIVE.add(run_id)
    try:
        yield
    finally:
        _let_go(run_id, set(list_leftovers(run_id)))


def _let_go(run_id: str, waiting: set[asyncio.Task[Any]]) -> None:
    """Let others take a run up once nothing of it goes on."""
    if not waiting:
        _LIVE.discard(run_id)

    def note(task: asyncio.Task[Any]) -> None:
        waiting.discard(task)
        if not waiting:
            _LIVE.discard(run_id)

    for task in tuple(waiting):
        task.add_done_callback(note)


def choose_run(run_ids: Sequence[str], named: str) -> str:
    """Return the run that is meant.

    Args:
        run_ids: All of them, the latest first.
        named: An id, the beginning of one, or ``last``.

    Raises:
        GoalError: ``unknown_run`` or ``ambiguous_run``.
    """
    if named == "last" and run_ids:
        return run_ids[0]
    found = [named] if named in run_ids else [each for each in run_ids if named and each.startswith(named)]
    if len(found) == 1:
        return found[0]
    if found:
        hint = f"Did you mean {', '.join(found[:5])}?"
        raise GoalError(f"Several runs begin with “{named}”.", code="ambiguous_run", hint=hint)
    hint = "surehand sessions list shows the saved runs. Runs that only read are not in the journal."
    raise GoalError(f"No run “{named}” in the journal of this workspace.", code="unknown_run", hint=hint)


async def finish_unless_stopped(work: Coroutine[Any, Any, Found], stop: asyncio.Event) -> Found | None:
    """Do something before the acts of a run, and return what it gives; None if the run is stopped before it ends."""
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
