"""Binding: an action with values in the place of its references, judged as they are now."""

from typing import TYPE_CHECKING, Any

from core.base.errors import GoalError
from core.base.phrases import quote_values
from core.execution.taint import find_sources
from core.goals.references import bind_value
from core.planning.planner import bind_action, check_bound_needs, judge_args
from core.planning.plans import PlannedAction
from core.results.provenance import Sources
from core.rules.params import validate_bound

if TYPE_CHECKING:
    from core.execution.run_context import StepContext


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
