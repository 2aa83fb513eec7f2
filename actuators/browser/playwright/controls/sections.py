"""Dates and times in parts, each in a field of its own: sections that take one key at a time, numbers, lists."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from actuators.browser.playwright.controls.controls import (
    ORDERS,
    PageControl,
    aim_at,
    find_part,
    find_widget,
    leave_field,
    read_back,
    read_control,
    refuse_value,
    tell_difference,
)
from actuators.browser.playwright.finding.actionability import ActionTarget, begin_act
from core.base.dates import MONTHS, NOON, SHORTEST_MONTH, DateOrder
from core.base.errors import ActionError, InputError
from core.base.moments import Moment, read_moments, shown_in

ROUNDS = 3
# Larger ones first: how many days there are depends on the month, and that on the year.
SIZES = ("date", "both", "time", "year", "month", "day", "dayPeriod", "hour", "minute", "second")
WIDTHS = {"year": 4}
IN_WORDS = {"dayPeriod": "half of the day", "both": "date and time"}

Section = dict[str, Any]
SetWhole = Callable[[ActionTarget, str], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a section should hold: a number; for a whole date or time its text."""

    place: int
    unit: str
    value: int | str


async def enter_sections(aim: ActionTarget, text: str) -> dict[str, Any] | None:
    """Type a date or time into a field that has its parts in fields of their own; return evidence, or None for any other field."""
    control = await read_control(aim)
    if control.kind != "sections":
        return None
    after = await set_sections(find_widget(aim), control, text, _refuse_whole)
    return {"value": after.held, "sections": len(control.facts["sections"]), **after.notes}


async def _refuse_whole(_: ActionTarget, text: str) -> None:
    hint = "Use browser.set, or name one of them."
    raise InputError(f"{text!r} takes two fields.", code="target_ambiguous", hint=hint)


def order_of(sections: Sequence[Section], other: DateOrder) -> DateOrder:
    """Return the order of day, month and year in which sections stand; the other one where they don't tell."""
    letters = "".join(each["unit"][0] for each in sections if each["unit"] in {"day", "month", "year"})[:3]
    return ORDERS.get(letters, other)


async def set_sections(
    aim: ActionTarget, control: PageControl, text: str, set_whole: SetWhole, *, leaves: bool = False
) -> PageControl:
    """Bring the sections of a date or time to what a text names; return the control as it was read back at last.

    Args:
        set_whole: Sets a section that takes a whole date or time.
        leaves: Whether the sections are left then, which is when many pages take the date.

    Raises:
        InputError: If the text names none, or not all that the sections need.
        ActionError: If they show something else then.
    """
    sections: list[Section] = control.facts["sections"]
    moments = read_moments(text, order_of(sections, control.order))
    wanted = plan_sections(sections, moments, text)
    after = control
    for _ in range(ROUNDS):
        left = [each for each in wanted if not holds(sections[each.place], each)]
        if not left:
            break
        for each in left:
            await _enter(aim, sections[each.place], each, set_whole)
        if leaves:
            await leave_field(aim)
        after = await read_back(aim)
        sections = after.facts["sections"] or sections
    if left := [each for each in wanted if not holds(sections[each.place], each)]:
        raise _differs(text, sections, left)
    return after


def plan_sections(sections: Sequence[Section], moments: Sequence[Moment], text: str) -> list[Wanted]:
    """Return what each section should hold, in the best order; InputError if the text says too much for them, or too little."""
    wanted: list[Wanted] = []
    for moment, places in zip(moments, _split(sections, moments, text), strict=True):
        is_halved = any(sections[place]["unit"] == "dayPeriod" for place in places)
        values = {place: _value_for(sections[place], moment, is_halved=is_halved) for place in places}
        missing = [place for place, value in values.items() if value is None and not _is_filled(sections[place])]
        needed = [_name(sections[place]["unit"]) for place in missing if sections[place]["unit"] != "second"]
        if needed:
            raise _fail(f"{text!r} does not say the {', the '.join(needed)}.", text)
        values |= dict.fromkeys(missing, 0)
        units = {sections[place]["unit"] for place in places}
        if (moment.clock and not units & {"hour", "time", "both"}) or (
            moment.day and not units & {"month", "date", "both", "year"}
        ):
            raise _fail(f"The control has no part for all of {text!r}.", text)
        wanted += [
            Wanted(place, sections[place]["unit"], value) for place, value in values.items() if value is not None
        ]
    return sorted(wanted, key=lambda each: (SIZES.index(each.unit), each.place))


