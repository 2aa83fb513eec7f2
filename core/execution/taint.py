"""Trails: following the values that were read, or that a model wrote, through the steps of a run."""

from dataclasses import replace
from typing import TYPE_CHECKING

from core.planning.action_facts import list_paths
from core.planning.plans import PlannedAction
from core.results.provenance import MODEL, Origin, Sources, TaintLog, join_origins, list_marks, read_origins
from core.results.tool_results import StepLog

if TYPE_CHECKING:
    from core.execution.run_context import RunContext


def find_sources(action: PlannedAction, trail: TaintLog) -> Sources:
    """Return the arguments that nobody vouches for: what was read, with steps and places, and what a model wrote."""
    written = {name: (str(Origin(MODEL, writer)),) for name, writer in action.written.items()}
    return {**written, **trail.find_sources(action.args)}


def find_origins(action: PlannedAction, trail: TaintLog) -> tuple[Origin, ...]:
    """Return where the arguments came from that nobody vouches for; the arguments are as above."""
    models = [Origin(MODEL, writer) for writer in dict.fromkeys(action.written.values())]
    return join_origins((trail.find_origins(action.args), models))


def follow(action: PlannedAction, log: StepLog, run: "RunContext", carried: tuple[Origin, ...]) -> StepLog:
    """Return a receipt that says where its output came from, and remember it for the steps that come after."""
    facts = (log.result.evidence, log.result.output, action.args)
    return recall(action, replace(log, origins=read_origins(action.reads, facts)), run, carried)


def recall(action: PlannedAction, log: StepLog, run: "RunContext", carried: tuple[Origin, ...] = ()) -> StepLog:
    """Remember where the values of a step came from whose origins are known; the arguments are as above."""
    marks = list_marks(action.resources, list_paths(action.rule, log.args, run.world.platform))
    carried = join_origins((carried, run.trail.find_left(marks)))
    if action.action_class == "actuate" or any(action.rule.param_types[name].writing for name in action.args):
        run.trail.leave(marks, carried, log.origins)
    origins = join_origins((log.origins, carried))
    run.trail.note(log.goal_id, origins)
    return replace(log, origins=origins)
