"""What the tools say when the sound system doesn't do what it should, on the fake."""

import asyncio
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.audio.mixing.mixer import AudioTools
from actuators.audio.platforms.fake import EVERY, FakeServer, FakeSound, SoundFault, make_fake_back_end
from actuators.audio.ports import AudioDevice, AudioStream
from actuators.deadlines import pause
from core.base.errors import DeviceError, InputError, UnsupportedError
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from tests.contracts.audio.waves import write_tone


def make_sound() -> FakeSound:
    return FakeSound(
        [
            AudioDevice("a", "Speakers", "output", 50.0, muted=False, is_default=True),
            AudioDevice("b", "Headset", "output", 50.0, muted=False),
        ],
        [AudioStream("1", "Tone", "tuner", 7, "output", "a", 80.0, muted=False)],
    )


async def call(sound: FakeSound, verb: str, *faults: SoundFault, **args: Any) -> ToolOutcome:
    tools = AudioTools(FakeServer(sound, faults), settle_limit_s=0.05)
    return await getattr(tools, verb)(ActionContext("g0_x_1"), **args)


ACTS: list[tuple[str, dict[str, Any], str]] = [
    ("set_volume", {"level": 20}, "set_level"),
    ("volume_up", {}, "set_level"),
    ("volume_down", {"app": "Tone"}, "set_level"),
    ("mute", {}, "set_mute"),
    ("toggle_mute", {"app": "Tone"}, "set_mute"),
    ("set_default", {"device": "b"}, "set_default"),
    ("route_app", {"app": "Tone", "device": "b"}, "move_stream"),
]
NAMES = [verb for verb, _, _ in ACTS]


@pytest.mark.parametrize(("verb", "args", "method"), ACTS, ids=NAMES)
async def test_what_is_ignored_is_not_settled(verb: str, args: dict[str, Any], method: str) -> None:
    with pytest.raises(DeviceError) as caught:
        await call(make_sound(), verb, SoundFault(method, "ignored"), **args)
    assert caught.value.code == "not_settled"


@pytest.mark.parametrize(("verb", "args", "method"), ACTS, ids=NAMES)
async def test_what_is_taken_back_is_not_settled(verb: str, args: dict[str, Any], method: str) -> None:
    with pytest.raises(DeviceError) as caught:
        await call(make_sound(), verb, SoundFault(method, "taken_back"), **args)
    assert caught.value.code == "not_settled"
    assert caught.value.evidence["wanted"]


@pytest.mark.parametrize(("verb", "args", "method"), ACTS, ids=NAMES)
async def test_what_comes_late_is_waited_for(verb: str, args: dict[str, Any], method: str) -> None:
    assert (await call(make_sound(), verb, SoundFault(method, "late"), **args)).effect == "confirmed"


@pytest.mark.parametrize(("verb", "args", "method"), ACTS, ids=NAMES)
async def test_what_vanishes_meanwhile_is_missing(verb: str, args: dict[str, Any], method: str) -> None:
    with pytest.raises(DeviceError) as caught:
        await call(make_sound(), verb, SoundFault(method, "target_gone"), **args)
    assert caught.value.code in {"device_missing", "app_missing"}


async def test_a_device_that_vanishes_meanwhile_lists_what_is_left() -> None:
    with pytest.raises(DeviceError) as caught:
        await call(make_sound(), "set_volume", SoundFault("set_level", "target_gone"), level=1)
    assert [each["id"] for each in caught.value.evidence["devices"]] == ["b"]


@pytest.mark.parametrize("method", ["devices", "set_level"])
async def test_a_system_that_is_gone_is_missing(method: str) -> None:
    with pytest.raises(DeviceError) as caught:
        await call(make_sound(), "set_volume", SoundFault(method, "server_gone", EVERY), level=1)
    assert caught.value.code == "server_missing"


async def test_volume_above_100_is_refused_before_any_device_is_looked_for() -> None:
    with pytest.raises(InputError):
        await call(make_sound(), "set_volume", SoundFault("devices", "server_gone", EVERY), level=101)


@pytest.mark.parametrize("duration", [-1.0, math.nan, math.inf])
async def test_a_duration_without_sense_is_refused_before_anything_is_muted(duration: float) -> None:
    sound = make_sound()
    with pytest.raises(InputError):
        await call(sound, "mute", duration=duration)
    assert not sound.devices[0].muted


