import asyncio
import itertools
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.approvals.approvals import ApprovalRequest
from core.base.budgets import Budget
from core.base.errors import ErrorInfo
from core.execution.receipts import log_skipped
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.planning.plans import PlannedAction
from core.results.tool_results import Status, StepLog, ToolResult
from tests.core.toys import ToyRun, plan_toys, statuses, toy


def error_of(log: StepLog) -> tuple[str, str]:
    assert log.result.error is not None
    return log.result.error.code, log.result.error.message


async def stop_when_started(run: ToyRun, *goals: Goal) -> tuple[StepLog, ...]:
    """Run goals and stop as soon as one of them hangs or clings."""
    running = asyncio.create_task(run.run(*goals))
    await run.toys.started.wait()
    run.context.limits.stop.set()
    return await running


# --- order


async def test_actions_run_in_the_order_of_their_dependencies() -> None:
    run = ToyRun()
    logs = await run.run(toy("note", text="a"), toy("note", "after:g0", text="b"), toy("note", "after:g1", text="c"))
    assert run.toys.noted == ["a", "b", "c"]
    assert statuses(logs) == ["ok"] * 3
    assert [log.action_id for log in logs] == ["g0_note_1", "g1_note_1", "g2_note_1"]


@given(st.lists(st.integers(0, 8), min_size=1, max_size=9))
def test_in_any_graph_every_action_runs_once_and_after_its_parents(parents: list[int]) -> None:
    goals = [
        toy("note", f"after:g{parent}" if parent < index else "root", text=f"g{index}")
        for index, parent in enumerate(parents)
    ]

    async def execute() -> tuple[list[str], tuple[StepLog, ...]]:
        run = ToyRun()
        return run.toys.noted, await run.run(*goals)

    noted, logs = asyncio.run(execute())
    assert sorted(noted) == sorted(f"g{index}" for index in range(len(goals)))
    assert [log.goal_id for log in logs] == [f"g{index}" for index in range(len(goals))]
    for index, parent in enumerate(parents):
        assert parent >= index or noted.index(f"g{parent}") < noted.index(f"g{index}")


async def test_independent_actions_overlap() -> None:
    logs = await asyncio.wait_for(ToyRun().run(*[toy("meet", parties=3) for _ in range(3)]), 10)
    assert statuses(logs) == ["ok"] * 3


async def test_a_branch_does_not_wait_for_another() -> None:
    logs = await asyncio.wait_for(
        ToyRun().run(
            toy("meet", parties=2),
            toy("note", text="a"),
            toy("note", "after:g1", text="b"),
            toy("meet", "after:g2", parties=2),
        ),
        10,
    )
    assert statuses(logs) == ["ok"] * 4


async def test_actions_that_need_the_same_resource_run_one_at_a_time() -> None:
    run = ToyRun()
    logs = await run.run(*[toy("hold", room="kitchen") for _ in range(4)])
    assert statuses(logs) == ["ok"] * 4
    assert run.toys.most_holding == 1


async def test_actions_that_need_different_resources_run_side_by_side() -> None:
    run = ToyRun()
    await run.run(toy("hold", room="kitchen"), toy("hold", room="attic"))
    assert run.toys.most_holding == 2


async def test_a_resource_is_held_across_the_runs_of_one_executor() -> None:
    run = ToyRun()
    await asyncio.gather(*[run.run(toy("hold", room="kitchen")) for _ in range(3)])
    assert run.toys.most_holding == 1


async def test_an_empty_plan_has_no_receipts() -> None:
    assert await ToyRun().run() == ()


async def test_an_action_is_told_who_follows_and_what_holds() -> None:
    run = ToyRun()
    await run.run(toy("note", text="a"), toy("look", "after:g0", text="b"), toy("note", "after:g0", text="c"))
    context = run.toys.contexts[0]
    assert (context.action_id, context.lane, context.timeout_s) == ("g0_note_1", "main", 20)
    assert context.followers == ("toy.look", "toy.note")
    assert context.policy is run.context.policy


