"""FakeClock: time moves only when it is told to, or when everyone waits for it."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.testing.clocks import FakeClock


async def test_time_stands_still_until_it_is_moved() -> None:
    clock = FakeClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
    assert (clock.read_monotonic_s(), clock.read_utc()) == (0, datetime(2026, 3, 1, 12, tzinfo=UTC))
    await clock.advance(90)
    assert (clock.read_monotonic_s(), clock.read_utc()) == (90, datetime(2026, 3, 1, 12, 1, 30, tzinfo=UTC))


async def test_a_sleeper_wakes_when_its_time_comes_and_not_before() -> None:
    clock = FakeClock()
    sleeper = asyncio.create_task(clock.sleep(10))
    await clock.advance(9.9)
    assert not sleeper.done()
    assert clock.waiting == 1
    await clock.advance(0.1)
    assert sleeper.done()
    assert clock.waiting == 0


async def test_what_a_sleeper_does_next_happens_at_its_time_within_one_move() -> None:
    clock, seen = FakeClock(), list[float]()

    async def tick() -> None:
        for _ in range(3):
            await clock.sleep(10)
            seen.append(clock.read_monotonic_s())

    ticking = asyncio.create_task(tick())
    await clock.advance(35)
    assert seen == [10, 20, 30]
    assert clock.read_monotonic_s() == 35
    assert ticking.done()


async def test_time_moves_by_itself_only_when_all_wait() -> None:
    clock, seen = FakeClock(moves_by_itself=True), list[str]()
    busy = asyncio.Event()

    async def wait() -> None:
        await clock.sleep(60)
        seen.append("woke")
        busy.set()

    async def work() -> None:
        for _ in range(50):
            await asyncio.sleep(0)
        seen.append("worked")
        await busy.wait()

    await asyncio.gather(wait(), work())
    assert seen == ["worked", "woke"]
    assert clock.read_monotonic_s() == 60


@given(st.lists(st.floats(0.1, 1000), min_size=1, max_size=20))
async def test_sleepers_wake_in_the_order_of_their_times(delays: list[float]) -> None:
    clock, woken = FakeClock(moves_by_itself=True), list[float]()

    async def wait(delay_s: float) -> None:
        await clock.sleep(delay_s)
        woken.append(delay_s)
        assert clock.read_monotonic_s() == delay_s

    await asyncio.gather(*map(wait, delays))
    assert woken == sorted(delays)
    assert list(clock.slept) == delays


async def test_a_sleeper_that_is_cancelled_moves_nothing() -> None:
    clock = FakeClock(moves_by_itself=True)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await clock.sleep(1000)
    await clock.sleep(1)
    assert clock.read_monotonic_s() == 1


async def test_no_sleep_is_no_time_but_lets_others_go_on() -> None:
    clock, seen = FakeClock(), list[int]()
    other = asyncio.create_task(_append(seen))
    await clock.sleep(0)
    assert seen == [1]
    assert clock.read_utc() - FakeClock().read_utc() == timedelta()
    await other


async def test_time_does_not_go_back() -> None:
    with pytest.raises(ValueError, match="doesn't go back"):
        await FakeClock().advance(-1)


async def _append(seen: list[int]) -> None:
    seen.append(1)
    await asyncio.sleep(0)


async def test_two_clocks_do_not_wait_for_each_other() -> None:
    clocks = [FakeClock(moves_by_itself=True) for _ in range(2)]
    await asyncio.gather(*(clock.sleep(5) for clock in clocks))
    assert [clock.read_monotonic_s() for clock in clocks] == [5, 5]
