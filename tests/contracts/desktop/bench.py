"""A bench: a desktop on which windows and a text field can be opened, and what they received can be read."""

import json
from collections.abc import Mapping
from typing import Any

from actuators.deadlines import Deadline, settle
from actuators.desktop.finding.locating import Locating
from actuators.desktop.finding.window_finding import find_window
from actuators.desktop.ports.desktop import Target, Window
from actuators.desktop.ports.parts import DesktopParts, TargetSpot
from actuators.desktop.tools.back_end import DesktopUndo
from actuators.desktop.tools.elements import ElementTools
from actuators.desktop.tools.input import InputTools
from actuators.desktop.tools.windowing import WindowTools
from core.policy.policy import Policy
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext
from tests.vaults import make_vault

PIN = "p1n 5678 abc"
"""What ``secret:pin`` stands for."""


class PointLocator:
    """Finds points: where the pointer goes is tested here, not how something is found."""

    def __init__(self, parts: DesktopParts) -> None:
        self._parts = parts

    async def locate(
        self, target: Target | None, image: str | None, window: str | None, *, timeout_s: float
    ) -> TargetSpot:
        del image, timeout_s
        assert isinstance(target, Mapping)
        x, y = target["point"]
        found = find_window(window, await self._parts.windows.windows()) if window else None
        if found and target.get("space") == "window":
            x, y = x + found.bounds.x, y + found.bounds.y
        if "element" in target:
            elements = await self._parts.accessibility.elements(found)
            element = next(each for each in elements if each.name == target["element"])
            return TargetSpot(x, y, {"name": element.name}, found, element)
        return TargetSpot(int(x), int(y), {"point": [x, y]}, found)


class DesktopBench:
    """What the conformance suite runs on. A back end's own bench says how windows are opened there.

    Attributes:
        parts: The back end.
        has_popups: Whether windows can be opened that no window manager looks after.
        types_everything: Whether keys can type every character here.
    """

    has_popups = True
    types_everything = True

    def __init__(self, parts: DesktopParts) -> None:
        self.parts = parts
        self._input = InputTools(parts, PointLocator(parts))
        self._windowing = WindowTools(parts)

    async def open_window(self, title: str, *, asks: bool = False) -> Window:
        """Open a window that writes down what it receives; with ``asks`` it opens a dialog when it shall close."""
        raise NotImplementedError

    async def open_field(self) -> Window:
        """Open a window with an empty text field over its middle, give it the focus, and return once it has it."""
        raise NotImplementedError

    async def read_field(self) -> str:
        """Return what the field holds."""
        raise NotImplementedError

    async def pop_up(self, window: Window, *, own: bool) -> None:
        """Open a menu over the middle of a window, of the same process or of another."""
        raise NotImplementedError

    def clicks(self, window: Window) -> list[tuple[str, int, int]]:
        """Return the clicks that a window received: button and place on the screen."""
        raise NotImplementedError

    def wheel_turns(self, window: Window) -> list[str]:
        """Return the directions of the notches of the wheel that a window received."""
        raise NotImplementedError

    def keys(self, window: Window) -> list[str]:
        """Return the keys that a window received, as ``Control+s``; modifiers alone are left out."""
        raise NotImplementedError

    async def held(self) -> bool:
        """Tell whether a button or a modifier is down."""
        raise NotImplementedError

    async def move_by_hand(self, *places: tuple[int, int]) -> None:
        """Move the pointer as a person does; without more places than one, it is there when this returns."""
        raise NotImplementedError

    async def see(self, title: str) -> Window:
        """Return a window once it is listed and has the focus."""
        windows = self.parts.windows

        async def is_there() -> bool:
            found = next((each for each in await windows.windows() if each.title == title and each.active), None)
            there = found and await windows.window_at(*found.bounds.center)
            return bool(found and there and there.id == found.id)

        assert await settle(is_there, windows.wait_for_change, Deadline(10))
        return await self.now(title)

    async def now(self, title: str) -> Window:
        """Return a window as it is now."""
        return find_window(title, await self.parts.windows.windows())

    async def call(self, verb: str, *, timeout_s: float = 10.0, **args: Any) -> ToolOutcome:
        """Call a verb; whatever comes of it must be plain data."""
        context = ActionContext(f"g0_{verb}_1", timeout_s=timeout_s, policy=Policy(), vault=make_vault(pin=PIN))
        tools = self._input if hasattr(self._input, verb) else self._windowing
        outcome = await getattr(tools, verb)(context, **args)
        json.dumps([dict(outcome.output), dict(outcome.evidence)])
        if outcome.undo_record:
            json.dumps([dict(outcome.undo_record.params), dict(outcome.undo_record.guard)])
        return outcome

    async def undo(self, outcome: ToolOutcome) -> ToolOutcome:
        """Take an outcome back, by its record as a file would keep it."""
        record = outcome.undo_record
        assert record is not None
        params, guard = (json.loads(json.dumps(dict(each))) for each in (record.params, record.guard))
        record = UndoRecord(record.domain, record.operation, params, guard)
        undo = DesktopUndo(self.parts, self._windowing, ElementTools(self.parts, Locating(self.parts)))
        return await undo.take_back(ActionContext("undo", timeout_s=10.0), record)
