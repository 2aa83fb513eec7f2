"""Covers: the words of a clause divided among the parts of a frame, so that none is left over."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from core.language.frames.frames import Frame, FrameAtom, FrameLeaf, FramePart, FrameWay, write_class
from core.language.frames.lexicon import ARTICLES, BARS, HANGING, HOURS, MOMENTS, PASSED, TALK

TALKED = -1
"""Number of the part that talk belongs to."""

LEFT = -2
"""Number of the part that words belong to which a frame doesn't account for."""

MOST_SLOT_WORDS = 9
"""Words that a slot of a frame holds at most."""

MOST_TRIED = 4_000
"""Ways to go on that are tried for one frame; more of them come of sentences that nobody says."""

ANY_COST = 1_000
"""More words than slots of a clause can hold."""


class Bound:
    """How many words the slots of a cover may hold, so that it can still be the cheapest.

    Attributes:
        most: So many; it only ever falls.
    """

    __slots__ = ("most",)

    def __init__(self) -> None:
        self.most = ANY_COST

    def lower(self, held: int) -> None:
        """Take into account that there is a cover whose slots hold so many words."""
        self.most = min(self.most, held)


class Caught(NamedTuple):
    """The words that a slot caught, by their numbers in the clause."""

    name: str
    start: int
    end: int


Step = tuple[int, tuple[Caught, ...]]
"""Where a part or a piece of one ends, and what its slots catch."""

_NOWHERE: list[int] = []
_NO_KEYS: frozenset[str] = frozenset()


class Piece(NamedTuple):
    """Words in a row that belong together.

    Attributes:
        part: The number of the part of the frame, ``TALKED`` or ``LEFT``.
        start: Their first word, by its number.
    """

    part: int
    start: int
    end: int


class Cover(NamedTuple):
    """One way to account for every word.

    Attributes:
        pieces: Which words belong to which part of the frame, in order.
    """

    caught: tuple[Caught, ...]
    pieces: tuple[Piece, ...]

    @property
    def cost(self) -> tuple[int, int]:
        """How little it explains: words that slots took in, and words that carry nothing."""
        talk = sum(piece.end - piece.start for piece in self.pieces if piece.part == TALKED)
        return sum(each.end - each.start for each in self.caught), talk


CanHold = Callable[[str, int, int], bool]
"""Tells whether a slot of a name can hold the words of a clause from one number up to another."""


class Layout:
    """What is known of the words of a clause whatever the frame, each found out once."""

    def __init__(self, words: tuple[str, ...], classes: list[dict[str, list[int]]]) -> None:
        self.words, self.classes = words, classes
        """The words, and for each of them which classes begin there, and where the words of each end."""
        self.keys = list_keys(words, classes)
        """For each word what may be said with it: itself, and its classes as they are written in frames."""
        self.is_number = [word[:1].isdigit() for word in words]
        """Whether each word is a number in digits."""
        self.talk: list[list[int]] = [*(here.get(TALK, _NOWHERE) for here in classes), _NOWHERE]
        """For each word where the talk ends that begins there; likewise behind the last one."""
        self.talked = frozenset(
            word for start, ends in enumerate(self.talk) for word in range(start, max(ends, default=start))
        )
        """The numbers of all words that talk may hold."""
        self.is_passed = [PASSED in here for here in classes]
        """For each word whether a slot rather begins behind it: an article."""
        self.ends: dict[tuple[FramePart, int], list[Step]] = {}
        """Where parts without slots end that begin with a word, as far as that was asked."""
        self._slot_ends: dict[int, tuple[int, ...]] = {}

    def list_slot_ends(self, start: int) -> tuple[int, ...]:
        """Return where a slot may end that begins with a word, the nearest first: in front of a bar, and never behind mere talk or what hangs."""
        found = self._slot_ends.get(start)
        if found is None:
            talk = self.find_talk(start)
            last = range(start + 1, self._find_bar(start) + 1)
            found = tuple(end for end in last if end not in talk and not (end - start > 1 and self._hangs(end - 1)))
            self._slot_ends[start] = found
        return found

    def list_ends(self, name: str, start: int) -> list[int]:
        """Return where a class that begins with a word may end."""
        return self.classes[start].get(name, []) if start < len(self.words) else []

    def find_talked_end(self, start: int) -> int:
        """Return where the talk ends that begins with a word, without what is only in front of another one: "a" in "again a click"."""
        end = start
        while end in self.talked:
            end += 1
        while end > start and self._hangs(end - 1):
            end -= 1
        return end

    def _hangs(self, word: int) -> bool:
        """Whether a word can't be the last of a name: "the volume of"."""
        return word + 1 in self.classes[word].get(HANGING, ())

    def find_talk(self, start: int) -> list[int]:
        """Return where the words may end that begin with a word and are nothing but talk."""
        found: list[int] = []
        ends = self.talk[start]
        while ends:
            found += ends
            ends = [each for end in ends for each in self.talk[end] if each not in found]
        return found

    def _find_bar(self, start: int) -> int:
        """Return where the words end that a slot may hold: in front of a bar, or of talk that is not in front, articles aside."""
        last = min(len(self.classes), start + MOST_SLOT_WORDS)
        place = start
        while ends := self.talk[place]:
            place = max(ends)
        for word in range(place, last):
            here = self.classes[word]
            if BARS in here or (TALK in here and ARTICLES not in here):
                return word
        return last


