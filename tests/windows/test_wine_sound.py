"""PycawServer on the devices that wine makes of a private PulseAudio: COM and threads are real, and so is what is heard."""

import asyncio
import os
import sys
import wave
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.base.errors import DeviceError, FileError, UnsupportedError

if sys.platform != "win32":
    raise pytest.skip.Exception("needs Windows: python3 scripts/test.py --windows", allow_module_level=True)
if "SUREHAND_LANE_SOUND" not in os.environ:
    raise pytest.skip.Exception("needs a sound server that nobody hears: install pulseaudio", allow_module_level=True)

from actuators.audio.ports import AudioDevice
from actuators.audio.pycaw import endpoints as pycaw_endpoints
from actuators.audio.pycaw.server import PycawServer
from actuators.platforms.com_apartment import join_apartment, leave_apartment
from actuators.platforms.device_thread import DeviceThread


@pytest.fixture
async def server() -> AsyncIterator[PycawServer]:
    made = PycawServer(answer_limit_s=20)  # wine starts its sound service with the first question
    yield made
    await made.close()


async def find_speakers(server: PycawServer) -> AudioDevice:
    return next(device for device in await server.devices("output") if device.name == "LaneSpeakers")


def write_silence(path: Path, seconds: float) -> str:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(b"\0\0" * int(8000 * seconds))
    return str(path)


async def test_the_devices_of_the_host_are_there(server: PycawServer) -> None:
    assert server.assess().available
    assert {"LaneSpeakers", "LaneHeadset"} <= {device.name for device in await server.devices("output")}
    assert {device.target for device in await server.devices("input")} == {"input"}


async def test_a_device_is_muted(server: PycawServer) -> None:
    speakers = await find_speakers(server)
    await server.set_mute(speakers, muted=True)  # wine keeps this no longer than the object that was told

    def mute_and_ask() -> list[bool]:
        volume = pycaw_endpoints.find_volume(speakers.id)
        return [volume.SetMute(muted, None) >= 0 and bool(volume.GetMute()) for muted in (1, 1, 0, 0)]

    device = DeviceThread("core-audio", begin=join_apartment, end=leave_apartment)
    assert await device.run(mute_and_ask, timeout_s=20) == [True, True, False, False]
    await device.close()


async def test_what_the_driver_can_not_do_is_said(server: PycawServer) -> None:
    with pytest.raises(UnsupportedError) as caught:
        await server.set_level(await find_speakers(server), 30)
    assert caught.value.evidence["hresult"] == "0x80004001"


async def test_a_device_that_is_not_there_is_missing(server: PycawServer) -> None:
    with pytest.raises(DeviceError) as caught:
        await server.set_mute(AudioDevice("{gone}", "Gone", "output", 0, muted=False), muted=True)
    assert caught.value.code == "device_missing"
    assert "LaneHeadset" in caught.value.evidence["devices"]


async def test_a_sound_is_played_to_its_end(server: PycawServer, tmp_path: Path) -> None:
    assert await server.play(write_silence(tmp_path / "a tone.wav", 0.5)) >= 0.45


async def test_a_sound_that_is_cancelled_ends_early(server: PycawServer, tmp_path: Path) -> None:
    playing = asyncio.ensure_future(server.play(write_silence(tmp_path / "long.wav", 30)))
    await asyncio.wait({playing}, timeout=0.5)
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert await server.play(write_silence(tmp_path / "short.wav", 0.1)) < 10


async def test_what_is_no_sound_is_refused(server: PycawServer, tmp_path: Path) -> None:
    (tmp_path / "a.mp3").write_bytes(b"ID3")
    with pytest.raises(UnsupportedError):
        await server.play(str(tmp_path / "a.mp3"))
    with pytest.raises(FileError):
        await server.play(str(tmp_path / "missing.wav"))
