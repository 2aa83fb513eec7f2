"""Dates with times, months, times of day and ranges of them, as people write them and as pages show them."""

import re
from collections.abc import Sequence
from datetime import date, time

from core.base.dates import (
    DATE_WITH_TIME,
    MONTHS,
    NOON,
    SHORTEST_MONTH,
    DateOrder,
    read_date,
    read_time,
    write_date,
    write_for_field,
)
from core.base.errors import InputError
from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late

_SPAN = compile_late(
    r"\s*(?:\s(?:to|until|till|through|bis)\s|\s[-\u2013\u2014~]\s|\u2013|\u2014|(?<=\d)/(?=\d{4}-))\s*", re.IGNORECASE
)
_FROM = compile_late(r"^(?:from|between|von)\s+", re.IGNORECASE)
_CLOCK = compile_late(
    r"(?<![\d./-])(\d{1,2})([:.h])(\d{2})(?:[:.](\d{2}))?(?:\s*([ap])\.?\s?m\b\.?)?(?![\d./-])", re.IGNORECASE
)
_DATED = compile_late(
    r"\d{4}[-/.]\s?\d{1,2}[-/.]\s?\d{1,2}|\d{1,2}\s?[-/.]\s?\d{1,2}\s?[-/.]\s?\d{4}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2}(?!\d)"
    r"|\d{1,2}(?:st|nd|rd|th|\.)?(?: of)?[ -][a-z]{3,}\.?,?[ -]\d{4}|[a-z]{3,}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}",
    re.IGNORECASE,
)
_MONTHED = compile_late(r"\d{4}[-/.]\d{1,2}|\d{1,2}[-/.]\d{4}|[a-z]{3,}\.?,? \d{4}", re.IGNORECASE)
_ISO_MONTH = compile_late(r"(\d{4})-(\d{2})")


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time of day or both; or a month, which has its first day."""

    day: date | None = None
    clock: time | None = None
    is_month: bool = False


def read_moments(text: str, order: DateOrder) -> tuple[Moment, ...]:
    """Return what a text names: one moment, or the two ends of a range; ``bad_value`` if it names none.

    The text is a date or time or both, a month, or two of these with ``to`` or a dash between them.
    """
    bare = _FROM.sub("", " ".join(text.split()))
    try:
        return (_read_moment(bare, order),)
    except InputError:
        ends = [each for each in _SPAN.split(re.sub(r"^(.*\d.*) and (.*\d.*)$", r"\1 to \2", bare)) if each]
        if len(ends) != len(("start", "end")):
            raise
        return _read_moment(ends[0], order), _read_moment(ends[1], order)


def is_timely(text: str) -> bool:
    """Tell whether a text names a date, a time, a month or a range of them."""
    try:
        read_moments(text, "dmy")
    except InputError:
        return False
    return True


def shows(held: str, moments: Sequence[Moment], order: DateOrder) -> bool:
    """Tell whether a text on a page shows just these moments in this order, with everything that was said of them."""
    return shown_in(held, moments, order) is not None


def shown_in(held: str, moments: Sequence[Moment], order: DateOrder) -> DateOrder | None:
    """Return the order of day, month and year by which a text shows just these moments in turn; another only if this reads no date."""
    orders: tuple[DateOrder, ...] = (order, *(each for each in ("dmy", "mdy", "ymd") if each != order))
    for each in orders:
        try:
            fits = _fits(held, moments, each)
        except InputError:
            continue
        return each if fits else None
    return None


def replace_clock(held: str, clock: time) -> str:
    """Return a text that shows a date and time, with another time in the form of its own; as it is where it shows no time."""
    return _CLOCK.sub(lambda match: write_clock(clock, match[0]), held, count=1)


def write_clock(clock: time, sample: str) -> str:
    """Return a time of day in the form of another one, ``06:30 PM`` like ``12:00 AM``, or of a pattern such as ``HH:mm``."""
    if match := _CLOCK.search(sample):
        sample = match[0]
    has_half = bool(re.search(r"[ap]\.?\s?m\b|\ba{1,2}\b|hh?:mm.*[ap]", sample, re.IGNORECASE)) and "H" not in sample
    hour = clock.hour % NOON or NOON if has_half else clock.hour
    is_wide = bool(re.search(r"\d\d\D\d\d|hh|HH", sample)) or (not re.search(r"[\dhH]", sample) and not has_half)
    mark = match[1] if (match := re.search(r"[\dhH]\s?([:.h])\s?[\dm]", sample)) else ":"
    seconds = f"{mark}{clock.second:02d}" if clock.second or re.search(r"\d\D\d\d\D\d\d|ss", sample) else ""
    gap = " " if not re.search(r"\d[ap]\.?m|m[a]\b", sample, re.IGNORECASE) else ""
    half = f"{gap}{'PM' if clock.hour >= NOON else 'AM'}" if has_half else ""
    if half and re.search(r"[ap]m", sample):
        half = half.lower()
    return f"{str(hour).zfill(2 if is_wide else 1)}{mark}{clock.minute:02d}{seconds}{half}"


def write_moment(moment: Moment, pattern: str, sample: str, order: DateOrder) -> str:
    """Return a moment as it is typed into a field, by a pattern such as ``MM/DD/YYYY`` and a sample of its times, if shown."""
    parts: list[str] = []
    if moment.day and moment.is_month:
        year, month = moment.day.year, moment.day.month
        parts.append(f"{year:04d}-{month:02d}" if order == "ymd" else f"{month:02d}/{year}")
    elif moment.day:
        plain = {"mdy": "MM/DD/YYYY", "dmy": "DD/MM/YYYY", "ymd": "YYYY-MM-DD"}[order]
        parts.append(write_date(moment.day, pattern or plain))
    if moment.clock:
        parts.append(write_clock(moment.clock, sample))
    return " ".join(parts)


def _read_moment(text: str, order: DateOrder) -> Moment:
    if match := DATE_WITH_TIME.fullmatch(text):
        return Moment(read_date(match[1], order), read_time(match[2]))
    ways = (
        lambda: Moment(clock=read_time(text)),
        lambda: Moment(read_date(text, order)),
        lambda: _read_month(text, order),
    )
    for read in ways:
        try:
            return read()
        except InputError:
            continue
    return Moment(read_date(text, order))


def _read_month(text: str, order: DateOrder) -> Moment:
    if not _MONTHED.fullmatch(text):
        raise InputError(f"{text!r} is not a month.", code="bad_value")
    match = _ISO_MONTH.fullmatch(write_for_field("month", text, order))
    return Moment(date(int(match[1]), int(match[2]), 1) if match else None, is_month=True)


def _fits(held: str, moments: Sequence[Moment], order: DateOrder) -> bool:
    days = [
        read_date(each.replace(" ", "") if each[0].isdigit() and each[-1].isdigit() and "-" in each else each, order)
        for each in _DATED.findall(held)
    ]
    clocks = [read_time(each[0]) for each in _CLOCK.finditer(_DATED.sub(" ", held))]
    wanted_days = [each.day for each in moments if each.day]
    wanted_clocks = [each.clock for each in moments if each.clock]
    if any(each.is_month for each in moments):
        return all(_shows_month(held, each) for each in wanted_days)
    same_clocks = len(clocks) == len(wanted_clocks) and all(map(_shows_clock, clocks, wanted_clocks))
    return days == wanted_days and (same_clocks or not wanted_clocks) and bool(wanted_days or wanted_clocks)


def _shows_clock(shown: time, wanted: time) -> bool:
    """Tell whether a time that is shown is the one that was said; seconds that nobody said are none, and many fields show none."""
    return shown.replace(second=0) == wanted.replace(second=0) and shown.second in {0, wanted.second}


def _shows_month(held: str, day: date) -> bool:
    name = MONTHS[day.month - 1]
    words = {each[:SHORTEST_MONTH] for each in re.findall(r"[a-z]{3,}", held.lower())}
    numbers = {int(each) for each in re.findall(r"\d+", held)}
    return day.year in numbers and (name[:SHORTEST_MONTH] in words or (not words and day.month in numbers))
