"""Pieces: what a clause about files is made of, and where each can stand in it.

A way to say a piece is written as words with spaces between: classes of the lexicon, ``a|b`` for one of two, and ``@name:kind``
for what is read; ``?`` behind one means that it may be missing.
"""

import heapq
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

from core.language.file_clauses.lexicon import ACT, MANNER, REST, ClauseWords, FileLexicon, FileToken, WordSense
from core.language.file_clauses.slots import FileSlotReader, may_begin
from core.language.sentences.spans import Span

_SLOT, _MAYBE, _OR = "@", "?", "|"
FILLER, QUIET = "filler", "quiet"
_WORD_COST, _MANNER_COST, _FILLER_COST = 1.0, 0.5, 0.25


class FileRead(NamedTuple):
    """What was read out of the words of a slot.

    Attributes:
        cost: How much of it is only a guess: one for each word that is a name without quotes.
    """

    name: str
    start: int
    end: int
    value: Any
    cost: float = 0


class FilePiece(NamedTuple):
    """A piece of a clause.

    Attributes:
        sense: The act or manner that it is, if it is one.
        cost: How much it explains badly; the fewer and surer the pieces, the better.
    """

    role: str
    start: int
    end: int
    classes: frozenset[str] = frozenset()
    reads: tuple[FileRead, ...] = ()
    sense: WordSense | None = None
    cost: float = 1


def is_manner(piece: FilePiece) -> bool:
    """Whether a piece says how something is done."""
    return piece.role == QUIET or (piece.sense is not None and piece.sense.kind == MANNER and piece.role != FILLER)


class WayPart(NamedTuple):
    """One word of a way to say a piece."""

    classes: tuple[str, ...]
    name: str = ""
    kind: str = ""
    is_optional: bool = False


Way = tuple[WayPart, ...]


class Ways:
    """The ways to say the pieces of clauses, by what they can begin with."""

    def __init__(self, pieces: Mapping[str, tuple[str, ...]]) -> None:
        self._by_class: dict[str, list[tuple[int, str, Way]]] = {}
        self._open: list[tuple[int, str, Way, frozenset[str]]] = []
        number = 0
        for role, ways in pieces.items():
            for text in ways:
                way, number = tuple(_read_atom(word) for word in text.split()), number + 1
                self._add(number, role, way)

    def _add(self, number: int, role: str, way: Way) -> None:
        kinds: set[str] = set()
        for atom in way:
            for each in atom.classes:
                self._by_class.setdefault(each, []).append((number, role, way))
            if atom.kind:
                kinds.add(atom.kind)
            if not atom.is_optional:
                break
        if kinds:
            self._open.append((number, role, way, frozenset(kinds)))

    def list_candidates(self, kinds: set[str], token: FileToken) -> list[tuple[str, Way]]:
        """Return the ways that can begin with a word."""
        found = {number: (role, way) for kind in kinds for number, role, way in self._by_class.get(kind, ())}
        for number, role, way, slots in self._open:
            if any(may_begin(kind, kinds, token) for kind in slots):
                found[number] = (role, way)
        return [found[number] for number in sorted(found)]


def _read_atom(word: str) -> WayPart:
    text = word.removesuffix(_MAYBE)
    is_optional = text != word
    if text.startswith(_SLOT):
        name, _, kind = text.removeprefix(_SLOT).partition(":")
        return WayPart((), name, kind, is_optional)
    return WayPart(tuple(text.split(_OR)), is_optional=is_optional)


