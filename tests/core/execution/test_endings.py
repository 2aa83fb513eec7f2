import asyncio
from dataclasses import replace
from typing import Any

from core.base.budgets import Budget
from core.execution.asking import list_expected
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.goals.scopes import build_meta_goal
from core.policy.policy import Policy
from tests.core.execution.test_conditions import on, read_code
from tests.core.toys import Asker, ToyRun, plan_toys, statuses, toy


def finally_(verb: str, scope: str = "root", **params: Any) -> Goal:
    return on(toy(verb, scope, **params), always=True)


async def test_what_is_done_whatever_happened_is_done_last() -> None:
    run = ToyRun()
    await run.run(toy("note", text="a"), finally_("note", text="z"), finally_("note", "after:g1", text="zz"))
    assert run.toys.noted == ["a", "z", "zz"]


async def test_what_it_will_ask_is_known_with_the_rest_and_asked_at_its_turn_for_just_that_act() -> None:
    run, asker = ToyRun(), Asker()
    run.hold_to(gate=asker)
    graph = plan_toys([toy("fail"), toy("risk", "after:g0", text="a"), finally_("risk", text="z")])
    expected = list_expected(graph, Policy(), "linux")
    assert [each.action_id for each in expected] == ["g1_risk_1", "g2_risk_1"]
    assert statuses(await run.executor.execute(graph, run.context)) == ["failed", "skipped", "ok"]
    assert [(each.action_id, each.digest) for each in asker.asked] == [("g2_risk_1", expected[1].digest)]


def test_it_waits_for_all_that_nothing_else_waits_for() -> None:
    goals = [toy("note", text="a"), toy("note", text="b"), toy("note", "after:g1", text="c")]
    meta = build_meta_goal([*goals, finally_("note", text="y"), finally_("note", text="z")])
    assert meta.dependencies["g3"] == ("g0", "g2")
    assert meta.dependencies["g4"] == ("g3",)


async def test_it_is_done_after_a_failure_and_although_what_is_done_before_it_fails_too() -> None:
    run = ToyRun()
    logs = await run.run(
        toy("fail"), toy("note", "after:g0", text="a"), finally_("fail"), finally_("note", "after:g2", text="z")
    )
    assert statuses(logs) == ["failed", "skipped", "failed", "ok"]
    assert run.toys.noted == ["z"]


async def test_it_is_done_after_a_stop() -> None:
    run = ToyRun()
    running = asyncio.create_task(run.run(toy("cling", text="a"), finally_("note", "after:g0", text="z")))
    await run.toys.started.wait()
    run.context.limits.stop.set()
    logs = await running
    run.toys.release.set()
    assert statuses(logs) == ["cancelled", "ok"]
    assert "z" in run.toys.noted


async def test_nothing_is_done_of_a_run_that_was_stopped_before_it_began() -> None:
    run = ToyRun()
    run.context.limits.stop.set()
    assert statuses(await run.run(toy("note", text="a"), finally_("note", text="z"))) == ["cancelled"] * 2
    assert run.toys.noted == []


async def test_it_is_done_although_the_budget_is_used_up() -> None:
    run = ToyRun()
    run.hold_to(budget=Budget(actions=1))
    logs = await run.run(toy("note", text="a"), toy("note", "after:g0", text="b"), finally_("note", text="z"))
    assert statuses(logs) == ["ok", "refused", "ok"]


async def test_a_stop_while_it_is_done_does_not_end_it() -> None:
    run, begun = ToyRun(), asyncio.Event()
    run.hold_to(on_start=lambda action: begun.set() if action.verb == "meet" else None)
    running = asyncio.create_task(
        run.run(toy("note", text="a"), finally_("meet", parties=2), finally_("note", text="z"))
    )
    await begun.wait()
    run.context.limits.stop.set()
    await asyncio.sleep(0)
    run.toys.all_met.set()
    assert statuses(await running) == ["ok", "ok", "ok"]


async def test_what_it_refers_to_and_was_not_read_is_a_receipt_that_says_so() -> None:
    goal = replace(finally_("note"), params={"text": Reference("g0", "text")})
    logs = await ToyRun().run(toy("fail"), goal)
    assert (statuses(logs), read_code(logs[1])) == (["failed", "refused"], "reference_missing")
