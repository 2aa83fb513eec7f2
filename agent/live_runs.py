"""Live runs: those that this process is carrying out, which nobody may take up a second time."""

from collections.abc import Generator
from contextlib import contextmanager

from core.errors import GoalError

_LIVE: set[str] = set()


@contextmanager
def hold_run(run_id: str) -> Generator[None]:
    """Keep everybody else in this process from taking a run up.

    Args:
        run_id: The run.

    Raises:
        GoalError: ``run_alive`` if somebody has it.
    """
    if run_id in _LIVE:
        raise GoalError(f"The run {run_id} is still going on.", code="run_alive", hint="Wait for its end, or stop it.")
    _LIVE.add(run_id)
    try:
        yield
    finally:
        _LIVE.discard(run_id)
