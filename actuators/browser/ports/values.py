"""What texts of a page are worth: typed values, conditions that one must meet, and the order in which several belong."""

import operator
import re
from collections.abc import Sequence
from typing import Any, Literal, cast, get_args

from core.base.errors import InputError, TargetError
from core.base.late_dataclasses import dataclass
from core.base.matching import fold_space

CellType = Literal["text", "number", "integer", "boolean", "url", "html"]
CELL_TYPES: tuple[str, ...] = get_args(CellType)

Relation = Literal["below", "above", "at least", "at most", "not", "even", "odd", "is"]
_COMPARISONS = {"below": operator.lt, "above": operator.gt, "at least": operator.ge, "at most": operator.le}
_CONDITION = re.compile(rf"({'|'.join(get_args(Relation)[:5])})\s+(.+)", re.IGNORECASE | re.DOTALL)
_ASKED_LANGUAGE = "en"  # conditions are written with a decimal point, as in "38.50"

_YES = frozenset({"true", "yes", "on", "1", "checked", "✓", "✔", "x"})
_NO = frozenset({"false", "no", "off", "0", "unchecked", "", "✗", "✘", "-", "–"})
_NUMBER = re.compile(r"\d(?:[\d\s.,'’_]*\d)?")
# Base language tags whose decimal mark is a comma, and those whose decimal mark is a point.
_COMMA_LANGUAGES = re.compile(
    "(?:af|be|bg|bs|ca|cs|da|de|el|es|et|eu|fi|fr|gl|hr|hu|hy|id|is|it|ka|kk|lt|lv|mk|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|sq|sr|sv|tr|uk|vi)"
)
_POINT_LANGUAGES = re.compile("(?:en|ja|zh|ko|th|he|hi|bn|ga|cy|mt|sw)")


def convert_cell(cell: dict[str, Any], kind: CellType) -> Any:
    """Return the value of a cell, as the page engine read it, as its type; ValueError says why it isn't one."""
    text: str = cell["text"] or ""
    match kind:
        case "text":
            return " ".join(text.split())
        case "html":
            return text
        case "url":
            if cell["url"] is None:
                raise ValueError("it is not an address")
            return cell["url"]
        case "boolean":
            return cell["state"] if cell["state"] is not None else parse_boolean(text)
        case "number":
            return parse_number(text, cell["lang"])
        case "integer":
            return _require_whole(parse_number(text, cell["lang"]))


def _require_whole(number: float) -> int:
    if not number.is_integer():
        raise ValueError("it is not a whole number")
    return int(number)


def parse_boolean(text: str) -> bool:
    """Return whether a text says yes or no; ValueError if it says neither."""
    folded = text.strip().casefold()
    if folded in _YES:
        return True
    if folded in _NO:
        return False
    raise ValueError("it says neither yes nor no")


def parse_number(text: str, language: str = "") -> float:
    """Return the only number in a text, such as ``€1,234.50``, ``1.234,50 €``, ``-5 %`` or ``(12.00)``.

    Args:
        text: The text; currencies, units and other words may stand around the number.
        language: Language tag of the text, which decides what ``1,234`` means; empty if unknown.

    Raises:
        ValueError: If there is no number, more than one, or one that can be read in two ways.
    """
    found = list(_NUMBER.finditer(text))
    if len(found) != 1:
        raise ValueError("it contains no number" if not found else f"it contains {len(found)} numbers")
    before = text[: found[0].start()]
    is_negative = re.search(r"[-−–]\s*\D?\s*$", before) or (before.rstrip().endswith("(") and ")" in text)
    number = float(_to_plain(found[0][0], language))
    return -number if is_negative else number


def _to_plain(digits: str, language: str) -> str:
    digits = re.sub(r"[\s'’_]", "", digits)
    points, commas = digits.count("."), digits.count(",")
    if points and commas:
        mark = max(".,", key=digits.rfind)
        if digits.count(mark) > 1:
            raise ValueError("its decimal mark is unclear")
        return digits.replace("," if mark == "." else ".", "").replace(mark, ".")
    if points + commas > 1:
        return _ungroup(digits)
    if not points + commas:
        return digits
    mark = "." if points else ","
    whole, _, rest = digits.partition(mark)
    if len(rest) != 3 or whole.startswith("0") or len(whole) > 3:
        return f"{whole}.{rest}"
    return f"{whole}.{rest}" if mark == _decimal_mark(language) else whole + rest


