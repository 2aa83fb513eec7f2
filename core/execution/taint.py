"""Trails: following the values that were read through the steps of a run."""

from dataclasses import replace

from core.execution.run_context import RunTerms
from core.planning.action_facts import list_paths
from core.planning.plans import PlannedAction
from core.results.provenance import Origin, join_origins, list_marks, read_origins
from core.results.tool_results import StepLog
from core.rules.rule_types import PlannerRule


def follow(
    action: PlannedAction, rule: PlannerRule, log: StepLog, terms: RunTerms, carried: tuple[Origin, ...]
) -> StepLog:
    """Return a receipt that says where its output came from, and remember it for the steps that come after.

    Args:
        action: What was done, with its references bound.
        rule: That it was planned by.
        log: Its receipt.
        terms: What the run is held to.
        carried: Where the values of its references came from.
    """
    facts = (log.result.evidence, log.result.output, action.args)
    return recall(action, rule, replace(log, origins=read_origins(action.reads, facts)), terms, carried)


def recall(
    action: PlannedAction, rule: PlannerRule, log: StepLog, terms: RunTerms, carried: tuple[Origin, ...] = ()
) -> StepLog:
    """Remember where the values of a step came from whose origins are known; the arguments are as above."""
    marks = list_marks(action.resources, list_paths(rule, log.args, terms.world.platform))
    carried = join_origins((carried, terms.trail.find_left(marks)))
    if action.action_class == "actuate" or any(rule.param_types[name].writing for name in action.args):
        terms.trail.leave(marks, carried, log.origins)
    origins = join_origins((log.origins, carried))
    terms.trail.note(log.goal_id, origins)
    return replace(log, origins=origins)
