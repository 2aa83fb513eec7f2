"""The back end of the system tools, over the parts that a machine has."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from actuators.base import Availability
from actuators.seat.attending import AttendedToolset
from actuators.system.ports.parts import SystemParts
from actuators.system.tools.controlling import MachineTools
from actuators.system.tools.ending import ApplicationTools
from actuators.system.tools.launching import LaunchTools, name_for_good
from actuators.system.tools.querying import QueryTools
from actuators.undoing import UndoAct, check_guard, take_back_by
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext, Toolset


class SystemBackEnd:
    """The system tools over these parts."""

    def __init__(self, parts: SystemParts, workspace: Path) -> None:
        """Use these parts; start nothing. Programs start in the workspace, and relative paths are relative to it."""
        self._parts = parts
        machine_tools = MachineTools(parts, workspace)
        ending = ApplicationTools(parts.processes, parts.launcher)
        self._control, self._ending = machine_tools, ending
        self._ways: Mapping[str, UndoAct] = {
            "close": self._close,
            "set": self._set,
            "shutdown": self._call_off,
            "restart": self._call_off,
        }
        toolsets: dict[type[Toolset], AttendedToolset] = {
            LaunchTools: LaunchTools(parts, workspace),
            ApplicationTools: ending,
            QueryTools: QueryTools(parts),
            MachineTools: machine_tools,
        }
        for tools in toolsets.values():
            tools.attendance = parts.attendance
        self.toolsets: Mapping[type[Toolset], Toolset] = toolsets
        self._assessments: Mapping[str, Callable[[], Availability]] = {
            "launcher": parts.launcher.assess,
            "processes": parts.processes.assess,
            "opener": parts.opener.assess,
            "notifications": parts.notifier.assess,
            "session_lock": parts.screen_lock.assess,
            "power": parts.power.assess,
            "battery": parts.machine.assess_battery,
            "brightness": parts.brightness.assess,
            "clipboard": parts.clipboard.assess,
        }

    def assess(self, capability: str) -> Availability:
        """Say whether this machine can do it; of what it doesn't know as a part, it says that the machine is there."""
        found = self._assessments.get(capability)
        return found() if found else Availability(capability, available=True, reason="this machine")

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Take a change back; ``changed_since`` if it was changed again, ``not_undoable`` for other records."""
        return await take_back_by(self._ways, "system", context, record)

    async def close(self) -> None:
        """Let go of everything; programs that were started go on."""
        for each in (self._parts.launcher, self._parts.clipboard, *self._parts.closing):
            await each.close()

    async def _close(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        pid: int = record.params["pid"]
        found = next((each for each in await self._parts.processes.list() if each.pid == pid), None)
        now: dict[str, Any] = name_for_good(found) if found else {}
        check_guard(f"The process {pid}", record.guard, now)
        return await self._ending.close(context, pid=pid)

    async def _set(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        target = record.params["target"]
        check_guard(f"The {target}", record.guard, {"value": await self._control.read_setting(target)})
        return await self._control.set(context, **record.params)

    async def _call_off(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        check_guard("What is ordered", record.guard, await self._control.read_schedule())
        if record.operation == "shutdown":
            return await self._control.shutdown(context, abort=True)
        return await self._control.restart(context, abort=True)
