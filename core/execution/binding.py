"""Binding: an action with values in the place of its references, judged as they are now, and where they came from."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.base.errors import GoalError
from core.base.phrases import quote_values
from core.goals.references import bind_value
from core.planning.action_facts import list_paths
from core.planning.planner import bind_action, check_bound_needs, judge_args
from core.planning.plans import PlannedAction
from core.results.provenance import MODEL, Origin, Sources, TaintLog, join_origins, list_marks, read_origins
from core.results.tool_results import StepLog
from core.rules.params import validate_bound

if TYPE_CHECKING:
    from core.execution.run_context import RunContext, StepContext


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


def bind_step(action: PlannedAction, step: "StepContext") -> tuple[PlannedAction, Sources]:
    """Return an action with values in the place of its references, and where they came from."""
    run, rule = step.run, action.rule
    sources, read = find_sources(action, run.trail), run.trail.find_sources(action.args)
    if not read:
        return action, sources
    bound: dict[str, Any] = bind_value(action.args, step.outputs)
    report = validate_bound(rule, bound, run.world)
    if report.problems:
        text = "; ".join(problem.message for problem in report.problems)
        raise GoalError(f"{action.name}: a value that was read doesn't fit: {text}.", code="validation_failed")
    args = judge_args(rule, report.params, run.make_planning_context(action.base))
    check_bound_needs(action, {name: args[name] for name in read}, run.world)
    return bind_action(action, args, quote_values(args, sources), run.world), sources
