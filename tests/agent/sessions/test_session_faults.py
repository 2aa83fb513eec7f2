import asyncio
import errno
from typing import Any

import pytest

from agent.requests.requests import Request
from core.goals.meta_goals import Goal
from core.results.events import Event, Step
from tests.agent.lamps import LampFamily, make_lamp_session


def lamp(verb: str, room: str = "", scope: str = "root") -> Goal:
    return Goal("lamp", verb, {"room": room} if room else {}, scope=scope)


@pytest.mark.parametrize("number", range(9))
async def test_a_listener_that_breaks_at_any_event_leaves_a_session_that_works(number: int) -> None:
    heard: list[Event] = []

    def break_down(event: Event) -> None:
        heard.append(event)
        if len(heard) == number + 1:
            raise OSError("nobody listens")

    family, before = LampFamily(), asyncio.all_tasks()
    async with make_lamp_session(family) as session:
        goals = lamp("switch", "hall"), lamp("look", "hall", "after:g0"), lamp("switch", "attic")
        with pytest.raises(OSError, match="nobody listens"):
            await session.run(Request(goals=goals), break_down)
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == before
        assert (await session.run(Request(goals=goals))).outcome == "success"
    assert family.closed == 1


async def test_a_run_that_is_cancelled_from_outside_tells_the_end_of_every_step() -> None:
    family, heard = LampFamily(), list[Any]()
    async with make_lamp_session(family) as session:
        goals = lamp("hold", "hall"), lamp("look", "hall", "after:g0")
        run = asyncio.create_task(session.run(Request(goals=goals), heard.append))
        await family.lamps.holding.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
    steps = [(event.action_id, event.status) for event in heard if isinstance(event, Step)]
    assert steps == [("g0_hold_1", "started"), ("g0_hold_1", "cancelled"), ("g1_look_1", "cancelled")]
    assert family.calls_when_closed == ("hold hall",)


async def test_what_one_session_remembers_no_other_knows() -> None:
    async with make_lamp_session(LampFamily()) as first, make_lamp_session(LampFamily()) as second:
        await first.run(Request(goals=(lamp("switch", "hall"),)))
        assert (await first.run(Request(goals=(lamp("look"),)))).outcome == "success"
        assert "room is missing" in (await second.run(Request(goals=(lamp("look"),)))).reply


async def test_runs_side_by_side_tell_their_own_events_without_gaps() -> None:
    heard: list[list[Event]] = [[] for _ in range(5)]
    async with make_lamp_session(LampFamily()) as session:
        goals = tuple(lamp("enter", room) for room in ("hall", "attic", "den"))
        runs = [session.run(Request(goals=goals), each.append) for each in heard]
        results = await asyncio.gather(*runs)
    for events, result in zip(heard, results, strict=True):
        assert [event.seq for event in events] == list(range(len(events)))
        assert {event.run_id for event in events} == {result.run_id}


async def test_a_branch_that_the_system_does_not_let_be_closed_takes_no_receipt_away() -> None:
    class Stubborn(LampFamily):
        async def end_lane(self, lane: str) -> None:
            raise OSError(errno.EMFILE, "Too many open files")

    async with make_lamp_session(Stubborn()) as session:
        result = await session.run(Request(goals=(lamp("enter", "hall"), lamp("enter", "attic"))))
    assert (result.outcome, [log.result.status for log in result.step_logs]) == ("success", ["ok", "ok"])
    assert [each for each in result.diagnostics if "could not be closed" in each and "ulimit" in each]
