"""Lengths of time as people say them: ``ten minutes``, ``an hour and a half``, ``1h30m``, ``two and a half hours``."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from core.language.sentences.patterns import compile_pattern, match_any_of
from core.language.sentences.spoken_numbers import NumberParser, tidy
from core.language.sentences.spoken_terms import DurationWords, NumberWords

_GLUED = re.compile(r"(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)")
_MOST_WORDS = 14
_MOST_PARTS = 3
_NEXT = 60
"""What a unit has of the next smaller one: "one minute thirty"."""


def shape_duration(words: DurationWords, numbers: NumberWords) -> str:
    """Return what a length of time looks like, as a regular expression: a number, or a word for one, and what follows it."""
    said = [*numbers.small, *numbers.scales, *numbers.parts, *numbers.counts, *numbers.points, *words.pairs]
    first = rf"(?:\d[\d.]*|(?:{match_any_of({word.partition(' ')[0] for word in said})})\b)"
    more = r"(?:[\s-]+[\da-z.]+){0,6}?"
    unit = rf"(?:{match_any_of(words.units)})"
    misheard = rf"(?:{match_any_of(numbers.misheard)})\s+{unit}"
    part = rf"(?:\d[\d.]*{unit}(?:\d[\da-z]*)?|{first}{more}[\s-]+{unit}|{misheard})(?!\w)"
    return rf"{part}(?:,?\s+[\da-z.]+{more})??"


class DurationParser:
    """Reads lengths of time in the words of one language."""

    def __init__(self, words: DurationWords, numbers: NumberParser) -> None:
        """Take the words."""
        self._words = words
        self._numbers = numbers

    @cached_property
    def _part_of_unit(self) -> re.Pattern[str]:
        return compile_pattern(rf"(?P<amount>.+?)\s+(?:{match_any_of(self._words.of)})\s+(?P<unit>\S+)")

    def parse(self, text: str) -> float | None:
        """Return a length of time in seconds, an ``int`` where it is whole; None where the words are none."""
        tokens = _GLUED.sub(" ", text).replace(",", " ").split()
        if not tokens or len(tokens) > _MOST_WORDS or tokens[-1] in self._words.joints:
            return None
        total: float = 0
        smallest = float("inf")
        for count, (words, rest) in enumerate(self._divide(tokens)):
            part = self._parse_rest(words, smallest) if rest else self._parse_part(words)
            if part is None or part[1] >= smallest or count >= _MOST_PARTS:
                return None
            total += part[0] * part[1]
            smallest = part[1]
        return tidy(round(total, 6))

    def _divide(self, tokens: Sequence[str]) -> Iterator[tuple[list[str], bool]]:
        """Yield the words up to each unit, then those behind the last unit and that they are these."""
        part: list[str] = []
        may_join = False
        for token in tokens:
            if may_join and token in self._words.joints:
                may_join = False
                continue
            part.append(token)
            may_join = token in self._words.units
            if may_join:
                yield part, False
                part = []
        if part:
            yield part, True

    def _parse_part(self, words: Sequence[str]) -> tuple[float, float] | None:
        """Return an amount and the length of its unit."""
        *front, unit = words
        length = self._words.units[unit]
        if not front:
            return None
        amount = self._parse_amount(" ".join(front))
        if amount is None and (found := self._part_of_unit.fullmatch(" ".join(words))):
            amount = self._parse_amount(found["amount"])
            amount = amount if amount is not None and amount < 1 else None
        return None if amount is None else (amount, length)

    def _parse_amount(self, text: str) -> float | None:
        pair = self._words.pairs.get(text)
        return self._numbers.parse_misheard(text) if pair is None else pair

    def _parse_rest(self, words: Sequence[str], length: float) -> tuple[float, float] | None:
        """Return what is behind the last unit: ``an hour and a half``, ``one minute thirty``."""
        amount = self._numbers.parse(" ".join(words))
        if amount is None or length == float("inf") or not 0 < amount < _NEXT:
            return None
        if amount < 1:
            return amount * length, 1
        return (amount, length / _NEXT) if length >= _NEXT else None
