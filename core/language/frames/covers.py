"""Covers: the words of a clause divided among the parts of a frame, so that none is left over."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.language.frames.frames import Frame, read_class
from core.language.frames.lexicon import ARTICLES, BARS, HOURS, MOMENTS, TALK
from core.language.grammars.templates import Alternatives, Sequence, Slot, Word, list_slots, name_group

TALKED = -1
"""Number of the part that talk belongs to."""

LEFT = -2
"""Number of the part that words belong to which a frame doesn't account for."""

MOST_SLOT_WORDS = 9
"""Words that a slot of a frame holds at most."""

MOST_TRIED = 4_000
"""Ways to go on that are tried for one frame; more of them come of sentences that nobody says."""


@dataclass(frozen=True, slots=True)
class Caught:
    """The words that a slot caught, by their numbers in the clause."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Piece:
    """Words in a row that belong together.

    Attributes:
        part: The number of the part of the frame, ``TALKED`` or ``LEFT``.
        start: Their first word, by its number.
        end: Where they end.
    """

    part: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cover:
    """One way to account for every word.

    Attributes:
        caught: The slots that were filled.
        pieces: Which words belong to which part of the frame, in order.
    """

    caught: tuple[Caught, ...]
    pieces: tuple[Piece, ...]

    @property
    def cost(self) -> tuple[int, int]:
        """How little it explains: words that slots took in, and words that carry nothing."""
        talk = sum(piece.end - piece.start for piece in self.pieces if piece.part == TALKED)
        return sum(each.end - each.start for each in self.caught), talk


@dataclass(frozen=True)
class Words:
    """A clause as covers see it.

    Attributes:
        words: Its words in lower case, each literal as one of them.
        classes: For each word which classes begin there, and where the words of each end.
        can_hold: Whether a slot of a name can hold the words from one number up to another.
    """

    words: tuple[str, ...]
    classes: list[dict[str, list[int]]]
    can_hold: Callable[[str, int, int], bool]

    def list_ends(self, name: str, start: int) -> list[int]:
        """Return where a class that begins with a word may end."""
        return self.classes[start].get(name, []) if start < len(self.words) else []


class CoverFinder:
    """Finds the covers of one clause by one frame."""

    def __init__(self, frame: Frame, words: Words) -> None:
        """Take the frame and the clause."""
        self._parts = frame.parts
        self._words = words
        self._end = len(words.words)
        self._needed = sum(1 << number for number, part in enumerate(self._parts) if not part.optional)
        self._slotted = sum(1 << number for number, part in enumerate(self._parts) if _has_slot(part))
        self._tried = 0
        self._stops = _find_stops(frame, words)

    def find(self) -> Iterator[Cover]:
        """Yield the covers; none where a word is left over, or a part is missing."""
        dead: set[tuple[int, int]] = set()
        yield from self._go_on(0, 0, (), (), dead)

    def _go_on(
        self, start: int, used: int, caught: tuple[Caught, ...], pieces: tuple[Piece, ...], dead: set[tuple[int, int]]
    ) -> Iterator[Cover]:
        if start == self._end:
            if used & self._needed == self._needed:
                yield Cover(caught, pieces)
            return
        self._tried += 1
        if (start, used) in dead or self._tried > MOST_TRIED:
            return
        is_dead = True
        for number, end, more in self.list_steps(start, used):
            now = used | (1 << number) if number >= 0 else used
            for cover in self._go_on(end, now, caught + more, (*pieces, Piece(number, start, end)), dead):
                is_dead = False
                yield cover
        if is_dead:
            dead.add((start, used))

    def list_steps(self, start: int, used: int) -> Iterator[tuple[int, int, tuple[Caught, ...]]]:
        """Yield which part may stand at a word, where it ends and what its slots catch; talk last."""
        for number, part in enumerate(self._parts):
            if not used & (1 << number):
                for end, more in self._match_choice(part, start, is_first=True):
                    if end > start and (used & self._slotted or not self._is_time(start, end, more)):
                        yield number, end, more
        for end in self._words.list_ends(TALK, start):
            yield TALKED, end, ()

    def _is_time(self, start: int, end: int, caught: tuple[Caught, ...]) -> bool:
        """Whether a part in front of what it is about tells a time: "at eight lower the volume", "around three the music should be off"."""
        if end == self._end or not caught or caught[-1].end != end:
            return False
        is_number = self._words.words[end - 1].isdigit() or bool(self._words.list_ends(HOURS, end - 1))
        return is_number and caught[-1].start in self._words.list_ends(MOMENTS, start)

    def _match_choice(
        self, choice: Alternatives, start: int, *, is_first: bool
    ) -> Iterator[tuple[int, tuple[Caught, ...]]]:
        for way in choice.ways:
            yield from self._match_row(way, 0, start, is_first=is_first)

    def _match_row(
        self, row: Sequence, index: int, start: int, *, is_first: bool
    ) -> Iterator[tuple[int, tuple[Caught, ...]]]:
        """Yield where the atoms of a row from one on may end, and what their slots catch; talk may stand before all but the first."""
        if index == len(row.atoms):
            yield start, ()
            return
        atom = row.atoms[index][0]
        for end, first in self._match_atom(atom, start, is_first=is_first):
            for last, more in self._match_row(row, index + 1, end, is_first=is_first and end == start):
                yield last, first + more

    def _match_atom(
        self, atom: Word | Slot | Alternatives, start: int, *, is_first: bool
    ) -> Iterator[tuple[int, tuple[Caught, ...]]]:
        if isinstance(atom, Alternatives):
            if atom.optional:
                yield start, ()
            yield from self._match_choice(atom, start, is_first=is_first)
            return
        found = False
        for end, caught in self._match_leaf(atom, start):
            found = True
            yield end, caught
        if not found and not is_first:
            for end in self._words.list_ends(TALK, start):
                yield from self._match_leaf(atom, end)

    def _match_leaf(self, atom: Word | Slot, start: int) -> Iterator[tuple[int, tuple[Caught, ...]]]:
        if start >= self._end:
            return
        if isinstance(atom, Slot):
            name = name_group(atom.name)
            talk = self._find_talk(start)
            for end in range(self._find_bar(start), start, -1):
                if self._stops[end] and end not in talk and self._words.can_hold(name, start, end):
                    yield end, (Caught(name, start, end),)
        elif name := read_class(atom.text):
            for end in self._words.list_ends(name, start):
                yield end, ()
        elif self._words.words[start] == atom.text.lower():
            yield start + 1, ()

    def _find_talk(self, start: int) -> frozenset[int]:
        """Return where the words end that are nothing but talk, and so no slot's."""
        found: set[int] = set()
        ends = [start]
        while ends:
            more = [each for end in ends for each in self._words.list_ends(TALK, end) if each not in found]
            found.update(more)
            ends = more
        return frozenset(found)

    def _find_bar(self, start: int) -> int:
        """Return where the words end that a slot may hold: in front of a bar, or of talk that is not in front, articles aside."""
        last = min(self._end, start + MOST_SLOT_WORDS)
        place = start
        while ends := self._words.list_ends(TALK, place):
            place = max(ends)
        for word in range(place, last):
            is_talk = self._words.list_ends(TALK, word) and not self._words.list_ends(ARTICLES, word)
            if is_talk or self._words.list_ends(BARS, word):
                return word
        return last


def _has_slot(part: Alternatives) -> bool:
    return any(True for way in part.ways for _ in list_slots(way))


def _find_stops(frame: Frame, words: Words) -> list[bool]:
    """Return for each word whether a slot may end in front of it: where the frame, or talk, has something to begin with.

    That spares reading what can't be gone on from: a slot is never followed by another one at once, other than by a number.
    """
    said, classes = frame.vocabulary
    begins = [
        word in said or TALK in here or not classes.isdisjoint(here) or word[:1].isdigit()
        for word, here in zip(words.words, words.classes, strict=True)
    ]
    return [*begins, True]
