"""Frames: what a verb is said with, in parts that may stand in any order.

A frame is written like a phrase, its parts with `` + `` between them; a part in brackets may be missing. ``<name>`` is a
class of words, or a fragment where there is no such class.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import NamedTuple

from core.base.errors import TableError
from core.base.late_dataclasses import dataclass
from core.language.grammars.grammar import Phrase, VerbPhrases
from core.language.grammars.templates import (
    Alternatives,
    Sequence,
    Slot,
    Word,
    list_leaves,
    list_needed_words,
    list_slots,
    name_group,
    parse_template,
)

_CLASS = re.compile(r"<(\w+)>")
_MARKED = re.compile(r"‹(\w+)›")
_CLASS_KEY = "<{}>"
_JOINT = re.compile(r"\s+\+\s+")


class FrameLeaf(NamedTuple):
    """A slot, a class or a word of a part.

    Attributes:
        text: The name of the slot or class, or the word in lower case.
    """

    text: str
    is_slot: bool
    is_class: bool


@dataclass(frozen=True, slots=True)
class FrameWay:
    """One way to say a part.

    Attributes:
        begins: The words and classes that it can begin with, the latter in angle brackets; None where that is open.
        behind: For each atom those that must follow it within this way, talk aside; None where that is open, or nothing must.
    """

    atoms: "tuple[FrameAtom, ...]"
    begins: frozenset[str] | None
    behind: tuple[frozenset[str] | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FramePart:
    """A part of frames, or a choice within one; each is made once, however many frames have it.

    Attributes:
        begins: The words and classes that it can begin with where it isn't missing; None where that is open.
    """

    ways: tuple[FrameWay, ...]
    is_optional: bool
    has_slot: bool
    begins: frozenset[str] | None


FrameAtom = FrameLeaf | FramePart


@dataclass(frozen=True)
class Frame:
    """One way to mean a verb.

    Attributes:
        fragments: What ``<name>`` stands for where it is no class.
    """

    verb: VerbPhrases
    phrase: Phrase
    fragments: Mapping[str, str]
    classes: frozenset[str]
    known: Container[str]

    @cached_property
    def parts(self) -> tuple[Alternatives, ...]:
        """Its parts, each parsed."""
        return tuple(
            _make_part(parse_template(self._mark(text), self.fragments)) for text in split_parts(self.phrase.template)
        )

    @cached_property
    def parts_by_beginning(self) -> tuple[FramePart, ...]:
        """Its parts, as covers go through them."""
        return tuple(_prepare(part) for part in self.parts)

    @cached_property
    def needed_parts(self) -> int:
        """The parts that may not be missing, as bits."""
        return sum(1 << number for number, part in enumerate(self.parts) if not part.optional)

    @cached_property
    def telling_parts(self) -> tuple[FramePart, ...]:
        """The parts that may not be missing and hold words of their own, those without slots first: they are cheap to look for."""
        prepared = zip(self.parts, self.parts_by_beginning, strict=True)
        telling = [ready for part, ready in prepared if list_needed_words(_wrap(part), _write_key)]
        return tuple(sorted(telling, key=lambda part: (part.has_slot, part.begins is None)))

    @cached_property
    def slotted_parts(self) -> int:
        """The parts that have slots, as bits."""
        return sum(1 << number for number, part in enumerate(self.parts_by_beginning) if part.has_slot)

    def _mark(self, text: str) -> str:
        while "<" in text:
            text = _CLASS.sub(lambda match: self._write(match[1]), text)
        return text

    def _write(self, name: str) -> str:
        if name in self.classes:
            return f"‹{name}›"
        try:
            return self.fragments[name]
        except KeyError:
            raise TableError(f"The frame “{self.phrase.template}” names “{name}”, which there isn't.") from None

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """Kinds of its slots, by their names.

        Raises:
            TableError: If there is no such kind.
        """
        slots = [slot for part in self.parts for way in part.ways for slot in list_slots(way)]
        kinds = {name_group(slot.name): slot.kind for slot in slots}
        if any(kinds[name_group(slot.name)] != slot.kind for slot in slots):
            raise TableError(f"The frame “{self.phrase.template}” has a slot of two kinds.")
        if unknown := {kind for kind in kinds.values() if kind not in self.known}:
            names = ", ".join(sorted(unknown))
            raise TableError(f"The frame “{self.phrase.template}” has slots of unknown kinds: {names}.")
        return kinds

    @cached_property
    def said(self) -> frozenset[str]:
        """The words that it is written with, and the classes in angle brackets."""
        return frozenset(filter(None, (_write_key(leaf) for part in self.parts for leaf in list_leaves(_wrap(part)))))

    @cached_property
    def needed(self) -> tuple[frozenset[str], ...]:
        """Sets of words and classes, the latter in angle brackets, of each of which a clause must hold one.

        Raises:
            TableError: If there are none, so that any clause could fit.
        """
        needed = tuple(each for part in self.parts for each in list_needed_words(_wrap(part), _write_key))
        if not needed:
            raise TableError(f"The frame “{self.phrase.template}” could be said without any word of its own.")
        return needed

    def list_demanded(self, kinds: Iterable[str]) -> Iterator[frozenset[str]]:
        """Yield sets of words, classes and slots, the latter as ``write_slot`` has them, of each of which a clause must hold one.

        Args:
            kinds: The kinds of slots that count; all others may hold anything.
        """
        closed = frozenset(kinds)

        def write(leaf: Word | Slot) -> str:
            if isinstance(leaf, Word):
                return _write_key(leaf)
            return write_slot(leaf.kind) if leaf.kind in closed else ""

        for part in self.parts:
            yield from list_needed_words(_wrap(part), write, is_flat=True)


def split_parts(template: str) -> list[str]:
    """Return the parts of a frame as they are written."""
    return _JOINT.split(template)


def read_class(word: str) -> str:
    """Return the name of the class that a word of a parsed part stands for; empty where it is a word."""
    marked = _MARKED.fullmatch(word)
    return marked[1] if marked else ""


def write_class(name: str) -> str:
    """Return a class as it stands among words: in angle brackets."""
    return _CLASS_KEY.format(name)


def write_slot(kind: str) -> str:
    """Return a kind of slot as it stands among words: in braces."""
    return f"{{{kind}}}"


@cache
def _prepare(part: Alternatives) -> FramePart:
    ways = tuple(_prepare_way(way) for way in part.ways)
    has_slot = any(True for way in part.ways for _ in list_slots(way))
    return FramePart(ways, part.optional, has_slot, _join_beginnings(way.begins for way in ways))


def _prepare_way(way: Sequence) -> FrameWay:
    atoms = tuple(_prepare(atom) if isinstance(atom, Alternatives) else _make_leaf(atom) for atom, _ in way.atoms)
    behind = tuple(_find_beginnings(atoms[index + 1 :]) for index in range(len(atoms)))
    return FrameWay(atoms, _find_beginnings(atoms), behind)


def _find_beginnings(atoms: "tuple[FrameAtom, ...]") -> frozenset[str] | None:
    """Return the words and classes that one or more atoms in a row can begin with; None where that is open."""
    begins: list[frozenset[str] | None] = []
    for atom in atoms:
        if isinstance(atom, FrameLeaf):
            said = None if atom.is_slot else frozenset([write_class(atom.text) if atom.is_class else atom.text])
            return _join_beginnings([*begins, said])
        begins.append(atom.begins)
        if not atom.is_optional:
            return _join_beginnings(begins)
    return None


def _join_beginnings(begins: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    known = list(begins)
    return None if None in known else frozenset[str]().union(*(each for each in known if each is not None))


def _make_leaf(atom: Word | Slot) -> FrameLeaf:
    if isinstance(atom, Slot):
        return FrameLeaf(name_group(atom.name), is_slot=True, is_class=False)
    name = read_class(atom.text)
    return FrameLeaf(name or atom.text.lower(), is_slot=False, is_class=bool(name))


def _make_part(sequence: Sequence) -> Alternatives:
    """Return a part as a choice, which is optional where the whole of it is in brackets."""
    if len(sequence.atoms) == 1 and isinstance(atom := sequence.atoms[0][0], Alternatives):
        return atom
    return Alternatives((sequence,), optional=False)


def _write_key(leaf: Word | Slot) -> str:
    if isinstance(leaf, Slot):
        return ""
    return write_class(name) if (name := read_class(leaf.text)) else leaf.text.lower()


def _wrap(part: Alternatives) -> Sequence:
    return Sequence(((part, True),))
