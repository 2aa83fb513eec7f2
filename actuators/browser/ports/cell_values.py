"""Turning texts of a page into typed values."""

import re
from typing import Any, Literal, get_args

CellType = Literal["text", "number", "integer", "boolean", "url", "html"]
CELL_TYPES: tuple[str, ...] = get_args(CellType)

_YES = frozenset({"true", "yes", "on", "1", "checked", "✓", "✔", "x"})
_NO = frozenset({"false", "no", "off", "0", "unchecked", "", "✗", "✘", "-", "–"})
_NUMBER = re.compile(r"\d(?:[\d\s.,'’_]*\d)?")
# Base language tags whose decimal mark is a comma, and those whose decimal mark is a point.
_COMMA_LANGUAGES = re.compile(
    "(?:af|be|bg|bs|ca|cs|da|de|el|es|et|eu|fi|fr|gl|hr|hu|hy|id|is|it|ka|kk|lt|lv|mk|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|sq|sr|sv|tr|uk|vi)"
)
_POINT_LANGUAGES = re.compile("(?:en|ja|zh|ko|th|he|hi|bn|ga|cy|mt|sw)")


def convert_cell(cell: dict[str, Any], kind: CellType) -> Any:
    """Return the value of a cell as its type.

    Args:
        cell: What the page engine read: ``text``, ``state`` of a box, ``url`` made absolute, ``lang`` of the text.

    Raises:
        ValueError: If the text isn't of that type; says why.
    """
    text: str = cell["text"] or ""
    match kind:
        case "text":
            return " ".join(text.split())
        case "html":
            return text
        case "url":
            return _require_address(cell["url"])
        case "boolean":
            return cell["state"] if cell["state"] is not None else parse_boolean(text)
        case "number":
            return parse_number(text, cell["lang"])
        case "integer":
            return _require_whole(parse_number(text, cell["lang"]))


def _require_address(url: str | None) -> str:
    if url is None:
        raise ValueError("it is not an address")
    return url


def _require_whole(number: float) -> int:
    if not number.is_integer():
        raise ValueError("it is not a whole number")
    return int(number)


def parse_boolean(text: str) -> bool:
    """Return whether a text says yes or no.

    Raises:
        ValueError: If it says neither.
    """
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
    found = _NUMBER.findall(text)
    if len(found) != 1:
        raise ValueError("it contains no number" if not found else f"it contains {len(found)} numbers")
    match = _NUMBER.search(text)
    before = text[: match.start()] if match else ""
    is_negative = re.search(r"[-−–]\s*\D?\s*$", before) or (before.rstrip().endswith("(") and ")" in text)
    number = float(_to_plain(found[0], language))
    return -number if is_negative else number


def _to_plain(digits: str, language: str) -> str:
    """Write a number with a point and without groups."""
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
