"""Sums of money, measures, times, dates and other figures of a text in words; a voice reads signs of them badly or not at all."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from core.language.talk.languages import load_language

_SCALES: Final = ((1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand"))
MOST_DIGITS: Final = 12
"""Numbers of more digits are told digit by digit."""


def tell_whole(number: int) -> str:
    """Return a whole number in words: ``one thousand two hundred and five``.

    Args:
        number: Of at most ``MOST_DIGITS`` digits.
    """
    if number < 0:
        return f"minus {tell_whole(-number)}"
    for size, name in _SCALES:
        if number >= size:
            count, rest = divmod(number, size)
            joint = " and " if 0 < rest < 100 else " "
            return f"{tell_whole(count)} {name}{joint + tell_whole(rest) if rest else ''}"
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _tell_below_hundred(rest)
    return f"{_word(hundreds)} hundred{f' and {_tell_below_hundred(rest)}' if rest else ''}"


def tell_digits(digits: str) -> str:
    """Return digits one by one: ``zero seven``."""
    return " ".join(_word(int(each)) for each in digits)


def tell_number(text: str) -> str:
    """Return a number as it is written with an English point in words.

    Args:
        text: Digits, perhaps in groups of three by commas, and perhaps with decimals: ``1,249.50``. What begins with a zero,
            and what is very long, is told digit by digit.
    """
    whole, point, decimals = text.replace(",", "").partition(".")
    is_code = len(whole) > MOST_DIGITS or (len(whole) > 1 and whole[0] == "0")
    told = tell_digits(whole) if is_code else tell_whole(int(whole))
    return f"{told} point {tell_digits(decimals)}" if point else told


def tell_place(number: int) -> str:
    """Return a place in words: ``twenty-third``."""
    words = tell_whole(number)
    head, dash, last = words.rpartition("-")
    if not dash:
        head, dash, last = words.rpartition(" ")
    vocabulary = load_language("en").vocabulary
    known = {place: word for word, place in vocabulary.ordinals.items()}
    place = known.get(vocabulary.numbers.small.get(last, 0))
    return f"{head}{dash}{place or (f'{last[:-1]}ieth' if last.endswith('y') else f'{last}th')}"


def tell_year(year: int) -> str:
    """Return a year as it is said: ``twenty twenty-six``, ``nineteen oh five``, ``two thousand and one``."""
    century, rest = divmod(year, 100)
    if not 1000 <= year <= 9999 or (century % 10 == 0 and rest < 10):
        return tell_whole(year)
    if not rest:
        return f"{tell_whole(century)} hundred"
    return f"{tell_whole(century)} {f'oh {_word(rest)}' if rest < 10 else _tell_below_hundred(rest)}"


def _tell_below_hundred(number: int) -> str:
    tens, ones = divmod(number, 10)
    return _word(number) if number < 20 else f"{_word(tens * 10)}{f'-{_word(ones)}' if ones else ''}"


def _word(number: int) -> str:
    """Return the word of a number that has one of its own: up to twenty, and tens; of several spellings the first."""
    return next(word for word, known in load_language("en").vocabulary.numbers.small.items() if known == number)


_MONTHS: Final = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_MONEY: Final[Mapping[str, tuple[str, str]]] = {
    "£": ("pound", "pounds"),
    "$": ("dollar", "dollars"),
    "€": ("euro", "euros"),
    "¥": ("yen", "yen"),
    "₹": ("rupee", "rupees"),
    "GBP": ("pound", "pounds"),
    "USD": ("dollar", "dollars"),
    "EUR": ("euro", "euros"),
    "CHF": ("franc", "francs"),
}
_UNITS: Final[Mapping[str, tuple[str, str]]] = {
    "ms": ("millisecond", "milliseconds"),
    "s": ("second", "seconds"),
    "sec": ("second", "seconds"),
    "min": ("minute", "minutes"),
    "h": ("hour", "hours"),
    "%": ("percent", "percent"),
    "°C": ("degree Celsius", "degrees Celsius"),
    "°F": ("degree Fahrenheit", "degrees Fahrenheit"),
    "°": ("degree", "degrees"),
    "px": ("pixel", "pixels"),
    "mm": ("millimetre", "millimetres"),
    "cm": ("centimetre", "centimetres"),
    "km": ("kilometre", "kilometres"),
    "m": ("metre", "metres"),
    "kg": ("kilogram", "kilograms"),
    "g": ("gram", "grams"),
    "B": ("byte", "bytes"),
    "KB": ("kilobyte", "kilobytes"),
    "kB": ("kilobyte", "kilobytes"),
    "KiB": ("kibibyte", "kibibytes"),
    "MB": ("megabyte", "megabytes"),
    "MiB": ("mebibyte", "mebibytes"),
    "GB": ("gigabyte", "gigabytes"),
    "GiB": ("gibibyte", "gibibytes"),
    "dB": ("decibel", "decibels"),
    "Hz": ("hertz", "hertz"),
    "kHz": ("kilohertz", "kilohertz"),
}

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_BEFORE = r"(?<![\w.,:])"
_SIGNS = "|".join(map(re.escape, _MONEY))
_MEASURES = "|".join(re.escape(each) for each in sorted(_UNITS, key=len, reverse=True))
_CLOCK = r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:\.\d+)?)?"


def tell_amounts(text: str) -> str:
    """Return a text with its figures in words.

    Args:
        text: Anything; what is a part of a word or of a name stays as it is.
    """
    for pattern, tell in _WAYS:
        text = pattern.sub(tell, text)
    return text


def _tell_date(found: re.Match[str]) -> str:
    year, month, day = int(found["year"]), int(found["month"]), int(found["day"])
    told = f"the {tell_place(day)} of {_MONTHS[month - 1]} {tell_year(year)}"
    return f"{told} at {_tell_clock(found)}" if found["hour"] else told


def _tell_clock(found: re.Match[str]) -> str:
    hour, minute = int(found["hour"]), int(found["minute"])
    said = found.groupdict().get("half")
    if not minute and not said and hour in (0, 12):
        return "noon" if hour else "midnight"
    half = f"{said[0].lower()}.m." if said else "p.m." if hour >= 12 else "a.m."
    minutes = f" oh {tell_whole(minute)}" if 0 < minute < 10 else f" {tell_whole(minute)}" if minute else ""
    return f"{tell_whole(hour % 12 or 12)}{minutes} {half}"


def _tell_money(found: re.Match[str]) -> str:
    one, many = _MONEY[found["sign"] or found["behind"]]
    whole, _, cents = (found["number"] or found["number_before"]).partition(".")
    told = f"{tell_number(whole)} {one if whole == '1' else many}"
    minus = "minus " if found["minus"] else ""
    if len(cents) not in (0, 2):
        return f"{minus}{tell_number(whole)} point {tell_digits(cents)} {many}"
    return f"{minus}{told}{f' {tell_whole(int(cents))}' if cents.strip('0') else ''}"


def _tell_measure(found: re.Match[str]) -> str:
    one, many = _UNITS[found["unit"]]
    return (
        f"{'minus ' if found['minus'] else ''}{tell_number(found['number'])} {one if found['number'] == '1' else many}"
    )


def _tell_plain(found: re.Match[str]) -> str:
    return f"{'minus ' if found['minus'] else ''}{tell_number(found['number'])}"


def _tell_fraction(found: re.Match[str]) -> str:
    parts = [tell_number(each.strip()) for each in found[0].split("/")]
    return " out of ".join(parts) if len(parts) == 2 else ", ".join(parts)


def _tell_version(found: re.Match[str]) -> str:
    return " point ".join(map(tell_number, found[0].split(".")))


_WAYS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]] = (
    (
        re.compile(
            rf"(?<![\w-])(?P<year>\d{{4}})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])(?:[T ]{_CLOCK}(?:Z|[+-]\d\d:?\d\d)?)?(?![\w-])"
        ),
        _tell_date,
    ),
    (re.compile(rf"{_BEFORE}{_CLOCK}(?:\s?(?P<half>[AaPp]\.?[Mm]\b\.?))?(?![\w:])"), _tell_clock),
    (
        re.compile(
            rf"(?<!\w)(?P<minus>[-−])?(?:(?P<sign>{_SIGNS})\s?(?P<number>{_NUMBER})|(?P<number_before>{_NUMBER})\s?(?P<behind>{_SIGNS}))(?![\w]|[.,]\d)"
        ),
        _tell_money,
    ),
    (re.compile(rf"(?<![\w.,:])(?P<minus>[-−])?(?P<number>{_NUMBER})\s?(?P<unit>{_MEASURES})(?![\w/])"), _tell_measure),
    (re.compile(r"(?<![\w./])\d{1,9}(?:\s?/\s?\d{1,9}){1,2}(?![\w/]|\.\d)"), _tell_fraction),
    (re.compile(r"(?<![\w.,])(\d{1,9}(?:\.\d{1,9}){2,})(?![\w]|\.\d)"), _tell_version),
    (re.compile(r"(?<=\d)\s?–\s?(?=\d)"), lambda _: " to "),
    (re.compile(r"(?<!\w)(?:#|No\.\s?)(?=\d)"), lambda _: "number "),
    (re.compile(r"(?<![\w.,])(\d{1,3})(?:st|nd|rd|th)\b"), lambda found: tell_place(int(found[1]))),
    (re.compile(rf"(?<![\w.,:])(?P<minus>[-−])?(?P<number>{_NUMBER})(?!\w|[.,:]\d)"), _tell_plain),
)
"""What figures may be, the more special first."""
