"""What a value on a page must be: ``below 38.50``, ``at least 3``, ``even``, ``not Pending``, or just ``Ready``."""

import re
from dataclasses import dataclass
from typing import Literal, cast, get_args

from actuators.browser.ports.cell_values import parse_number
from core.base.errors import InputError
from core.base.matching import fold_space

Relation = Literal["below", "above", "at least", "at most", "not", "even", "odd", "is"]

_COMPARED = ("below", "above", "at least", "at most")
_CONDITION = re.compile(rf"({'|'.join(get_args(Relation)[:5])})\s+(.+)", re.IGNORECASE | re.DOTALL)
_ASKED_LANGUAGE = "en"  # conditions are written with a decimal point, as in "38.50"


@dataclass(frozen=True, slots=True)
class ValueCondition:
    """A condition, taken to pieces.

    Attributes:
        wanted: A text; empty for ``even`` and ``odd``.
        number: The same as a number; None where it is none.
    """

    relation: Relation
    wanted: str
    number: float | None = None

    def describe(self) -> str:
        """Return it as it is written."""
        return self.wanted if self.relation == "is" else f"{self.relation} {self.wanted}".strip()

    def holds(self, text: str, language: str = "") -> bool:
        """Tell whether a value is so; a text without a number is neither below nor above anything.

        Args:
            language: Of the page, which says what ``1,234`` means.
        """
        folded = fold_space(text).casefold()
        if self.relation == "not":
            return bool(folded) and folded != self.wanted.casefold()
        if self.relation == "is" and folded == self.wanted.casefold():
            return True
        value = read_number(text, language)
        return value is not None and self._compares(value)

    def _compares(self, value: float) -> bool:
        wanted = self.number
        match self.relation:
            case "even":
                return value % 2 == 0
            case "odd":
                return value % 2 == 1
            case "below":
                return wanted is not None and value < wanted
            case "above":
                return wanted is not None and value > wanted
            case "at least":
                return wanted is not None and value >= wanted
            case "at most":
                return wanted is not None and value <= wanted
            case _:
                return wanted is not None and value == wanted


def parse_condition(text: str) -> ValueCondition:
    """Take a condition to pieces.

    Args:
        text: Such as ``below $38.50``, ``even`` or ``Ready``.

    Raises:
        InputError: If it compares with what is not a number.
    """
    folded = fold_space(text)
    if folded.lower() in {"even", "odd"}:
        return ValueCondition(cast("Relation", folded.lower()), "")
    match = _CONDITION.fullmatch(folded)
    relation = cast("Relation", match[1].lower()) if match else "is"
    wanted = match[2] if match else folded
    number = read_number(wanted, _ASKED_LANGUAGE)
    if number is None and relation in _COMPARED:
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
