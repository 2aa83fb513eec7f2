"""Dates and times in fields of text: picked in what the field opens, else written in its own form; read back either way."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.controls.calendars import (
    SetField,
    is_open,
    note_calendars,
    open_calendar,
    pick_day,
    pick_time,
    press_accept,
    wait_for_calendar,
)
from actuators.browser.playwright.controls.controls import (
    PageControl,
    SettingResult,
    leave_field,
    read_back,
    read_control,
    tell_difference,
)
from actuators.browser.playwright.controls.entering import FieldEntry, enter_text
from actuators.browser.playwright.finding.idling import ask_until
from actuators.browser.playwright.finding.probes import probe
from actuators.deadlines import Deadline, allow_s, pause
from core.base.dates import DateOrder, find_pattern
from core.base.errors import ActionError, InputError, SurehandError
from core.base.moments import Moment, is_timely, read_moments, replace_clock, shown_in, write_moment

if TYPE_CHECKING:
    from actuators.browser.playwright.finding.actionability import ActionTarget

SHOWING_S = 1.0
LOOK_S = 0.03


@dataclass(frozen=True, slots=True)
class Dating:
    """A date or time that a field gets."""

    aim: "ActionTarget"
    control: PageControl
    text: str
    moments: Sequence[Moment]
    set_field: SetField

    @property
    def is_range(self) -> bool:
        """Whether it has two ends."""
        return len(self.moments) > 1


async def set_moments(aim: "ActionTarget", control: PageControl, text: str, set_field: SetField) -> SettingResult:
    """Give a field a date, a time or a range, and note the way; InputError if it takes none, ActionError if it keeps none."""
    dating = Dating(aim, control, text, read_moments(text, control.order), set_field)
    trouble: SurehandError | None = None
    await note_calendars(aim)
    for way in _list_ways(dating):
        try:
            after = await way(dating)
        except (InputError, ActionError) as error:
            if not isinstance(trouble, InputError):  # that a page has no such day says more than that it kept nothing
                trouble = error
            await _close(dating)
            if error.evidence.get("is_off"):
                break  # a calendar has shown the day, and it can't be picked: nothing is written past it
            continue
        if after is not None:
            if not _is_kept(dating, after):
                raise _differs(text, after.held)
            notes = {"way": way.__name__.strip("_"), **after.notes}
            return SettingResult(_held(dating, after), not after.notes, notes)
    raise trouble or InputError(
        f"The field opens nothing that {text!r} could be picked in, and can't be written in.",
        code="target_readonly",
        hint="Check what the page offers.",
        evidence={"value": text},
    )


Way = Callable[[Dating], Awaitable[PageControl | None]]


def _list_ways(dating: Dating) -> list[Way]:
    can_write = dating.control.facts["editable"] and not dating.is_range
    writing: list[Way] = [_written, _entered, _keyed] if can_write else []
    return [*writing, _picked] if dating.moments[0].day is None and not dating.is_range else [_picked, *writing]


async def _picked(dating: Dating) -> PageControl | None:
    aim, first = dating.aim, dating.moments[0]
    opened = await open_calendar(aim, "calendar" if first.day else "clock")
    if opened is None:
        return None
    moments = dating.moments
    for place, moment in enumerate(moments):
        if moment.day:
            if place and not await is_open(aim) and await wait_for_calendar(aim) is None:
                return None
            if len(moments) > 1:
                await pick_day(aim, moment)
            elif other := _flipped(dating, await _pick_alone(aim, moment)):
                return await _pick_again(dating, other)
        if moment.clock and not await _pick_clock(dating, moment):
            return None
    await _accept(dating)
    return await read_back(aim)


async def _pick_alone(aim: "ActionTarget", moment: Moment) -> str:
    """Press a day, and return what the field shows once that is something else, or what it has opened is gone."""
    before = (await read_control(aim)).held
    await pick_day(aim, moment)
    deadline = Deadline(allow_s(SHOWING_S))
    while (held := (await read_control(aim)).held) == before and await is_open(aim) and not deadline.is_over:
        await pause(LOOK_S)
    return held


async def _pick_clock(dating: Dating, moment: Moment) -> bool:
    assert moment.clock is not None
    if await pick_time(dating.aim, moment.clock, dating.set_field):
        return True
    held = (await read_control(dating.aim)).held
    written = replace_clock(held, moment.clock)
    if not dating.control.facts["editable"]:
        return False
    if written == held and _shown(dating, await read_control(dating.aim)) is None:
        return False
    await enter_text(dating.aim, FieldEntry("the field", written))
    await _leave(dating, entered=True)
    return True


def _flipped(dating: Dating, held: str) -> Moment | None:
    """Return the other reading of a date, where the field writes it just as it was asked for and means that."""
    other: DateOrder = "dmy" if dating.control.order == "mdy" else "mdy"
    try:
        (second,) = read_moments(dating.text, other)
    except (InputError, ValueError):
        return None
    return second if second != dating.moments[0] and held.strip() == _swap(dating.text) else None


def _swap(text: str) -> str:
    mark = next((each for each in "/-." if each in text), "/")
    first, second, *rest = (*text.strip().split(mark), "", "")[: max(2, text.count(mark) + 1)]
    return mark.join((second, first, *rest))


async def _pick_again(dating: Dating, moment: Moment) -> PageControl:
    if await open_calendar(dating.aim) is None:
        raise _differs(dating.text, (await read_control(dating.aim)).held)
    held = await _pick_alone(dating.aim, moment)
    if held.strip() != dating.text.strip():
        raise _differs(dating.text, held)
    return await read_back(dating.aim)


async def _accept(dating: Dating) -> None:
    if await press_accept(dating.aim):
        return
    await ask_until(
        lambda: read_control(dating.aim), lambda shown: _shown(dating, shown) is not None, SHOWING_S, LOOK_S
    )
    await _close(dating)


async def _close(dating: Dating) -> None:
    if await is_open(dating.aim) or await probe(dating.aim.locator, "lies_over"):
        await dating.aim.page.keyboard.press("Escape")


async def _written(dating: Dating, *, entered: bool = False) -> PageControl:
    facts, control = dating.control.facts, dating.control
    sample = facts["hint"] + " " + control.held
    pattern = find_pattern(facts["hint"])
    has_form = entered or pattern or is_timely(control.held) or facts["calendar"] or facts["expanded"]
    text = write_moment(dating.moments[0], pattern, sample, control.order) if has_form else dating.text
    await enter_text(dating.aim, FieldEntry("the field", text))
    return await _leave_and_judge(dating, entered=entered)


async def _entered(dating: Dating) -> PageControl:
    return await _written(dating, entered=True)  # Enter says to some that the text is meant


async def _keyed(dating: Dating) -> PageControl:
    """Press the keys of it one by one, from the beginning of the field, for what takes nothing else."""
    sample = dating.control.facts["hint"] + " " + dating.control.held
    text = write_moment(dating.moments[0], find_pattern(sample), sample, dating.control.order)
    await dating.aim.begun.focus(timeout=dating.aim.take_ms())
    for key in ("ControlOrMeta+a", "ArrowLeft"):
        await dating.aim.locator.press(key, timeout=dating.aim.take_ms())
    await dating.aim.locator.press_sequentially(text, timeout=dating.aim.take_ms())
    return await _leave_and_judge(dating)


async def _leave_and_judge(dating: Dating, *, entered: bool = False) -> PageControl:
    await _leave(dating, entered=entered)
    after = await read_back(dating.aim)
    if not _is_kept(dating, after):
        raise _differs(dating.text, after.held)
    return after


async def _leave(dating: Dating, *, entered: bool = False) -> None:
    """Leave the field; where something is open, Enter says first that the text is meant, and sends no form."""
    aim = dating.aim
    try:
        if entered or (await read_control(aim)).facts["expanded"] or await is_open(aim):
            await probe(aim.locator, "guardEnter")
            await aim.locator.press("Enter", timeout=aim.take_ms())
        await leave_field(aim)
    except PlaywrightError:
        return  # the page has taken the field away; what it shows now is read back


def _shown(dating: Dating, control: PageControl) -> DateOrder | None:
    return shown_in(_held(dating, control), dating.moments, control.order)


def _is_kept(dating: Dating, control: PageControl) -> bool:
    """Tell whether the field shows it, or the very text that was asked for, and the page doesn't say that it is wrong."""
    if control.facts["invalid"] and not dating.control.facts["invalid"]:
        return False
    return control.held.strip() == dating.text.strip() or _shown(dating, control) is not None


def _held(dating: Dating, control: PageControl) -> str:
    return control.facts["pair"] or control.held if dating.is_range else control.held


def _differs(text: str, held: str) -> ActionError:
    message = f"The page did not keep {text!r}: the field shows {held!r}."
    return tell_difference(message, "If day and month were swapped, write the month as a word.", text, held)
