from dataclasses import replace

import pytest

from core.base.errors import ActionError, ErrorInfo
from core.planning.planners.context import PlannerContext
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.results import PlannerResult
from tests.core.planning.planners.toy_planners import (
    ToyPlanner,
    describe_step,
    draft,
    fail,
    list_done,
    make_parts,
)

ONE, TWO, THREE = (describe_step(name) for name in ("one", "two", "three"))


@pytest.mark.parametrize("is_on", [True, False])
async def test_a_critique_adds_steps_only_where_it_is_switched_on(is_on: bool) -> None:
    planner = ToyPlanner(draft(ONE), critiques=[[draft(TWO)]])
    result = await run_planner(planner, {}, make_parts(settings={"critique": is_on}))
    assert list_done(result) == (["one", "two"] if is_on else ["one"])
    assert result.metrics["critiques"] == is_on


async def test_critiques_end_after_so_many_rounds() -> None:
    endless = [[draft(TWO, name=f"t{number}")] for number in range(9)]
    planner = ToyPlanner(draft(ONE), critiques=endless)
    result = await run_planner(planner, {}, make_parts(settings={"critique": True, "critique_rounds": 3}))
    assert list_done(result) == ["one", "t0", "t1", "t2"]


async def test_a_planner_may_make_its_outcome_worse_and_never_better() -> None:
    class Modest(ToyPlanner):
        async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
            return replace(result, outcome="partial", outstanding=(), completed=()).with_artifact("text", "x")

    class Boastful(ToyPlanner):
        async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
            return replace(result, outcome="success", errors=(), outstanding=())

    modest = await run_planner(Modest(draft(ONE)), {}, make_parts())
    assert (modest.outcome, modest.artifacts, list_done(modest)) == ("partial", {"text": "x"}, ["one"])
    boastful = await run_planner(Boastful(draft(ONE), deeds={"one": fail(ActionError("No."))}), {}, make_parts())
    assert (boastful.outcome, boastful.outstanding) == ("failed", ("one",))
    assert isinstance(boastful.errors[0], ErrorInfo)


async def test_a_result_that_cannot_be_finished_is_no_success() -> None:
    class Broken(ToyPlanner):
        async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
            raise ActionError("It broke.")

    result = await run_planner(Broken(draft(ONE)), {}, make_parts())
    assert (result.outcome, result.errors[0].message) == ("partial", "It broke.")
