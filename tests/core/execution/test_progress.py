import asyncio
from dataclasses import replace

from core.execution.progress import ExecutionProgress
from core.execution.run_context import RunContext
from core.results.tool_results import StepLog, ToolResult
from tests.core.samples import WORLD
from tests.core.toys import plan_toys, toy

NOTE = "It could not be written down."


async def test_a_step_that_settles_does_not_stumble_over_another_that_has_just_ended() -> None:
    graph = plan_toys([toy("note", text="a"), toy("note", text="b")])
    progress = ExecutionProgress(graph, RunContext(world=WORLD), {})
    first, action = next(iter(graph.nodes.items()))
    log = StepLog(first, action.goal_id, action.name, "", ToolResult("ok"))
    writing: asyncio.Future[StepLog] = asyncio.get_running_loop().create_future()
    writing.set_result(replace(log, result=replace(log.result, note=NOTE)))

    assert progress.take_writing(first, writing)
    await progress.settle()
    assert progress.logs == {}

    progress.record(log)
    await progress.settle()
    assert progress.logs[first].result.note == NOTE


async def test_a_step_that_has_settled_is_not_looked_at_again() -> None:
    progress = ExecutionProgress(plan_toys([toy("note", text="a")]), RunContext(world=WORLD), {})
    first = next(iter(progress.graph.nodes))
    log = StepLog(first, "g0", "toy.note", "", ToolResult("ok"))
    writing: asyncio.Future[StepLog] = asyncio.get_running_loop().create_future()
    assert progress.take_writing(first, writing)
    progress.record(log)
    assert progress.writings == {first: writing}
    writing.set_result(log)
    await progress.settle()
    assert progress.writings == {}
