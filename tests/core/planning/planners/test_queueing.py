import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from core.base.errors import GoalError
from core.base.scope_paths import begin_scope
from core.planning.planners.context import PlannerContext
from core.planning.planners.lifecycle.queueing import PlannerQueue, QueueLimits
from core.planning.planners.steps import PlannerStepInstance
from core.results.planner_events import PlannerThrottled
from tests.core.planning.planners.toy_planners import (
    Told,
    ToyClock,
    ToyModel,
    ToyPlanner,
    ask_once,
    describe_step,
    draft,
    make_parts,
    wait_until,
)

ONE = describe_step("one")


class Gate:
    """A step that waits, and says how many waited at once."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()
        self.inside = 0
        self.most = 0
        self.order: list[str] = []

    async def __call__(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        self.order.append(context.scope.read_level("run"))
        self.inside += 1
        self.most = max(self.most, self.inside)
        await self.opened.wait()
        self.inside -= 1
        return {}


class HeldClock(ToyClock):
    """A clock whose sleepers are never woken by time."""

    async def sleep(self, delay_s: float) -> None:
        self.slept.append(delay_s)
        await asyncio.Event().wait()


def scope_run(number: int, principal: str = "anna") -> Any:
    return begin_scope(principal).child("s1").child(f"r{number}")


async def test_runs_beyond_the_limit_wait_and_none_is_lost() -> None:
    gate, queue, clock = Gate(), PlannerQueue(QueueLimits(most_running=2)), HeldClock()
    planner = ToyPlanner(draft(ONE), deeds={"one": gate})
    runs = [asyncio.create_task(queue.run(planner, {}, make_parts(scope=scope_run(n), clock=clock))) for n in range(9)]
    await wait_until(lambda: gate.inside == 2)
    assert queue.waiting == 7
    gate.opened.set()
    results = await asyncio.gather(*runs)
    assert [each.outcome for each in results] == ["success"] * 9
    assert gate.most == 2
    assert gate.order == [f"r{number}" for number in range(9)]


async def test_a_run_that_waits_says_why_and_how_long_in_one_stream_with_what_follows() -> None:
    gate, queue, told = Gate(), PlannerQueue(QueueLimits(most_running=1)), Told()
    planner = ToyPlanner(draft(ONE), deeds={"one": gate})
    first = asyncio.create_task(queue.run(planner, {}, make_parts()))
    await wait_until(lambda: gate.inside > 0)
    second = asyncio.create_task(queue.run(planner, {}, make_parts(emit=told, clock=HeldClock())))
    await wait_until(lambda: bool(told.events))
    gate.opened.set()
    await asyncio.gather(first, second)
    throttled = told.events[0]
    assert isinstance(throttled, PlannerThrottled)
    assert (throttled.reason, throttled.wait_s) == ("1 of 1 planners run already", 0.1)
    assert told.names[1] == "planner.started"
    assert [each.seq for each in told.events] == list(range(len(told.events)))


async def test_a_full_queue_rejects() -> None:
    gate, queue, told = Gate(), PlannerQueue(QueueLimits(most_running=1, most_waiting=0)), Told()
    planner = ToyPlanner(draft(ONE), deeds={"one": gate})
    first = asyncio.create_task(queue.run(planner, {}, make_parts()))
    await wait_until(lambda: gate.inside > 0)
    result = await queue.run(planner, {}, make_parts(emit=told))
    assert result.errors[0].code == "queue_full"
    assert told.names == ["planner.rejected"]
    gate.opened.set()
    assert (await first).outcome == "success"


async def test_a_planner_that_has_another_one_carried_out_within_it_does_not_wait_for_itself() -> None:
    queue = PlannerQueue(QueueLimits(most_running=1, most_waiting=0))
    inner = ToyPlanner(draft(ONE))

    async def hand_on(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        result = await queue.run(inner, {}, make_parts(scope=context.scope))
        return {"outcome": result.outcome}

    result = await queue.run(ToyPlanner(draft(ONE), deeds={"one": hand_on}), {}, make_parts())
    assert result.completed[0].outputs == {"outcome": "success"}
    assert (await queue.run(inner, {}, make_parts())).outcome == "success"


async def test_a_run_of_the_same_scope_waits_as_any_other() -> None:
    gate, queue = Gate(), PlannerQueue(QueueLimits(most_running=1))
    planner = ToyPlanner(draft(ONE), deeds={"one": gate})
    runs = [asyncio.create_task(queue.run(planner, {}, make_parts(clock=HeldClock()))) for _ in range(2)]
    await wait_until(lambda: gate.inside == 1 and queue.waiting == 1)
    gate.opened.set()
    await asyncio.gather(*runs)
    assert gate.most == 1


async def test_wrong_parameters_do_not_wait() -> None:
    told = Told()
    result = await PlannerQueue().run(ToyPlanner(draft(ONE)), {"ghost": 1}, make_parts(emit=told))
    assert result.errors[0].code == "bad_parameters"
    assert told.names == ["planner.rejected"]


async def test_a_run_that_is_stopped_while_it_waits_is_cancelled_and_holds_up_nobody() -> None:
    gate, queue, stop, told = Gate(), PlannerQueue(QueueLimits(most_running=1)), asyncio.Event(), Told()
    planner = ToyPlanner(draft(ONE), deeds={"one": gate})
    first = asyncio.create_task(queue.run(planner, {}, make_parts()))
    await wait_until(lambda: gate.inside > 0)
    second = asyncio.create_task(queue.run(planner, {}, make_parts(stop=stop, emit=told, clock=HeldClock())))
    third = asyncio.create_task(queue.run(planner, {}, make_parts(clock=HeldClock())))
    await wait_until(lambda: bool(told.events))
    stop.set()
    assert (await second).outcome == "cancelled"
    assert told.names == ["planner.throttled", "planner.completed"]
    gate.opened.set()
    assert [each.outcome for each in await asyncio.gather(first, third)] == ["success", "success"]
    assert queue.waiting == 0


async def test_a_waiting_task_that_is_cancelled_leaves_the_queue() -> None:
    gate, queue = Gate(), PlannerQueue(QueueLimits(most_running=1))
    planner = ToyPlanner(draft(ONE), deeds={"one": gate})
    first = asyncio.create_task(queue.run(planner, {}, make_parts()))
    await wait_until(lambda: gate.inside > 0)
    second = asyncio.create_task(queue.run(planner, {}, make_parts(clock=HeldClock())))
    await wait_until(lambda: queue.waiting > 0)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    assert queue.waiting == 0
    gate.opened.set()
    await first


async def test_who_used_up_a_minute_of_tokens_waits_with_bounded_backoff_until_the_minute_is_over() -> None:
    clock, queue = ToyClock(), PlannerQueue(QueueLimits(tokens_per_minute=10))
    planner = ToyPlanner(draft(ONE), deeds={"one": ask_once})
    await queue.run(planner, {}, make_parts(clock=clock, model=ToyModel(tokens=10)))
    result = await queue.run(planner, {}, make_parts(clock=clock, model=ToyModel(tokens=10)))
    assert result.outcome == "success"
    assert clock.now_s >= 60
    assert max(clock.slept) == 5
    assert clock.slept[:4] == [0.1, 0.2, 0.4, 0.8]


async def test_tokens_of_one_principal_hold_up_nobody_else() -> None:
    clock, queue = HeldClock(), PlannerQueue(QueueLimits(tokens_per_minute=10))
    planner = ToyPlanner(draft(ONE), deeds={"one": ask_once})
    await queue.run(planner, {}, make_parts(clock=clock, model=ToyModel(tokens=10)))
    waits = asyncio.create_task(queue.run(planner, {}, make_parts(clock=clock, model=ToyModel())))
    await wait_until(lambda: queue.waiting > 0)
    other = await queue.run(planner, {}, make_parts(scope=scope_run(1, "berta"), clock=clock, model=ToyModel()))
    assert other.outcome == "success"
    waits.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waits


@pytest.mark.parametrize("limits", [{"most_running": 0}, {"most_waiting": -1}, {"tokens_per_minute": 0}])
def test_limits_that_let_nothing_through_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(GoalError):
        QueueLimits(**limits)
