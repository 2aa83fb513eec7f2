"""PycawServer over unmodified pycaw, on COM objects of ours."""

import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from core.base.errors import DeviceError, UnsupportedError
from fixtures.com.sound_world import INPUT, OUTPUT, UNPLUGGED, SoundEndpoint, SoundSession, SoundWorld

if sys.platform != "win32":
    raise pytest.skip.Exception("needs Windows: python3 scripts/test.py --windows", allow_module_level=True)

from actuators.audio.ports import AudioDevice, AudioStream
from actuators.audio.pycaw.server import PycawServer
from actuators.platforms.com_apartment import join_apartment, leave_apartment
from fixtures.com.class_objects import show_sound_world
from tests.contracts.audio.bench import START_LEVEL, SoundBench
from tests.contracts.audio.conformance import AudioConformance
from tests.contracts.audio.waves import write_tone


def show(world: SoundWorld) -> Iterator[SoundWorld]:
    """Let COM find a world until the generator is closed."""
    ready, done = threading.Event(), threading.Event()

    def hold() -> None:
        join_apartment()
        with show_sound_world(world):
            ready.set()
            done.wait()
        leave_apartment()

    thread = threading.Thread(target=hold, daemon=True)
    thread.start()
    assert ready.wait(10)
    yield world
    done.set()
    thread.join(10)


@pytest.fixture
def world() -> Iterator[SoundWorld]:
    """A sound system with two outputs and a microphone; one of our own sessions plays on the first."""
    made = SoundWorld(
        SoundEndpoint("{0.0.0.00000000}.{speakers}", "Speakers (Żółty)", OUTPUT, level=0.5),
        SoundEndpoint("{0.0.0.00000000}.{headset}", "Headset", OUTPUT, muted=True),
        SoundEndpoint("{0.0.0.00000000}.{television}", "Television", OUTPUT, state=UNPLUGGED),
        SoundEndpoint("{0.0.1.00000000}.{microphone}", "Microphone", INPUT, level=0.25),
    )
    made.endpoints[0].sessions += [
        SoundSession("", os.getpid(), level=0.75),
        SoundSession("@%SystemRoot%\\System32\\AudioSrv.Dll,-202", 0),
        SoundSession("Old", 99999, state=2),
    ]
    yield from show(made)


@pytest.fixture
async def server(world: SoundWorld) -> AsyncIterator[PycawServer]:
    made = PycawServer()
    yield made
    await made.close()


class ComBench(SoundBench):
    """Two outputs and two microphones behind COM; an application is a session that somebody has opened."""

    moves_streams = False
    plays = False  # Windows would play it through the objects below, which carry no sound

    def __init__(self, server: PycawServer, world: SoundWorld, sound_file: Path) -> None:
        ids = [endpoint.id for endpoint in world.endpoints]
        super().__init__(server, (ids[0], ids[1]), (ids[2], ids[3]), sound_file)
        self.world = world
        self.count = 0

    async def play_app(self, name: str, binary: str = "player") -> AudioStream:
        self.count += 1
        session = SoundSession(name, 4_000_000 + self.count)
        default = self.world.find(self.world.defaults[OUTPUT])
        assert default is not None
        default.sessions.append(session)
        return next(each for each in await self.server.streams("output") if each.pid == session.pid)

    async def end_apps(self) -> None:
        for endpoint in self.world.endpoints:
            endpoint.sessions.clear()


class TestPycaw(AudioConformance):
    """Unmodified pycaw over COM objects of ours."""

    @pytest.fixture
    def desk_world(self) -> Iterator[SoundWorld]:
        level = START_LEVEL / 100
        yield from show(
            SoundWorld(
                SoundEndpoint("{speakers}", "Speakers", OUTPUT, level=level),
                SoundEndpoint("{headset}", "Head Set", OUTPUT, level=level),
                SoundEndpoint("{mic}", "Desk Microphone", INPUT, level=level),
                SoundEndpoint("{mic2}", "Other Microphone", INPUT, level=level),
            )
        )

    @pytest.fixture
    async def bench(self, desk_world: SoundWorld, tmp_path: Path) -> AsyncIterator[SoundBench]:
        server = PycawServer()
        yield ComBench(server, desk_world, write_tone(tmp_path / "tone.wav", 0.1))
        await server.close()


