"""Wordings: where templates match in a row of words, with how often what they say is turned around.

A template is written like a phrase without slots; ``<name>`` is a fragment, which is looked for once at each word, however
many templates name it. Some fragments turn what is said around ("not", "wrong"): each that a match holds counts. Parts with
`` + `` between them may stand in any order, each once; one that is optional may be missing.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from core.base.errors import TableError
from core.base.late_dataclasses import dataclass
from core.language.grammars.templates import Alternatives, Sequence, Slot, Word, parse_template
from core.language.grammars.templates import Atom as TemplateAtom

_FRAGMENT = re.compile(r"<(\w+)>")
_MARKED = re.compile(r"‹(\w+)›")


class End(NamedTuple):
    """Where a match ends.

    Attributes:
        turns: How often what it says is turned around: never, once or any odd number (1), or twice or the like (2).
    """

    place: int
    turns: int = 0

    def turn(self, turns: int) -> "End":
        """Return the same with what came before turned as often."""
        both = self.turns + turns
        return End(self.place, both if both < 3 else both - 2)


@dataclass(frozen=True, slots=True)
class _Fragment:
    name: str


@dataclass(frozen=True, eq=False)
class WordChoice:
    """One of several rows; none of them where it is optional. A wording is one, and the same as itself only."""

    rows: tuple[tuple["_Atom", ...], ...]
    optional: bool


@dataclass(frozen=True, slots=True)
class _AnyOrder:
    """Parts that may stand in any order; those that are optional may be missing."""

    parts: tuple[WordChoice, ...]


_Atom = Word | _Fragment | WordChoice | _AnyOrder
_Row = tuple[_Atom, ...]
_JOINT = " + "


class Wordings:
    """Templates, parsed once; their fragments when they are first needed."""

    def __init__(
        self, fragments: Mapping[str, str], turning: frozenset[str], talk: frozenset[str], asides: tuple[str, ...] = ()
    ) -> None:
        self._fragments = fragments
        self.turning = turning
        self.talk = talk
        self._asides = asides
        self._parsed: dict[str, WordChoice] = {}
        self._first: dict[str, frozenset[str]] = {}
        self._needs: dict[str, frozenset[str]] = {}
        self._ways: dict[WordChoice, Mapping[str, tuple[_Row, ...]]] = {}

    def parse(self, template: str) -> WordChoice:
        """Return a template as it is looked for.

        Raises:
            TableError: If it is malformed, or names a fragment or slot that there isn't.
        """
        parts = template.split(_JOINT)
        row = (_AnyOrder(tuple(map(self._parse_part, parts))),) if len(parts) > 1 else self._parse_row(template)
        return WordChoice((row,), optional=False)

    def _parse_part(self, template: str) -> WordChoice:
        row = self._parse_row(template)
        return row[0] if len(row) == 1 and isinstance(row[0], WordChoice) else WordChoice((row,), optional=False)

    def _parse_row(self, template: str) -> _Row:
        return self._convert(parse_template(_FRAGMENT.sub(r"‹\1›", template), {}))

    @cached_property
    def asides(self) -> WordChoice:
        """What may stand between any two words and carries nothing; nothing where there is none."""
        return WordChoice(tuple(map(self._parse_row, self._asides)), optional=False)

    def read_fragment(self, name: str) -> WordChoice:
        """Return what a fragment stands for.

        Raises:
            TableError: If there is no such fragment.
        """
        if name not in self._parsed:
            if name not in self._fragments:
                raise TableError(f"The wordings name the fragment “{name}”, which there isn't.")
            self._parsed[name] = self.parse(self._fragments[name])
        return self._parsed[name]

    def _convert(self, sequence: Sequence) -> _Row:
        return tuple(self._convert_atom(atom) for atom, _ in sequence.atoms)

    def _convert_atom(self, atom: TemplateAtom) -> _Atom:
        if isinstance(atom, Alternatives):
            return WordChoice(tuple(self._convert(way) for way in atom.ways), atom.optional)
        if isinstance(atom, Slot):
            raise TableError(f"A wording holds no slot, such as “{atom.name}”.")
        marked = _MARKED.fullmatch(atom.text)
        return _Fragment(marked[1]) if marked else Word(atom.text.lower())

    def list_first_words(self, row: _Row) -> frozenset[str]:
        """Return the words that a row can begin with."""
        first: frozenset[str] = frozenset()
        for atom in row:
            first |= self._list_first(atom)
            if not (isinstance(atom, WordChoice) and atom.optional):
                break
        return first

    def _list_first(self, atom: _Atom) -> frozenset[str]:
        if isinstance(atom, Word):
            return frozenset([atom.text])
        if isinstance(atom, WordChoice):
            return frozenset[str]().union(*(self.list_first_words(row) for row in atom.rows))
        if isinstance(atom, _AnyOrder):
            return frozenset[str]().union(*map(self._list_first, atom.parts))
        if atom.name not in self._first:
            self._first[atom.name] = self._list_first(self.read_fragment(atom.name))
        return self._first[atom.name]

    def list_needs(self, row: _Row) -> list[frozenset[str]]:
        """Return sets of words of each of which an utterance must hold one for a row to match."""
        return [need for atom in row if (need := self._find_need(atom))]

    def _find_need(self, atom: _Atom) -> frozenset[str]:
        """Return words of which an atom can't do without one; empty where it can, or where that isn't known."""
        if isinstance(atom, Word):
            return frozenset([atom.text])
        if isinstance(atom, WordChoice):
            ways = [] if atom.optional else [self.list_needs(row) for row in atom.rows]
            return frozenset[str]().union(*(min(way, key=len) for way in ways)) if ways and all(ways) else frozenset()
        if isinstance(atom, _AnyOrder):
            return min(self.list_needs(atom.parts), key=len, default=frozenset())
        if atom.name not in self._needs:
            self._needs[atom.name] = frozenset()  # one that holds itself needs nothing more for that
            self._needs[atom.name] = self._find_need(self.read_fragment(atom.name))
        return self._needs[atom.name]

    def list_rows(self, choice: WordChoice, word: str) -> tuple[_Row, ...]:
        """Return those rows of a choice that can begin with a word."""
        ways = self._ways.get(choice)
        if ways is None:
            ways = self._ways[choice] = self._sort_rows(choice)
        return ways.get(word, ())

    def _sort_rows(self, choice: WordChoice) -> Mapping[str, tuple[_Row, ...]]:
        found: dict[str, tuple[_Row, ...]] = {}
        for row in choice.rows:
            for word in self.list_first_words(row):
                found[word] = (*found.get(word, ()), row)
        return found

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of all fragments and asides."""
        choices = [*map(self.read_fragment, self._fragments), self.asides]
        return frozenset(word for choice in choices for row in choice.rows for word in list_words(row))


