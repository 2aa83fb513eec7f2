"""DesktopBackEnd: the tools of the desktop over its ports."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from actuators.base import Availability
from actuators.desktop.finding.locating import Locating
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.persons_windows import PersonsAccessibility, PersonsHands
from actuators.desktop.tools.elements import ElementTools
from actuators.desktop.tools.input import InputTools
from actuators.desktop.tools.perceiving import ScreenTools
from actuators.desktop.tools.undo import DesktopUndo
from actuators.desktop.tools.windowing import WindowTools
from actuators.seat.attending import Attendance, AttendedToolset
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext, Toolset


class _DesktopPart(Protocol):
    def assess(self) -> Availability: ...


class DesktopBackEnd:
    """The tools of one desktop."""

    def __init__(self, parts: DesktopParts, attendance: Attendance | None = None) -> None:
        """Put the tools over the ports; start nothing.

        Args:
            attendance: What is held and watched while they are used; nothing where absent.
        """
        parts = self.parts = replace(
            parts,
            hands=PersonsHands(parts.hands, parts.windows),
            accessibility=PersonsAccessibility(parts.accessibility),
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
        parts = self.parts
        for part in (parts.hands, parts.windows, parts.screen, parts.accessibility, parts.vision, parts.clipboard):
            await part.close()
        if self._attendance.lease:
            await self._attendance.lease.close()
