"""Excerpts: a sentence made of parts of another one, which still knows where each of its words was said."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from core.language.sentences.literals import Literal, Sentence

GAP = "  "
"""What stands where something was left out: whoever reads on sees it, and nobody says two blanks."""


class ExcerptPart(NamedTuple):
    """A part of the sentence that an excerpt is made of."""

    begin: int
    start: int
    end: int


class Excerpt(NamedTuple):
    """A sentence made of parts of another.

    Attributes:
        parts: Its parts, in its own order.
    """

    sentence: Sentence
    parts: tuple[ExcerptPart, ...]

    def find_place(self, start: int, end: int) -> tuple[int, int]:
        """Return where a span of the excerpt was in the sentence as it was said."""
        first = max(part for part in self.parts if part.begin <= start)
        last = max((part for part in self.parts if first.begin <= part.begin < end), default=first)
        return first.start + start - first.begin, min(last.start + end - last.begin, last.end)

    def has_gap(self, start: int, end: int) -> bool:
        """Whether something was left out within a span of the excerpt."""
        return any(start < part.begin < end for part in self.parts)


def leave_out(sentence: Sentence, left_out: Iterable[tuple[int, int]]) -> Excerpt:
    """Return a sentence without some parts of it, a gap in the place of each but at its edges.

    Args:
        left_out: Where each part begins and ends; they may touch and overlap. A literal lies within one or outside of all.
    """
    kept: list[tuple[int, int]] = []
    done = 0
    for start, end in sorted(left_out):
        kept.append((done, start))
        done = max(done, end)
    return put_together(sentence, [*kept, (done, len(sentence.mask))], GAP)


def put_together(sentence: Sentence, places: Iterable[tuple[int, int]], joint: str) -> Excerpt:
    """Return parts of a sentence, in whichever order.

    Args:
        places: Where each part begins and ends, in that order; what is blank at its edges is left out, and what has no words.
    """
    source, mask = "", ""
    literals: dict[int, Literal] = {}
    parts: list[ExcerptPart] = []
    for start, end in places:
        kept = sentence.mask[start:end]
        first, last = start + len(kept) - len(kept.lstrip()), start + len(kept.rstrip())
        if first < last:
            source, mask = (f"{text}{joint}" if text else "" for text in (source, mask))
            parts.append(ExcerptPart(len(source), first, last))
            literals |= move_literals(sentence, first, last, len(source) - first)
            source += sentence.source[first:last]
            mask += sentence.mask[first:last]
    return Excerpt(Sentence(source, mask, literals, read=sentence.read), tuple(parts))


def move_literals(sentence: Sentence, start: int, end: int, offset: int) -> dict[int, Literal]:
    """Return the literals of a part of a sentence, moved."""
    return {
        each.start + offset: replace(each, start=each.start + offset, end=each.end + offset)
        for each in sentence.literals.values()
        if start <= each.start < end
    }
