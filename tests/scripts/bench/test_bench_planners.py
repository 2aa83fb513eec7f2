"""The benchmark of planners counts what it says that it counts."""

import asyncio
from dataclasses import replace

from core.planning.planners.lifecycle.running import run_planner
from core.results.events import Event
from scripts.benchmarks.models.planners import (
    STEPS,
    STEPS_AT_ONCE,
    AskingPlanner,
    count_runs,
    is_whole,
    make_parts,
    time_pairs,
)


async def test_runs_at_once_all_end_side_by_side() -> None:
    figures = await count_runs(60)
    assert (figures["runs_begun"], figures["runs_ended"]) == (60, 60)


async def test_a_run_that_lacks_anything_does_not_count() -> None:
    events: list[Event] = []
    result = await run_planner(AskingPlanner(STEPS_AT_ONCE), {}, make_parts("r0", events))
    assert is_whole(result, events)
    assert not is_whole(result, events[:-1])
    assert not is_whole(result, [*events[:2], *events[3:]])
    assert not is_whole(replace(result, completed=result.completed[1:]), events)
    assert not is_whole(replace(result, metrics={**result.metrics, "tokens": 1.0}), events)
    assert not is_whole(replace(result, scope="local/other/s1/r0"), events)


def test_the_bare_questions_are_measured_beside_the_steps() -> None:
    pairs = asyncio.run(time_pairs(AskingPlanner(STEPS), 3))
    assert len(pairs) == 3
    assert all(ours > bare > 0 for ours, bare in pairs)