def list_words(row: _Row) -> Iterator[str]:
    """Yield the words of a row, those of its fragments left out."""
    for atom in row:
        if isinstance(atom, Word):
            yield atom.text
        elif isinstance(atom, WordChoice):
            for each in atom.rows:
                yield from list_words(each)
        elif isinstance(atom, _AnyOrder):
            yield from list_words(atom.parts)


class Matcher:
    """Looks for wordings in the words of one utterance."""

    def __init__(self, wordings: Wordings, words: tuple[str, ...]) -> None:
        self._wordings = wordings
        self._words = words
        self._found: dict[tuple[str, int], frozenset[End]] = {}
        self._behind: dict[int, frozenset[int]] = {}

    def find_ends(self, choice: WordChoice, start: int) -> set[End]:
        """Return where matches that begin with a word end."""
        ends: set[End] = set()
        if start < len(self._words):
            for row in self._wordings.list_rows(choice, self._words[start]):
                ends |= self._match_row(row, start)
        return ends

    def _match_row(self, row: _Row, start: int) -> set[End]:
        ends = {End(start)}
        for atom in row:
            ends = {
                behind.turn(end.turns) if end.turns else behind
                for end in ends
                for behind in self._match(atom, end.place, start)
            }
            if not ends:
                break
        return {end for end in ends if end.place > start}

    def _match(self, atom: _Atom, place: int, start: int) -> Iterator[End]:
        """Yield where an atom ends, talk in front of it left out unless the row begins with it."""
        if isinstance(atom, WordChoice) and atom.optional:
            yield End(place)
        yield from self._match_here(atom, place)
        for behind in self.list_behind_talk(place) if place > start else ():
            yield from self._match_here(atom, behind)

    def list_behind_talk(self, place: int) -> frozenset[int]:
        """Return the places behind talk and asides that begin at a place."""
        found = self._behind.get(place)
        if found is None:
            ends = (
                {place + 1}
                if self._words[place : place + 1] and self._words[place] in self._wordings.talk
                else set[int]()
            )
            ends |= {end.place for end in self.find_ends(self._wordings.asides, place)}
            found = self._behind[place] = frozenset(ends).union(*map(self.list_behind_talk, ends))
        return found

    def _match_here(self, atom: _Atom, place: int) -> Iterator[End]:
        if isinstance(atom, Word):
            if place < len(self._words) and self._words[place] == atom.text:
                yield End(place + 1)
        elif isinstance(atom, WordChoice):
            yield from self.find_ends(atom, place)
        elif isinstance(atom, _AnyOrder):
            yield from self._match_any_order(atom, place)
        else:
            yield from self._find_fragment(atom.name, place)

    def _match_any_order(self, atom: _AnyOrder, start: int) -> Iterator[End]:
        every = frozenset(range(len(atom.parts)))
        needed = frozenset(number for number in every if not atom.parts[number].optional)
        reached: set[tuple[End, frozenset[int]]] = {(End(start), frozenset())}
        waiting = list(reached)
        while waiting:
            end, used = waiting.pop()
            if needed <= used:
                yield end
            more = {
                (behind.turn(end.turns), used | {number})
                for number in every - used
                for behind in self._match(atom.parts[number], end.place, start)
                if behind.place > end.place
            }
            waiting += more - reached
            reached |= more

    def _find_fragment(self, name: str, place: int) -> frozenset[End]:
        key = (name, place)
        if place >= len(self._words):
            return frozenset()
        if key not in self._found:
            self._found[key] = frozenset()  # one that begins with itself ends nowhere
            turns = 1 if name in self._wordings.turning else 0
            choice = self._wordings.read_fragment(name)
            ends = self.find_ends(choice, place)
            self._found[key] = frozenset(end.turn(turns) for end in ends) if turns else frozenset(ends)
        return self._found[key]
