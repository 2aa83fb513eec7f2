"""FrameReader: which frames account for every word of a clause."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from core.base.late_dataclasses import dataclass
from core.language.frames.covers import Bound, CanHold, Cover, CoverFinder, Layout
from core.language.frames.frames import Frame, write_class, write_slot
from core.language.frames.lexicon import BARS, CORRECTING, TALK, UNREAL, Lexicon
from core.language.frames.weighing import Evidence, weigh
from core.language.sentences.spans import Span

MOST_WORDS = 30
"""Words of a clause that frames look at; nobody says more of them for one thing, beside what is quoted."""

_WORD = re.compile(r"\S+")
_EDGES = ",:;.!?…"
_MOST_COVERS = 16
_OPEN: Mapping[str, Callable[[str], bool]] = {}
_TALK, _BARS = write_class(TALK), write_class(BARS)

CanRead = Callable[[Frame, str, Span], bool]


class FrameReading(NamedTuple):
    """A frame that accounts for every word of a clause."""

    frame: Frame
    cover: Cover
    slots: dict[str, Span]
    clause: tuple[Span, ...]
    layout: Layout
    bound: Bound

    def cuts(self, kinds: frozenset[str], *, is_behind: bool = False) -> bool:
        """Whether words that carry nothing elsewhere stand beside a slot of some kinds, so that they rather belong to it."""
        caught = [each for each in self.cover.caught if self.frame.kinds[each.name] in kinds]
        edges = {each.end for each in caught} | ({each.start - 1 for each in caught} if not is_behind else set[int]())
        return not edges.isdisjoint(self.layout.talked)

    def widen(self, kinds: frozenset[str], can_read: CanRead) -> dict[str, Span]:
        """Return what the slots caught, those of some kinds with the talk behind them where they can hold it: "Order again"."""
        slots = dict(self.slots)
        for name, start, end in self.cover.caught:
            last = self.layout.find_talked_end(end)
            if last > end and self.frame.kinds[name] in kinds:
                wider = _join(self.clause, start, last)
                slots[name] = wider if can_read(self.frame, name, wider) else slots[name]
        return slots

    def take(self) -> None:
        """Look for no reading any more whose slots hold more words than this one's."""
        self.bound.lower(self.cover.cost[0])


class FrameReader:
    """Reads clauses by the frames of one language."""

    def __init__(
        self, frames: Iterable[Frame], lexicon: Lexicon, beginnings: Mapping[str, Callable[[str], bool]] = _OPEN
    ) -> None:
        """Take the frames.

        Args:
            frames: All of them, in the order of their verbs.
            beginnings: Whether slots of a kind can begin with a word; all others may begin with any.
        """
        self._frames = tuple(frames)
        self._lexicon = lexicon
        self._beginnings = beginnings

    @cached_property
    def _by_need(self) -> dict[str, list[tuple[int, Frame, tuple[frozenset[str], ...]]]]:
        """The frames with their needs, by each of the words and classes that the first of these can be met with."""
        found: dict[str, list[tuple[int, Frame, tuple[frozenset[str], ...]]]] = {}
        for number, frame in enumerate(self._frames):
            demanded = tuple({*frame.needed, *frame.list_demanded(self._beginnings)})
            for need in min(frame.needed, key=len):
                found.setdefault(need, []).append((number, frame, demanded))
        return found

    def list_readings(
        self, span: Span, can_read: CanRead, followed: frozenset[str] = frozenset()
    ) -> Iterator[FrameReading]:
        """Yield the frames that account for every word of a clause, those first whose slots have to hold the fewest words.

        Args:
            can_read: Whether a slot of a frame can hold a part of it.
            followed: What the clause follows, as ``Context.list_followed`` has it; a frame may only be said behind some of it.
        """
        clause = self._look_at(span)
        if clause is None:
            return
        bound = Bound()
        for left, frame in self._list_candidates(clause, followed):
            if left > bound.most:
                return
            covers = CoverFinder(frame, clause.layout, clause.ask(frame, can_read), bound).find()
            for cover, _ in zip(covers, range(_MOST_COVERS), strict=False):
                slots = {each.name: _join(clause.spans, each.start, each.end) for each in cover.caught}
                yield FrameReading(frame, cover, slots, clause.spans, clause.layout, bound)

    def weigh_all(self, span: Span, can_read: CanRead) -> list[Evidence]:
        """Return what speaks for each frame of which anything was said, the nearest first."""
        clause = self._look_at(span)
        if clause is None:
            return []
        said = tuple(each.text for each in clause.spans)
        # Words that a slot takes in say nothing for a frame of which nothing else was said.
        frames = [frame for frame in self._frames if any(not need.isdisjoint(clause.present) for need in frame.needed)]
        found = [weigh(frame, CoverFinder(frame, clause.layout, clause.ask(frame, can_read)), said) for frame in frames]
        return sorted((each for each in found if each), key=lambda each: each.cost)

    def _look_at(self, span: Span) -> "_WordsOfClause | None":
        """Return the words of a clause with their classes; None where frames don't look at it."""
        spans = split_words(span) if self._frames else ()
        if not spans or len(spans) > MOST_WORDS:
            return None
        words = tuple(each.mask.lower() for each in spans)
        classes = self._lexicon.find(words)
        if any(UNREAL in here for here in classes) or (span.start and CORRECTING in classes[0]):
            return None
        layout = Layout(words, classes)
        present = frozenset[str]().union(*layout.keys)
        return _WordsOfClause(spans, layout, present, _find_places(words, classes), self._find_beginnings(words), {})

    def _find_beginnings(self, words: tuple[str, ...]) -> dict[str, frozenset[int]]:
        """Return where slots can begin, by their kind, where not any word will do; kinds that begin alike are looked at once."""
        found = {
            may_begin: frozenset(place for place, word in enumerate(words) if may_begin(word))
            for may_begin in set(self._beginnings.values())
        }
        return {kind: found[may_begin] for kind, may_begin in self._beginnings.items()}

    def _list_candidates(self, clause: "_WordsOfClause", followed: frozenset[str]) -> list[tuple[int, Frame]]:
        present = clause.present.union(write_slot(kind) for kind, places in clause.beginnings.items() if places)
        met = {
            number: frame
            for need in clause.present
            for number, frame, demanded in self._by_need.get(need, ())
            if not (frame.phrase.after and followed.isdisjoint(frame.phrase.after))
            and not any(each.isdisjoint(present) for each in demanded)
        }
        found = [(left, number) for number, frame in met.items() if (left := clause.find_left(frame)) is not None]
        return [(left, met[number]) for left, number in sorted(found)]


