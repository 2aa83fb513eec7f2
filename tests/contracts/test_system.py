"""Both back ends of the system tools do the same on the same machine."""

import inspect
import re
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from actuators.system.platforms.linux import make_back_end
from actuators.verb_table import load_toolsets
from core.tools.registry import list_verbs
from fixtures.machine.bus import PrivateBus
from fixtures.machine.desktop import PrivateDesktop
from fixtures.machine.logind import PrivateLogind
from tests.contracts.system import machine, programs
from tests.contracts.system.bench import ProgramFolder, SystemBench, is_alive, make_environment, make_fake_bench
from tests.contracts.system.machine import MachineConformance, OpeningConformance
from tests.contracts.system.programs import LaunchConformance, ProcessConformance
from tests.prerequisites import require


class SystemConformance(LaunchConformance, ProcessConformance, MachineConformance, OpeningConformance):
    """The whole suite."""


@pytest.fixture(scope="module")
def system_bus(machine_folder: Path) -> Iterator[PrivateBus]:
    require("dbus-daemon")
    bus = PrivateBus(Path(tempfile.mkdtemp(prefix="bus-", dir=machine_folder)))  # a worker may come back to this module
    bus.start()
    yield bus
    bus.stop()


class TestLinux(SystemConformance):
    """A private desktop, programs of ours, and a logind of ours."""

    @pytest.fixture
    async def bench(self, desk: PrivateDesktop, system_bus: PrivateBus, tmp_path: Path) -> AsyncIterator[SystemBench]:
        require("xclip")
        backlights, workspace = tmp_path / "backlights", tmp_path / "work"
        for folder in (backlights / "screen0", workspace):
            folder.mkdir(parents=True)
        for name, value in (("brightness", 120), ("max_brightness", 240)):
            (backlights / "screen0" / name).write_text(str(value))
        ours = ProgramFolder(tmp_path / "programs")
        ours.add_all()
        ours.add_entry("test.reader", name="Reader", command="true %f", more="MimeType=text/plain;")
        (ours.entries / "mimeapps.list").write_text("[Default Applications]\ntext/plain=test.reader.desktop\n")
        logind = PrivateLogind(system_bus.address, backlights)
        await logind.start()
        variables = ours.variables(desk.environ) | {"DBUS_SYSTEM_BUS_ADDRESS": system_bus.address}
        back_end = make_back_end(make_environment(variables, workspace), backlights)
        yield SystemBench(back_end, workspace, is_alive, ours.tag)
        await back_end.close()
        await logind.stop()
        ours.clear()


class TestFake(SystemConformance):
    """The shipped fake."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> SystemBench:
        return make_fake_bench(tmp_path)


def test_the_suite_calls_every_verb():
    sources = "".join(inspect.getsource(part) for part in (programs, machine))
    called = set(re.findall(r'bench\.call\(\s*"(\w+)"', sources)) | {"shutdown", "restart", "kill"}
    assert called >= {verb for toolset in load_toolsets("system") for verb in list_verbs(toolset)}