async def test_results_are_in_the_graph_as_in_the_receipts() -> None:
    run = ToyRun()
    graph = plan_toys([toy("note", text="a"), toy("fail"), toy("note", "after:g1", text="b")])
    logs = await run.executor.execute(graph, run.context)
    assert graph.results == {log.action_id: log.result for log in logs}


async def test_starts_and_ends_are_told_as_they_happen() -> None:
    told: list[str] = []
    run = ToyRun()

    def start(action: PlannedAction) -> None:
        told.append(f"{action.action_id} starts")

    def end(log: StepLog) -> None:
        told.append(f"{log.action_id} {log.result.status}")

    run.hold_to(on_start=start, on_end=end)
    await run.run(toy("note", text="a"), toy("fail", "after:g0"), toy("note", "after:g1", text="b"))
    assert told == ["g0_note_1 starts", "g0_note_1 ok", "g1_fail_1 starts", "g1_fail_1 failed", "g2_note_1 skipped"]


async def test_a_receipt_says_when_it_started_and_how_long_it_took() -> None:
    first, second = await ToyRun().run(toy("note", text="a"), toy("note", "after:g0", text="b"))
    assert 0 <= first.result.started_ms < first.result.started_ms + first.result.ms <= second.result.started_ms


# --- failure


async def test_a_failed_step_skips_what_depends_on_it_and_nothing_else() -> None:
    run = ToyRun()
    logs = await run.run(
        toy("note", text="before"),
        toy("fail", "after:g0"),
        toy("note", "after:g1", text="child"),
        toy("note", "after:g2", text="grandchild"),
        toy("note", "after:g0", text="sibling"),
        toy("note", text="stranger"),
    )
    assert statuses(logs) == ["ok", "failed", "skipped", "skipped", "ok", "ok"]
    assert sorted(run.toys.noted) == ["before", "sibling", "stranger"]


async def test_a_skipped_step_names_the_first_cause_not_the_step_before_it() -> None:
    logs = await ToyRun().run(
        toy("fail", text="hard"), *[toy("note", f"after:g{index}", text="x") for index in range(3)]
    )
    for log in logs[1:]:
        assert error_of(log) == ("skipped", "Skipped: step 1 failed (broken).")
        assert log.result.error is not None
        assert log.result.error.evidence == {"cause": "g0_fail_1"}


@pytest.mark.parametrize(
    ("status", "code", "told"),
    [
        ("failed", "dns_failed", "Skipped: step 1 failed (host not found)."),
        ("failed", "strange_fault", "Skipped: step 1 failed (strange fault)."),
        ("refused", "approval_missing", "Skipped: step 1 was refused (not approved)."),
        ("cancelled", "stopped", "Skipped: step 1 was stopped."),
        ("skipped", "not_selected", "Skipped: step 1 was not selected."),
    ],
)
def test_a_skipped_step_says_in_a_few_words_what_became_of_the_one_before(status: Status, code: str, told: str) -> None:
    (action,) = plan_toys([toy("note", text="x")]).nodes.values()
    cause = StepLog("a", "g0", "toy.note", "do a", ToolResult(status, error=ErrorInfo(code, "No.")))
    assert error_of(log_skipped(action, cause, 1))[1] == told


async def test_a_step_with_one_good_and_one_failed_parent_is_skipped_for_the_failed_one() -> None:
    both = Goal("toy", "note", {"text": [Reference("g0", "text"), Reference("g1", "text")]})
    logs = await ToyRun().run(toy("look", text="a"), toy("fail"), both)
    assert statuses(logs) == ["ok", "failed", "skipped"]
    assert error_of(logs[2])[1] == "Skipped: step 2 failed (broken)."


async def test_a_failure_keeps_code_hint_and_evidence() -> None:
    (log,) = await ToyRun().run(toy("fail"))
    assert error_of(log) == ("broken", "The toy is broken.")
    assert log.result.error is not None
    assert log.result.error.hint == "Mend it."
    assert log.result.evidence == {"part": "spring"}
    assert log.result.effect == "none"


async def test_a_fault_in_a_tool_is_a_receipt_and_does_not_end_the_run() -> None:
    logs = await ToyRun().run(toy("crash"), toy("note", text="a"))
    assert statuses(logs) == ["failed", "ok"]
    assert error_of(logs[0]) == ("internal_error", "toy.crash failed with ZeroDivisionError: by zero")
    assert logs[0].result.effect == "unverified"


