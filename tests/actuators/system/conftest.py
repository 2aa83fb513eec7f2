from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from actuators.system.platforms.linux import make_back_end
from fixtures.machine.bus import PrivateBus
from fixtures.machine.desktop import PrivateDesktop
from fixtures.machine.logind import PrivateLogind
from tests.contracts.system.bench import ProgramFolder, SystemBench, is_alive, make_environment
from tests.prerequisites import require


@pytest.fixture(scope="session")
def system_bus(machine_folder: Path) -> Iterator[PrivateBus]:
    require("dbus-daemon")
    folder = machine_folder / "logind"
    folder.mkdir()
    bus = PrivateBus(folder)
    bus.start()
    yield bus
    bus.stop()


@pytest.fixture
async def logind(system_bus: PrivateBus) -> AsyncIterator[PrivateLogind]:
    ours = PrivateLogind(system_bus.address)
    await ours.start()
    yield ours
    await ours.stop()


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[ProgramFolder]:
    folder = ProgramFolder(tmp_path / "programs")
    yield folder
    folder.clear()


@pytest.fixture
async def bench(desk: PrivateDesktop, programs: ProgramFolder, tmp_path: Path) -> AsyncIterator[SystemBench]:
    """The system tools on a private desktop, with the programs of this machine and those of the test."""
    workspace = tmp_path / "work"
    workspace.mkdir()
    variables = programs.variables(desk.environ)
    variables["XDG_DATA_DIRS"] += ":/usr/share"
    variables["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nowhere"
    back_end = make_back_end(make_environment(variables, workspace), tmp_path / "no-backlights")
    yield SystemBench(back_end, workspace, is_alive, programs.tag)
    await back_end.close()
