"""Reading numbers, durations, positions and distances."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from core.base.late_parts import compile_late
from core.language.sentences.patterns import compile_pattern, match_any_of
from core.language.sentences.spans import Span, UnreadableError, require
from core.language.sentences.spoken_numbers import DurationWords, NumberParser, NumberWords, tidy

if TYPE_CHECKING:
    from core.language.grammars.grammar import Vocabulary

_GLUED = compile_late(r"(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)")
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
        amount = self._numbers.parse(" ".join(words))
        if amount is None or length == float("inf") or not 0 < amount < _NEXT:
            return None
        if amount < 1:
            return amount * length, 1
        return (amount, length / _NEXT) if length >= _NEXT else None


_NUMBER = r"-?\d{1,6}(?:\.\d{1,6})?"
_NUMBERS_IN = compile_late(_NUMBER)
_DATE = compile_late(r"\d{4}-\d\d-\d\d")
_CLOCK = compile_late(r"(?:(\d{1,2}):)?(\d{1,3}):(\d\d)")
_TOWARDS = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}


class AmountReader:
    """Reads amounts in the words of one language."""

    def __init__(self, vocabulary: "Vocabulary") -> None:
        self._vocabulary = vocabulary
        self._percent = compile_pattern(rf"\s*(?:%|{vocabulary.numbers.percent})(?:\s+value)?$", 0)
        self._numbers = NumberParser(vocabulary.numbers)
        self._durations = DurationParser(vocabulary.durations, self._numbers)
        ways, words = match_any_of(vocabulary.choices.get("direction", ())), vocabulary.numbers
        self._distance = compile_pattern(rf"({_NUMBER}) ?(?:{words.pixels})? ({ways})", 0)
        self._ordinal_ending = compile_pattern(rf"(?<=\d)(?:{words.endings})$", 0)
        self._pair = compile_pattern(
            rf"({_NUMBER})(?:\s*(?:,|{words.between})\s*|\s)({_NUMBER})(?: (?:{words.pixels}))?", 0
        )

    @cached_property
    def _first_words(self) -> frozenset[str]:
        return self._numbers.first_words | {text.partition(" ")[0] for text in self._vocabulary.sounds.levels}

    def may_begin(self, word: str) -> bool:
        """Whether a number or a percentage may begin with a word in lower case."""
        return word[:1].isdigit() or word[:1] == "." or word.partition("-")[0] in self._first_words

    def read_number(self, span: Span) -> float:
        """Return a number, in digits or as a word."""
        return require(self._numbers.parse(span.words))

    def read_count(self, span: Span) -> int:
        """Return a whole number, in digits or as a word."""
        number = self.read_number(span)
        if not isinstance(number, int):
            raise UnreadableError
        return number

    def read_seconds(self, span: Span) -> float:
        """Return a duration in seconds."""
        return require(self._durations.parse(span.words))

    def read_percent(self, span: Span) -> float:
        """Return a number of percent: ``20``, ``20 %``, ``twenty percent``, ``half``, ``4 out of 10``."""
        share = self._numbers.parse_share(span.words)
        if share is not None:
            return require(tidy(share * 100))
        words = self._percent.sub("", span.words)
        level = self._vocabulary.sounds.levels.get(words)
        if level is not None:
            return level
        part = self._numbers.parse_part(words)
        return self.read_points(span) if part is None else require(tidy(part * 100))

    def read_points(self, span: Span) -> float:
        """Return a number of percent to go up or down by; half may be a half of what it is, and 0.5 a half as well."""
        words, is_said = self._percent.subn("", span.words)
        number = require(self._numbers.parse_misheard(words) if is_said else self._numbers.parse(words))
        if 0 < number < 1:
            raise UnreadableError
        return number

    def read_moment(self, span: Span) -> float:
        """Return a moment of a track in seconds: ``1:30``, ``two minutes``, ``the beginning``."""
        clock = _CLOCK.fullmatch(span.words)
        if clock:
            hours, minutes, seconds = (int(part or 0) for part in clock.groups())
            return hours * 3600 + minutes * 60 + seconds
        return 0 if span.words in self._vocabulary.beginnings else self.read_seconds(span)

    def read_age(self, span: Span) -> str:
        """Return an age as a number and a letter: ``two days`` is ``2d``; a date that is written stays as it is: ``2026-03-01``."""
        if _DATE.fullmatch(span.words):
            return span.words
        amount, _, unit = span.words.rpartition(" ")
        letter = self._vocabulary.ages.get(unit)
        if letter is None:
            raise UnreadableError
        return f"{self.read_count(span.cut(0, len(amount))) if amount else 1}{letter}"

    def read_index(self, span: Span) -> int:
        """Return a zero-based index: ``second``, ``2nd`` and ``2`` are 1."""
        words = self._ordinal_ending.sub("", span.words)
        is_number = words.isascii() and words.isdecimal() and len(words) < 4
        number = int(words) if is_number else self._vocabulary.ordinals.get(words, 0)
        if number < 1:
            raise UnreadableError
        return number - 1

    def read_nth(self, span: Span) -> int:
        """Return a place in a row, counted from 1: ``second`` and ``2nd`` are 2, ``last`` is -1."""
        last = self._vocabulary.ordinals.get(span.words, 0)
        return last if last < 0 else self.read_index(span) + 1

    def read_offset(self, span: Span) -> list[float]:
        """Return a distance as pixels right and down: ``100, 50``, ``30 pixels up``, ``100 pixels to the right``."""
        pair = self._pair.fullmatch(span.words)
        if pair:
            return [_to_number(pair[1]), _to_number(pair[2])]
        distance = self._distance.fullmatch(span.words)
        if not distance:
            raise UnreadableError
        right, down = _TOWARDS[self._vocabulary.choices["direction"][distance[2]]]
        amount = _to_number(distance[1])
        return [amount * right, amount * down]

    def read_bounds(self, span: Span) -> dict[str, int]:
        """Return the position of a window in pixels of the screen."""
        pair = self._pair.fullmatch(span.words)
        if not pair or "." in span.words:
            raise UnreadableError
        return {"x": int(pair[1]), "y": int(pair[2])}

    def read_point(self, span: Span) -> dict[str, list[float]]:
        """Return a point of the screen in pixels."""
        pair = self._pair.fullmatch(span.words.strip("()"))
        if not pair:
            raise UnreadableError
        return {"point": [_to_number(pair[1]), _to_number(pair[2])]}


def read_viewport(span: Span) -> dict[str, int]:
    """Return a width and a height in pixels."""
    width, height = (int(number) for number in _NUMBERS_IN.findall(span.text))
    return {"width": width, "height": height}


def read_place(span: Span) -> dict[str, float]:
    """Return a latitude and a longitude in degrees."""
    latitude, longitude = (float(number) for number in _NUMBERS_IN.findall(span.text))
    return {"latitude": latitude, "longitude": longitude}


def _to_number(text: str) -> float:
    return float(text) if "." in text else int(text)
