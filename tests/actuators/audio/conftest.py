"""What the tests of sound run on."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from fixtures.machine.pipewire import PROGRAMS, PrivatePipeWire
from fixtures.machine.sound import PrivatePulse
from tests.contracts.audio.linux_bench import LinuxBench
from tests.prerequisites import require


@pytest.fixture
async def bench(pulse: PrivatePulse, tmp_path: Path) -> AsyncIterator[LinuxBench]:
    """The worker's PulseAudio, where every test starts."""
    made = LinuxBench(pulse, tmp_path)
    await made.settle_down()
    yield made
    await made.end_apps()
    await made.server.close()


@pytest.fixture
def own_pulse(machine_folder: Path) -> Iterator[PrivatePulse]:
    """A PulseAudio of the test's own, which it may stop."""
    require("pulseaudio")
    machine = PrivatePulse(make_folder(machine_folder))
    machine.start()
    yield machine
    machine.stop()


@pytest.fixture
def own_pipewire(machine_folder: Path) -> Iterator[PrivatePipeWire]:
    """A PipeWire of the test's own, parts of which it may stop."""
    require(*PROGRAMS)
    machine = PrivatePipeWire(make_folder(machine_folder))
    machine.start()
    yield machine
    machine.stop()


def make_folder(parent: Path) -> Path:
    """Make a folder for one try of a test, with a short name, since sockets go into it."""
    return Path(tempfile.mkdtemp(dir=parent))