def holds(section: Section, wanted: Wanted) -> bool:
    """Tell whether a section shows what it should hold."""
    text = str(section["text"]).strip()
    if isinstance(wanted.value, str):
        return shown_in(text, read_moments(wanted.value, "ymd"), "mdy") is not None
    if wanted.unit == "dayPeriod":
        return _is_half(section, text.casefold(), wanted.value)
    if text.isdecimal():
        return int(text) == wanted.value or (wanted.unit == "year" and text == f"{wanted.value:04d}")
    if wanted.unit == "month" and text[:SHORTEST_MONTH].casefold() == MONTHS[wanted.value - 1][:SHORTEST_MONTH]:
        return True
    return bool(_is_filled(section)) and section["now"] == wanted.value


def _is_half(section: Section, text: str, value: int) -> bool:
    """Tell whether a section shows a half of the day, and not only a hint; in another language by its number."""
    if section["told"] is not None and section["told"].casefold() != text:
        return False
    if text.replace(".", "") in {"am", "pm"}:
        return text.startswith("p" if value else "a")
    return bool(text) and section["now"] in ({1, NOON} if value else {0})


def _is_filled(section: Section) -> bool:
    return any(map(str.isdigit, str(section["text"]))) or (section["now"] is not None and bool(section["text"]))


def _split(sections: Sequence[Section], moments: Sequence[Moment], text: str) -> list[list[int]]:
    groups: list[list[int]] = [[]]  # where a unit comes again, the second moment begins
    for place, section in enumerate(sections):
        if section["unit"] in {sections[each]["unit"] for each in groups[-1]}:
            groups.append([])
        groups[-1].append(place)
    if len(groups) != len(moments):
        raise _fail(f"The control takes {len(groups)} dates or times, and {text!r} names {len(moments)}.", text)
    return groups


def _value_for(section: Section, moment: Moment, *, is_halved: bool) -> int | str | None:
    day, clock = moment.day, moment.clock
    written = [day.isoformat()] if day else []
    values: dict[str, int | str | None] = {"date": "".join(written)}
    if day:
        is_short = section["highest"] is not None and section["highest"] < NOON * 10
        year = day.year % 100 if is_short else day.year
        values |= {"year": year, "month": day.month, "day": None if moment.is_month else day.day}
    if clock:
        hour = (clock.hour % NOON or NOON) if is_halved else clock.hour
        values |= {"hour": hour, "minute": clock.minute, "second": clock.second, "dayPeriod": int(clock.hour >= NOON)}
        values["time"] = clock.isoformat("seconds" if clock.second else "minutes")
        written.append(str(values["time"]))
    values["both"] = " ".join(written)
    return None if (value := values.get(section["unit"])) == "" else value


async def _enter(aim: ActionTarget, section: Section, wanted: Wanted, set_whole: SetWhole) -> None:
    part = find_part(aim, "section", wanted.place)
    if isinstance(wanted.value, str):
        await set_whole(aim_at(aim, part), wanted.value)
    elif section["kind"] == "select":
        await part.select_option(index=_find_option(section["options"], wanted), timeout=aim.take_ms())
    elif wanted.unit == "dayPeriod":
        await begin_act(part).press("ArrowUp", timeout=aim.take_ms())
    else:
        digits = f"{wanted.value:0{WIDTHS.get(wanted.unit, 2)}d}"
        if section["kind"] == "input":
            await begin_act(part).fill(digits, timeout=aim.take_ms())
            await part.blur(timeout=aim.take_ms())
        else:  # it goes on to the next by itself where it is complete
            await begin_act(part).press_sequentially(digits, timeout=aim.take_ms())


def _find_option(options: Sequence[str], wanted: Wanted) -> int:
    assert isinstance(wanted.value, int)
    names = [MONTHS[wanted.value - 1], MONTHS[wanted.value - 1][:SHORTEST_MONTH]] if wanted.unit == "month" else []
    if wanted.unit == "dayPeriod":
        names = ["pm" if wanted.value else "am"]
    for place, option in enumerate(options):
        label = option.casefold().replace(".", "").strip()
        if label in names or (label.isdecimal() and int(label) == wanted.value):
            return place
    value = ("AM", "PM")[wanted.value] if wanted.unit == "dayPeriod" else str(wanted.value)
    raise _fail(f"The list of the {_name(wanted.unit)} does not offer {value}.", value)


def _name(unit: str) -> str:
    return IN_WORDS.get(unit, unit)


def _fail(message: str, text: str) -> InputError:
    return refuse_value(message, "Name each part that the control shows, and no other.", value=text)


def _differs(text: str, sections: Sequence[Section], left: Sequence[Wanted]) -> ActionError:
    shown = ", ".join(f"{_name(each.unit)} {sections[each.place]['text'] or 'empty'}" for each in left)
    message = f"The control did not keep {text!r}: it shows {shown}."
    hint = "Check which dates and times the page accepts."
    return tell_difference(message, hint, text, [each["text"] for each in sections])
