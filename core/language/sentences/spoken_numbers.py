"""Numbers as people say and write them: ``20``, ``sixty-five``, ``two hundred and five``, ``two and a half``, ``3.5 million``.

A number is read whole or not at all: ``twenty thirty`` and ``five six`` are none, since it isn't clear what they mean.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from core.base.late_parts import compile_late


class NumberWords(NamedTuple):
    """Words for numbers.

    Attributes:
        scales: Words that multiply what stands in front of them: hundred, thousand.
        joints: Words inside a number that add nothing to it: "two hundred *and* five".
        parts: Words for parts of one: half, quarters.
        ones: Words that mean one in front of a scale or a part: "*a* hundred".
        counts: Words that are a number only by themselves, in front of what is counted: "*a* minute".
        misheard: How recognisers of speech write a number that sounds like another word; understood only where a unit
            behind leaves no other reading.
        percent: What stands behind a number of percent, beside its sign, as a regular expression.
        share: What stands between how many parts and of how many, as a regular expression: "4 *out of* 10".
        no_amount: What begins with a word for a number, or stands where one may, and is none, as a regular expression.
        endings: What makes the digits in front of it an ordinal number, as a regular expression: "2*nd*".
        called: What stands in front of a number that tells one from others, as a regular expression: "*number* 2".
        between: Words between two numbers that belong together, as a regular expression: "100 *by* 50".
        pixels: Words for dots of a screen, as a regular expression.
    """

    small: Mapping[str, int]
    scales: Mapping[str, int]
    joints: frozenset[str]
    points: frozenset[str]
    parts: Mapping[str, float]
    ones: frozenset[str]
    counts: Mapping[str, float]
    misheard: Mapping[str, int]
    percent: str = "(?!)"
    no_amount: str = "(?!)"
    share: str = "(?!)"
    endings: str = "(?!)"
    called: str = "(?!)"
    between: str = "(?!)"
    pixels: str = "(?!)"


class DurationWords(NamedTuple):
    """Words for lengths of time, beside numbers.

    Attributes:
        units: Units and their lengths in seconds.
        joints: Words between two parts: "an hour *and* ten minutes".
        of: Words between a part of one and its unit: "half *an* hour", "a quarter *of an* hour".
        pairs: Words for a few that are a certain number, and the number: "a couple of".
    """

    units: Mapping[str, float]
    joints: frozenset[str]
    of: tuple[str, ...]
    pairs: Mapping[str, int]


class SpokenWords(NamedTuple):
    """Words for characters, as people dictate addresses, names of files, and options; without any, nothing is dictated.

    Attributes:
        inner: Words for other characters inside an address or a name: dash, underscore.
        before_mail: Words in front of which an e-mail address may stand; elsewhere "at" is a word like others.
        dashes: Words for the dashes of an option: "dash dash help".
        before_capital: Words in front of which such a letter may stand.
        not_first: Words that nothing spoken begins with, because they belong to the sentence.
        not_before: Words behind which no host begins: "the guardian dot com" may be all of its name.
    """

    dots: tuple[str, ...] = ()
    slashes: tuple[str, ...] = ()
    colons: tuple[str, ...] = ()
    inner: Mapping[str, str] = MappingProxyType({})
    at: tuple[str, ...] = ()
    before_mail: tuple[str, ...] = ()
    dashes: tuple[str, ...] = ()
    capital: tuple[str, ...] = ()
    before_capital: tuple[str, ...] = ()
    endings: frozenset[str] = frozenset()
    not_first: frozenset[str] = frozenset()
    not_before: frozenset[str] = frozenset()


_PLAIN = compile_late(r"[0-9]{1,9}(?:\.[0-9]{1,6})?|\.[0-9]{1,6}")
_GROUPED = compile_late(r"[0-9]{1,3}(?:,[0-9]{3}){1,2}(?:\.[0-9]{1,6})?")
_MOST_WORDS = 24
_HUNDRED = 100


class NumberParser:
    """Reads numbers in the words of one language."""

    def __init__(self, words: NumberWords) -> None:
        self._words = words

    @cached_property
    def first_words(self) -> frozenset[str]:
        """The words that numbers begin with which aren't written in digits."""
        words = self._words
        known = (words.small, words.scales, words.points, words.parts, words.ones, words.counts, words.misheard)
        return frozenset(text.replace("-", " ").split()[0] for texts in known for text in texts)

    def parse(self, text: str) -> float | None:
        """Return a number, an ``int`` where it is whole; None where the words are none."""
        if text in self._words.counts:
            return self._words.counts[text]
        tokens = text.replace("-", " ").split() if text.strip("-") == text else []
        if not tokens or len(tokens) > _MOST_WORDS:
            return None
        number = self._parse_parts(tokens)
        if number is None:
            number = self._parse_sum(tokens)
        return tidy(number)

    def parse_misheard(self, text: str) -> float | None:
        """Return the same, or the number that a word sounds like ("for"): only for where nothing else can stand."""
        number = self.parse(text)
        return self._words.misheard.get(text) if number is None else number

    def parse_part(self, text: str) -> float | None:
        """Return a part of one that is said as such: ``half``, ``a quarter``; ``0.5`` is none."""
        tokens = text.split()
        return self._parse_parts(tokens) if tokens else None

    def parse_share(self, text: str) -> float | None:
        """Return a part of one that is said as a step of a scale: ``4 out of 10`` is 0.4; None where the words are none."""
        front, *behind = re.split(rf"\s+(?:{self._words.share})\s+", text)
        share, whole = (self.parse(front), self.parse(behind[0])) if len(behind) == 1 else (None, None)
        return share / whole if share is not None and whole and 0 <= share <= whole else None

    def _parse_sum(self, tokens: Sequence[str]) -> float | None:
        """Return a number with what is behind its point, or with parts of one: ``two point five``, ``two and a half``."""
        for index, token in enumerate(tokens):
            if token in self._words.points:
                return self._parse_decimal(tokens[:index], tokens[index + 1 :])
        for index, token in enumerate(tokens):
            if token in self._words.joints and 0 < index < len(tokens) - 1:
                whole, parts = self._parse_whole(tokens[:index]), self._parse_parts(tokens[index + 1 :])
                if whole is not None and parts is not None and parts < 1:
                    return whole + parts
        return self._parse_whole(tokens)

    def _parse_decimal(self, front: Sequence[str], behind: Sequence[str]) -> float | None:
        whole = self._parse_whole(front) if front else 0
        digits = [
            self._words.small.get(token, int(token) if token.isdecimal() and token.isascii() else -1)
            for token in behind
        ]
        if whole is None or not digits or not _is_whole(whole) or any(not 0 <= digit < 10 for digit in digits):
            return None
        return float(f"{int(whole)}.{''.join(str(digit) for digit in digits)}")

    def _parse_parts(self, tokens: Sequence[str]) -> float | None:
        """Return parts of one: ``half``, ``a quarter``, ``three quarters``, ``two thirds``."""
        *front, last = tokens
        part = self._words.parts.get(last)
        if part is None or len(front) > 1:
            return None
        if not front or front[0] in self._words.ones:
            return part
        count = self._words.small.get(front[0], int(front[0]) if front[0] in "123456789" else 0)
        return count * part if 0 < count * part < 1 else None

    def _parse_whole(self, tokens: Sequence[str]) -> float | None:
        """Return a number that is said by scales, the largest first: ``two thousand five hundred and six``."""
        total: float = 0
        rest = list(tokens)
        for scale in sorted({size for size in self._words.scales.values() if size > _HUNDRED}, reverse=True):
            places = [index for index, token in enumerate(rest) if self._words.scales.get(token) == scale]
            if len(places) > 1:
                return None
            if places:
                front = self._parse_front(rest[: places[0]])
                if front is None:
                    return None
                total += front * scale
                rest = self._drop_joint(rest[places[0] + 1 :])
                if not rest:
                    return total
        last = self._parse_hundreds(rest)
        return None if last is None or (total and not _is_whole(last)) else total + last

    def _parse_front(self, tokens: Sequence[str]) -> float | None:
        if len(tokens) == 1 and tokens[0] in self._words.ones:
            return 1
        front = self._parse_hundreds(tokens) if tokens else 1
        return front if front and front < 1000 else None

    def _parse_hundreds(self, tokens: Sequence[str]) -> float | None:
        places = [index for index, token in enumerate(tokens) if self._words.scales.get(token) == _HUNDRED]
        if len(places) != 1:
            return self._parse_low(tokens) if not places else None
        front, behind = tokens[: places[0]], self._drop_joint(tokens[places[0] + 1 :])
        count = 1 if not front or (len(front) == 1 and front[0] in self._words.ones) else self._parse_low(front)
        rest = self._parse_low(behind) if behind else 0
        if not count or count >= _HUNDRED or rest is None or rest >= _HUNDRED or (rest and not _is_whole(rest)):
            return None
        return count * _HUNDRED + rest

    def _parse_low(self, tokens: Sequence[str]) -> float | None:
        if len(tokens) == 1 and (_PLAIN.fullmatch(tokens[0]) or _GROUPED.fullmatch(tokens[0])):
            digits = tokens[0].replace(",", "")
            return float(digits) if "." in digits else int(digits)
        values = [self._words.small.get(token, -1) for token in tokens]
        if len(values) == 1 and values[0] >= 0:
            return values[0]
        is_pair = len(values) == 2 and values[0] >= 20 and 0 < values[1] < 10
        return values[0] + values[1] if is_pair else None

    def _drop_joint(self, tokens: list[str] | Sequence[str]) -> list[str]:
        """Return what stands behind a scale; a joint that nothing follows stays, so that it is refused."""
        return list(tokens[1:] if len(tokens) > 1 and tokens[0] in self._words.joints else tokens)


def tidy(number: float | None) -> float | None:
    """Return a number as an ``int`` where it is whole."""
    return int(number) if number is not None and _is_whole(number) else number


def _is_whole(number: float) -> bool:
    return number == int(number)
