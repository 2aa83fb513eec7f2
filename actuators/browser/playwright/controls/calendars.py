"""Picking dates in the calendar that a field opens: days, months and years, by lists, titles and turning over."""

from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.controls.controls import aim_at, find_part
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import read_settled
from actuators.deadlines import Deadline, allow_s, pause
from core.base.errors import InputError
from core.base.moments import Moment

if TYPE_CHECKING:
    from actuators.browser.playwright.finding.actionability import ActionTarget

OPENING_S = 1.0
IDLE_LOOKS = 4  # at a page where nothing is under way, until it counts as one that opens nothing
TURNING_S = 1.5
ACCEPTING_MS = 3000.0
LOOK_S = 0.03
MONTHS = 12
NEAR_MONTHS = 4  # turned over one by one; what is farther away is looked for among the years
MOST_TURNS = 1300

Calendar = dict[str, Any]
Opening = Literal["calendar", "clock"]


async def open_calendar(aim: "ActionTarget", what: Opening = "calendar") -> Calendar | None:
    """Click a field and return the calendar that opens; None if none does.

    Args:
        what: Whether a calendar is waited for, or anything that a time can be chosen in.
    """
    if shown := await _read_still(aim, what):
        return shown
    await aim.begun.click(timeout=aim.take_ms())
    return await wait_for_calendar(aim, what)


async def note_calendars(aim: "ActionTarget") -> None:
    """Remember what is on the page before a field is opened; it is none of what the field opens."""
    await probe(aim.locator, "noteCalendars")


async def wait_for_calendar(aim: "ActionTarget", what: Opening = "calendar") -> Calendar | None:
    """Return what has opened, as soon as it is there; None where the page has come to rest without it."""
    deadline, idle = Deadline(allow_s(OPENING_S)), 0
    while not deadline.is_over:
        try:
            reading = await read_settled(aim.locator, what)
        except PlaywrightError:
            return None
        if _is_usable(reading.held, what):
            return reading.held
        idle += reading.is_settled
        if idle >= IDLE_LOOKS:
            return None
        await pause(LOOK_S)
    return None


async def is_open(aim: "ActionTarget") -> bool:
    """Tell whether the field's calendar is still there."""
    return await _read(aim, "calendar") is not None


async def pick_day(aim: "ActionTarget", moment: Moment) -> None:
    """Press a day in the open calendar, or a month where that is all that was said.

    Raises:
        InputError: If the calendar doesn't have it.
    """
    assert moment.day is not None
    part, place = await _turn_to(aim, moment.day, is_month=moment.is_month)
    await aim_at(aim, find_part(aim, part, place)).begun.click(timeout=aim.take_ms())


async def press_accept(aim: "ActionTarget") -> bool:
    """Press what the popup has to say that the choice is made; return whether there is something."""
    accept = find_part(aim, "accept")
    if not await accept.count():
        return False
    try:
        await aim_at(aim, accept).begun.click(timeout=min(ACCEPTING_MS, aim.take_ms()))
    except PlaywrightTimeoutError:
        if await accept.count():
            raise
        return False  # writing had said so already, and the popup was on its way out
    return True


async def _turn_to(aim: "ActionTarget", day: date, *, is_month: bool) -> tuple[Literal["day", "cell"], int]:
    """Show the month of a date, and return which part of the calendar is to be pressed."""
    calendar = await _read(aim, "calendar")
    tried_title = False
    for _ in range(MOST_TURNS):
        if calendar is None or aim.deadline.remaining_s < TURNING_S:
            break
        if calendar["view"] == "days" and not is_month and (place := _find_day(calendar, day)) is not None:
            return "day", place
        if calendar["view"] != "days":
            place = _find_cell(calendar, day)
            if place is not None and calendar["view"] == "months" and is_month:
                return "cell", place
            turned = await (
                _press_cell(aim, calendar, place) if place is not None else _turn_larger(aim, calendar, day)
            )
        elif is_month or (calendar["title"] and not tried_title and _is_far(calendar, day)):
            tried_title = True
            turned = await _press(aim, calendar, "title") if calendar["title"] else None
            turned = turned or (calendar if not is_month else None)
        else:
            turned = await _turn_days(aim, calendar, day)
        if turned is None:
            break
        calendar = turned
    raise _unavailable(day, calendar)


def _find_day(calendar: Calendar, day: date) -> int | None:
    """Return the place of a day that can be picked; None where its month isn't shown."""
    wanted = (day.year, day.month, day.day)
    places = [at for at, each in enumerate(calendar["days"]) if (each["year"], each["month"], each["day"]) == wanted]
    if places and all(calendar["days"][at]["off"] for at in places):
        raise _unavailable(day, calendar, is_off=True)
    return next((at for at in places if not calendar["days"][at]["off"]), None)


def _find_cell(calendar: Calendar, day: date) -> int | None:
    """Return the place of the month, year or decade of a date."""
    cells = calendar["cells"]
    if calendar["view"] == "decades":
        starts = [at for at, each in enumerate(cells) if each["number"] <= day.year]
        place = max(starts, key=lambda at: cells[at]["number"], default=None)
        return place if place is not None and day.year - cells[place]["number"] < MONTHS else None
    wanted = day.month if calendar["view"] == "months" else day.year
    if calendar["view"] == "months" and calendar["year"] and calendar["year"] != day.year:
        return None
    return next((at for at, each in enumerate(cells) if each["number"] == wanted and not each["off"]), None)


