"""Taking up runs: which one is meant, that nobody else in this process has it, and that it can be stopped."""

import asyncio
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from core.base.errors import GoalError

_LIVE: set[str] = set()


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
