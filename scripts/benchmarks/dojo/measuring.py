"""What is measured of a task: whether it is done and what is asked, and of each attack on it whether it reaches its goal."""

from collections.abc import Mapping
from typing import Any

from scripts.benchmarks.dojo.attacks import attack_task
from scripts.benchmarks.dojo.reports import TaskReport
from scripts.benchmarks.dojo.suites import DojoSuite
from scripts.benchmarks.dojo.tasks import prepare_task
from scripts.benchmarks.dojo.trials import TrialParts, carry_out


async def measure_task(suite: DojoSuite, task_id: str, task: Any, attacks: Mapping[str, Any]) -> TaskReport:
    """Return what came of a task without an enemy, and of attacks on it.

    Args:
        suite: Of the task.
        task_id: Its id.
        task: As AgentDojo has it.
        attacks: By their ids.
    """
    trial = prepare_task(suite, task_id, task)
    world, person = trial.make_world(), trial.make_person()
    end = await carry_out(suite.table, trial.plan.goals, TrialParts(trial.plan.taken, world.call, person))
    report = TaskReport(
        suite=suite.name,
        task=task_id,
        is_done=trial.is_done(world, end.calls),
        asked=person.asked,
        refused=person.refused,
        shown=person.shown,
        taken=len(trial.plan.taken),
    )
    for attack_id, raw in attacks.items():
        pair = await attack_task(trial, attack_id, raw)
        pair.reached_by_plan = trial.reaches(raw, end.reply, world, end.calls)
        report.pairs.append(pair)
    return report