class FileClause(ClauseWords):
    """The pieces that can stand in one clause."""

    def __init__(self, span: Span, lexicon: FileLexicon, ways: Ways, slots: FileSlotReader) -> None:
        super().__init__(span, lexicon)
        self._ways, self.slots = ways, slots
        self._reads: dict[tuple[str, int], list[FileRead]] = {}

    def list_pieces(self, position: int) -> list[FilePiece]:
        """Return the pieces that begin at a position."""
        found: dict[tuple[object, ...], FilePiece] = {}
        kinds = {sense.kind for sense in self.senses[position]}
        for role, way in self._ways.list_candidates(kinds, self.tokens[position]):
            for end, classes, reads in self._match(way, position):
                if end == position:
                    continue
                cost = 1 + sum(read.cost for read in reads)
                piece = FilePiece(role, position, end, frozenset(classes), tuple(reads), cost=cost)
                found.setdefault((role, end, piece.classes, piece.reads), piece)
        return [*found.values(), *self._list_plain(position)]

    def _list_plain(self, position: int) -> Iterator[FilePiece]:
        for sense in self.senses[position]:
            end = position + sense.size
            if sense.kind == ACT:
                yield FilePiece(ACT, position, end, sense=sense)
            elif sense.kind == REST:
                yield FilePiece(REST, position, end, sense=sense, cost=0)
            elif sense.kind == MANNER:
                cost = _FILLER_COST if sense.value == FILLER else _MANNER_COST
                yield FilePiece(sense.value, position, end, sense=sense, cost=cost)
        if self.tokens[position].text == ",":
            yield FilePiece(FILLER, position, position + 1, cost=0)

    def _match(self, way: Way, position: int) -> Iterator[tuple[int, list[str], list[FileRead]]]:
        if not way:
            yield position, [], []
            return
        atom, rest = way[0], way[1:]
        if atom.is_optional:
            yield from self._match(rest, position)
        if position >= len(self.tokens):
            return
        for end, classes, reads in self._step(atom, position):
            for last, more, others in self._match(rest, end):
                yield last, [*classes, *more], [*reads, *others]

    def _step(self, atom: WayPart, position: int) -> Iterator[tuple[int, list[str], list[FileRead]]]:
        if atom.kind:
            for read in self._list_reads(atom, position):
                yield read.end, [], [read]
            return
        for kind, size in {(sense.kind, sense.size) for sense in self.senses[position] if sense.kind in atom.classes}:
            yield position + size, [kind], []

    def _list_reads(self, atom: WayPart, position: int) -> list[FileRead]:
        key = (atom.kind, position)
        if key not in self._reads:
            self._reads[key] = [
                FileRead("", position, end, value, words * _WORD_COST)
                for end, value, words in self.slots.list_values(atom.kind, self, position)
            ]
        return [read._replace(name=atom.name) for read in self._reads[key]]


_MOST_TRIED = 600
_ALSO, _NEW_NAME, _DONE = "also", "newname", "done"
_REPEATED = frozenset({FILLER, _ALSO, QUIET})


class FileCover(NamedTuple):
    """Pieces that take up every word."""

    cost: float
    pieces: tuple[FilePiece, ...]

    def without(self, *roles: str) -> "FileCover":
        """Return the same without the pieces of some roles."""
        return FileCover(self.cost, tuple(piece for piece in self.pieces if piece.role not in roles))


def list_covers(clause: FileClause) -> Iterator[FileCover]:
    """Yield the covers of a clause, the best first; each role is there once at most."""
    graph = _find_graph(clause)
    if graph is None:
        return
    end, numbers = len(clause.tokens), count()
    heap: list[tuple[float, int, int, str, tuple[FilePiece, ...]]] = [(0.0, 0, 0, "", ())]
    tried = 0
    while heap and tried < _MOST_TRIED:
        cost, _, position, rest, pieces = heapq.heappop(heap)
        tried += 1
        if position == end:
            if not rest and pieces[-1].role != _ALSO:
                yield FileCover(cost, pieces)
            continue
        for piece in graph.get(position, ()):
            left = _follow(pieces, piece, rest)
            if left is not None:
                heapq.heappush(heap, (cost + piece.cost, next(numbers), piece.end, left, (*pieces, piece)))


def _follow(pieces: tuple[FilePiece, ...], piece: FilePiece, rest: str) -> str | None:
    """Return the words of the act that are still to come behind a piece; None where it can't stand behind the others."""
    if piece.role not in _REPEATED and any(each.role == piece.role for each in pieces):
        return None
    is_bare = piece.role == _NEW_NAME and not piece.classes
    if is_bare and not (pieces and _may_name(pieces[-1])):
        return None
    if pieces and pieces[-1].role == _ALSO and not (is_manner(piece) or any(is_manner(each) for each in pieces[-2:-1])):
        return None
    if piece.sense is None or piece.role not in {ACT, REST}:
        return rest
    if piece.role == ACT:
        return piece.sense.rest
    return "" if piece.sense.value == rest else None


def _may_name(piece: FilePiece) -> bool:
    return piece.role == REST or (piece.role == ACT and piece.sense is not None and piece.sense.form == _DONE)


def _find_graph(clause: FileClause) -> dict[int, list[FilePiece]] | None:
    reached, graph = {0}, dict[int, list[FilePiece]]()
    size = len(clause.tokens)
    for position in range(size):
        if position in reached:
            graph[position] = clause.list_pieces(position)
            reached.update(piece.end for piece in graph[position])
    if size not in reached:
        return None
    useful = {size}
    for position in range(size - 1, -1, -1):
        kept = [piece for piece in graph.get(position, ()) if piece.end in useful]
        if kept:
            useful.add(position)
        graph[position] = kept
    return graph
