"""Weighing: how much of a clause each frame accounts for, also where that is not all of it."""

import heapq
from collections.abc import Iterator
from itertools import count

from core.base.late_dataclasses import dataclass
from core.language.frames.covers import LEFT, Caught, CoverFinder, Piece
from core.language.frames.frames import Frame, split_parts

_LEFT_COST = 100
_MISSING_COST = 150


@dataclass(frozen=True, slots=True)
class PartWords:
    """Words and what they carry.

    Attributes:
        part: The part of the frame, as its file has it; empty for talk, which carries nothing.
    """

    words: str
    part: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a frame in a clause.

    Attributes:
        parts: What the words carry, in the order in which they were said.
        missing: Parts that it can't do without and that nobody said.
        cost: What it lacks; the lower, the nearer.
    """

    name: str
    frame: str
    parts: tuple[PartWords, ...]
    left: tuple[str, ...]
    missing: tuple[str, ...]
    cost: int

    @property
    def is_whole(self) -> bool:
        """Whether it accounts for every word."""
        return not self.left and not self.missing


def weigh(frame: Frame, finder: CoverFinder, clause: tuple[str, ...]) -> Evidence | None:
    """Return what speaks for a frame in a clause; None if not a single part of it was said."""
    found = _find_cheapest(frame, finder, len(clause))
    if found is None:
        return None
    cost, used, pieces = found
    texts = split_parts(frame.phrase.template)
    said = [(piece, " ".join(clause[piece.start : piece.end])) for piece in pieces]
    parts = tuple(
        PartWords(words, texts[piece.part] if piece.part >= 0 else "") for piece, words in said if piece.part != LEFT
    )
    if not any(each.part for each in parts):
        return None
    missing = tuple(
        texts[number] for number, part in enumerate(frame.parts) if not part.optional and not used & (1 << number)
    )
    left = tuple(words for piece, words in said if piece.part == LEFT)
    return Evidence(frame.verb.name, frame.phrase.template, parts, left, missing, cost)


def _find_cheapest(frame: Frame, finder: CoverFinder, length: int) -> tuple[int, int, tuple[Piece, ...]] | None:
    order = count()
    heap: list[tuple[int, int, int, int, tuple[Piece, ...]]] = [(0, next(order), 0, 0, ())]
    seen: set[tuple[int, int]] = set()
    best: tuple[int, int, tuple[Piece, ...]] | None = None
    while heap:
        cost, _, start, used, pieces = heapq.heappop(heap)
        if best is not None and cost >= best[0]:
            break
        if (start, used) in seen:
            continue
        seen.add((start, used))
        if start == length:
            lacking = sum(not part.optional and not used & (1 << number) for number, part in enumerate(frame.parts))
            if best is None or cost + lacking * _MISSING_COST < best[0]:
                best = (cost + lacking * _MISSING_COST, used, pieces)
            continue
        for number, end, caught in _list_ways(finder, start, used):
            more = _LEFT_COST if number == LEFT else sum(each.end - each.start for each in caught)
            now = used | (1 << number) if number >= 0 else used
            heapq.heappush(heap, (cost + more, next(order), end, now, (*pieces, Piece(number, start, end))))
    return best


def _list_ways(finder: CoverFinder, start: int, used: int) -> Iterator[tuple[int, int, tuple[Caught, ...]]]:
    yield from finder.list_steps(start, used)
    yield LEFT, start + 1, ()
