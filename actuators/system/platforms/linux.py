"""The system tools on Linux."""

from pathlib import Path

from actuators.base import Environment
from actuators.clipboard.linux import make_clipboard
from actuators.platforms.session_bus import Bus, find_session_bus, find_system_bus
from actuators.seat.attending import Attendance
from actuators.seat.program_watch import ProgramWatch
from actuators.system.linux.launcher import LinuxLauncher
from actuators.system.linux.logind import LinuxPower, LinuxScreenLock, LogindPower
from actuators.system.linux.parts import BACKLIGHTS, Backlight, BusNotifier, LinuxOpener
from actuators.system.linux.x11_windows import MssDisplays, X11WindowSystem
from actuators.system.ports.parts import SystemParts
from actuators.system.processes.commands import SystemCommands
from actuators.system.processes.program_files import ProgramFiles
from actuators.system.processes.psutil_facts import PsutilFacts
from actuators.system.processes.psutil_processes import PsutilProcesses
from actuators.system.processes.shutdown_command import UNIX_COMMANDS, ShutdownCommand
from actuators.system.tools.back_end import SystemBackEnd


def make_back_end(environment: Environment, backlights: Path = BACKLIGHTS) -> SystemBackEnd:
    """Return the back end; it connects to nothing before a tool is called."""
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
        machine=PsutilFacts(workspace, displays.list),
        clipboard=make_clipboard(environment),
        closing=(displays, session_bus, system_bus),
        attendance=Attendance(environment.find_lease(), ProgramWatch(windows.list)),
    )
    return SystemBackEnd(parts, workspace)
