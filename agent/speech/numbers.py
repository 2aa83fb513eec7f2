"""Whole numbers, decimals, places and years in English words."""

from typing import Final

_SMALL: Final = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SCALES: Final = ((1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand"))
_ODD_PLACES: Final = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
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
    return f"{_SMALL[hundreds]} hundred{f' and {_tell_below_hundred(rest)}' if rest else ''}"


def tell_digits(digits: str) -> str:
    """Return digits one by one: ``zero seven``."""
    return " ".join(_SMALL[int(each)] for each in digits)


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
    last = _ODD_PLACES[last] if last in _ODD_PLACES else f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"
    return f"{head}{dash}{last}"


def tell_year(year: int) -> str:
    """Return a year as it is said: ``twenty twenty-six``, ``nineteen oh five``, ``two thousand and one``."""
    century, rest = divmod(year, 100)
    if not 1000 <= year <= 9999 or (century % 10 == 0 and rest < 10):
        return tell_whole(year)
    if not rest:
        return f"{tell_whole(century)} hundred"
    return f"{tell_whole(century)} {f'oh {_SMALL[rest]}' if rest < 10 else _tell_below_hundred(rest)}"


def _tell_below_hundred(number: int) -> str:
    if number < 20:
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    return f"{_TENS[tens - 2]}{f'-{_SMALL[ones]}' if ones else ''}"
