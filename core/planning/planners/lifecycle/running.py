"""run_planner: checks whether a planner may begin, and carries it out."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from core.base.errors import ErrorInfo, GoalError
from core.planning.planners.budgets import BudgetMeter
from core.planning.planners.context import PlannerContext, PlannerContextParts
from core.planning.planners.lifecycle.planner_run import PlannerRun
from core.planning.planners.lifecycle.progress import RunProgress
from core.planning.planners.lifecycle.reporting import PlannerReporter
from core.planning.planners.lifecycle.step_graph import StepGraph
from core.planning.planners.metadata import PlannerParameters, read_parameters
from core.planning.planners.results import PlannerResult
from core.planning.planners.transcripts import TranscriptLog

if TYPE_CHECKING:
    from core.planning.planners.base import PlannerBase
    from core.planning.planners.metadata import PlannerMetadata


async def run_planner(
    planner: "PlannerBase", parameters: Mapping[str, Any], context_parts: PlannerContextParts
) -> PlannerResult:
    """Carry a planner out.

    Args:
        parameters: What it is given; checked against its metadata.
        context_parts: What the run is made from; setting its ``stop`` ends the run within 200 ms.

    Returns:
        What came of it, also where it may not begin, fails, is stopped, or uses its budget up.

    Raises:
        CancelledError: If the task that waits for it is cancelled; the run has ended then.
    """
    reporter = PlannerReporter(planner.metadata, context_parts)
    try:
        checked = _check_start(planner.metadata, parameters, context_parts)
    except GoalError as error:
        return _reject(planner.metadata, context_parts, reporter, error.info())
    values: dict[str, Any] = {}
    context = _make_context(planner, checked, context_parts, values)
    progress = RunProgress(planner.metadata, context, reporter, StepGraph(planner.metadata), values)
    return await PlannerRun(planner, progress).carry_out()


def _check_start(
    metadata: "PlannerMetadata", parameters: Mapping[str, Any], parts: PlannerContextParts
) -> PlannerParameters:
    """Return what a planner was given, checked, if it may begin.

    Raises:
        GoalError: If the parameters don't fit, or nothing could be done within the budget.
    """
    checked = read_parameters(metadata, parameters)
    if why := parts.budget.find_impossible():
        evidence = {"planner": metadata.name, "scope": str(parts.scope)}
        raise GoalError(f"Planner “{metadata.name}” can't begin: {why}.", code="bad_budget", evidence=evidence)
    return checked


def _reject(
    metadata: "PlannerMetadata", parts: PlannerContextParts, reporter: PlannerReporter, error: ErrorInfo
) -> PlannerResult:
    """Tell that a planner may not begin, and return that as its result."""
    reporter.reject((error,))
    result = PlannerResult(
        planner_id=metadata.name, scope=str(parts.scope), outcome="failed", errors=(error,), metrics={"ms": 0.0}
    )
    return parts.redact(result)


def _make_context(
    planner: "PlannerBase", parameters: PlannerParameters, parts: PlannerContextParts, values: Mapping[str, Any]
) -> PlannerContext:
    return PlannerContext(
        parts=parts,
        scope=parts.scope,
        parameters=parameters,
        settings={**planner.metadata.settings, **parts.settings},
        environment=parts.environment,
        values=values,
        log=TranscriptLog(scope=str(parts.scope)),
        meter=BudgetMeter(parts.budget, parts.clock, parts.clock.read_monotonic_s()),
    )
