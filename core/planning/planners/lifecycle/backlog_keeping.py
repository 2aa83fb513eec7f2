"""Keeps the backlog in step with a planner's run: items flip by themselves, and where the run stands is kept."""

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from core.base.errors import GoalError, SurehandError
from core.planning.planners.backlog_moves import flip_completed
from core.planning.planners.rendering import name_placeholders
from core.results.records import to_data

if TYPE_CHECKING:
    from core.planning.planners.context import PlannerContext
    from core.planning.planners.lifecycle.progress import RunProgress
    from core.planning.planners.metadata import StepDescriptor


async def flip_done(
    progress: "RunProgress", context: "PlannerContext", step: "StepDescriptor", values: Mapping[str, Any]
) -> None:
    """Mark the item of a step as done, and keep where the run stands. What can't be written is a diagnostic."""
    if (backlog := context.backlog) is None:
        return
    try:
        await flip_completed(backlog, context.backlog_scope, step, values, str(context.scope))
        await backlog.keep_checkpoint(context.backlog_scope, progress.metadata.name, _describe(progress))
    except (SurehandError, OSError) as error:
        progress.diagnostics.append(f"The backlog could not be written after step “{step.step_id}”: {error}")


async def flip_failed(context: "PlannerContext", step: "StepDescriptor", values: Mapping[str, Any]) -> None:
    """Mark the item of a step as failed, if it has one that can be."""
    if context.backlog is None or not step.backlog_item or not name_placeholders(step.backlog_item) <= values.keys():
        return
    with suppress(GoalError):
        item_id = step.backlog_item.format_map(values)
        await context.backlog.flip(context.backlog_scope, item_id, "failed", str(context.scope))


def _describe(progress: "RunProgress") -> Mapping[str, Any]:
    return progress.context.parts.redact(
        {
            "scope": str(progress.context.scope),
            "completed": [each.instance_id for each in progress.records.values() if each.status in {"done", "skipped"}],
            "outstanding": list(progress.graph.list_outstanding()),
            "values": to_data(progress.values),
        }
    )
