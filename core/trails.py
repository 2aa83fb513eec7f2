"""Trails: following the values that were read through the steps of a run."""

from dataclasses import replace

from core.deeds import list_paths
from core.plans import PlannedAction
from core.provenance import Origin, join_origins, list_marks, read_origins
from core.results import StepLog
from core.rule_types import PlannerRule
from core.run_terms import RunTerms


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