async def test_what_failed_after_it_had_acted_is_not_told_as_nothing_done() -> None:
    before, after = await ToyRun().run(toy("fail"), toy("fail", text="half done"))
    assert statuses([before, after]) == ["failed", "failed"]
    assert (before.result.effect, after.result.effect) == ("none", "unverified")
    assert error_of(after)[0] == "broken"


async def test_a_fault_of_who_listens_ends_the_run_and_leaves_nothing_running() -> None:
    run = ToyRun()

    def break_down(_: PlannedAction) -> None:
        raise RuntimeError("the listener broke")

    run.hold_to(on_start=break_down)
    before = asyncio.all_tasks()
    with pytest.raises(RuntimeError, match="the listener broke"):
        await run.run(toy("note", text="a"), toy("note", text="b"))
    assert asyncio.all_tasks() == before


# --- time


@pytest.mark.parametrize(
    ("verb", "code", "effect"),
    [("hang", "outcome_unknown", "unverified"), ("nudge", "timed_out", "unverified"), ("stare", "timed_out", "none")],
)
async def test_a_step_that_takes_too_long_is_given_up(verb: str, code: str, effect: str) -> None:
    logs = await ToyRun().run(toy(verb), toy("note", "after:g0", text="a"), toy("note", text="b"))
    assert statuses(logs) == ["failed", "skipped", "ok"]
    assert error_of(logs[0]) == (code, f"toy.{verb} did not finish within 0.02 s.")
    assert logs[0].result.effect == effect


# --- budgets


async def test_no_more_actions_start_than_the_budget_allows() -> None:
    run = ToyRun()
    run.hold_to(budget=Budget(actions=2))
    logs = await run.run(*[toy("note", f"after:g{i - 1}" if i else "root", text=f"{i}") for i in range(4)])
    assert statuses(logs) == ["ok", "ok", "refused", "skipped"]
    assert error_of(logs[2]) == ("budget_exhausted", "The run has used up its 2 actions.")
    assert run.toys.noted == ["0", "1"]


async def test_actions_side_by_side_share_the_budget() -> None:
    run = ToyRun()
    run.hold_to(budget=Budget(actions=2))
    logs = await run.run(*[toy("note", text=f"{index}") for index in range(5)])
    assert sorted(statuses(logs)) == ["ok"] * 2 + ["refused"] * 3
    assert len(run.toys.noted) == 2


async def test_nothing_starts_after_the_seconds_are_used_up() -> None:
    run = ToyRun()
    run.hold_to(budget=Budget(seconds=0))
    logs = await run.run(toy("note", text="a"))
    assert error_of(logs[0]) == ("budget_exhausted", "The run has used up its 0 s.")
    assert run.toys.noted == []


async def test_a_step_has_no_more_time_than_is_left_of_the_budget() -> None:
    run = ToyRun()
    run.hold_to(budget=Budget(seconds=5))
    await run.run(toy("note", text="a"))
    assert 0 < run.toys.contexts[0].timeout_s <= 5


async def test_a_step_that_uses_up_the_run_s_seconds_is_given_up() -> None:
    run = ToyRun()
    run.hold_to(budget=Budget(seconds=0.05))
    logs = await run.run(toy("meet", parties=2))
    assert statuses(logs) == ["failed"]
    assert error_of(logs[0])[0] == "outcome_unknown"


# --- stopping


async def test_a_stop_ends_what_runs_and_leaves_out_the_rest() -> None:
    run = ToyRun()
    goals = [toy("note", text="a"), toy("meet", "after:g0", parties=2), toy("note", "after:g1", text="b")]
    graph = plan_toys([*goals, toy("cling", "after:g0")])
    running = asyncio.create_task(run.executor.execute(graph, run.context))
    await run.toys.started.wait()
    run.toys.release.set()
    run.context.limits.stop.set()
    logs = await running
    assert statuses(logs)[:3] == ["ok", "cancelled", "cancelled"]
    assert error_of(logs[1]) == ("stopped", "The run was stopped.")
    assert error_of(logs[2]) == ("stopped", "The run was stopped before this step.")
    assert logs[1].result.effect == "unverified"
    assert run.toys.noted[0] == "a"
    assert "b" not in run.toys.noted
    await run.executor.close()