def _ungroup(digits: str) -> str:
    if not re.fullmatch(r"\d{1,3}([.,]\d{3})+|\d{1,3}(,\d{2})+,\d{3}", digits):
        raise ValueError("its digits are not grouped like one number")
    return re.sub(r"[.,]", "", digits)


def _decimal_mark(language: str) -> str:
    base = language.lower().split("-")[0]
    if _COMMA_LANGUAGES.fullmatch(base):
        return ","
    if _POINT_LANGUAGES.fullmatch(base):
        return "."
    raise ValueError("it can be read in two ways, because the page does not state its language")


@dataclass(frozen=True, slots=True)
class ValueCondition:
    """A condition, taken to pieces; what is wanted is empty for ``even`` and ``odd``, and no number where it is none."""

    relation: Relation
    wanted: str
    number: float | None = None

    def describe(self) -> str:
        """Return it as it is written."""
        return self.wanted if self.relation == "is" else f"{self.relation} {self.wanted}".strip()

    def holds(self, text: str, language: str = "") -> bool:
        """Tell whether a value is so; a text without a number is neither below nor above anything."""
        folded = fold_space(text).casefold()
        if self.relation == "not":
            return bool(folded) and folded != self.wanted.casefold()
        if self.relation == "is" and folded == self.wanted.casefold():
            return True
        value = read_number(text, language)
        if value is None:
            return False
        if self.relation in {"even", "odd"}:
            return value % 2 == (1 if self.relation == "odd" else 0)
        return self.number is not None and _COMPARISONS.get(self.relation, operator.eq)(value, self.number)


def parse_condition(text: str) -> ValueCondition:
    """Take a condition to pieces; InputError if it compares with what is not a number."""
    folded = fold_space(text)
    if folded.lower() in {"even", "odd"}:
        return ValueCondition(cast("Relation", folded.lower()), "")
    match = _CONDITION.fullmatch(folded)
    relation = cast("Relation", match[1].lower()) if match else "is"
    wanted = match[2] if match else folded
    number = read_number(wanted, _ASKED_LANGUAGE)
    if number is None and relation in _COMPARISONS:
        raise InputError(
            f'The value can\'t be {relation} "{wanted}", which is not a number.', hint="For example: below 38.50."
        )
    return ValueCondition(relation, wanted, number)


def read_number(text: str, language: str) -> float | None:
    """Return the only number in a text; None where there is none, or it is not clear which."""
    try:
        return parse_number(text, language or _ASKED_LANGUAGE)
    except ValueError:
        return None


def sort_texts(texts: Sequence[str], order: str | Sequence[str]) -> list[str]:
    """Return the texts up, down, or as named; TargetError if a named one is missing or there several times."""
    if not isinstance(order, str):
        return _put_first(list(texts), order)
    numbers = [read_number(text, _ASKED_LANGUAGE) for text in texts]
    is_back = order == "descending"
    known = [number for number in numbers if number is not None]
    if len(known) == len(texts):
        pairs = sorted(zip(known, texts, strict=True), key=lambda pair: pair[0], reverse=is_back)
        return [text for _, text in pairs]
    return sorted(texts, key=str.casefold, reverse=is_back)


def _put_first(texts: list[str], order: Sequence[str]) -> list[str]:
    named: list[str] = []
    for name in order:
        wanted = fold_space(name).casefold()
        found = [text for text in texts if fold_space(text).casefold() == wanted]
        if len(found) != 1:
            raise TargetError(
                f"“{name}” is {'not' if not found else 'several times'} among the things to put in order.",
                code="target_missing" if not found else "target_ambiguous",
                hint="Name each by its whole text.",
                evidence={"texts": texts},
            )
        named.append(found[0])
    return [*named, *(text for text in texts if text not in named)]
