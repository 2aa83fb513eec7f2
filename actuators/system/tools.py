"""What the system family publishes: programs, processes, what the machine knows, notifications and power."""

from actuators.system.application_tools import ApplicationTools, LaunchTools
from actuators.system.machine_tools import MachineTools
from actuators.system.query_tools import QueryTools
from core.ports import Toolset

SYSTEM_TOOLSETS: tuple[type[Toolset], ...] = (LaunchTools, ApplicationTools, QueryTools, MachineTools)
