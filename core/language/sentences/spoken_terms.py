"""The words that numbers, times and spoken addresses are said with. All in lower case."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


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
