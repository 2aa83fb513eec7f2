"""Arithmetic and linear equations as pages write them, solved exactly."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from core.base.errors import TargetError

MOST_PLACES = 12  # decimal places with which a solution is written before it is written as a fraction
MOST_DIGITS = 60  # of a number; more is no problem for people
MOST_EXPONENT = 100
SHOWN = 5

_TIMES, _DIVIDED, _MINUS = "*×·∙⋅✕✖", "/÷∕:", "-−–"
_TOKEN = re.compile(
    rf"(?P<number>\d+(?:,\d{{3}})+(?:\.\d+)?(?![\d,])|\d*\.\d+|\d+)|(?P<word>[^\W\d_]{{2,}})|(?P<name>[^\W\d_])"
    rf"|(?P<blank>_{{1,}}|[?□▢☐])|(?P<operator>[-+^=()−–{re.escape(_TIMES + _DIVIDED)}])|(?P<space>\s+)|(?P<other>.)"
)
_ASKED = re.compile(
    r"\b(?:what(?:'s| is| are)|calculate|compute|evaluate|solve|work out|how much is|simplify)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Solution:
    """What a problem comes to.

    Attributes:
        problem: The problem as it is written.
        unknown: What an equation is solved for; empty for arithmetic.
        value: The solution, exactly.
    """

    problem: str
    unknown: str
    value: Fraction

    @property
    def text(self) -> str:
        """The solution as people write it: whole, with decimals where they end, else as a fraction."""
        if self.value.denominator == 1:
            return str(self.value.numerator)
        scaled = self.value * 10**MOST_PLACES
        if scaled.denominator != 1:
            return f"{self.value.numerator}/{self.value.denominator}"
        sign, digits = ("-" if scaled < 0 else ""), f"{abs(scaled.numerator):0{MOST_PLACES + 1}d}"
        return f"{sign}{digits[:-MOST_PLACES]}.{digits[-MOST_PLACES:].rstrip('0')}"

    @property
    def number(self) -> int | float:
        """The solution as a number."""
        return self.value.numerator if self.value.denominator == 1 else float(self.value)


def solve_text(text: str, *, is_whole_page: bool) -> Solution:
    """Solve the one problem in a text.

    Args:
        text: The text; a problem stands on one line.
        is_whole_page: Whether much else stands there. Then only what has an equals sign or is asked for is a problem: ``10-20``
            and ``1/2`` are not.

    Raises:
        TargetError: ``solution_missing`` if there is no problem with one solution, ``solution_ambiguous`` if there are several.
    """
    found: dict[tuple[str, Fraction], Solution] = {}
    for each in _find_problems(text, is_whole_page=is_whole_page):
        found.setdefault((each.unknown, each.value), each)
    solutions = list(found.values())
    if len(solutions) == 1:
        return solutions[0]
    if not solutions:
        raise TargetError(
            "No arithmetic or linear equation with one solution found here.",
            code="solution_missing",
            hint="Name the element that contains the problem.",
            evidence={"text": text.strip()[:200]},
        )
    problems = [each.problem for each in solutions[:SHOWN]]
    raise TargetError(
        f"{len(solutions)} problems found here: {'; '.join(problems)}.",
        code="solution_ambiguous",
        hint="Name the element that contains the problem you mean.",
        evidence={"problems": problems},
    )


def _find_problems(text: str, *, is_whole_page: bool) -> Iterator[Solution]:
    for line in text.splitlines():
        is_asked = not is_whole_page or _ASKED.search(line) is not None
        for part in _split(line):
            shown = "".join(each.text for each in part).strip()
            tokens = [each for each in part if each.kind != "space"]
            if is_asked or any(each.text == "=" for each in tokens) or (tokens and tokens[-1].text == "?"):
                try:
                    yield _solve(shown, tokens)
                except (_UnsolvableError, ZeroDivisionError):
                    continue


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


class _UnsolvableError(Exception):
    """The text is no problem, or has not exactly one solution."""


def _split(line: str) -> Iterator[list[_Token]]:
    """Yield the pieces of a line between words and other characters."""
    piece: list[_Token] = []
    for match in _TOKEN.finditer(line):
        kind = match.lastgroup or "other"
        if kind in {"word", "other"}:
            yield piece
            piece = []
        else:
            piece.append(_Token(kind, match.group()))
    yield piece


def _solve(shown: str, tokens: list[_Token]) -> Solution:
    sides = _split_sides(tokens)
    operators = [each for each in tokens if each.kind == "operator" and each.text not in "=()"]
    if not operators and not _is_multiple(tokens):
        raise _UnsolvableError
    if len(sides) == 1 or not sides[1] or (len(sides[1]) == 1 and sides[1][0].kind == "blank"):
        side = sides[0]
        if len(sides) == 1 and side and side[-1].text == "?":
            side = side[:-1]
        value, name = _Reader(side).read()
        if name:
            raise _UnsolvableError
        return Solution(shown, "", value.rest)
    (left, name), (right, other) = (_Reader(side).read() for side in sides)
    if name and other and name != other:
        raise _UnsolvableError
    factor, rest = left.factor - right.factor, right.rest - left.rest
    if not factor:
        raise _UnsolvableError
    return Solution(shown, name or other, rest / factor)


def _split_sides(tokens: list[_Token]) -> list[list[_Token]]:
    places = [place for place, each in enumerate(tokens) if each.text == "="]
    if len(places) > 1:
        raise _UnsolvableError
    return [tokens[: places[0]], tokens[places[0] + 1 :]] if places else [tokens]


def _is_multiple(tokens: list[_Token]) -> bool:
    """Tell whether something like ``3x`` or ``4 x 5`` is in it."""
    return any(one.kind == "number" and other.kind in {"name", "blank"} for one, other in pairwise(tokens))


@dataclass(frozen=True, slots=True)
class _Linear:
    """``factor`` times the unknown, plus ``rest``."""

    factor: Fraction
    rest: Fraction

    def times(self, other: "_Linear") -> "_Linear":
        if self.factor and other.factor:
            raise _UnsolvableError
        return _Linear(self.factor * other.rest + other.factor * self.rest, self.rest * other.rest)

    def over(self, other: "_Linear") -> "_Linear":
        if other.factor:
            raise _UnsolvableError
        return _Linear(self.factor / other.rest, self.rest / other.rest)

    def plus(self, other: "_Linear", sign: int) -> "_Linear":
        return _Linear(self.factor + sign * other.factor, self.rest + sign * other.rest)

    def to_the(self, other: "_Linear") -> "_Linear":
        exponent = other.rest
        if self.factor or other.factor or exponent.denominator != 1 or abs(exponent) > MOST_EXPONENT:
            raise _UnsolvableError
        return _Linear(Fraction(0), self.rest**exponent.numerator)


class _Reader:
    """Reads one side, by descent."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = [*tokens, _Token("end", "")]
        self._at = 0
        self._name = ""

    def read(self) -> tuple[_Linear, str]:
        """Return what the side comes to and the name of its unknown."""
        value = self._read_sum()
        if self._next.kind != "end":
            raise _UnsolvableError
        return value, self._name

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _takes(self, signs: str) -> str:
        """Return the next token and go past it, if it is one of these signs."""
        found = self._next.text if self._next.kind == "operator" and self._next.text in signs else ""
        self._at += bool(found)
        return found

    def _takes_cross(self) -> bool:
        """Go past an ``x`` that stands for times: between two operands."""
        if self._next.text not in {"x", "X"} or self._at == 0:
            return False
        after = self._tokens[self._at + 1]
        is_cross = after.kind == "number" or after.text == "("
        self._at += is_cross
        return is_cross

    def _read_sum(self) -> _Linear:
        value = self._read_product()
        while sign := self._takes("+" + _MINUS):
            value = value.plus(self._read_product(), 1 if sign == "+" else -1)
        return value

    def _read_product(self) -> _Linear:
        value = self._read_signed()
        while True:
            if self._takes(_TIMES) or self._takes_cross():
                value = value.times(self._read_signed())
            elif self._takes(_DIVIDED):
                value = value.over(self._read_signed())
            elif self._next.kind in {"name", "blank"} or self._next.text == "(":
                value = value.times(self._read_power())
            else:
                return value

    def _read_signed(self) -> _Linear:
        sign = self._takes("+" + _MINUS)
        value = self._read_signed() if sign else self._read_power()
        return value if sign in {"", "+"} else _Linear(-value.factor, -value.rest)

    def _read_power(self) -> _Linear:
        value = self._read_one()
        return value.to_the(self._read_signed()) if self._takes("^") else value

    def _read_one(self) -> _Linear:
        token = self._next
        self._at += 1
        if token.kind == "number" and len(token.text) <= MOST_DIGITS:
            return _Linear(Fraction(0), Fraction(token.text.replace(",", "")))
        if token.kind in {"name", "blank"} and self._name in {"", token.text}:
            self._name = token.text
            return _Linear(Fraction(1), Fraction(0))
        if token.text != "(":
            raise _UnsolvableError
        value = self._read_sum()
        if not self._takes(")"):
            raise _UnsolvableError
        return value
