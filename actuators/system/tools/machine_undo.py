"""Taking changes of the machine back, by the records that they left."""

from collections.abc import Mapping
from typing import Any

from actuators.system.ports.programs import Processes
from actuators.system.tools.controlling import MachineTools
from actuators.system.tools.ending import ApplicationTools
from actuators.system.tools.launching import name_for_good
from actuators.undoing import UndoAct, check_guard, take_back_by
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext


class MachineUndo:
    """Makes the machine what it was before, if nobody changed it since."""

    def __init__(self, control: MachineTools, ending: ApplicationTools, processes: Processes) -> None:
        self._control = control
        self._ending = ending
        self._processes = processes
        self._ways: Mapping[str, UndoAct] = {
            "close": self._close,
            "set": self._set,
            "shutdown": self._call_off,
            "restart": self._call_off,
        }

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Take a change back.

        Raises:
            ActionError: ``changed_since`` if it was changed again, ``not_undoable`` if the record is of another kind.
        """
        return await take_back_by(self._ways, "system", context, record)

    async def _close(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        pid: int = record.params["pid"]
        found = next((each for each in await self._processes.list() if each.pid == pid), None)
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
