"""Editing a cell of a table in its place: what opens its editor, what takes the value, and what keeps it."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.controls.controls import aim_at, hold_element, leave_field, write_text
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import SettledReading, read_settled
from actuators.browser.ports.acts import Value
from actuators.deadlines import Deadline, allow_s, pause
from core.base.errors import ActionError

OPENING_S = 0.4
KEEPING_S = 1.0
LOOK_S = 0.05
PRESSING_MS = 1000.0

SetEditor = Callable[[ActionTarget, str, Value], Awaitable[Any]]
CellResult = tuple[str, bool, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell that can be edited.

    Attributes:
        named: How the goal names it, which may be by what it shows.
        same: The same, but not what the page has made in its place.
        opened_by: What opened its editor; empty where it has one all the time.
    """

    named: ActionTarget
    aim: ActionTarget
    same: ActionTarget
    text: str
    opened_by: str

    @property
    def editor(self) -> ActionTarget:
        """What edits it."""
        return aim_at(self.aim, self.aim.locator.locator(engine_selector("cell_editor")))


async def find_cell(aim: ActionTarget) -> TableCell | None:
    """Return the cell that an element is, with its editor open; None if it is no cell, or nothing opens one."""
    state = await probe(aim.locator, "cellState")
    if not state["is_cell"]:
        return None
    if state["has_controls"] and not state["has_editor"]:
        return None  # a double click would press them
    held, same = await hold_element(aim)
    if state["has_editor"]:
        return TableCell(aim, held, same, state["text"], "")
    for way, open_it in _OPENERS.items():
        await open_it(held)
        if await _wait_for_editor(held):
            return TableCell(aim, held, same, state["text"], way)
    return None


async def set_cell(cell: TableCell, value: Value, set_editor: SetEditor) -> CellResult:
    """Give a cell a value by its editor, and read back what it shows.

    Returns:
        What the cell holds now, whether that was read back, and more evidence.

    Raises:
        ActionError: If the cell shows something else then.
    """
    told = {"edited_by": cell.opened_by} if cell.opened_by else {}
    held = ""
    try:
        _, setting = await set_editor(cell.editor, "the cell's editor", value)
        held = setting.held
        if not cell.opened_by:
            return held, setting.is_read, setting.notes
    except PlaywrightError:
        if not cell.opened_by or await _has_editor(cell.aim):
            raise
        # Its editor has closed by itself: what the cell shows says what it took.
    await _leave_editor(cell)
    wanted = write_text(value)
    reading = await _read_kept(cell, wanted)
    if reading is None:
        return held, False, {**told, "cell_gone": True}
    shown: str = reading.held["text"]
    is_done = not reading.held["has_editor"]
    if is_done and _is_same(shown, wanted):
        return shown, reading.is_settled, told | reading.evidence
    if is_done and shown != cell.text:
        return shown, False, {**told, "reformatted_from": wanted}
    raise ActionError(
        f"The cell shows {shown!r}, not {wanted!r}.",
        code="value_differs",
        hint="The page may not take this value in this column.",
        evidence={"expected": wanted, "actual": shown, "before": cell.text},
    ).after_act()


async def _read_kept(cell: TableCell, wanted: str) -> SettledReading | None:
    """Read a cell until it shows a value, or for a while; None where it is gone, and what is named like it shows something else."""
    deadline = Deadline(allow_s(KEEPING_S))
    while True:
        reading = None
        with suppress(PlaywrightError):  # its row is called something else now
            place = cell.same if await cell.same.locator.count() else cell.named
            reading = await read_settled(place.locator, "cellState")
        is_kept = reading and _is_same(reading.held["text"], wanted) and not reading.held["has_editor"]
        if is_kept or deadline.is_over:
            return reading
        await pause(LOOK_S)


async def _leave_editor(cell: TableCell) -> None:
    """Have the page keep what was entered, by the key that does so in tables, by going on to the next cell, else by leaving the editor.

    Tab goes on within a date first.
    """
    for key in ("Enter", "Tab", ""):
        if not await _has_editor(cell.aim):
            return
        with suppress(PlaywrightError):  # it has closed by itself meanwhile
            if key:
                await cell.editor.locator.press(key, timeout=min(PRESSING_MS, cell.aim.take_ms()))
            else:
                await leave_field(cell.editor)
        deadline = Deadline(allow_s(OPENING_S))
        while await _has_editor(cell.aim) and not deadline.is_over:
            await pause(LOOK_S)


async def _wait_for_editor(aim: ActionTarget) -> bool:
    deadline = Deadline(allow_s(OPENING_S))
    while not (found := await _has_editor(aim)) and not deadline.is_over:
        await pause(LOOK_S)
    return found


async def _has_editor(aim: ActionTarget) -> bool:
    try:
        return (await probe(aim.locator, "cellState"))["has_editor"]
    except PlaywrightError:
        return False  # the cell is being drawn anew


def _is_same(shown: str, wanted: str) -> bool:
    if " ".join(shown.split()).casefold() == " ".join(wanted.split()).casefold():
        return True
    try:
        return float(shown.replace(",", "")) == float(wanted.replace(",", ""))
    except ValueError:
        return False


async def _click(aim: ActionTarget) -> None:
    await aim.begun.click(timeout=aim.take_ms())


async def _double_click(aim: ActionTarget) -> None:
    await aim.begun.dblclick(timeout=aim.take_ms())


async def _press_f2(aim: ActionTarget) -> None:
    await aim.page.keyboard.press("F2")


async def _press_enter(aim: ActionTarget) -> None:
    await aim.page.keyboard.press("Enter")


_OPENERS: dict[str, Callable[[ActionTarget], Awaitable[None]]] = {
    "click": _click,
    "double click": _double_click,
    "F2": _press_f2,
    "Enter": _press_enter,
}