async def test_devices_are_listed_with_level_mute_and_default(server: PycawServer) -> None:
    speakers, headset = await server.devices("output")
    assert (speakers.name, speakers.level_percent, speakers.muted) == ("Speakers (Żółty)", 50, False)
    assert (headset.name, headset.level_percent, headset.muted) == ("Headset", 100, True)
    assert [speakers.is_default, headset.is_default] == [True, False]


async def test_a_microphone_is_an_input(server: PycawServer) -> None:
    assert [(d.name, d.level_percent, d.is_default) for d in await server.devices("input")] == [
        ("Microphone", 25, True)
    ]


async def test_a_level_that_was_set_is_read_back_exactly(server: PycawServer, world: SoundWorld) -> None:
    headset = (await server.devices("output"))[1]
    await server.set_level(headset, 35)
    assert (await server.devices("output"))[1].level_percent == 35
    assert world.endpoints[1].level == pytest.approx(0.35)
    assert world.endpoints[0].level == 0.5


async def test_mute_twice_is_mute(server: PycawServer) -> None:
    speakers = (await server.devices("output"))[0]
    for muted in (True, True, False, False):
        await server.set_mute(speakers, muted=muted)
        assert (await server.devices("output"))[0].muted is muted


async def test_the_default_is_switched_for_all_roles(server: PycawServer, world: SoundWorld) -> None:
    headset = (await server.devices("output"))[1]
    await server.set_default(headset, timeout_s=2)
    assert [device.is_default for device in await server.devices("output")] == [False, True]
    assert world.default_orders == [(headset.id, role) for role in (0, 1, 2)]


async def test_a_default_that_windows_does_not_follow_is_an_error(server: PycawServer, world: SoundWorld) -> None:
    world.follows_orders = False
    headset = (await server.devices("output"))[1]
    with pytest.raises(DeviceError) as caught:
        await server.set_default(headset, timeout_s=0.1)
    assert caught.value.code == "not_settled"


async def test_a_missing_device_is_an_error_that_lists_those_that_are_there(server: PycawServer) -> None:
    missing = AudioDevice("{none}", "None", "output", 0, muted=False)
    for act in (
        server.set_level(missing, 10),
        server.set_mute(missing, muted=True),
        server.set_default(missing, 1),
    ):
        with pytest.raises(DeviceError) as caught:
            await act
        assert caught.value.code == "device_missing"
        assert caught.value.evidence["devices"] == ["Speakers (Żółty)", "Headset", "Microphone"]


async def test_a_device_that_is_plugged_out_while_we_look_is_left_out(server: PycawServer, world: SoundWorld) -> None:
    world.endpoints[1].gone = True
    assert [device.name for device in await server.devices("output")] == ["Speakers (Żółty)"]
    with pytest.raises(DeviceError) as caught:
        await server.set_mute(AudioDevice(world.endpoints[1].id, "Headset", "output", 0, muted=False), muted=True)
    assert caught.value.code == "device_missing"


async def test_a_session_is_named_after_its_program_and_system_sounds_by_what_they_are(server: PycawServer) -> None:
    own, system = await server.streams("output")
    assert (own.app, own.binary, own.pid, own.level_percent) == ("python", "python.exe", os.getpid(), 75)
    assert (system.app, system.binary, system.pid) == ("System sounds", "", 0)


async def test_a_session_has_its_own_level_and_mute(server: PycawServer, world: SoundWorld) -> None:
    own = (await server.streams("output"))[0]
    await server.set_level(own, 20)
    await server.set_mute(own, muted=True)
    again = (await server.streams("output"))[0]
    assert (again.level_percent, again.muted) == (20, True)
    assert (world.endpoints[0].level, world.endpoints[0].muted) == (0.5, False)


async def test_a_session_that_has_ended_is_missing(server: PycawServer, world: SoundWorld) -> None:
    own = (await server.streams("output"))[0]
    world.endpoints[0].sessions.clear()
    with pytest.raises(DeviceError) as caught:
        await server.set_mute(own, muted=True)
    assert caught.value.code == "device_missing"


async def test_sending_sound_elsewhere_is_refused(server: PycawServer) -> None:
    own = (await server.streams("output"))[0]
    headset = (await server.devices("output"))[1]
    with pytest.raises(UnsupportedError):
        await server.move_stream(own, headset)


async def test_without_a_device_it_is_not_available(server: PycawServer, world: SoundWorld) -> None:
    assert server.assess().available
    world.defaults.clear()
    assessed = server.assess()
    assert (assessed.available, assessed.capability) == (False, "audio")
    assert "no sound device" in assessed.reason
