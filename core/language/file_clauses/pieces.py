"""Pieces: what a clause about files is made of, and where each can stand in it.

A way to say a piece is written as words with spaces between: classes of the lexicon, ``a|b`` for one of two, and ``@name:kind``
for what is read; ``?`` behind one means that it may be missing.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from core.language.file_clauses.lexicon import ACT, MANNER, REST, ClauseWords, FileLexicon, WordSense
from core.language.file_clauses.slots import FileSlotReader, may_begin
from core.language.file_clauses.tokens import FileToken
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
        """Yield the acts, manners and fillers that begin at a position."""
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
        """Yield what one word of a way can take up."""
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
