"""The system tools on Linux."""

from pathlib import Path

from actuators.attending import Attendance
from actuators.base import Environment
from actuators.clipboard.linux import make_clipboard
from actuators.program_watch import ProgramWatch
from actuators.session_bus import Bus, find_session_bus, find_system_bus
from actuators.system.back_end import SystemBackEnd, SystemParts
from actuators.system.backlight import BACKLIGHTS, Backlight
from actuators.system.bus_notifier import BusNotifier
from actuators.system.commands import SystemCommands
from actuators.system.displays import MssDisplays
from actuators.system.linux_launcher import LinuxLauncher
from actuators.system.linux_lock import LinuxScreenLock
from actuators.system.linux_opener import LinuxOpener
from actuators.system.linux_power import LinuxPower
from actuators.system.logind import LogindPower
from actuators.system.program_files import ProgramFiles
from actuators.system.psutil_facts import PsutilFacts
from actuators.system.psutil_processes import PsutilProcesses
from actuators.system.shutdown_command import UNIX_COMMANDS, ShutdownCommand
from actuators.system.x11_windows import X11WindowSystem


def make_back_end(environment: Environment, backlights: Path = BACKLIGHTS) -> SystemBackEnd:
    """Return the back end; it connects to nothing before a tool is called.

    Args:
        environment: What it may know.
        backlights: Where the kernel lists backlights.
    """
    variables, workspace = environment.variables, environment.workspace
    session_bus = Bus(find_session_bus(variables))
    system_bus = Bus(find_system_bus(variables), "system bus")
    windows = X11WindowSystem(variables.get("DISPLAY", ""))
    displays = MssDisplays(variables.get("DISPLAY", ""))
    parts = SystemParts(
        launcher=LinuxLauncher(variables, windows),
        commands=SystemCommands(variables),
        executables=ProgramFiles(variables),
        processes=PsutilProcesses(windows),
        opener=LinuxOpener(variables, workspace),
        notifier=BusNotifier(session_bus),
        screen_lock=LinuxScreenLock(session_bus, system_bus),
        power=LinuxPower(LogindPower(system_bus), ShutdownCommand(variables, UNIX_COMMANDS)),
        brightness=Backlight(system_bus, backlights),
        machine=PsutilFacts(workspace, displays),
        clipboard=make_clipboard(environment),
        closing=(displays, session_bus, system_bus),
        attendance=Attendance(environment.lease, ProgramWatch(windows.list)),
    )
    return SystemBackEnd(parts, workspace)
