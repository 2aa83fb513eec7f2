"""Picking a date in the calendar that a field opens."""

from datetime import date
from typing import Any

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.controls.controls import PageControl, find_part, read_control
from actuators.browser.playwright.finding.actionability import ActionTarget, begin_act
from actuators.browser.playwright.finding.probes import probe
from actuators.deadlines import Deadline, allow_s, pause
from core.base.dates import DateOrder, find_order, read_date
from core.base.errors import ActionError, InputError

OPENING_S = 1.0
TURNING_S = 1.5
LOOK_S = 0.03
MONTHS = 12
MOST_TURNS = 1300

Calendar = dict[str, Any]


async def open_calendar(aim: ActionTarget) -> Calendar | None:
    """Click a field and return the calendar that opens; None if none does."""
    if (await probe(aim.locator, "focused"))["focused"] and (shown := await _read(aim)):
        return shown
    await aim.locator.click(timeout=aim.take_ms())
    deadline = Deadline(allow_s(OPENING_S))
    while (shown := await _read(aim)) is None and not deadline.is_over:
        await pause(LOOK_S)
    return shown


async def pick_date(aim: ActionTarget, control: PageControl, text: str) -> str:
    """Pick a date in the open calendar; return what the field holds then.

    Numbers that don't tell day from month are read in the order in which the field shows dates. That shows only when it holds one:
    where it writes what was picked in the very form that was asked for, and otherwise, the other reading is picked.

    Args:
        aim: The field.
        control: What it is made of.
        text: The date, as people write it.

    Raises:
        InputError: If it is no date, or the calendar doesn't have it.
        ActionError: If the field shows another date then.
    """
    order = control.order
    day = read_date(text, order)
    try:
        held = await _pick(aim, day)
    except InputError:
        await aim.page.keyboard.press("Escape")  # it would lie over what comes next
        raise
    flipped = _flip(text, order)
    if flipped and held.strip() == _swap(text):
        if await open_calendar(aim) is None:
            raise _differs(text, held)
        day, held = flipped, await _pick(aim, flipped)
    if not _shows(held, day, order):
        raise _differs(text, held)
    return held


def _flip(text: str, order: DateOrder) -> date | None:
    """Return the other reading of a date, where day and month can't be told from each other."""
    other: DateOrder = "dmy" if order == "mdy" else "mdy"
    first, second = read_date(text, order), read_date(text, other)
    return second if first != second else None


def _swap(text: str) -> str:
    """Return a date of numbers with its first two exchanged."""
    mark = next((each for each in "/-." if each in text), "/")
    first, second, *rest = text.strip().split(mark)
    return mark.join((second, first, *rest))


def _shows(held: str, day: date, order: DateOrder) -> bool:
    try:
        return day in {read_date(held, find_order(held) or each) for each in (order, "dmy", "mdy")}
    except InputError:
        return False


async def _pick(aim: ActionTarget, day: date) -> str:
    calendar = await _turn_to(aim, day)
    place = next((at for at, each in enumerate(calendar["days"]) if each["day"] == day.day), None)
    if place is None or calendar["days"][place]["off"]:
        raise _unavailable(day, calendar)
    before = (await read_control(aim)).held
    await begin_act(find_part(aim, "day", place)).click(timeout=aim.take_ms())
    deadline = Deadline(allow_s(OPENING_S))
    while (held := (await read_control(aim)).held) == before and await _read(aim) and not deadline.is_over:
        await pause(LOOK_S)
    return held


async def _turn_to(aim: ActionTarget, day: date) -> Calendar:
    """Show the month of a date: by the calendar's lists of months and years, else by turning over."""
    calendar = await _read(aim)
    if calendar is None or not (calendar["month"] and calendar["year"]):
        raise _unavailable(day, calendar)
    for side, wanted in (("year", day.year), ("month", day.month)):
        if calendar[side] != wanted and wanted in calendar[f"{side}s"]:
            index = calendar[f"{side}s"].index(wanted)
            await find_part(aim, "picker", side=side).select_option(index=index, timeout=aim.take_ms())
            calendar = await _wait_for_turn(aim, calendar)
    for _ in range(MOST_TURNS):
        ahead = (day.year - calendar["year"]) * MONTHS + day.month - calendar["month"]
        if not ahead:
            return calendar
        side = "next" if ahead > 0 else "prev"
        if not calendar[side]:
            break
        await find_part(aim, "turn", side=side).click(timeout=aim.take_ms())
        turned = await _wait_for_turn(aim, calendar)
        if (turned["month"], turned["year"]) == (calendar["month"], calendar["year"]):
            break
        calendar = turned
    raise _unavailable(day, calendar)


async def _wait_for_turn(aim: ActionTarget, before: Calendar) -> Calendar:
    """Return the calendar once it shows another month, or after a while."""
    deadline = Deadline(allow_s(TURNING_S))
    while True:
        shown = await _read(aim)
        is_turned = shown is not None and (shown["month"], shown["year"]) != (before["month"], before["year"])
        if shown is not None and (is_turned or deadline.is_over):
            return shown
        if deadline.is_over:
            return before
        await pause(LOOK_S)


async def _read(aim: ActionTarget) -> Calendar | None:
    try:
        return await probe(aim.locator, "calendar")
    except PlaywrightError:
        return None  # the field is being replaced


def _unavailable(day: date, calendar: Calendar | None) -> InputError:
    shown = f"{calendar['year']}-{calendar['month']:02d}" if calendar else "nothing"
    return InputError(
        f"The calendar does not offer {day.isoformat()}.",
        code="bad_value",
        hint="Choose a date that can be picked.",
        evidence={"date": day.isoformat(), "calendar_shows": shown},
    )


def _differs(text: str, held: str) -> ActionError:
    return ActionError(
        f"{text} was picked, but the field shows {held!r}.",
        code="value_differs",
        hint="If day and month were swapped, write the month as a word.",
        evidence={"expected": text, "actual": held},
    ).after_act()
