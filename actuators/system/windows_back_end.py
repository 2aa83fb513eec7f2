"""The system tools on Windows. Windows only."""

import sys

from actuators.attending import Attendance
from actuators.base import Environment
from actuators.program_watch import ProgramWatch
from actuators.system.back_end import SystemBackEnd, SystemParts
from actuators.system.commands import SystemCommands
from actuators.system.program_files import ProgramFiles
from actuators.system.psutil_facts import PsutilFacts
from actuators.system.psutil_processes import PsutilProcesses
from actuators.system.shutdown_command import WINDOWS_COMMANDS
from actuators.system.windows_scripts import WindowsBrightness, WindowsNotifier

if sys.platform != "win32":
    raise ImportError("these are functions of Windows")

from actuators.clipboard.windows import WindowsClipboard
from actuators.system.windows_parts import (
    Win32Displays,
    Win32WindowSystem,
    WindowsLauncher,
    WindowsLock,
    WindowsOpener,
    WindowsPower,
)
from actuators.win32_programs import find_program


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
        machine=PsutilFacts(workspace, Win32Displays()),
        clipboard=WindowsClipboard(),
        attendance=Attendance(environment.lease, ProgramWatch(windows.list)),
    )
    return SystemBackEnd(parts, workspace)
