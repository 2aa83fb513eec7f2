"""The client for asyncio: the same, beside other tasks, and cancelled with them."""

import asyncio
from collections.abc import AsyncIterator
from typing import TypedDict

import pytest

from agent.client.async_hands import AsyncSurehand
from agent.client.events import RunEnded, StepBegun
from agent.client.questions import AskedQuestion, AsyncAnswerMaker, leave_open
from agent.client.reports import ApprovalNeededError, RunFailedError, RunTimeoutError
from tests.agent.client.conftest import LampService

LIGHT = {"goal_id": "lit", "domain": "lamp", "verb": "switch", "params": {"room": "hall"}}
HOLD = {"domain": "lamp", "verb": "hold", "params": {"room": "hall"}}


class Answering(TypedDict, total=False):
    answer: AsyncAnswerMaker


@pytest.fixture
async def hand(service: LampService) -> AsyncIterator[AsyncSurehand]:
    async with AsyncSurehand(service.address, token="owner", session="home") as hand:
        yield hand


async def test_a_sentence_is_done_while_the_loop_goes_on(hand: AsyncSurehand) -> None:
    done, plan = await asyncio.gather(hand.run(goals=[LIGHT]), hand.plan("light hall", session="other"))
    assert done["lit"].output == {"state": "on"}
    assert plan["plan"]["nodes"]


async def test_twenty_runs_wait_side_by_side(hand: AsyncSurehand) -> None:
    begun = asyncio.Semaphore(0)

    async def hold(session: str) -> str:
        outcome = ""
        async for event in hand.stream(goals=[HOLD], session=session):
            if isinstance(event, StepBegun):
                begun.release()
            outcome = event.report.outcome if isinstance(event, RunEnded) else ""
        return outcome

    held = [asyncio.create_task(hold(f"s{number}")) for number in range(20)]
    for _ in held:
        await begun.acquire()
    assert (await hand.run("light hall")).is_success
    for number in range(20):
        assert await hand.stop((await hand.find_runs(session=f"s{number}"))[0].run_id) == 1
    assert set(await asyncio.gather(*held)) == {"cancelled"}


async def test_a_coroutine_answers(hand: AsyncSurehand, service: LampService) -> None:
    async def agree(question: AskedQuestion) -> bool:
        await asyncio.sleep(0)
        return question.approval == "apply_diff"

    assert (await hand.run("smash hall", answer=agree)).is_success
    with pytest.raises(ApprovalNeededError):
        await hand.run("smash hall")
    assert service.find_lamps("home").calls == ["smash hall"]


async def test_a_stream_yields_events_and_leaving_it_stops_the_run(hand: AsyncSurehand) -> None:
    events = [event async for event in hand.stream(goals=[LIGHT])]
    assert isinstance(events[-1], RunEnded)
    stream = hand.stream(goals=[HOLD])
    async for event in stream:
        if isinstance(event, StepBegun):
            break
    await stream.aclose()
    await hand.run("look at hall")  # runs of a session take turns
    assert [each.outcome for each in await hand.find_runs()] == ["success", "cancelled", "success"]


@pytest.mark.parametrize("who", [{"answer": leave_open}, {}], ids=["attended", "alone"])
async def test_cancelling_a_task_stops_its_run(hand: AsyncSurehand, service: LampService, who: Answering) -> None:
    await hand.run("light hall")
    running = asyncio.create_task(hand.run(goals=[HOLD], **who))
    await asyncio.to_thread(service.await_hold, "home", 2)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await hand.run("look at hall")
    assert [each.outcome for each in await hand.find_runs()] == ["success", "cancelled", "success"]


async def test_cancelling_a_task_that_waits_for_its_own_answer_stops_its_run(
    hand: AsyncSurehand, service: LampService
) -> None:
    asked = asyncio.Event()

    async def ponder(_: AskedQuestion) -> bool:
        asked.set()
        await asyncio.Event().wait()
        return True

    running = asyncio.create_task(hand.run("smash hall", answer=ponder))
    await asked.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await hand.run("look at hall")
    assert service.find_lamps("home").calls == ["look hall"]


async def test_errors_are_those_of_the_other_hand(hand: AsyncSurehand) -> None:
    with pytest.raises(RunFailedError) as caught:
        await hand.run("light cellar")
    assert caught.value.hint == "Buy another."
    with pytest.raises(RunTimeoutError):
        await hand.run(goals=[HOLD], timeout_s=0.2)


async def test_what_is_said_undone_and_asked_is_as_with_the_other_hand(hand: AsyncSurehand) -> None:
    assert (await hand.say("light", check=False)).expects_reply
    done = await hand.say("hall")
    assert [each.run_id for each in await hand.find_runs(most=1)] == [done.run_id]
    assert (await hand.read_run(done.run_id)).is_success
    assert not (await hand.undo(done)).is_complete
    assert await hand.list_files(done) == ()
    assert await hand.list_questions() == ()
    await hand.close_session(hand.session)
    assert await hand.list_sessions() == ()
