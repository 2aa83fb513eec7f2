"""Span: a part of a sentence, seen through the mask and through the source at once."""

import re
from collections.abc import Callable, Hashable
from typing import NamedTuple, ParamSpec, TypeVar, cast

from core.base.late_parts import compile_late
from core.language.sentences.literals import MARKS, Literal, Sentence

_BEHIND = compile_late(r"[\s.,…!?]*")
_LETTER = compile_late(r"[^\W\d_]")
_QUOTED = (MARKS["quote"], MARKS["code"])

Found = TypeVar("Found")
Given = ParamSpec("Given")


class UnreadableError(Exception):
    """What stands in a slot doesn't fit its kind. Whatever reads words raises it where they can't be read so."""


def try_read(read: Callable[Given, Found], *args: Given.args, **kwargs: Given.kwargs) -> Found | None:
    """Return what a reader makes of words, or None where they don't fit."""
    try:
        return read(*args, **kwargs)
    except UnreadableError:
        return None


def require(found: Found | None) -> Found:
    """Return what was found.

    Raises:
        UnreadableError: If nothing was.
    """
    if found is None:
        raise UnreadableError
    return found


class Span(NamedTuple):
    """A part of a sentence without white space at its edges."""

    sentence: Sentence
    start: int
    end: int

    @property
    def mask(self) -> str:
        """The part as matching sees it."""
        return self.sentence.mask[self.start : self.end]

    @property
    def text(self) -> str:
        """The part byte for byte."""
        return self.sentence.source[self.start : self.end]

    @property
    def words(self) -> str:
        """The part as matching sees it, in lower case, with single spaces."""
        return " ".join(self.mask.lower().split())

    @property
    def literal(self) -> Literal | None:
        """The literal that takes up the whole span, if one does."""
        return self.sentence.find_whole(self.start, self.end)

    @property
    def quoted(self) -> str | None:
        """The content, if the span is one quoted text."""
        literal = self.literal
        return literal.value if literal and literal.kind in {"quote", "code"} else None

    @property
    def has_quotes(self) -> bool:
        """Whether there is a quoted text anywhere in it."""
        return any(mark in self.mask for mark in _QUOTED)

    @property
    def has_literals(self) -> bool:
        """Whether there is a literal of any kind anywhere in it."""
        return any(mark in self.mask for mark in MARKS.values())

    def keep(self, key: Hashable, find: Callable[[], Found]) -> Found:
        """Return what was found in these words under a key, which is found out once a sentence."""
        known, place = self.sentence.known, (key, self.start, self.end)
        if place not in known:
            known[place] = find()
        return cast("Found", known[place])

    @property
    def wording(self) -> Hashable:
        """All that readers see of a part: its words, the one in front of them, the marks behind them, and whether more is said."""
        source, mask = self.sentence.source, self.sentence.mask
        front = (*source[: self.start].rsplit(None, 1)[-1:], mask[: self.start].rstrip().rpartition(" ")[2])
        marks = _BEHIND.match(mask, self.end)
        goes_on = _LETTER.search(mask, self.end) is not None
        return self.text, self.mask, *front, marks and marks[0], goes_on

    def cut(self, start: int, end: int) -> "Span":
        """Return a part of this span, by positions within it, without white space at its edges."""
        mask = self.sentence.mask
        first, last = self.start + start, self.start + end
        while first < last and mask[first].isspace():
            first += 1
        while last > first and mask[last - 1].isspace():
            last -= 1
        return Span(self.sentence, first, last)

    def cut_group(self, match: re.Match[str], group: str | int) -> "Span":
        """Return the part that a group of a match on this span's mask caught."""
        return self.cut(*match.span(group))


def make_span(sentence: Sentence, start: int = 0, end: int | None = None) -> Span:
    """Return a sentence or a part of one, without white space at its edges."""
    size = len(sentence.mask)
    return Span(sentence, 0, size).cut(start, size if end is None else end)
