"""What stands on a page, as the value that a schema wants; nothing is guessed where it can be read in two ways."""

import re
import tomllib
from collections.abc import Callable, Mapping
from datetime import datetime
from importlib.resources import files
from typing import Any, Final

from actuators.browser.ports.values import parse_boolean, parse_number
from agent.planners.extract.shapes import ValueShape, split_words
from core.addresses.urls import judge_address
from core.base.dates import DateOrder, find_order, read_date, read_time, write_for_field
from core.base.errors import SurehandError
from core.base.matching import fold_space

_SCALES: Final[Mapping[str, int]] = tomllib.loads(
    (files("agent.planners.extract") / "scales.toml").read_text(encoding="utf-8")
)
_SCALE = re.compile(r"\d\s*([^\W\d_]+)\b")
_SHORT_SCALE = re.compile(r"\d(?:[kKMB]|[bm]n)\b")
_NOTHING = frozenset({"", "-", "–", "—", "n/a", "none", "null"})
_EMAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>.]+")
_SPLIT = re.compile(r"\s*[,;|•·\n]\s*")
_DIGITS_ALONE = re.compile(r"\d{1,2}[-/]\d{1,2}[-/]\d{2,4}")
_MONTH_FIRST = frozenset({"en-us", "en-ph", "es-us"})


def convert_text(text: str, shape: ValueShape, language: str = "") -> Any:
    """Return what a text says as a schema wants it.

    Args:
        language: Language tag of the page; it decides what ``1,234`` and ``01/03/2024`` mean. Empty if unknown.

    Raises:
        ValueError: If it isn't that; says why.
    """
    folded = fold_space(text)
    if folded.casefold() in _NOTHING and folded not in map(str, shape.choices):
        if shape.is_nullable:
            return None
        raise ValueError("it is empty")
    if shape.choices:
        return _choose(folded, shape)
    reasons: list[str] = []
    for kind in shape.kinds:
        try:
            return _CONVERTERS[kind](folded, shape, language)
        except (ValueError, SurehandError) as error:
            reasons.append(str(error.args[0]) if error.args else str(error))
    raise ValueError(reasons[0])


def split_list(text: str) -> list[str]:
    """Return what a text lists, separated by commas, semicolons, bars or dots in the middle."""
    return [each for each in _SPLIT.split(text.strip()) if each]


def _choose(text: str, shape: ValueShape) -> Any:
    """Return the choice that a text names, however it is spelled; a ValueError if it names none."""
    said = split_words(text) or (text,)
    for choice in shape.choices:
        if str(choice) == text or (split_words(str(choice)) or (str(choice),)) == said:
            return choice
    for choice in shape.choices:
        if isinstance(choice, int | float) and not isinstance(choice, bool) and _is_number(text, choice):
            return choice
    raise ValueError("it is none of the choices")


def _is_number(text: str, number: float) -> bool:
    try:
        return parse_number(text) == number
    except ValueError:
        return False


def _convert_number(text: str, shape: ValueShape, language: str) -> float | int:
    if _SHORT_SCALE.search(text):
        raise ValueError("the letter behind its number may stand for thousands or millions")
    scale = next((_SCALES[word] for word in map(str.casefold, _SCALE.findall(text)) if word in _SCALES), 1)
    number = parse_number(text, language) * scale
    return int(number) if number.is_integer() and "integer" in shape.kinds else number


def _convert_integer(text: str, shape: ValueShape, language: str) -> int:
    number = _convert_number(text, shape, language)
    if not float(number).is_integer():
        raise ValueError("it is not a whole number")
    return int(number)


def _write_moment(text: str, language: str) -> str:
    try:
        return datetime.fromisoformat(text).isoformat()
    except ValueError:
        return write_for_field("datetime-local", text, _find_order(text, language))


def _find_email(text: str) -> str:
    found = _EMAIL.findall(text)
    if len(found) != 1:
        raise ValueError("it isn't an e-mail address")
    return found[0]


def _find_order(text: str, language: str) -> DateOrder:
    """Return how day, month and year follow each other; a ValueError if neither the text nor the page's language tells."""
    if order := find_order(text):
        return order
    if not _DIGITS_ALONE.fullmatch(text.strip()):
        return "dmy"  # a month is named, or the year comes first: the order changes nothing
    tag = language.lower()
    if tag in _MONTH_FIRST:
        return "mdy"
    if tag and tag != "en":
        return "dmy"
    raise ValueError("day and month can't be told apart, because the page does not state its language and country")


_FORMATS: Final[Mapping[str, Callable[[str, str], str]]] = {
    "date": lambda text, language: read_date(text, _find_order(text, language)).isoformat(),
    "time": lambda text, _: read_time(text).isoformat(),
    "date-time": _write_moment,
    "uri": lambda text, _: judge_address(text).href,
    "url": lambda text, _: judge_address(text).href,
    "email": lambda text, _: _find_email(text),
}
_CONVERTERS: Final[Mapping[str, Callable[[str, ValueShape, str], Any]]] = {
    "integer": _convert_integer,
    "number": _convert_number,
    "boolean": lambda text, _, __: parse_boolean(text),
    "string": lambda text, shape, language: _FORMATS.get(shape.format, lambda text, _: text)(text, language),
}
