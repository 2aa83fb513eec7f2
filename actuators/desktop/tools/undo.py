"""Taking changes of windows and elements back, by the records that they left."""

from collections.abc import Mapping
from typing import Any

from actuators.desktop.finding.window_finding import name_window
from actuators.desktop.ports.desktop import Window
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.tools.elements import ElementTools
from actuators.desktop.tools.windowing import WindowTools, as_bounds
from actuators.undoing import UndoAct, check_guard, take_back_by
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext


class DesktopUndo:
    """Makes windows and elements what they were before, if nobody changed them since."""

    def __init__(self, parts: DesktopParts, windowing: WindowTools, elements: ElementTools) -> None:
        self._parts = parts
        self._elements = elements
        self._ways: Mapping[str, UndoAct] = {
            "focus_window": self._focus,
            "set_value": self._set_value,
            "move_window": self._reshape(windowing.move_window),
            "minimize": self._reshape(windowing.minimize),
            "maximize": self._reshape(windowing.maximize),
            "restore": self._reshape(windowing.restore),
        }
        self._windowing = windowing

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Take a change back.

        Raises:
            ActionError: ``changed_since`` if it was changed again, ``not_undoable`` if the record is of another kind.
        """
        return await take_back_by(self._ways, "desktop", context, record)

    def _reshape(self, act: Any) -> UndoAct:
        async def take_back(context: ActionContext, record: UndoRecord) -> ToolOutcome:
            found = await self._find(record.guard["id"])
            check_guard("The window" if found is None else name_window(found), record.guard, _describe(found))
            return await act(context, **record.params)

        return take_back

    async def _focus(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        active = next((each for each in await self._parts.windows.windows() if each.active), None)
        now = {"active": active.id, "pid": active.pid} if active else {}
        check_guard("The focus", record.guard, now)
        return await self._windowing.focus_window(context, **record.params)

    async def _set_value(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        params = record.params
        now = await self._elements.read_value(context, params["target"], params["value"], params.get("window"))
        check_guard("The value", record.guard, {"value": now})
        return await self._elements.set_value(context, **params)

    async def _find(self, window_id: str) -> Window | None:
        return next((each for each in await self._parts.windows.windows() if each.id == window_id), None)


def _describe(window: Window | None) -> dict[str, Any]:
    if window is None:
        return {}
    return {
        "id": window.id,
        "pid": window.pid,
        "minimized": window.minimized,
        "maximized": window.maximized,
        "bounds": as_bounds(window),
    }
