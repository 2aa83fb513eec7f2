"""Dates and times as people write them, and as fields want them."""

import re
from collections.abc import Callable
from datetime import date, time
from typing import Literal

from core.base.errors import InputError
from core.base.late_parts import compile_late

DateOrder = Literal["dmy", "mdy", "ymd"]

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
SHORTEST_MONTH = 3
PIVOT_YEAR = 70  # two digits from here on are of the last century
NOON = 12
_WEEKDAY = compile_late(r"^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+", re.IGNORECASE)
_NUMBERS = compile_late(r"(\d{1,4})\s*([-/.])\s*(\d{1,2})\s*\2\s*(\d{1,4})\.?")
_DAY_FIRST = compile_late(r"(?:the )?(\d{1,2})(?:st|nd|rd|th|\.)?(?: of)?[ -]([a-z]+)\.?,?[ -](\d{4})", re.IGNORECASE)
_MONTH_FIRST = compile_late(r"([a-z]+)\.? (?:the )?(\d{1,2})(?:st|nd|rd|th)?,? (\d{4})", re.IGNORECASE)
_MONTH = compile_late(r"([a-z]+)\.?,? (\d{4})", re.IGNORECASE)
_MONTH_NUMBERS = compile_late(r"(\d{4})[-/.](\d{1,2})|(\d{1,2})[-/.](\d{4})")
_WEEK = compile_late(r"(\d{4})-?w(\d{1,2})|week (\d{1,2}),?(?: of| in)? (\d{4})", re.IGNORECASE)
_TIME = compile_late(r"(\d{1,2})(?:[:.h](\d{2}))?(?::(\d{2}))?\s*([ap])?\.?(?:m\.?)?", re.IGNORECASE)
DATE_WITH_TIME = compile_late(
    r"(.+?)(?:,?\s+at\s+|,?\s+|T)(\d{1,2}(?:[:.h]\d{2}.*|\s*[ap]\.?m\.?)|noon|midnight)", re.IGNORECASE
)
_PATTERN = compile_late(r"(d{1,2}|m{1,4}|y{2,4})", re.IGNORECASE)


def read_date(text: str, order: DateOrder) -> date:
    """Return the date that a text names, such as ``24 December 2026`` or ``12/24/2026``; else ``bad_value``.

    The order holds where only numbers are there, no year comes first and no number tells.
    """
    bare = _WEEKDAY.sub("", " ".join(text.split()))
    try:
        if match := _NUMBERS.fullmatch(bare):
            return _order_numbers(match, order)
        if match := _DAY_FIRST.fullmatch(bare):
            return date(int(match[3]), _read_month_name(match[2]), int(match[1]))
        if match := _MONTH_FIRST.fullmatch(bare):
            return date(int(match[3]), _read_month_name(match[1]), int(match[2]))
    except ValueError as error:
        raise _fail(text, "a date", "24 December 2026") from error
    raise _fail(text, "a date", "2026-12-24")


def read_time(text: str) -> time:
    """Return the time of day that a text names: ``18:30``, ``6:30 pm``, ``6pm``, ``noon``; else ``bad_value``."""
    bare = " ".join(text.lower().split())
    if bare in {"noon", "midnight"}:
        return time(NOON if bare == "noon" else 0)
    match = _TIME.fullmatch(bare)
    if match is None or not (match[2] or match[4]) or (match[4] and not 1 <= int(match[1]) <= NOON):
        raise _fail(text, "a time", "18:30")
    hour = int(match[1])
    if match[4]:
        hour = hour % NOON + (NOON if match[4] == "p" else 0)
    try:
        return time(hour, int(match[2] or 0), int(match[3] or 0))
    except ValueError as error:
        raise _fail(text, "a time", "18:30") from error


def write_for_field(kind: str, text: str, order: DateOrder) -> str:
    """Return a date or time, else ``bad_value``, as a field of a kind such as ``month`` or ``week`` holds it."""
    writers: dict[str, Callable[[], str]] = {
        "date": lambda: read_date(text, order).isoformat(),
        "time": lambda: _write_time(read_time(text)),
        "datetime-local": lambda: _write_both(text, order),
        "month": lambda: _write_month(text, order),
        "week": lambda: _write_week(text, order),
    }
    return writers[kind]()


