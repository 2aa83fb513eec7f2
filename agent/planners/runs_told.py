"""What planners say of the runs that they had carried out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from agent.planners.hands import find_error
from core.planning.planners.context import PlannerContext
from core.planning.planners.metadata import StepDescriptor
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStep, PlannerStepInstance
from core.results.tool_results import RunResult


def line_up(descriptors: Sequence[StepDescriptor]) -> Sequence[PlannerStepInstance]:
    """Return steps one after the other, each once."""
    after = {later.step_id: (earlier.step_id,) for earlier, later in pairwise(descriptors)}
    return [
        PlannerStepInstance(
            instance_id=each.step_id, step=PlannerStep(descriptor=each), depends_on=after.get(each.step_id, ())
        )
        for each in descriptors
    ]


def tell_run(context: PlannerContext, run: RunResult) -> Mapping[str, Any]:
    """Return the reply and the receipts of a run, and write them into the transcript."""
    for log in run.step_logs:
        context.note("outcome", f"{log.description}: {log.result.status}", is_tainted=bool(log.origins))
    context.note("note", run.reply, is_tainted=True)
    receipts = [{"action_id": log.action_id, "name": log.name, "status": log.result.status} for log in run.step_logs]
    return {"reply": run.reply, "receipts": tuple(receipts)}


def add_run(context: PlannerContext, result: PlannerResult) -> PlannerResult:
    """Return a result with what became of the run that its steps left in ``run``, and no better than that."""
    for name in ("reply", "receipts"):
        if name in context.values:
            result = result.with_artifact(name, context.values[name])
    run: RunResult | None = context.values.get("run")
    error = find_error(run) if run else None
    if run is None or (error is None and run.outcome == "success"):
        return result
    errors = (*result.errors, error) if error else result.errors
    return replace(result, outcome=run.outcome if run.outcome != "success" else "partial", errors=errors)
