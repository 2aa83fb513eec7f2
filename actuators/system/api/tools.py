"""What the system family publishes: programs, processes, what the machine knows, notifications and power."""

from actuators.system.api.application_tools import ApplicationTools, LaunchTools
from actuators.system.api.machine_tools import MachineTools
from actuators.system.api.query_tools import QueryTools
from core.tools.ports import Toolset

SYSTEM_TOOLSETS: tuple[type[Toolset], ...] = (LaunchTools, ApplicationTools, QueryTools, MachineTools)
