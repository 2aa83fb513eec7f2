"""A run is stopped, or its task cancelled, at every point at which it waits; it ends at once and in order wherever that is."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ActionError
from core.planning.planners.context import PlannerContext
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.metadata import RetryPolicy
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStepInstance, StepRecord
from core.results.planner_events import PlannerStepCompleted, PlannerStepStarted
from tests.core.planning.planners.timeless_loops import run_timeless
from tests.core.planning.planners.toy_planners import (
    Told,
    ToyModel,
    ToyPlanner,
    ask_once,
    describe_step,
    draft,
    make_parts,
)

FLAKY = describe_step("flaky", retry=RetryPolicy(attempts=3))
ASKING = describe_step("asking", is_parallel=True)
STEPS = (
    draft(FLAKY),
    draft(ASKING, "flaky", name="a"),
    draft(ASKING, "flaky", name="b"),
    draft(FLAKY, "a", "b", name="last"),
)
ENDS = {"planner.completed", "planner.failed", "planner.rejected"}


class Waits:
    """Every point at which a planner waits; the one of a number does what it is told, and then waits on."""

    def __init__(self, number: int, deed: Any) -> None:
        self.left = number
        self.deed = deed

    async def wait(self) -> None:
        self.left -= 1
        if self.left == -1:
            self.deed()
            await asyncio.Event().wait()
        await asyncio.sleep(0)


class Waiting(ToyPlanner):
    """Waits in every method."""

    def __init__(self, waits: Waits) -> None:
        super().__init__(*STEPS, critiques=[[draft(FLAKY, name="better")]])
        self.waits = waits
        self.failed = set[str]()

    async def validate(self, context: PlannerContext) -> None:
        await self.waits.wait()

    async def prepare_context(self, context: PlannerContext) -> PlannerContext:
        await self.waits.wait()
        return context

    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        await self.waits.wait()
        return self.instances

    async def before_step(self, context: PlannerContext, step: PlannerStepInstance) -> None:
        await self.waits.wait()

    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        await self.waits.wait()
        if step.instance_id == "flaky" and not self.failed:
            self.failed.add(step.instance_id)
            raise ActionError("No.")
        return await ask_once(context, step)

    async def evaluate_step(
        self, context: PlannerContext, step: PlannerStepInstance, outputs: Mapping[str, Any]
    ) -> bool:
        await self.waits.wait()
        return True

    async def after_step(
        self, context: PlannerContext, step: PlannerStepInstance, record: StepRecord
    ) -> Sequence[PlannerStepInstance]:
        await self.waits.wait()
        return ()

    async def critique(self, context: PlannerContext, result: PlannerResult) -> Sequence[PlannerStepInstance]:
        await self.waits.wait()
        return await super().critique(context, result)

    async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
        await self.waits.wait()
        return result


POINTS = 3 + 5 * 4 + 2 + 1 + 1
"""Validate, prepare, draft; four methods for each of five steps; two more for the try that fails; critique; finalise."""


def count_points() -> int:
    waits = Waits(1000, lambda: None)
    asyncio.run(run_planner(Waiting(waits), {}, make_parts(model=ToyModel(), settings={"critique": True})))
    return 1000 - waits.left


def test_every_point_at_which_a_planner_waits_is_tried() -> None:
    assert count_points() == POINTS


@given(st.integers(0, POINTS - 1))
def test_a_run_that_is_stopped_anywhere_ends_within_200_ms_and_says_how_far_it_got(point: int) -> None:
    async def run() -> None:
        stop, told = asyncio.Event(), Told()
        parts = make_parts(model=ToyModel(), settings={"critique": True}, stop=stop, emit=told)
        began = asyncio.get_running_loop().time()
        result = await run_planner(Waiting(Waits(point, stop.set)), {}, parts)
        assert asyncio.get_running_loop().time() - began < 0.2
        assert result.outcome == "cancelled"
        check_end(told, result)

    run_timeless(run)


@given(st.integers(0, POINTS - 1))
def test_a_task_that_is_cancelled_anywhere_is_cancelled_once_the_run_has_ended(point: int) -> None:
    async def run() -> None:
        told, holder = Told(), list[asyncio.Task[PlannerResult]]()
        parts = make_parts(model=ToyModel(), settings={"critique": True}, emit=told)

        def cancel() -> None:
            holder[0].cancel()

        planner = Waiting(Waits(point, cancel))
        holder.append(asyncio.create_task(run_planner(planner, {}, parts)))
        await asyncio.wait(holder)
        assert holder[0].cancelled()
        assert told.names[-1] == "planner.completed"
        assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []

    run_timeless(run)


def check_end(told: Told, result: PlannerResult) -> None:
    """Check that steps are completed or outstanding, that all that began has ended, and that only one end was told."""
    known = {each.instance_id for each in result.completed} | set(result.outstanding)
    assert known <= {"flaky", "a", "b", "last", "better"}
    assert len(known) == len(result.completed) + len(result.outstanding)
    started = {each.instance_id for each in told.events if isinstance(each, PlannerStepStarted)}
    assert started == {each.instance_id for each in told.events if isinstance(each, PlannerStepCompleted)}
    assert [each for each in told.names if each in ENDS] == ["planner.completed"]
