"""Unfinished runs: what was cut short and nobody went on with, for whoever looks after a machine."""

from collections.abc import Callable

from actuators.verb_table import PLANNER_RULES
from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass
from core.journal.journal import Journal
from core.journal.resume import judge_standing
from core.journal.run_rows import read_run


@dataclass(frozen=True, slots=True)
class UnfinishedRun:
    """A run that was cut short.

    Attributes:
        open_acts: What it was in the middle of: begun, and nobody saw the end. Unfinished work of these may lie under hidden
            names.
        fault: Why it can't be gone on with; empty where it can.
    """

    run_id: str
    asked: str = ""
    open_acts: tuple[str, ...] = ()
    fault: str = ""


async def find_unfinished(journal: Journal, is_running: Callable[[str], bool]) -> tuple[UnfinishedRun, ...]:
    """Return the runs that were cut short, or that ended with an act whose outcome nobody knows; the latest first.

    Raises:
        JournalError: If the journal can't be read at all.
        SchemaError: If it is of another version.
    """
    found: list[UnfinishedRun] = []
    for run_id in await journal.list_runs():
        unfinished = await _judge(journal, run_id)
        if unfinished and not is_running(run_id):
            found.append(unfinished)
    return tuple(found)


async def _judge(journal: Journal, run_id: str) -> UnfinishedRun | None:
    record = await journal.read(run_id)
    try:
        run = read_run(record, PLANNER_RULES)
        acts = judge_standing(run).open_acts
    except SurehandError as fault:
        return UnfinishedRun(run_id, fault=str(fault))
    if run.ended and not acts:
        return None
    return UnfinishedRun(run_id, run.asked, tuple(act.action.description for act in acts))