async def test_one_stream_that_ends_meanwhile_does_not_keep_the_others() -> None:
    sound = make_sound()
    sound.streams.append(AudioStream("2", "Tone", "tuner", 7, "output", "a", 60.0, muted=False))
    outcome = await call(sound, "set_volume", SoundFault("set_level", "target_gone"), level=10, app="Tone")
    assert (outcome.output["level"], outcome.output["streams"]) == (10, ["2"])


async def test_streams_of_different_levels_have_no_one_way_back() -> None:
    sound = make_sound()
    sound.streams.append(AudioStream("2", "Tone", "tuner", 7, "output", "b", 60.0, muted=True))
    for verb, args in (("set_volume", {"level": 10}), ("mute", {}), ("route_app", {"device": "b"})):
        outcome = await call(sound, verb, app="Tone", **args)
        assert outcome.undo_record is None
        assert outcome.undo


async def test_louder_keeps_the_distance_of_streams() -> None:
    sound = make_sound()
    sound.streams.append(AudioStream("2", "Tone", "tuner", 7, "output", "a", 60.0, muted=False))
    await call(sound, "volume_up", app="Tone", amount=5)
    assert [stream.level_percent for stream in sound.streams] == [85, 65]


@pytest.mark.parametrize("trouble", ["ignored", "server_gone"])
async def test_a_time_of_mute_that_can_not_be_ended_is_an_error(trouble: Any) -> None:
    with pytest.raises(DeviceError):
        await call(make_sound(), "mute", SoundFault("set_mute", trouble, 2), duration=0)


async def test_a_time_of_mute_that_fails_at_its_start_is_taken_back() -> None:
    sound = make_sound()
    with pytest.raises(DeviceError):
        await call(sound, "mute", SoundFault("devices", "server_gone", 2), duration=600)
    assert not sound.devices[0].muted


async def test_a_level_that_is_not_known_is_not_made_up() -> None:
    sound = FakeSound([AudioDevice("t", "Television", "output", None, muted=False, is_default=True)])
    for verb, args in (("get_volume", {}), ("volume_up", {}), ("set_volume", {"level": 3})):
        with pytest.raises(UnsupportedError):
            await call(sound, verb, **args)
    assert (await call(sound, "list_devices")).output["devices"][0]["level"] is None


async def test_a_sound_is_confirmed_by_the_stream_that_it_has(tmp_path: Path) -> None:
    sound = make_sound()
    outcome = await call(sound, "play_sound", path=str(path := write_tone(tmp_path / "tone.wav", 0.1)))
    assert outcome.effect == "confirmed"
    assert sound.played == [str(path.resolve())]


async def test_a_sound_that_is_stopped_leaves_no_stream(tmp_path: Path) -> None:
    sound = make_sound()
    sound.lasting = True
    act = asyncio.ensure_future(call(sound, "play_sound", path=str(write_tone(tmp_path / "tone.wav", 0.1))))
    async with asyncio.timeout(5.0):
        while len(sound.streams) < 2:
            await pause(0.01)
    act.cancel()
    with pytest.raises(asyncio.CancelledError):
        await act
    assert len(sound.streams) == 1
    assert sound.played == []


async def test_a_machine_without_outputs_plays_nothing(tmp_path: Path) -> None:
    with pytest.raises(DeviceError) as caught:
        await call(FakeSound(), "play_sound", path=str(write_tone(tmp_path / "tone.wav", 0.1)))
    assert caught.value.code == "device_missing"


async def test_the_fake_back_end_publishes_the_tools() -> None:
    back_end = make_fake_back_end(make_sound())
    assert isinstance(back_end.toolsets[AudioTools], AudioTools)
    assert back_end.assess("audio").available
    await back_end.close()


@given(start=st.floats(0, 150), amount=st.floats(0, 100))
def test_louder_never_lowers_and_quieter_never_raises(start: float, amount: float) -> None:
    async def turn(verb: str) -> float:
        sound = FakeSound([AudioDevice("a", "Speakers", "output", start, muted=False, is_default=True)])
        await call(sound, verb, amount=amount)
        level = sound.devices[0].level_percent
        assert level is not None
        return level

    up, down = asyncio.run(turn("volume_up")), asyncio.run(turn("volume_down"))
    assert max(start, min(100.0, start + amount)) == up
    assert min(100.0, max(0.0, start - amount)) == down