class CoverFinder:
    """Finds the covers of one clause by one frame."""

    def __init__(self, frame: Frame, layout: Layout, can_hold: CanHold, bound: Bound | None = None) -> None:
        """Take the frame, the clause, and what covers may cost: anything where nothing is said."""
        self._frame = frame
        self._bound = bound or Bound()
        self._parts = tuple(enumerate(frame.parts_by_beginning))
        self._layout, self._can_hold = layout, can_hold
        self._end = len(layout.words)
        self._tried = 0
        self._stops = _find_stops(frame, self._layout)
        self._ends: dict[tuple[FramePart, int], list[Step]] = {}

    def find(self) -> Iterator[Cover]:
        """Yield the covers; none where a word is left over, or a part is missing."""
        if all(map(self._is_anywhere, self._frame.telling_parts)):
            dead: set[tuple[int, int]] = set()
            yield from self._go_on(0, 0, 0, (), (), dead)

    def _is_anywhere(self, part: FramePart) -> bool:
        begins, keys = part.begins, self._layout.keys
        return any(
            (begins is None or not begins.isdisjoint(keys[start])) and self._match_part(part, start)
            for start in range(self._end)
        )

    def _go_on(
        self,
        start: int,
        used: int,
        held: int,
        caught: tuple[Caught, ...],
        pieces: tuple[Piece, ...],
        dead: set[tuple[int, int]],
    ) -> Iterator[Cover]:
        if start == self._end:
            if used & self._frame.needed_parts == self._frame.needed_parts:
                yield Cover(caught, pieces)
            return
        self._tried += 1
        if (start, used) in dead or self._tried > MOST_TRIED:
            return
        is_dead = True
        for number, end, more in self.list_steps(start, used):
            now = used | (1 << number) if number >= 0 else used
            holds = held + sum(each.end - each.start for each in more) if more else held
            if holds > self._bound.most:
                is_dead = False  # only too dear by this way
                continue
            for cover in self._go_on(end, now, holds, caught + more, (*pieces, Piece(number, start, end)), dead):
                is_dead = False
                yield cover
        if is_dead and held <= self._bound.most:
            dead.add((start, used))

    def list_steps(self, start: int, used: int) -> Iterator[tuple[int, int, tuple[Caught, ...]]]:
        """Yield which part may stand at a word, where it ends and what its slots catch; talk last."""
        keys = self._layout.keys[start]
        for number, part in self._parts:
            if used & (1 << number) or not (part.begins is None or not part.begins.isdisjoint(keys)):
                continue
            for end, more in self._match_part(part, start):
                if used & self._frame.slotted_parts or not self._is_time(start, end, more):
                    yield number, end, more
        for end in self._layout.talk[start]:
            yield TALKED, end, ()

    def _match_part(self, part: FramePart, start: int) -> list[Step]:
        """Return where a part may end that begins with a word, and what its slots catch; what has none is the same in all frames."""
        known = self._ends if part.has_slot else self._layout.ends
        found = known.get((part, start))
        if found is None:
            found = [step for step in self._match_choice(part, start, is_first=True) if step[0] > start]
            known[part, start] = found
        return found

    def _is_time(self, start: int, end: int, caught: tuple[Caught, ...]) -> bool:
        """Whether a part in front of what it is about tells a time: "at eight lower the volume", "around three the music should be off"."""
        if end == self._end or not caught or caught[-1].end != end:
            return False
        is_number = self._layout.words[end - 1].isdigit() or bool(self._layout.list_ends(HOURS, end - 1))
        return is_number and caught[-1].start in self._layout.list_ends(MOMENTS, start)

    def _match_choice(self, choice: FramePart, start: int, *, is_first: bool) -> Iterator[Step]:
        keys = self._layout.keys[start] if start < self._end else _NO_KEYS
        # Behind talk that is in front of a word, anything may stand.
        is_open = not is_first and bool(self._layout.talk[start])
        for way in choice.ways:
            if not way.atoms:
                yield start, ()
            elif is_open or way.begins is None or not way.begins.isdisjoint(keys):
                yield from self._match_row(way, 0, start, is_first=is_first)

    def _match_row(self, way: FrameWay, index: int, start: int, *, is_first: bool) -> Iterator[Step]:
        behind = way.behind[index]
        if index == len(way.atoms) - 1:
            yield from self._match_atom(way.atoms[index], behind, start, is_first=is_first)
            return
        for end, first in self._match_atom(way.atoms[index], behind, start, is_first=is_first):
            for last, more in self._match_row(way, index + 1, end, is_first=is_first and end == start):
                yield last, first + more

    def _match_atom(
        self, atom: FrameAtom, behind: frozenset[str] | None, start: int, *, is_first: bool
    ) -> Iterable[Step]:
        if isinstance(atom, FramePart):
            return self._match_inner(atom, start, is_first=is_first)
        found = self._match_leaf(atom, behind, start)
        if found or is_first:
            return found
        return [step for end in self._layout.find_talk(start) for step in self._match_leaf(atom, behind, end)]

    def _match_inner(self, choice: FramePart, start: int, *, is_first: bool) -> Iterator[Step]:
        if choice.is_optional:
            yield start, ()
        yield from self._match_choice(choice, start, is_first=is_first)

    def _match_leaf(self, atom: FrameLeaf, behind: frozenset[str] | None, start: int) -> list[Step]:
        if start >= self._end:
            return []
        name, is_slot, is_class = atom
        if is_slot:
            return [(end, (Caught(name, start, end),)) for end in self._list_slot_ends(name, behind, start)]
        if is_class:
            ends = self._layout.classes[start].get(name)
            return [(end, ()) for end in ends] if ends else []
        return [(start + 1, ())] if self._layout.words[start] == name else []

    def _list_slot_ends(self, name: str, behind: frozenset[str] | None, start: int) -> Iterator[int]:
        """Yield where a slot ends that begins with a word: only in front of what can follow it, since reading it is dear."""
        layout, last = self._layout, start + self._bound.most
        if layout.is_passed[start]:
            return
        for end in layout.list_slot_ends(start):
            if end > last:
                return
            if behind is None:
                is_followed = self._stops[end]
            else:
                is_followed = end < self._end and (bool(layout.talk[end]) or not behind.isdisjoint(layout.keys[end]))
            if is_followed and self._can_hold(name, start, end):
                yield end


def list_keys(words: tuple[str, ...], classes: list[dict[str, list[int]]]) -> list[frozenset[str]]:
    """Return for each word what may be said with it: itself, and its classes as they are written in frames."""
    return [frozenset([word, *map(write_class, here)]) for word, here in zip(words, classes, strict=True)]


def _find_stops(frame: Frame, layout: Layout) -> list[bool]:
    """Return for each word whether a slot may end in front of it: where the frame, or talk, has something to begin with.

    That spares reading what can't be gone on from: a slot is never followed by another one at once, other than by a number.
    """
    said = frame.said
    begins = [
        is_number or bool(talk) or not said.isdisjoint(keys)
        for keys, talk, is_number in zip(layout.keys, layout.talk, layout.is_number, strict=False)
    ]
    return [*begins, True]
