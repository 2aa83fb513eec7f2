"""DesktopBackEnd: the tools of the desktop over its ports."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, Protocol

from actuators.base import Availability
from actuators.desktop.finding.locating import Locating
from actuators.desktop.finding.window_finding import name_window
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.persons_windows import guard_accessibility, guard_hands
from actuators.desktop.tools.elements import ElementTools
from actuators.desktop.tools.input import InputTools
from actuators.desktop.tools.perceiving import ScreenTools
from actuators.desktop.tools.windowing import WindowTools
from actuators.seat.attending import Attendance, AttendedToolset
from actuators.undoing import UndoAct, check_guard, take_back_by
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext, Toolset


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
        """Take a change back; ``changed_since`` if it was changed again, ``not_undoable`` for other records."""
        return await take_back_by(self._ways, "desktop", context, record)

    def _reshape(self, act: Any) -> UndoAct:
        async def take_back(context: ActionContext, record: UndoRecord) -> ToolOutcome:
            windows = await self._parts.windows.windows()
            found = next((each for each in windows if each.id == record.guard["id"]), None)
            now = asdict(found) if found else {}
            check_guard(name_window(found) if found else "The window", record.guard, now)
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


class _DesktopPart(Protocol):
    def assess(self) -> Availability: ...

    async def close(self) -> None: ...


class DesktopBackEnd:
    """The tools of one desktop."""

    def __init__(self, parts: DesktopParts, attendance: Attendance | None = None) -> None:
        """Put the tools over the ports; start nothing."""
        parts = self.parts = replace(
            parts,
            hands=guard_hands(parts.hands, parts.windows),
            accessibility=guard_accessibility(parts.accessibility),
        )
        self._attendance = attendance or Attendance()
        locator = Locating(parts)
        windowing, elements = WindowTools(parts), ElementTools(parts, locator)
        self._undo = DesktopUndo(parts, windowing, elements)
        toolsets: dict[type[Toolset], AttendedToolset] = {
            InputTools: InputTools(parts, locator),
            ElementTools: elements,
            WindowTools: windowing,
            ScreenTools: ScreenTools(parts, locator),
        }
        for tools in toolsets.values():
            tools.attendance = self._attendance
        self.toolsets: Mapping[type[Toolset], Toolset] = toolsets
        self._by_capability: Mapping[str, _DesktopPart] = {
            "input": parts.hands,
            "windows": parts.windows,
            "screen": parts.screen,
            "accessibility": parts.accessibility,
            "vision": parts.vision,
            "clipboard": parts.clipboard,
        }

    def assess(self, capability: str) -> Availability:
        """Say whether this machine can do it, why, and what to do where it can't; quick, and starts nothing."""
        return self._by_capability[capability].assess()

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Make windows and elements what they were before, if nobody changed them since."""
        async with self._attendance.attend(context, holds=True):
            return await self._undo.take_back(context, record)

    async def close(self) -> None:
        """Let go of everything; calling it again does nothing."""
        for part in self._by_capability.values():
            await part.close()
        if self._attendance.lease:
            await self._attendance.lease.close()
