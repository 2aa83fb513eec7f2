"""Picking dates and times in what a field opens: calendars by lists, titles and turning over; clocks by fields, lists and columns."""

import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import date, time
from typing import TYPE_CHECKING, Any, Literal

from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.controls.controls import aim_at, find_part, press_part, refuse_value
from actuators.browser.playwright.finding.causes import unless_gone
from actuators.browser.playwright.finding.idling import ask_until
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import read_settled
from actuators.deadlines import Deadline, allow_s, pause
from core.base.dates import NOON, read_time
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
    """Click a field and return the calendar that opens, or anything that a time can be chosen in; None if none does."""
    # What is on its way out, as after the other end of a range, is not open already.
    if shown := await ask_until(
        lambda: _read(aim, what), lambda shown: not shown or not shown.get("moved"), OPENING_S, LOOK_S
    ):
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
        reading = await unless_gone(read_settled(aim.locator, what), None)
        if reading is None:
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
    """Press a day in the open calendar, or a month where that is all that was said; ``bad_value`` if it has none such."""
    assert moment.day is not None
    part, place = await _turn_to(aim, moment.day, is_month=moment.is_month)
    await press_part(aim, part, place)


async def press_accept(aim: "ActionTarget") -> bool:
    """Press what the popup has to say that the choice is made; return whether there is something."""
    accept = find_part(aim, "accept")
    if not await accept.count():
        return False
    try:
        await press_part(aim, "accept", most_ms=ACCEPTING_MS)
    except PlaywrightTimeoutError:
        if await accept.count():
            raise
        return False  # writing had said so already, and the popup was on its way out
    return True


async def _turn_to(aim: "ActionTarget", day: date, *, is_month: bool) -> tuple[Literal["day", "cell"], int]:
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
            turned = await (_turn_larger(aim, calendar, day) if place is None else _press(aim, calendar, "cell", place))
        elif is_month or (calendar["title"] and not tried_title and _is_far(calendar, day)):
            tried_title = True
            turned = await _press(aim, calendar, "turn", side="title") if calendar["title"] else None
            turned = turned or (calendar if not is_month else None)
        else:
            turned = await _turn_days(aim, calendar, day)
        if turned is None:
            break
        calendar = turned
    raise _unavailable(day, calendar)


def _find_day(calendar: Calendar, day: date) -> int | None:
    wanted = (day.year, day.month, day.day)
    places = [at for at, each in enumerate(calendar["days"]) if (each["year"], each["month"], each["day"]) == wanted]
    if places and all(calendar["days"][at]["off"] for at in places):
        raise _unavailable(day, calendar, is_off=True)
    return next((at for at in places if not calendar["days"][at]["off"]), None)


def _find_cell(calendar: Calendar, day: date) -> int | None:
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
            return await _await_turn(aim, calendar)
        if side == "year" and calendar["year_field"]:
            field = find_part(aim, "picker", side="year")
            await field.press("ControlOrMeta+a", timeout=aim.take_ms())
            await aim.page.keyboard.type(str(wanted))
            await aim.page.keyboard.press("Enter")
            calendar["year_field"] = False
            return await _await_turn(aim, calendar)
    ahead = _distance(calendar, day)
    side = "next" if ahead > 0 else "prev"
    if abs(ahead) >= MONTHS and calendar[f"{side}_far"]:
        side += "_far"
    return await _press(aim, calendar, "turn", side=side) if ahead and calendar[side] else None


async def _turn_larger(aim: "ActionTarget", calendar: Calendar, day: date) -> Calendar | None:
    is_far = calendar["view"] == "months" and calendar["title"] and abs(day.year - calendar["year"]) > NEAR_MONTHS
    if is_far and (turned := await _press(aim, calendar, "turn", side="title")):
        return turned
    shown = [calendar["year"]] if calendar["view"] == "months" else [each["number"] for each in calendar["cells"]]
    side = "next" if day.year > max(shown) else "prev"
    return await _press(aim, calendar, "turn", side=side) if calendar[side] and min(shown) else None


async def _press(
    aim: "ActionTarget", calendar: Calendar, part: Literal["cell", "turn"], index: int = 0, side: str = ""
) -> Calendar | None:
    await press_part(aim, part, index, side)
    return await _await_turn(aim, calendar)


def _face(calendar: Calendar) -> tuple[object, ...]:
    return (calendar["view"], calendar["month"], calendar["year"], [each["number"] for each in calendar["cells"]])


async def _await_turn(aim: "ActionTarget", before: Calendar) -> Calendar | None:
    """Return the calendar once it shows something else and has come to rest, or after a while; None if it shows the same."""
    deadline = Deadline(allow_s(TURNING_S))
    last = before
    while not deadline.is_over:
        shown = await _read(aim, "calendar")
        if shown and _face(before) != _face(shown) == _face(last):
            break
        last = shown or last
        await pause(LOOK_S)
    return last if _face(before) != _face(last) else None