def _is_far(calendar: Calendar, day: date) -> bool:
    has_lists = calendar["years"] or calendar["year_field"]
    return not has_lists and bool(calendar["year"]) and abs(_distance(calendar, day)) > NEAR_MONTHS


def _distance(calendar: Calendar, day: date) -> int:
    return (day.year - calendar["year"]) * MONTHS + day.month - calendar["month"]


async def _turn_days(aim: "ActionTarget", calendar: Calendar, day: date) -> Calendar | None:
    """Go nearer to the month of a date: by the calendar's lists of months and years, else by turning over; None if it can't."""
    if not (calendar["month"] and calendar["year"]):
        return None
    for side, wanted in (("year", day.year), ("month", day.month)):
        if calendar[side] == wanted:
            continue
        if wanted in calendar[f"{side}s"]:
            index = calendar[f"{side}s"].index(wanted)
            await find_part(aim, "picker", side=side).select_option(index=index, timeout=aim.take_ms())
            return _if_turned(calendar, await _wait_for_turn(aim, calendar))
        if side == "year" and calendar["year_field"]:
            field = find_part(aim, "picker", side="year")
            await field.press("ControlOrMeta+a", timeout=aim.take_ms())
            await aim.page.keyboard.type(str(wanted))
            await aim.page.keyboard.press("Enter")
            calendar["year_field"] = False
            return _if_turned(calendar, await _wait_for_turn(aim, calendar))
    ahead = _distance(calendar, day)
    side = "next" if ahead > 0 else "prev"
    if abs(ahead) >= MONTHS and calendar[f"{side}_far"]:
        return await _press(aim, calendar, f"{side}_far")
    return await _press(aim, calendar, side) if ahead and calendar[side] else None


async def _turn_larger(aim: "ActionTarget", calendar: Calendar, day: date) -> Calendar | None:
    """Go nearer to a year among months, years or decades."""
    is_far = calendar["view"] == "months" and calendar["title"] and abs(day.year - calendar["year"]) > NEAR_MONTHS
    if is_far and (turned := await _press(aim, calendar, "title")):
        return turned
    shown = [calendar["year"]] if calendar["view"] == "months" else [each["number"] for each in calendar["cells"]]
    side = "next" if day.year > max(shown) else "prev"
    return await _press(aim, calendar, side) if calendar[side] and min(shown) else None


async def _press_cell(aim: "ActionTarget", calendar: Calendar, place: int) -> Calendar | None:
    await aim_at(aim, find_part(aim, "cell", place)).begun.click(timeout=aim.take_ms())
    return _if_turned(calendar, await _wait_for_turn(aim, calendar))


async def _press(aim: "ActionTarget", calendar: Calendar, side: str) -> Calendar | None:
    await aim_at(aim, find_part(aim, "turn", side=side)).begun.click(timeout=aim.take_ms())
    return _if_turned(calendar, await _wait_for_turn(aim, calendar))


def _face(calendar: Calendar) -> tuple[object, ...]:
    return (calendar["view"], calendar["month"], calendar["year"], [each["number"] for each in calendar["cells"]])


def _if_turned(before: Calendar, after: Calendar) -> Calendar | None:
    return after if _face(before) != _face(after) else None


async def _wait_for_turn(aim: "ActionTarget", before: Calendar) -> Calendar:
    """Return the calendar once it shows something else and has come to rest, or after a while."""
    deadline = Deadline(allow_s(TURNING_S))
    last = before
    while not deadline.is_over:
        shown = await _read(aim, "calendar")
        if shown is not None and _face(shown) != _face(before) and _face(shown) == _face(last):
            return shown
        last = shown or last
        await pause(LOOK_S)
    return last


async def _read(aim: "ActionTarget", what: Opening) -> Calendar | None:
    try:
        shown = await probe(aim.locator, what)
    except PlaywrightError:
        return None  # the field is being replaced
    return shown if _is_usable(shown, what) else None


async def _read_still(aim: "ActionTarget", what: Opening) -> Calendar | None:
    """Return what is open already; what is on its way out, as after the other end of a range, is not."""
    deadline = Deadline(allow_s(OPENING_S))
    while (shown := await _read(aim, what)) and shown.get("moved") and not deadline.is_over:
        await pause(LOOK_S)
    return shown


def _is_usable(shown: Calendar | None, what: Opening) -> bool:
    return shown is not None and (what == "calendar" or any(shown.values()))


def _unavailable(day: date, calendar: Calendar | None, *, is_off: bool = False) -> InputError:
    shown = f"{calendar['year']}-{calendar['month']:02d}" if calendar else "nothing"
    return InputError(
        f"The calendar does not offer {day.isoformat()}.",
        code="bad_value",
        hint="Choose a date that can be picked.",
        evidence={"date": day.isoformat(), "calendar_shows": shown} | ({"is_off": True} if is_off else {}),
    )
