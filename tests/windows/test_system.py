"""The system tools on Windows do what they do everywhere."""

import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

if sys.platform != "win32":
    raise pytest.skip.Exception("needs Windows: python3 scripts/test.py --windows", allow_module_level=True)
if "SUREHAND_LANE_SCREEN" not in os.environ:  # these tests send the machine to sleep
    raise pytest.skip.Exception(
        "needs a Windows that nobody uses, with a screen: install xvfb", allow_module_level=True
    )

import winreg

from actuators.base import Environment
from actuators.deadlines import Deadline, pause, settle
from actuators.system.platforms.windows import make_back_end
from actuators.system.windows.parts import list_windows
from core.results.tool_results import ToolOutcome
from tests.contracts.system.bench import SystemBench, is_alive
from tests.contracts.system.machine import MachineConformance, OpeningConformance
from tests.contracts.system.programs import LaunchConformance, ProcessConformance
from tests.windows.program_folder import WindowsPrograms

SHOWING = ("Sleeper", "Stubborn")
TEXTS, READER = ".txt", "Surehand.Reader"
LACKS = {
    "brightness": "wine has neither WMI's screens nor PowerShell",
    "notifications": "wine's PowerShell does nothing, so that no toast shows",
    "lock": "wine's LockWorkStation does nothing",
    "shutdown": "wine's shutdown command does nothing, and Windows tells nobody what is ordered",
    "first process": "wine has no process of the system itself",
    "links": "wine makes no symbolic links",
}


class WindowsBench(SystemBench):
    """Programs of ours under Windows."""

    async def call(self, verb: str, timeout_s: float = 20.0, **params: Any) -> ToolOutcome:
        """Call a verb; a program that was started is asked for nothing before it shows its window."""
        outcome = await super().call(verb, timeout_s, **params)
        if outcome.output.get("app") in SHOWING:
            pid = outcome.output["pid"]

            async def is_shown() -> bool:
                return any(each.pid == pid for each in list_windows())

            assert await settle(is_shown, lambda _: pause(0.02), Deadline(10))
        return outcome


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> WindowsPrograms:
    return WindowsPrograms(tmp_path_factory.mktemp("programs"))


@pytest.fixture(scope="module")
def reader(programs: WindowsPrograms) -> Iterator[None]:
    """A program of ours for texts, for which wine has none."""
    kinds, command = winreg.HKEY_CLASSES_ROOT, rf"{READER}\shell\open\command"
    winreg.SetValue(kinds, TEXTS, winreg.REG_SZ, READER)
    winreg.SetValue(kinds, command, winreg.REG_SZ, f'"{programs.find("quick")}" "%1"')
    yield
    for key in (TEXTS, command, rf"{READER}\shell\open", rf"{READER}\shell", READER):
        winreg.DeleteKey(kinds, key)


class TestWindows(LaunchConformance, ProcessConformance, MachineConformance, OpeningConformance):
    """Windows, as far as wine has it."""

    @pytest.fixture
    async def bench(self, programs: WindowsPrograms, reader: None, tmp_path: Path) -> AsyncIterator[SystemBench]:
        del reader
        variables = programs.variables(os.environ)
        back_end = make_back_end(Environment(platform="win32", variables=variables, workspace=tmp_path))
        lacks = {name: reason for name, reason in LACKS.items() if name != "first process" or not psutil.pid_exists(4)}
        yield WindowsBench(
            back_end,
            tmp_path,
            is_alive,
            programs.tag,
            windowless=f"endless{programs.tag}",
            other_names=("sleeper.exe", f"sleeper{programs.tag}"),
            twins=("one-twin", "two-twin"),
            lacks=lacks,
        )
        await back_end.close()
        programs.clear()
