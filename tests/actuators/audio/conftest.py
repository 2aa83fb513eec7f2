"""What the tests of sound run on."""

import hashlib
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
def own_pulse(machine_folder: Path, request: pytest.FixtureRequest) -> Iterator[PrivatePulse]:
    """A PulseAudio of the test's own, which it may stop."""
    require("pulseaudio")
    machine = PrivatePulse(make_folder(machine_folder, request.node.name))
    machine.start()
    yield machine
    machine.stop()


@pytest.fixture
def own_pipewire(machine_folder: Path, request: pytest.FixtureRequest) -> Iterator[PrivatePipeWire]:
    """A PipeWire of the test's own, parts of which it may stop."""
    require(*PROGRAMS)
    machine = PrivatePipeWire(make_folder(machine_folder, request.node.name))
    machine.start()
    yield machine
    machine.stop()


def make_folder(parent: Path, test: str) -> Path:
    """Make a folder for one test, with a short name, since sockets go into it."""
    (folder := parent / hashlib.sha256(test.encode()).hexdigest()[:8]).mkdir()
    return folder
