import asyncio

from core.base.budgets import Budget
from core.execution.conditions import try_step
from core.results.tool_results import StepLog, ToolResult
from tests.core.execution.test_conditions import on, read_code
from tests.core.toys import ToyRun, plan_toys, toy


async def test_a_step_is_tried_again_until_it_succeeds_and_its_receipt_says_how_often() -> None:
    run = ToyRun()
    run.toys.misses = 2
    (log,) = await run.run(on(toy("seek"), attempts=3))
    assert (log.result.status, run.toys.sought) == ("ok", 3)
    assert log.result.evidence == {"attempts": 3, "earlier": ["Miss 1.", "Miss 2."]}


async def test_a_step_is_tried_no_more_often_than_its_terms_say() -> None:
    run = ToyRun()
    run.toys.misses = 9
    (log,) = await run.run(on(toy("seek"), attempts=3))
    assert (log.result.status, read_code(log), run.toys.sought) == ("failed", "missed", 3)
    assert log.result.evidence["attempts"] == 3


async def test_a_step_is_told_to_start_and_to_end_once_however_often_it_is_tried() -> None:
    run, told = ToyRun(), list[str]()
    run.hold_to(on_start=lambda action: told.append(action.action_id), on_end=lambda log: told.append(log.action_id))
    run.toys.misses = 1
    await run.run(on(toy("seek"), attempts=2))
    assert told == ["g0_seek_1", "g0_seek_1"]


async def test_every_attempt_counts_against_the_budget() -> None:
    run = ToyRun()
    run.toys.misses = 9
    run.hold_to(budget=Budget(actions=2))
    (log,) = await run.run(on(toy("seek"), attempts=5))
    assert (run.toys.sought, read_code(log)) == (2, "budget_exhausted")


async def test_a_stop_ends_the_wait_between_two_attempts_and_keeps_what_came_of_the_first() -> None:
    (action,) = plan_toys([on(toy("seek"), attempts=5, wait_s=60)]).nodes.values()
    tried = asyncio.Event()

    async def attempt() -> StepLog:
        tried.set()
        return StepLog(action.action_id, "g0", action.name, "Seek", ToolResult("failed"))

    trying = asyncio.create_task(try_step(action, attempt, lambda: True))
    await tried.wait()
    await asyncio.sleep(0)
    trying.cancel()
    log = await asyncio.wait_for(trying, 10)
    assert (log.result.status, log.result.evidence) == ("failed", {"attempts": 1})