async def test_an_observing_step_that_was_stopped_had_no_effect() -> None:
    (log,) = await stop_when_started(ToyRun(), toy("stare"))
    assert (log.result.status, log.result.effect) == ("cancelled", "none")


async def test_a_stop_does_not_wait_for_a_tool_that_ignores_it() -> None:
    run = ToyRun()
    (log,) = await stop_when_started(run, toy("cling"))
    assert not run.toys.release.is_set()
    assert run.toys.noted == ["ignored"]
    assert (log.result.status, log.result.effect) == ("cancelled", "unverified")
    assert error_of(log)[0] == "outcome_unknown"
    run.toys.release.set()
    await run.executor.close()


async def test_a_closed_executor_leaves_no_task_behind() -> None:
    run, before = ToyRun(), asyncio.all_tasks()
    await stop_when_started(run, toy("cling"))
    assert asyncio.all_tasks() > before
    run.toys.release.set()
    await run.executor.close()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before


async def test_a_run_that_was_stopped_before_it_began_does_nothing() -> None:
    run = ToyRun()
    run.context.limits.stop.set()
    logs = await run.run(toy("note", text="a"), toy("note", "after:g0", text="b"))
    assert statuses(logs) == ["cancelled", "cancelled"]
    assert run.toys.noted == []


async def test_a_stop_while_waiting_for_a_resource_never_touches_it() -> None:
    run = ToyRun()
    run.hold_to(on_start=lambda action: run.context.limits.stop.set() if action.goal_id == "g0" else None)
    logs = await run.run(toy("hold", room="kitchen"), toy("hold", room="kitchen"))
    assert statuses(logs)[1] == "cancelled"
    assert error_of(logs[1]) == ("stopped", "The run was stopped before this step.")
    assert run.toys.most_holding <= 1


async def test_a_stop_while_a_person_is_asked_does_not_do_it() -> None:
    class SlowGate:
        def __init__(self) -> None:
            self.asked = asyncio.Event()

        async def decide(self, request: ApprovalRequest) -> bool:
            self.asked.set()
            await asyncio.Event().wait()
            return True

    run, gate = ToyRun(), SlowGate()
    run.hold_to(gate=gate)
    running = asyncio.create_task(run.run(toy("change", text="a")))
    await gate.asked.wait()
    run.context.limits.stop.set()
    (log,) = await running
    assert (log.result.status, log.result.effect) == ("cancelled", "none")
    assert run.toys.noted == []


async def test_cancelling_the_run_itself_ends_its_tools() -> None:
    run, before = ToyRun(), asyncio.all_tasks()
    running = asyncio.create_task(run.run(toy("meet", parties=2), toy("cling")))
    await run.toys.started.wait()
    run.toys.release.set()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert asyncio.all_tasks() == before


async def test_a_resource_stays_held_by_a_tool_that_ignores_a_stop() -> None:
    run, next_run = ToyRun(), asyncio.Event()
    await stop_when_started(run, toy("cling", text="kitchen"))
    run.hold_to(stop=asyncio.Event(), on_start=lambda _: next_run.set())
    waiting = asyncio.create_task(run.run(toy("cling", text="kitchen")))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not next_run.is_set()
    run.toys.release.set()
    assert statuses(await waiting) == ["ok"]
    await run.executor.close()


def order_of(logs: Sequence[StepLog]) -> list[float]:
    return [log.result.started_ms for log in logs]


async def test_one_receipt_per_action_even_when_everything_goes_wrong_at_once() -> None:
    verbs: list[tuple[str, dict[str, Any]]] = [("fail", {}), ("crash", {}), ("hang", {}), ("stare", {})]
    goals = [toy(verb, **params) for verb, params in verbs]
    logs = await ToyRun().run(*goals, *[toy("note", f"after:g{index}", text="x") for index in range(4)])
    assert statuses(logs) == ["failed"] * 4 + ["skipped"] * 4
    assert all(left <= right for left, right in itertools.pairwise(order_of(logs[:4])))
