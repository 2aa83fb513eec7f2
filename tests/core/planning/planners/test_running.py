import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.base.errors import ActionError, PolicyError, TableError, UnknownOutcomeError
from core.planning.planners.budgets import PlannerBudget
from core.planning.planners.context import PlannerContext
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.metadata import PlannerInput, RetryPolicy
from core.planning.planners.ports import ModelData, ModelQuestion
from core.planning.planners.steps import PlannerStepInstance
from core.results.events import Event
from core.results.planner_events import PlannerStepCompleted
from core.results.redaction import Redactor
from tests.core.planning.planners.toy_planners import (
    SCOPE,
    Told,
    ToyClock,
    ToyModel,
    ToyPlanner,
    ask_once,
    describe_step,
    draft,
    fail,
    give,
    list_done,
    make_parts,
)

ONE, TWO, THREE = (describe_step(name) for name in ("one", "two", "three"))
SIDE = describe_step("side", is_parallel=True)


async def test_steps_are_done_in_the_order_of_what_they_depend_on() -> None:
    planner = ToyPlanner(draft(THREE, "two"), draft(TWO, "one"), draft(ONE))
    result = await run_planner(planner, {}, make_parts())
    assert result.outcome == "success"
    assert list_done(result) == ["one", "two", "three"]


async def test_a_step_knows_what_the_steps_before_it_gave() -> None:
    seen: dict[str, Any] = {}

    async def look(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        seen.update(context.values)
        return {}

    planner = ToyPlanner(draft(ONE), draft(TWO, "one"), deeds={"one": give(found=3), "two": look})
    await run_planner(planner, {}, make_parts())
    assert seen == {"found": 3}


async def test_parallel_steps_run_side_by_side_and_others_alone() -> None:
    running: set[str] = set()
    together: list[set[str]] = []

    async def note(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        del context
        running.add(step.instance_id)
        await asyncio.sleep(0)
        together.append(set(running))
        running.discard(step.instance_id)
        return {}

    drafted = (draft(SIDE, name="a"), draft(SIDE, name="b"), draft(ONE), draft(SIDE, name="c"), draft(SIDE, name="d"))
    await run_planner(ToyPlanner(*drafted, deeds={"side": note, "one": note}), {}, make_parts())
    assert {"a", "b"} in together
    assert {"c", "d"} in together
    assert all(each == {"one"} for each in together if "one" in each)


async def test_a_step_is_tried_again_as_its_policy_says_with_longer_and_longer_delays() -> None:
    clock = ToyClock()
    stubborn = describe_step("one", retry=RetryPolicy(attempts=4, delay_s=1, longest_delay_s=3))
    planner = ToyPlanner(draft(stubborn), deeds={"one": fail(*[ActionError("No.")] * 3)})
    result = await run_planner(planner, {}, make_parts(clock=clock))
    assert result.outcome == "success"
    assert result.completed[0].iteration == 4
    assert clock.slept == [1, 2, 3]
    assert result.metrics["retries"] == 3


@pytest.mark.parametrize(
    "error",
    [
        PolicyError("Forbidden."),
        TableError("Wrong."),
        UnknownOutcomeError("Perhaps."),
        ActionError("It was begun.").after_act(),
    ],
)
async def test_what_another_try_can_only_make_worse_is_not_tried_again(error: Exception) -> None:
    stubborn = describe_step("one", retry=RetryPolicy(attempts=4))
    result = await run_planner(ToyPlanner(draft(stubborn), deeds={"one": fail(error)}), {}, make_parts())
    assert result.outcome == "failed"
    assert result.failed[0].iteration == 1


async def test_a_step_whose_outputs_are_judged_bad_is_tried_again_and_then_fails() -> None:
    class Choosy(ToyPlanner):
        async def evaluate_step(
            self, context: PlannerContext, step: PlannerStepInstance, outputs: Mapping[str, Any]
        ) -> bool:
            return False

    result = await run_planner(Choosy(draft(describe_step("one", retry=RetryPolicy(attempts=2)))), {}, make_parts())
    assert result.errors[0].code == "not_good_enough"
    assert result.failed[0].iteration == 2


async def test_a_step_is_left_out_when_its_condition_holds_and_what_depends_on_it_goes_on() -> None:
    planner = ToyPlanner(draft(ONE), draft(TWO, "one", skip_if=lambda known: known["found"] == 3), draft(THREE, "two"))
    planner.deeds["one"] = give(found=3)
    result = await run_planner(planner, {}, make_parts())
    assert [(each.instance_id, each.status) for each in result.completed] == [
        ("one", "done"),
        ("two", "skipped"),
        ("three", "done"),
    ]
    assert result.outcome == "success"


async def test_a_step_that_fails_holds_up_what_depends_on_it_and_nothing_else() -> None:
    planner = ToyPlanner(draft(ONE), draft(TWO, "one"), draft(THREE), deeds={"one": fail(ActionError("No."))})
    result = await run_planner(planner, {}, make_parts())
    assert result.outcome == "partial"
    assert list_done(result) == ["three"]
    assert result.outstanding == ("one", "two")
    assert [each.instance_id for each in result.failed] == ["one"]


async def test_steps_can_be_added_while_the_run_goes_on() -> None:
    planner = ToyPlanner(draft(ONE), added={"one": [draft(TWO, "one")], "two": [draft(THREE, "one", "two")]})
    result = await run_planner(planner, {}, make_parts())
    assert list_done(result) == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("drafted", "why"),
    [
        ([draft(ONE, "two"), draft(TWO, "one")], "circle"),
        ([draft(ONE), draft(ONE)], "taken"),
        ([draft(ONE, "ghost")], "ghost"),
        ([draft(ONE, name="")], ""),
    ],
)
async def test_a_plan_that_cannot_be_carried_out_fails_before_any_step(
    drafted: Sequence[PlannerStepInstance], why: str
) -> None:
    if not why:
        drafted = [replace(drafted[0], instance_id="")]
    told = Told()
    result = await run_planner(ToyPlanner(*drafted), {}, make_parts(emit=told))
    assert result.errors[0].code == "bad_plan"
    assert why in result.errors[0].message
    assert told.names == ["planner.started", "planner.failed"]


async def test_outputs_that_a_step_names_and_does_not_give_are_a_fault() -> None:
    result = await run_planner(ToyPlanner(draft(describe_step("one", outputs=("found",)))), {}, make_parts())
    assert result.errors[0].code == "missing_output"


async def test_inputs_that_nothing_gave_are_a_fault() -> None:
    result = await run_planner(ToyPlanner(draft(describe_step("one", inputs=("found",)))), {}, make_parts())
    assert result.errors[0].code == "missing_input"


async def test_a_fault_of_a_planner_is_told_as_its_own() -> None:
    result = await run_planner(ToyPlanner(draft(ONE), deeds={"one": fail(KeyError("x"))}), {}, make_parts())
    assert result.errors[0].code == "internal_error"
    assert "KeyError" in result.errors[0].message
    assert result.outcome == "failed"


async def test_wrong_parameters_reject_the_run_and_nothing_is_begun() -> None:
    told = Told()
    wanted = PlannerInput(name="goal", kind="text", description="What.")
    result = await run_planner(ToyPlanner(draft(ONE), inputs=(wanted,)), {"gaol": 1}, make_parts(emit=told))
    assert told.names == ["planner.rejected"]
    assert result.errors[0].code == "bad_parameters"
    assert result.outcome == "failed"


@pytest.mark.parametrize("budget", [PlannerBudget(iterations=0), PlannerBudget(seconds=0), PlannerBudget(tokens=-1)])
async def test_a_budget_in_which_nothing_can_be_done_rejects_the_run(budget: PlannerBudget) -> None:
    told = Told()
    result = await run_planner(ToyPlanner(draft(ONE)), {}, make_parts(emit=told, budget=budget))
    assert result.errors[0].code == "bad_budget"
    assert told.names == ["planner.rejected"]


async def test_what_a_planner_itself_finds_wrong_rejects_the_run() -> None:
    class Picky(ToyPlanner):
        async def validate(self, context: PlannerContext) -> None:
            raise PolicyError("Not here.")

    told = Told()
    result = await run_planner(Picky(draft(ONE)), {}, make_parts(emit=told))
    assert result.errors[0].code == "refused_by_policy"
    assert told.names == ["planner.rejected"]


async def test_events_are_numbered_and_carry_planner_scope_step_tokens_and_outcome() -> None:
    told = Told()
    planner = ToyPlanner(draft(ONE), draft(TWO, "one"), deeds={"one": ask_once}, tags=("t",))
    result = await run_planner(planner, {}, make_parts(emit=told, model=ToyModel(tokens=7)))
    assert told.names == [
        "planner.started",
        "planner.step.started",
        "planner.step.completed",
        "planner.step.started",
        "planner.step.completed",
        "planner.completed",
    ]
    assert [each.seq for each in told.events] == list(range(6))
    assert {each.run_id for each in told.events} == {"r1"}
    ended = told.events[2]
    assert isinstance(ended, PlannerStepCompleted)
    assert (ended.planner_id, ended.scope, ended.step_id, ended.iteration, ended.tokens, ended.outcome) == (
        "toy",
        f"{SCOPE}/one",
        "one",
        1,
        7,
        "done",
    )
    assert result.metrics["tokens"] == 7


async def test_a_listener_that_fails_does_not_end_the_run() -> None:
    def refuse(event: Event) -> None:
        raise RuntimeError(event.event_name)

    result = await run_planner(ToyPlanner(draft(ONE)), {}, make_parts(emit=refuse))
    assert result.outcome == "success"


async def test_secrets_are_in_no_part_of_the_result_the_events_or_what_leaves_to_a_model() -> None:
    redactor, told, model = Redactor(), Told(), ToyModel()
    redactor.add("hunter2")

    async def leak(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        context.note("note", "The word is hunter2.")
        data = (ModelData(label="page", text="Say hunter2."),)
        await context.ask(
            ModelQuestion(kind="propose", instructions="Not hunter2.", schema={}, scope=context.scope, data=data)
        )
        raise ActionError("The word hunter2 is wrong.")

    planner = ToyPlanner(draft(ONE), deeds={"one": leak})
    result = await run_planner(planner, {}, make_parts(redact=redactor.redact, model=model, emit=told))
    assert "•••" in str(result)
    assert "hunter2" not in f"{result}{told.events}{model.asked}"
