import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from core.base.errors import ActionError
from core.planning.planners.budgets import PlannerBudget
from core.planning.planners.context import PlannerContext
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStepInstance
from core.results.planner_events import PlannerCompleted, PlannerThrottled
from tests.core.planning.planners.timeless_loops import run_timeless
from tests.core.planning.planners.toy_planners import (
    Told,
    ToyClock,
    ToyModel,
    ToyPlanner,
    ask_once,
    describe_step,
    draft,
    list_done,
    make_parts,
    wait_forever,
)

ONE, TWO, THREE = (describe_step(name) for name in ("one", "two", "three"))


async def test_more_tries_than_allowed_are_throttled() -> None:
    told = Told()
    planner = ToyPlanner(draft(ONE), draft(TWO, "one"), draft(THREE, "two"))
    result = await run_planner(planner, {}, make_parts(emit=told, budget=PlannerBudget(iterations=2)))
    assert result.outcome == "partial"
    assert list_done(result) == ["one", "two"]
    assert result.errors[0].code == "budget_exhausted"
    assert told.names[-2:] == ["planner.throttled", "planner.completed"]


async def test_used_up_tokens_throttle_the_run() -> None:
    told = Told()
    planner = ToyPlanner(draft(ONE), draft(TWO, "one"), deeds={"one": ask_once, "two": ask_once})
    result = await run_planner(
        planner, {}, make_parts(emit=told, model=ToyModel(tokens=10), budget=PlannerBudget(tokens=10))
    )
    assert result.outcome == "partial"
    throttled = next(each for each in told.events if isinstance(each, PlannerThrottled))
    assert "10 tokens" in throttled.reason
    assert throttled.tokens == 10


async def test_time_that_is_used_up_while_a_step_waits_ends_the_run() -> None:
    told = Told()
    planner = ToyPlanner(draft(ONE), draft(TWO, "one"), deeds={"two": wait_forever})
    result = await run_planner(planner, {}, make_parts(emit=told, budget=PlannerBudget(seconds=0.05)))
    assert result.outcome == "partial"
    assert result.outstanding == ("two",)
    assert told.names[-2:] == ["planner.throttled", "planner.completed"]


async def test_time_is_measured_by_the_clock_that_was_given() -> None:
    clock = ToyClock()

    async def take_long(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        await context.clock.sleep(3600)
        return {}

    planner = ToyPlanner(draft(ONE), draft(TWO, "one"), deeds={"one": take_long})
    result = await run_planner(planner, {}, make_parts(clock=clock, budget=PlannerBudget(seconds=60)))
    assert result.outcome == "partial"
    assert result.errors[0].code == "budget_exhausted"


async def test_a_run_that_is_stopped_says_what_was_completed_and_what_is_outstanding() -> None:
    stop, told = asyncio.Event(), Told()

    async def stop_all(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        stop.set()
        return await wait_forever(context, step)

    planner = ToyPlanner(draft(ONE), draft(TWO, "one"), draft(THREE, "two"), deeds={"two": stop_all})
    result = await run_planner(planner, {}, make_parts(stop=stop, emit=told))
    assert result.outcome == "cancelled"
    assert list_done(result) == ["one"]
    assert result.outstanding == ("two", "three")
    assert told.names[-1] == "planner.completed"


async def test_of_a_run_that_was_stopped_before_nothing_is_begun() -> None:
    stop, told = asyncio.Event(), Told()
    stop.set()

    class Untouched(ToyPlanner):
        async def validate(self, context: PlannerContext) -> None:
            raise AssertionError("It was begun.")

    result = await run_planner(Untouched(draft(ONE)), {}, make_parts(stop=stop, emit=told))
    assert (result.outcome, result.errors, told.names) == ("cancelled", (), ["planner.completed"])


async def test_no_step_begins_in_the_same_breath_in_which_the_run_is_stopped() -> None:
    stop, begun = asyncio.Event(), list[str]()

    async def stop_at_once(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        begun.append(step.instance_id)
        stop.set()
        return {}

    planner = ToyPlanner(draft(ONE), draft(TWO, "one"), deeds={"one": stop_at_once, "two": stop_at_once})
    result = await run_planner(planner, {}, make_parts(stop=stop))
    assert begun == ["one"]
    assert result.outcome == "cancelled"
    assert result.outstanding == ("two",)


def test_a_stopped_run_ends_within_200_ms_even_if_a_step_does_not() -> None:
    stop, freed = asyncio.Event(), asyncio.Event()

    async def ignore_the_end(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        stop.set()
        while not freed.is_set():
            try:
                await freed.wait()
            except asyncio.CancelledError:
                continue
        return {}

    async def run() -> PlannerResult:
        result = await run_planner(ToyPlanner(draft(ONE), deeds={"one": ignore_the_end}), {}, make_parts(stop=stop))
        assert asyncio.get_running_loop().time() < 0.2
        freed.set()
        return result

    result = run_timeless(run)
    assert result.outcome == "cancelled"
    assert result.diagnostics == ("Something that the planner began has not ended yet.",)


async def test_a_task_that_is_cancelled_tells_how_the_run_ended_and_is_cancelled() -> None:
    told, begun = Told(), asyncio.Event()

    async def begin(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        begun.set()
        return await wait_forever(context, step)

    task = asyncio.create_task(run_planner(ToyPlanner(draft(ONE), deeds={"one": begin}), {}, make_parts(emit=told)))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert told.names[-1] == "planner.completed"
    ended = told.events[-1]
    assert isinstance(ended, PlannerCompleted)
    assert ended.outcome == "cancelled"


async def test_nothing_can_be_asked_on_behalf_of_a_run_that_has_ended() -> None:
    kept: list[PlannerContext] = []
    model = ToyModel()

    async def keep(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        kept.append(context)
        return {}

    planner = ToyPlanner(draft(ONE), deeds={"one": keep})
    await run_planner(planner, {}, make_parts(model=model))
    with pytest.raises(ActionError, match="has ended"):
        await ask_once(kept[0], planner.instances[0])
    assert model.asked == []
