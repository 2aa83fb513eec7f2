import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import BudgetError
from core.planning.planners.budgets import BudgetMeter, PlannerBudget
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.ports import ModelAnswer
from tests.core.planning.planners.toy_planners import (
    ToyClock,
    ToyModel,
    ToyPlanner,
    ask_once,
    describe_step,
    draft,
    make_parts,
)


def answer(tokens: int, *, is_kept: bool = False) -> ModelAnswer:
    return ModelAnswer(value={}, tokens_in=tokens, tokens_out=0, is_kept=is_kept, cost_usd=0.5)


@given(
    limit=st.integers(0, 100),
    cost=st.integers(1, 60),
    steps=st.integers(1, 12),
    is_parallel=st.booleans(),
    iterations=st.integers(1, 15),
)
def test_tokens_are_never_exceeded_by_more_than_one_answer_nor_tries_at_all(
    limit: int, cost: int, steps: int, *, is_parallel: bool, iterations: int
) -> None:
    model, step = ToyModel(tokens=cost), describe_step("one", is_parallel=is_parallel)
    planner = ToyPlanner(*(draft(step, name=f"s{number}") for number in range(steps)), deeds={"one": ask_once})
    budget = PlannerBudget(tokens=limit, iterations=iterations)
    result = asyncio.run(run_planner(planner, {}, make_parts(model=model, budget=budget)))
    used = result.metrics["tokens"]
    assert used == cost * len(model.asked)
    assert used == 0 if limit == 0 else used < limit + cost
    assert result.metrics["tries"] <= iterations
    assert (result.outcome == "success") == (len(result.completed) == steps)
    assert len(result.completed) + len(result.outstanding) == steps


@given(limit=st.floats(0.1, 100), each=st.floats(0.1, 60), steps=st.integers(1, 8))
def test_no_step_begins_once_the_time_is_up(limit: float, each: float, steps: int) -> None:
    clock, begun = ToyClock(), list[float]()

    async def take_time(context: object, step: object) -> dict[str, object]:
        begun.append(clock.now_s)
        clock.now_s += each
        return {}

    planner = ToyPlanner(*(draft(describe_step("one"), name=f"s{n}") for n in range(steps)), deeds={"one": take_time})
    asyncio.run(run_planner(planner, {}, make_parts(clock=clock, budget=PlannerBudget(seconds=limit))))
    assert all(at < limit for at in begun)


def test_an_answer_that_was_kept_from_before_costs_nothing() -> None:
    meter = BudgetMeter(PlannerBudget(), ToyClock(), 0.0)
    assert meter.count(answer(7, is_kept=True)) == 0
    assert meter.count(answer(7)) == 7
    assert (meter.tokens, meter.cost_usd, meter.answers) == (7, 0.5, 2)


async def test_without_a_limit_of_tokens_questions_do_not_wait_for_each_other() -> None:
    meter = BudgetMeter(PlannerBudget(), ToyClock(), 0.0)
    async with meter.hold_turn(), meter.hold_turn():
        assert meter.spent == ""


async def test_what_was_used_up_first_is_told() -> None:
    meter = BudgetMeter(PlannerBudget(tokens=0, iterations=1), ToyClock(), 0.0)
    meter.begin_try()
    with pytest.raises(BudgetError, match="1 tries"):
        meter.begin_try()
    with pytest.raises(BudgetError, match="0 tokens"):
        async with meter.hold_turn():
            raise AssertionError("It was let through.")
    assert meter.spent == "1 tries"
