"""A stop that comes in the same moment as what was waited for is not lost."""

import asyncio

import pytest

from actuators.base import Environment
from actuators.deadlines import limit
from actuators.desktop.fake.parts import make_fake_parts
from actuators.desktop.fake.state import FakeDesktop
from actuators.desktop.ports.recordings import RawInput
from actuators.desktop.recording.sightings import InputHearing, Sightings


async def test_of_a_call_that_is_limited():
    began, answer = asyncio.Event(), asyncio.get_running_loop().create_future()

    async def ask() -> int:
        began.set()
        return await answer

    task = asyncio.create_task(limit(ask(), 60, "It"))
    await began.wait()
    answer.set_result(1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_of_keys_that_are_heard():
    parts = make_fake_parts(FakeDesktop(), Environment(platform="linux"))
    hearing, began = InputHearing(parts.windows, Sightings(parts.windows, parts.accessibility)), asyncio.Event()

    async def take() -> None:
        began.set()
        await hearing.take(60)

    task = asyncio.create_task(take())
    await began.wait()
    hearing.hear(RawInput("key", text="a"))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
