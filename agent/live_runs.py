"""Taking up runs: which one is meant, and that nobody else in this process has it."""

from collections.abc import Generator, Sequence
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
        hint = f"Meant may be {', '.join(found[:5])}."
        raise GoalError(f'Several runs begin with "{named}".', code="ambiguous_run", hint=hint)
    hint = "surehand sessions list shows what there is; a run that only looked is not written down."
    raise GoalError(f'Nothing is written of a run "{named}" here.', code="unknown_run", hint=hint)
