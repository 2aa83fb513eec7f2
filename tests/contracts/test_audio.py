"""All back ends of the audio tools do the same."""

import inspect
import re
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from actuators.audio.mixing.mixer import AudioTools
from actuators.audio.platforms.fake import FakeServer, FakeSound
from actuators.audio.ports import AudioDevice, AudioStream
from core.tools.registry import list_verbs
from fixtures.machine.pipewire import PROGRAMS, PrivatePipeWire
from fixtures.machine.sound import PrivatePulse
from tests.contracts.audio.bench import BROKEN, START_LEVEL, SoundBench
from tests.contracts.audio.conformance import AudioConformance
from tests.contracts.audio.linux_bench import LinuxBench
from tests.contracts.audio.waves import write_tone
from tests.prerequisites import require


class FakeBench(SoundBench):
    """The fake, with two speakers and two microphones."""

    def __init__(self, sound_file: Path) -> None:
        self.sound = FakeSound(
            [
                AudioDevice("speakers", "Speakers", "output", START_LEVEL, muted=False, is_default=True),
                AudioDevice("headset", "Head Set", "output", START_LEVEL, muted=False),
                AudioDevice("mic", "Desk Microphone", "input", START_LEVEL, muted=False, is_default=True),
                AudioDevice("mic2", "Other Microphone", "input", START_LEVEL, muted=False),
            ],
            unplayable={str(sound_file.with_name(BROKEN))},
        )
        super().__init__(FakeServer(self.sound), ("speakers", "headset"), ("mic", "mic2"), sound_file)
        self._count = 0

    async def play_app(self, name: str, binary: str = "player") -> AudioStream:
        self._count += 1
        default = next(device.id for device in self.sound.devices if device.target == "output" and device.is_default)
        stream = AudioStream(f"s{self._count}", name, binary, self._count, "output", default, 100.0, muted=False)
        self.sound.streams.append(stream)
        return stream

    async def end_apps(self) -> None:
        self.sound.streams.clear()


class TestFake(AudioConformance):
    """The sound system in memory."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> SoundBench:
        return FakeBench(write_tone(tmp_path / "tone.wav", 0.1))


@pytest.mark.skipif(sys.platform != "linux", reason="PulseAudio and PipeWire are Linux' own")
class TestPulseAudio(AudioConformance):
    """A private PulseAudio."""

    @pytest.fixture
    async def bench(self, pulse: PrivatePulse, tmp_path: Path) -> AsyncIterator[SoundBench]:
        bench = LinuxBench(pulse, tmp_path)
        await bench.settle_down()
        yield bench
        await bench.end_apps()
        await bench.server.close()


@pytest.fixture(scope="module")
def pipewire(machine_folder: Path) -> Iterator[PrivatePipeWire]:
    """A running PipeWire for all tests of this module."""
    require(*PROGRAMS)
    machine = PrivatePipeWire(machine_folder / "pipewire")
    machine.start()
    yield machine
    machine.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="PulseAudio and PipeWire are Linux' own")
class TestPipeWire(AudioConformance):
    """A private PipeWire, through its stand-in for PulseAudio."""

    @pytest.fixture
    async def bench(self, pipewire: PrivatePipeWire, tmp_path: Path) -> AsyncIterator[SoundBench]:
        bench = LinuxBench(pipewire, tmp_path)
        await bench.settle_down()
        yield bench
        await bench.end_apps()
        await bench.server.close()


def test_the_suite_calls_every_verb() -> None:
    sources = "".join(inspect.getsource(part) for part in AudioConformance.__mro__[1:-1])
    called = set(re.findall(r'"(\w+)"', sources))
    assert called >= {*list_verbs(AudioTools)}