def write_date(day: date, pattern: str) -> str:
    """Return a date in the pattern of a placeholder, such as ``MM/DD/YYYY`` or ``d mmm yyyy``."""
    written = {"d": f"{day.day}", "m": f"{day.month}", "y": f"{day.year:04d}"}

    def fill(match: re.Match[str]) -> str:
        letter, size = match[0][0].lower(), len(match[0])
        if letter == "m" and size >= SHORTEST_MONTH:
            name = MONTHS[day.month - 1].title()
            return name if size > SHORTEST_MONTH else name[:SHORTEST_MONTH]
        return written[letter][-2:] if letter == "y" and size == len("yy") else written[letter].zfill(size)

    return _PATTERN.sub(fill, pattern)


def find_pattern(text: str) -> str:
    """Return the pattern of dates that a placeholder or hint shows; empty if it shows none."""
    match = re.search(
        r"\b(?:d{1,2}|m{1,4}|y{2,4})([-/. ])(?:d{1,2}|m{1,4}|y{2,4})\1(?:d{1,2}|m{1,4}|y{2,4})\b", text, re.IGNORECASE
    )
    letters = {each[0].lower() for each in _PATTERN.findall(match[0])} if match else set[str]()
    return match[0] if match and letters == {"d", "m", "y"} else ""


def find_order(*samples: str) -> DateOrder | None:
    """Return the order of day, month and year that patterns or dates show; the first that tells, else None."""
    for sample in samples:
        if pattern := find_pattern(sample):
            letters = "".join(each[0].lower() for each in _PATTERN.findall(pattern))
            if order := _ORDERS.get(letters):
                return order
        if match := _NUMBERS.fullmatch(sample.strip()):
            if len(match[1]) > len("yy"):
                return "ymd"
            if match[2] == "." or int(match[1]) > NOON:
                return "dmy"
            if int(match[3]) > NOON:
                return "mdy"
    return None


_ORDERS: dict[str, DateOrder] = {"dmy": "dmy", "mdy": "mdy", "ymd": "ymd"}


def _order_numbers(match: re.Match[str], order: DateOrder) -> date:
    first, middle, last = int(match[1]), int(match[3]), int(match[4])
    if len(match[1]) > len("yy"):
        return date(first, middle, last)
    if order == "ymd" and len(match[4]) <= len("yy"):
        return date(_widen(match[1]), middle, last)
    year = _widen(match[4])
    is_day_first = match[2] == "." or first > NOON or (order != "mdy" and middle <= NOON)
    return date(year, middle, first) if is_day_first else date(year, first, middle)


def _widen(year: str) -> int:
    number = int(year)
    if len(year) > len("yy"):
        return number
    return number + (2000 if number < PIVOT_YEAR else 1900)


def _read_month_name(word: str) -> int:
    lowered = word.lower()
    for number, name in enumerate(MONTHS, 1):
        if len(lowered) >= SHORTEST_MONTH and (name.startswith(lowered) or lowered == name[:3] + "t"):
            return number
    raise ValueError(word)


def _write_time(moment: time) -> str:
    return moment.isoformat("seconds" if moment.second else "minutes")


def _write_both(text: str, order: DateOrder) -> str:
    match = DATE_WITH_TIME.fullmatch(" ".join(text.split()))
    if match is None:
        raise _fail(text, "a date with a time", "2026-12-24 18:30")
    return f"{read_date(match[1], order).isoformat()}T{_write_time(read_time(match[2]))}"


def _write_month(text: str, order: DateOrder) -> str:
    bare = " ".join(text.split())
    try:
        if match := _MONTH_NUMBERS.fullmatch(bare):
            return date(int(match[1] or match[4]), int(match[2] or match[3]), 1).isoformat()[:7]
        if match := _MONTH.fullmatch(bare):
            return date(int(match[2]), _read_month_name(match[1]), 1).isoformat()[:7]
    except ValueError as error:
        raise _fail(text, "a month", "December 2026") from error
    return read_date(text, order).isoformat()[:7]


def _write_week(text: str, order: DateOrder) -> str:
    if match := _WEEK.fullmatch(" ".join(text.split())):
        year, week = int(match[1] or match[4]), int(match[2] or match[3])
        try:
            date.fromisocalendar(year, week, 1)
        except ValueError as error:
            raise _fail(text, "a week", "2026-W51") from error
    else:
        year, week, _ = read_date(text, order).isocalendar()
    return f"{year:04d}-W{week:02d}"


def _fail(text: str, what: str, example: str) -> InputError:
    return InputError(
        f"{text!r} is not {what}.", code="bad_value", hint=f"Write it like {example}.", evidence={"value": text}
    )
