"""Reading numbers, durations, positions and distances."""

import re
from functools import cached_property

from core.language.grammars.grammar import Vocabulary
from core.language.sentences.patterns import compile_pattern, match_any_of
from core.language.sentences.spans import Span, UnreadableError
from core.language.sentences.spoken_numbers import NumberParser, tidy
from core.language.values.durations import DurationParser

_NUMBER = r"-?\d{1,6}(?:\.\d{1,6})?"
_NUMBERS_IN = re.compile(_NUMBER)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_CLOCK = re.compile(r"(?:(\d{1,2}):)?(\d{1,3}):(\d\d)")
_TOWARDS = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}


class AmountReader:
    """Reads amounts in the words of one language."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        """Take the words."""
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
        return _require(self._numbers.parse(span.words))

    def read_count(self, span: Span) -> int:
        """Return a whole number, in digits or as a word."""
        number = self.read_number(span)
        if not isinstance(number, int):
            raise UnreadableError
        return number

    def read_seconds(self, span: Span) -> float:
        """Return a duration in seconds."""
        return _require(self._durations.parse(span.words))

    def read_percent(self, span: Span) -> float:
        """Return a number of percent: ``20``, ``20 %``, ``twenty percent``, ``half``, ``4 out of 10``."""
        share = self._numbers.parse_share(span.words)
        if share is not None:
            return _require(tidy(share * 100))
        words = self._percent.sub("", span.words)
        level = self._vocabulary.sounds.levels.get(words)
        if level is not None:
            return level
        part = self._numbers.parse_part(words)
        return self.read_points(span) if part is None else _require(tidy(part * 100))

    def read_points(self, span: Span) -> float:
        """Return a number of percent to go up or down by; half may be a half of what it is, and 0.5 a half as well."""
        words, is_said = self._percent.subn("", span.words)
        number = _require(self._numbers.parse_misheard(words) if is_said else self._numbers.parse(words))
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


def _require(number: float | None) -> float:
    if number is None:
        raise UnreadableError
    return number


def _to_number(text: str) -> float:
    return float(text) if "." in text else int(text)
