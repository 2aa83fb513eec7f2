"""execute_steps: carries out what is drafted, each step once all that it depends on are done, some side by side."""

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from core.planning.planners.lifecycle.step_running import begin_step
from core.planning.planners.steps import PlannerStepInstance

if TYPE_CHECKING:
    from core.planning.planners.base import PlannerBase
    from core.planning.planners.lifecycle.progress import RunProgress


async def execute_steps(planner: "PlannerBase", progress: "RunProgress") -> None:
    """Carry out all drafted steps that can be, and those that they add meanwhile.

    Begins nothing more once a budget is used up or the run is stopped; what runs then may end.

    Args:
        progress: Of the run; has what came of each.

    Raises:
        CancelledError: If the run is stopped; all steps were told to end.
    """
    waiting: deque[PlannerStepInstance] = deque()
    running: dict[str, PlannerStepInstance] = {}
    woken = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        while True:
            woken.clear()
            waiting.extend(progress.graph.take_ready())
            while waiting and not progress.is_held and _may_begin(waiting[0], running):
                step = waiting.popleft()
                running[step.instance_id] = step
                task = group.create_task(begin_step(planner, progress, step).carry_out(), name=step.instance_id)
                task.add_done_callback(lambda ended: (running.pop(ended.get_name()), woken.set()))
            if not running:
                return
            await woken.wait()


def _may_begin(step: PlannerStepInstance, running: dict[str, PlannerStepInstance]) -> bool:
    """Tell whether a step may run beside what does; none overtakes one that waits to be alone."""
    return not running or (
        step.step.descriptor.is_parallel and all(each.step.descriptor.is_parallel for each in running.values())
    )
