"""The events of a run reach whoever follows, once and in order, however often they are cut off."""

import asyncio
from contextlib import aclosing

from hypothesis import given
from hypothesis import strategies as st

from agent.hosting.hosted_runs import EventLog


async def collect(log: EventLog, after: int = -1, most: int | None = None) -> list[int]:
    """Follow a log from a number on, to its end or so many events."""
    found: list[int] = []
    async with aclosing(log.follow(after)) as events:
        async for record in events:
            found.append(record["seq"])
            if len(found) == most:
                break
    return found


@given(count=st.integers(0, 30), first=st.sampled_from([0, 1_000_000]), cuts=st.lists(st.integers(1, 7), max_size=12))
def test_a_client_that_drops_again_and_again_misses_nothing_and_hears_nothing_twice(
    count: int, first: int, cuts: list[int]
) -> None:
    async def drop_and_return() -> list[int]:
        log, found = EventLog(first), list[int]()
        telling = asyncio.ensure_future(tell(log, count))
        for most in [*cuts, None]:
            found += await collect(log, found[-1] if found else -1, most)
        await telling
        return found

    assert asyncio.run(drop_and_return()) == list(range(first, first + count))


@given(count=st.integers(0, 40), most=st.integers(1, 20), after=st.integers(-1, 45))
def test_only_the_last_events_are_kept_and_their_numbers_stay(count: int, most: int, after: int) -> None:
    async def fill() -> list[int]:
        log = EventLog(most=most)
        await tell(log, count)
        return await collect(log, after)

    kept = range(max(0, count - most), count)
    assert asyncio.run(fill()) == [each for each in kept if each > after]


async def test_many_followers_hear_the_same() -> None:
    log = EventLog()
    following = [asyncio.ensure_future(collect(log, after)) for after in range(-1, 5)]
    await tell(log, 5)
    assert await asyncio.gather(*following) == [list(range(after + 1, 5)) for after in range(-1, 5)]


async def tell(log: EventLog, count: int) -> None:
    for number in range(count):
        log.append({"event": "say", "text": str(number)})
        await asyncio.sleep(0)
    log.end()