async def _read(aim: "ActionTarget", what: Opening) -> Calendar | None:
    shown = await unless_gone(probe(aim.locator, what), None)
    return shown if _is_usable(shown, what) else None


def _is_usable(shown: Calendar | None, what: Opening) -> bool:
    return shown is not None and (what == "calendar" or any(shown.values()))


def _unavailable(day: date, calendar: Calendar | None, *, is_off: bool = False) -> InputError:
    message, hint = f"The calendar does not offer {day.isoformat()}.", "Choose a date that can be picked."
    shown = f"{calendar['year']}-{calendar['month']:02d}" if calendar else "nothing"
    more = {"is_off": True} if is_off else {}
    return refuse_value(message, hint, date=day.isoformat(), calendar_shows=shown, **more)


SetField = Callable[["ActionTarget", str], Awaitable[Any]]


async def pick_time(aim: "ActionTarget", clock: time, set_field: SetField) -> bool:
    """Choose a time in what the field has opened; return False where it has nothing for that, ``bad_value`` where it has no such time."""
    shown = await probe(aim.locator, "clock")
    if shown["fields"]:
        await _fill_fields(aim, shown, clock, set_field)
    elif shown["times"]:
        told = clock.isoformat("minutes")
        place = _find_offered(shown["times"], lambda label: read_time(re.sub(r"\s+", " ", label)) == clock, told)
        await press_part(aim, "clock", place, "time")
    elif shown["columns"]:
        await _pick_columns(aim, shown, clock)
    else:
        return False
    return True


async def _fill_fields(aim: "ActionTarget", shown: dict[str, Any], clock: time, set_field: SetField) -> None:
    is_halved = bool(shown["halves"]) or "dayPeriod" in shown["fields"]
    values = {
        "time": clock.isoformat("minutes"),
        "hour": str((clock.hour % NOON or NOON) if is_halved else clock.hour),
        "minute": str(clock.minute),
        "second": str(clock.second),
        "dayPeriod": "PM" if clock.hour >= NOON else "AM",
    }
    for place, unit in enumerate(shown["fields"]):
        await set_field(aim_at(aim, find_part(aim, "clock", place, "field")), values[unit])
    await _press_half(aim, shown["halves"], clock)


async def _press_half(aim: "ActionTarget", halves: Sequence[str], clock: time) -> None:
    wanted = "p" if clock.hour >= NOON else "a"
    places = [at for at, each in enumerate(halves) if each.casefold().startswith(wanted)]
    if len(halves) == 1 and not places:
        await press_part(aim, "clock", 0, "half")  # the only button goes to the other half
    elif len(halves) > 1 and places:
        await press_part(aim, "clock", places[0], "half")


async def _pick_columns(aim: "ActionTarget", shown: dict[str, Any], clock: time) -> None:
    columns = shown["columns"]
    is_halved = bool(shown["halves"]) or any(not each[0]["label"].isdecimal() for each in columns)
    hour = (clock.hour % NOON or NOON) if is_halved else clock.hour
    await press_part(aim, "clock", _find_number(columns[0], hour), "0")
    after = (await read_settled(aim.locator, "clock")).held
    place = 1 if len(after["columns"]) > 1 and after["columns"][1][0]["label"].isdecimal() else 0
    if place < len(after["columns"]):
        await press_part(aim, "clock", _find_number(after["columns"][place], clock.minute), str(place))
    later = (await read_settled(aim.locator, "clock")).held
    if place and len(later["columns"]) > place + 1 and later["columns"][place + 1][0]["label"].isdecimal():
        await press_part(aim, "clock", _find_number(later["columns"][place + 1], clock.second), str(place + 1))
    for at, column in enumerate(later["columns"]):
        if not column[0]["label"].isdecimal():
            half = "p" if clock.hour >= NOON else "a"
            row = next(n for n, each in enumerate(column) if each["label"].casefold().startswith(half))
            await press_part(aim, "clock", row, str(at))
            return
    await _press_half(aim, later["halves"], clock)


def _find_number(column: Sequence[dict[str, Any]], wanted: int) -> int:
    return _find_offered(column, lambda label: label.isdecimal() and int(label) == wanted, str(wanted))


def _find_offered(offered: Sequence[dict[str, Any]], fits: Callable[[str], bool], what: str) -> int:
    for place, each in enumerate(offered):
        if not each["off"] and fits(each["label"]):
            return place
    message = f"The list of times does not offer {what}."
    raise refuse_value(message, "Choose a time that can be picked.", time=what)