@dataclass(frozen=True, slots=True)
class _WordsOfClause:
    spans: tuple[Span, ...]
    layout: Layout
    present: frozenset[str]
    places: Mapping[str, int]
    beginnings: Mapping[str, frozenset[int]]
    seen: dict[tuple[str, str, str, int, int], bool]

    def find_left(self, frame: Frame) -> int | None:
        """Return how many words a frame itself has no word for; None if its slots can't hold them: too many runs, or a bar."""
        known = self.places.get(_TALK, 0)
        for key in frame.said & self.present:
            known |= self.places[key]
        left = ~known & ((1 << len(self.spans)) - 1)
        runs = left & ~(left << 1)
        if left & self.places.get(_BARS, 0) or runs.bit_count() > len(frame.kinds):
            return None
        return left.bit_count()

    def ask(self, frame: Frame, can_read: CanRead) -> CanHold:
        verb, kinds = frame.verb.name, frame.kinds

        def can_hold(name: str, start: int, end: int) -> bool:
            kind = kinds[name]
            if (starts := self.beginnings.get(kind)) is not None and start not in starts:
                return False
            key = (verb, name, kind, start, end)
            if key not in self.seen:
                self.seen[key] = can_read(frame, name, _join(self.spans, start, end))
            return self.seen[key]

        return can_hold


def _find_places(words: tuple[str, ...], classes: list[dict[str, list[int]]]) -> dict[str, int]:
    """Return where each word and class is, as bits; classes are in angle brackets."""
    places: dict[str, int] = {}
    for start, (word, here) in enumerate(zip(words, classes, strict=True)):
        places[word] = places.get(word, 0) | (1 << start)
        for name, ends in here.items():
            key = write_class(name)
            places[key] = places.get(key, 0) | ((1 << max(ends)) - (1 << start))
    return places


def split_words(span: Span) -> tuple[Span, ...]:
    """Return the words of a clause, each literal as one, without the marks behind them."""
    found: list[Span] = []
    for match in _WORD.finditer(span.mask):
        word = match[0].strip(_EDGES)
        if word:
            start = match.start() + match[0].index(word)
            found.append(span.cut(start, start + len(word)))
    return tuple(found)


def _join(clause: tuple[Span, ...], start: int, end: int) -> Span:
    first, last = clause[start], clause[end - 1]
    return Span(first.sentence, first.start, last.end)
