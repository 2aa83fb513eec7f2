"""Looking at what was there when a step failed: it adds to the receipt, and can't spoil it."""

import asyncio

import pytest

from core.base.errors import ErrorInfo
from core.results.failure_snapshots import FailureSnapshot, add_snapshot
from core.results.tool_results import ToolResult

FAILED = ToolResult(
    "failed", evidence={"url": "x"}, error=ErrorInfo("timed_out", "It took too long."), artifacts=("a",)
)


async def test_facts_and_pictures_are_added_to_what_is_there() -> None:
    async def look() -> FailureSnapshot:
        return FailureSnapshot({"title": "Shop"}, ("b",))

    result = await add_snapshot(FAILED, look, 10.0)
    assert result.evidence == {"url": "x", "scene": {"title": "Shop"}}
    assert (result.status, result.error, result.artifacts) == ("failed", FAILED.error, ("a", "b"))


async def test_nothing_to_see_changes_nothing() -> None:
    async def look() -> None:
        return None

    assert await add_snapshot(FAILED, look, 10.0) is FAILED


async def test_a_look_that_breaks_is_told_and_changes_nothing_else() -> None:
    async def look() -> FailureSnapshot:
        raise OSError("the disk is full")

    result = await add_snapshot(FAILED, look, 10.0)
    assert result.evidence["scene"] == {"missing": "OSError: the disk is full"}
    assert (result.error, result.artifacts) == (FAILED.error, ("a",))


async def test_a_look_that_never_ends_is_given_up_when_the_run_has_no_more_time() -> None:
    ended = asyncio.Event()

    async def look() -> FailureSnapshot:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return FailureSnapshot()

    began = asyncio.get_running_loop().time()
    result = await add_snapshot(FAILED, look, 0.05)
    assert asyncio.get_running_loop().time() - began < 1.0
    assert "0.05 s" in result.evidence["scene"]["missing"]
    await asyncio.wait_for(ended.wait(), 1.0)


@pytest.mark.parametrize("left_s", [0.0, -1.0])
async def test_a_run_without_time_looks_at_nothing(left_s: float) -> None:
    async def look() -> FailureSnapshot:
        raise AssertionError("looked")

    assert await add_snapshot(FAILED, look, left_s) is FAILED


async def test_a_stop_ends_the_look_and_keeps_the_receipt() -> None:
    looking = asyncio.Event()

    async def look() -> FailureSnapshot:
        looking.set()
        await asyncio.Event().wait()
        return FailureSnapshot()

    task = asyncio.create_task(add_snapshot(FAILED, look, 10.0))
    await looking.wait()
    task.cancel()
    assert await asyncio.wait_for(task, 1.0) is FAILED
