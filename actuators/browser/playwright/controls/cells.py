"""Editing a cell of a table in its place: what opens its editor, what takes the value, and what keeps it."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.controls.controls import (
    PageControl,
    SettingResult,
    aim_at,
    hold_element,
    leave_field,
    tell_difference,
    write_text,
)
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.causes import unless_gone
from actuators.browser.playwright.finding.idling import ask_until
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import SettledReading, read_settled
from actuators.browser.ports.acts import Value

OPENING_S = 0.4
KEEPING_S = 1.0
PRESSING_MS = 1000.0
OPENERS = ("click", "double click", "F2", "Enter")  # of an editor, what does least first

SetEditor = Callable[[ActionTarget, str, Value], Awaitable[tuple[PageControl, SettingResult]]]


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell that can be edited: as the goal names it, as it is held, and not what the page has made in its place."""

    named: ActionTarget
    aim: ActionTarget
    same: ActionTarget
    text: str
    opened_by: str  # empty where it has an editor all the time

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
    for way in OPENERS:
        await _open_editor(held, way)
        if await _await_editor(held, is_there=True):
            return TableCell(aim, held, same, state["text"], way)
    return None


async def set_cell(cell: TableCell, value: Value, set_editor: SetEditor) -> SettingResult:
    """Give a cell a value by its editor, and read back what it shows; ActionError if that is something else."""
    told = {"edited_by": cell.opened_by} if cell.opened_by else {}
    held = ""
    try:
        _, setting = await set_editor(cell.editor, "the cell's editor", value)
        if not cell.opened_by:
            return setting
        held = setting.held
    except PlaywrightError:
        if not cell.opened_by or await _has_editor(cell.aim):
            raise
        # Its editor has closed by itself: what the cell shows says what it took.
    await _leave_editor(cell)
    wanted = write_text(value)
    reading = await _read_kept(cell, wanted)
    if reading is None:
        return SettingResult(held, is_read=False, notes={**told, "cell_gone": True})
    shown: str = reading.held["text"]
    is_done = not reading.held["has_editor"]
    if is_done and _is_same(shown, wanted):
        return SettingResult(shown, reading.is_settled, told | reading.evidence)
    if is_done and shown != cell.text:
        return SettingResult(shown, is_read=False, notes={**told, "reformatted_from": wanted})
    hint = "The page may not take this value in this column."
    raise tell_difference(f"The cell shows {shown!r}, not {wanted!r}.", hint, wanted, shown, before=cell.text)


async def _read_kept(cell: TableCell, wanted: str) -> SettledReading | None:
    async def look() -> SettledReading | None:
        with suppress(PlaywrightError):  # its row is called something else now
            place = cell.same if await cell.same.locator.count() else cell.named
            return await read_settled(place.locator, "cellState")
        return None

    def is_kept(reading: SettledReading | None) -> bool:
        return bool(reading and _is_same(reading.held["text"], wanted) and not reading.held["has_editor"])

    return await ask_until(look, is_kept, KEEPING_S)


async def _leave_editor(cell: TableCell) -> None:
    for key in ("Enter", "Tab", ""):  # Tab goes on within a date first
        if not await _has_editor(cell.aim):
            return
        with suppress(PlaywrightError):  # it has closed by itself meanwhile
            if key:
                await cell.editor.locator.press(key, timeout=min(PRESSING_MS, cell.aim.take_ms()))
            else:
                await leave_field(cell.editor)
        await _await_editor(cell.aim, is_there=False)


async def _open_editor(aim: ActionTarget, way: str) -> None:
    match way:
        case "click":
            await aim.begun.click(timeout=aim.take_ms())
        case "double click":
            await aim.begun.dblclick(timeout=aim.take_ms())
        case key:
            await aim.page.keyboard.press(key)


async def _await_editor(aim: ActionTarget, *, is_there: bool) -> bool:
    return await ask_until(partial(_has_editor, aim), lambda found: found == is_there, OPENING_S)


async def _has_editor(aim: ActionTarget) -> bool:
    state = await unless_gone(probe(aim.locator, "cellState"), None)  # it may be drawn anew just now
    return bool(state and state["has_editor"])


def _is_same(shown: str, wanted: str) -> bool:
    if " ".join(shown.split()).casefold() == " ".join(wanted.split()).casefold():
        return True
    try:
        return float(shown.replace(",", "")) == float(wanted.replace(",", ""))
    except ValueError:
        return False
