"""Both back ends of the media tools do the same with the same players."""

import inspect
import re
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from actuators.verb_table import load_toolsets
from core.tools.registry import list_verbs
from fixtures.machine.bus import PrivateBus
from tests.contracts.media import conformance
from tests.contracts.media.bench import BusStage, MediaBench, make_bus_bench, make_fake_bench
from tests.contracts.media.conformance import MediaConformance
from tests.prerequisites import require


@pytest.fixture(scope="module")
def bus(machine_folder: Path) -> Iterator[PrivateBus]:
    require("dbus-daemon")
    private = PrivateBus(
        Path(tempfile.mkdtemp(prefix="media-", dir=machine_folder))
    )  # a worker may come back to this module
    private.start()
    yield private
    private.stop()


class TestMpris(MediaConformance):
    """Players of ours as processes, over MPRIS on a real bus."""

    @pytest.fixture
    async def bench(self, bus: PrivateBus) -> AsyncIterator[MediaBench]:
        stage = BusStage(bus)
        bench = make_bus_bench(bus, stage)
        yield bench
        stage.clear()
        await bench.back_end.close()


class TestFake(MediaConformance):
    """The shipped fake."""

    @pytest.fixture
    def bench(self) -> MediaBench:
        return make_fake_bench()


def test_the_suite_calls_every_verb():
    called = set(re.findall(r'bench\.call\(\s*"(\w+)"', inspect.getsource(conformance)))
    assert called >= {verb for toolset in load_toolsets("media") for verb in list_verbs(toolset)}
