from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from fixtures.machine.bus import PrivateBus
from tests.contracts.media.bench import BusStage, MediaBench, make_bus_bench
from tests.prerequisites import require


@pytest.fixture
def bus(machine_folder: Path) -> Iterator[PrivateBus]:
    require("dbus-daemon")
    folder = machine_folder / "mpris"
    folder.mkdir(exist_ok=True)
    private = PrivateBus(folder)
    private.start()
    yield private
    private.stop()


@pytest.fixture
def stage(bus: PrivateBus) -> Iterator[BusStage]:
    stage = BusStage(bus)
    yield stage
    stage.clear()


@pytest.fixture
async def bench(bus: PrivateBus, stage: BusStage) -> AsyncIterator[MediaBench]:
    bench = make_bus_bench(bus, stage)
    yield bench
    await bench.back_end.close()
