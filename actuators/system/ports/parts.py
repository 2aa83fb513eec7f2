"""SystemParts: the ports that the tools of the machine are written over, put together."""

from typing import Any

from actuators.clipboard.ports import Clipboard
from actuators.seat.attending import Attendance
from actuators.system.ports.devices import Brightness, MachineFacts, Notifier, Opener, Power, ScreenLock
from actuators.system.ports.programs import Commands, Executables, Launcher, Processes
from core.base.late_dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemParts:
    """Everything that the system tools are written over, and what else must be closed."""

    launcher: Launcher
    commands: Commands
    executables: Executables
    processes: Processes
    opener: Opener
    notifier: Notifier
    screen_lock: ScreenLock
    power: Power
    brightness: Brightness
    machine: MachineFacts
    clipboard: Clipboard
    closing: tuple[Any, ...] = ()
    attendance: Attendance = field(default_factory=Attendance)
