import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.base.errors import ActionError, ErrorInfo, PolicyError, TableError, UnknownOutcomeError
from core.base.scope_paths import begin_scope
from core.planning.planners.budgets import PlannerBudget
from core.planning.planners.context import PlannerContext
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.metadata import PlannerInput, RetryPolicy
from core.planning.planners.ports import ModelData, ModelQuestion
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStepInstance
from core.results.events import Event
from core.results.planner_events import PlannerCompleted, PlannerStepCompleted, PlannerThrottled
from core.results.redaction import Redactor
from tests.core.planning.planners.toy_planners import (
    SCOPE,
    Deed,
    Told,
    ToyClock,
    ToyModel,
    ToyPlanner,
    ask_once,
    describe_step,
    draft,
    make_parts,
)

ONE, TWO, THREE = (describe_step(name) for name in ("one", "two", "three"))
SIDE = describe_step("side", is_parallel=True)


def give(**outputs: Any) -> Deed:
    async def deed(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        del context, step
        return outputs

    return deed


def fail(*errors: Exception | None) -> Deed:
    left = list(errors)

    async def deed(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        del context, step
        error = left.pop(0) if left else None
        if error:
            raise error
        return {}

    return deed


async def wait_forever(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
    del context, step
    await asyncio.Event().wait()
    return {}


def list_done(result: PlannerResult) -> list[str]:
    return [each.instance_id for each in result.completed]


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


async def test_a_scope_that_lacks_a_level_rejects_the_run() -> None:
    told = Told()
    planner = ToyPlanner(draft(ONE), prerequisites=("session", "run"))
    result = await run_planner(planner, {}, make_parts(emit=told, scope=begin_scope("anna").child("s1")))
    assert result.errors[0].code == "missing_scope"
    assert "run" in result.errors[0].message
    assert told.names == ["planner.rejected"]


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


async def test_a_stopped_run_ends_within_200_ms_even_if_a_step_does_not() -> None:
    stop, freed = asyncio.Event(), asyncio.Event()

    async def ignore_the_end(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        stop.set()
        while not freed.is_set():
            try:
                await freed.wait()
            except asyncio.CancelledError:
                continue
        return {}

    loop = asyncio.get_running_loop()
    began = loop.time()
    planner = ToyPlanner(draft(ONE), deeds={"one": ignore_the_end})
    result = await run_planner(planner, {}, make_parts(stop=stop))
    assert loop.time() - began < 0.2
    assert result.outcome == "cancelled"
    assert result.diagnostics == ("Something that the planner began has not ended yet.",)
    freed.set()


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


@pytest.mark.parametrize("is_on", [True, False])
async def test_another_plan_takes_the_place_of_what_failed_only_where_it_is_switched_on(is_on: bool) -> None:
    planner = ToyPlanner(
        draft(ONE), draft(TWO, "one"), fallback=[draft(THREE)], deeds={"one": fail(ActionError("No."))}
    )
    result = await run_planner(planner, {}, make_parts(settings={"fallback_plan": is_on}))
    assert result.outcome == ("success" if is_on else "failed")
    assert list_done(result) == (["three"] if is_on else [])
    assert bool(result.diagnostics) == is_on


async def test_another_plan_takes_the_place_of_one_that_could_not_be_drafted() -> None:
    planner = ToyPlanner(draft(ONE, "ghost"), fallback=[draft(THREE)])
    result = await run_planner(planner, {}, make_parts(settings={"fallback_plan": True}))
    assert (result.outcome, list_done(result)) == ("success", ["three"])


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
    assert "hunter2" not in f"{result}{told.events}{model.asked}{result.to_log_entry()}"
