"""The system tools on Windows. Windows only."""

import sys

from actuators.base import Environment
from actuators.seat.attending import Attendance
from actuators.seat.program_watch import ProgramWatch
from actuators.system.ports.parts import SystemParts
from actuators.system.processes.commands import SystemCommands
from actuators.system.processes.program_files import ProgramFiles
from actuators.system.processes.psutil_facts import PsutilFacts
from actuators.system.processes.psutil_processes import PsutilProcesses
from actuators.system.processes.shutdown_command import WINDOWS_COMMANDS
from actuators.system.tools.back_end import SystemBackEnd
from actuators.system.windows.scripts import WindowsBrightness, WindowsNotifier

if sys.platform != "win32":
    raise ImportError("these are functions of Windows")

from actuators.clipboard.windows import WindowsClipboard
from actuators.platforms.win32_programs import find_program
from actuators.system.windows.parts import (
    Win32WindowSystem,
    WindowsLauncher,
    WindowsLock,
    WindowsOpener,
    WindowsPower,
    read_displays,
)


def make_back_end(environment: Environment) -> SystemBackEnd:
    """Return the back end; it calls nothing before a tool is called."""
    variables, workspace = environment.variables, environment.workspace
    windows = Win32WindowSystem()
    parts = SystemParts(
        launcher=WindowsLauncher(variables, windows),
        commands=SystemCommands(variables),
        executables=ProgramFiles(variables),
        processes=PsutilProcesses(windows, find_program),
        opener=WindowsOpener(),
        notifier=WindowsNotifier(variables),
        screen_lock=WindowsLock(),
        power=WindowsPower(variables, WINDOWS_COMMANDS),
        brightness=WindowsBrightness(variables),
        machine=PsutilFacts(workspace, read_displays),
        clipboard=WindowsClipboard(),
        attendance=Attendance(environment.find_lease(), ProgramWatch(windows.list)),
    )
    return SystemBackEnd(parts, workspace)
