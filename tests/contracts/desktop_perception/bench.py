"""Benches: a desktop with a calculator and its preferences, and pictures with texts in them."""

import json
from pathlib import Path
from typing import Any

from actuators.desktop.finding.locating import Locating
from actuators.desktop.finding.window_finding import find_window
from actuators.desktop.ports.desktop import Element, Picture, Rect, TextReader
from actuators.desktop.ports.parts import DesktopParts, TargetSpot
from actuators.desktop.tools.back_end import DesktopBackEnd, DesktopUndo
from actuators.desktop.tools.elements import ElementTools
from actuators.desktop.tools.perceiving import ScreenTools
from actuators.desktop.tools.windowing import WindowTools
from core.goals.secret_values import EmptyVault, Vault
from core.policy.policy import Policy
from core.results.tool_results import ToolOutcome, UndoRecord
from core.selectors.screen_targets import parse_element_target
from core.tools.ports import ActionContext

CALCULATOR = "galculator"
PREFERENCES = "galculator Preferences"


class ElementBench:
    """A desktop on which a calculator and its preferences are open.

    Attributes:
        parts: The back end.
        locating: Finds targets, with little patience.
    """

    def __init__(self, back_end: DesktopBackEnd) -> None:
        self.parts: DesktopParts = back_end.parts
        self.locating = Locating(self.parts, patience_s=0.3)
        self._elements = ElementTools(self.parts, self.locating)
        self._screen = ScreenTools(self.parts, self.locating)

    async def call(self, verb: str, *, timeout_s: float = 15.0, vault: Vault | None = None, **args: Any) -> ToolOutcome:
        """Call a verb; whatever comes of it must be plain data."""
        context = ActionContext(f"g0_{verb}_1", timeout_s=timeout_s, policy=Policy(), vault=vault or EmptyVault())
        tools = self._elements if hasattr(self._elements, verb) else self._screen
        outcome = await getattr(tools, verb)(context, **args)
        json.dumps([dict(outcome.output), dict(outcome.evidence)])
        return outcome

    async def undo(self, outcome: ToolOutcome) -> ToolOutcome:
        """Take an outcome back, by its record as a file would keep it."""
        record = outcome.undo_record
        assert record is not None
        params, guard = (json.loads(json.dumps(dict(each))) for each in (record.params, record.guard))
        record = UndoRecord(record.domain, record.operation, params, guard)
        undo = DesktopUndo(self.parts, WindowTools(self.parts), self._elements)
        return await undo.take_back(ActionContext("undo", timeout_s=15.0), record)

    async def press(self, *names: str) -> None:
        """Press buttons of the calculator."""
        for name in names:
            await self.call("invoke", target=f'button "{name}"', window=f"{CALCULATOR}")

    async def open_tab(self, name: str) -> None:
        """Show one page of the preferences."""
        await self.call("invoke", target=f'tab "{name}"', window=PREFERENCES)

    async def list_elements(self, window: str, *, depth: int | None = None) -> tuple[Element, ...]:
        """Return what is in a window."""
        found = find_window(window, await self.parts.windows.windows())
        return await self.parts.accessibility.elements(found, depth=depth)

    async def count_lines(self, window: str, **wish: Any) -> int:
        """Return how many lines of an outline name an element; each must name just the one that it was made for."""
        lines = (await self.call("snapshot", window=window, **wish)).output["lines"]
        named = [line for line in lines if line["selector"]]
        assert all(line["text"].strip().startswith(line["selector"]) for line in named)
        for line in named:
            plain = parse_element_target(line["text"].strip()).selector
            found = await self.locating.pick_element(plain, window)
            assert self.parts.refs.is_called(found.element, line["ref"]), line
        return len(named)

    async def locate(self, target: Any, window: str | None = None) -> TargetSpot:
        """Return where something is."""
        return await self.locating.locate(target, None, window, timeout_s=5)


class ReaderBench:
    """A reader, and a picture in which the texts ``Total 128.50`` and, below, ``Sign in`` can be read.

    Attributes:
        reader: The back end.
        picture: The picture.
        places: Where the texts are.
        needle: Path of a picture that is a part of it.
        needle_place: Where that is.
        stranger: Path of a picture that is no part of it.
    """

    def __init__(self, reader: TextReader, picture: Picture, places: dict[str, Rect], images: dict[str, Path]) -> None:
        self.reader = reader
        self.picture = picture
        self.places = places
        self.needle = images["needle"]
        self.stranger = images["stranger"]
