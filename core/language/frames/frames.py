"""Frames: what a verb is said with, in parts that may stand in any order.

A frame is written like a phrase, its parts with `` + `` between them; a part in brackets may be missing. ``<name>`` is a
class of words, or a fragment where there is no such class.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from core.base.errors import TableError
from core.language.grammars.grammar import Phrase, VerbPhrases
from core.language.grammars.templates import Alternatives, Sequence, Slot, Word, list_slots, name_group, parse_template

_CLASS = re.compile(r"<(\w+)>")
_MARKED = re.compile(r"‹(\w+)›")
_CLASS_KEY = "<{}>"
_JOINT = re.compile(r"\s+\+\s+")


@dataclass(frozen=True)
class Frame:
    """One way to mean a verb.

    Attributes:
        verb: The verb that it belongs to.
        phrase: What is said of it in the file of phrases.
        fragments: What ``<name>`` stands for where it is no class.
        classes: The names of the classes.
        known: All kinds of slots.
    """

    verb: VerbPhrases
    phrase: Phrase
    fragments: Mapping[str, str]
    classes: frozenset[str]
    known: frozenset[str]

    @cached_property
    def parts(self) -> tuple[Alternatives, ...]:
        """Its parts, each parsed."""
        return tuple(
            _make_part(parse_template(self._mark(text), self.fragments)) for text in split_parts(self.phrase.template)
        )

    def _mark(self, text: str) -> str:
        """Return a part with its classes written so that they are kept, also those within fragments."""
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

    @property
    def kinds(self) -> Mapping[str, str]:
        """Kinds of its slots, by their names.

        Raises:
            TableError: If there is no such kind.
        """
        return self._kinds

    @cached_property
    def _kinds(self) -> dict[str, str]:
        slots = [slot for part in self.parts for way in part.ways for slot in list_slots(way)]
        kinds = {name_group(slot.name): slot.kind for slot in slots}
        if any(kinds[name_group(slot.name)] != slot.kind for slot in slots):
            raise TableError(f"The frame “{self.phrase.template}” has a slot of two kinds.")
        if unknown := set(kinds.values()) - self.known:
            names = ", ".join(sorted(unknown))
            raise TableError(f"The frame “{self.phrase.template}” has slots of unknown kinds: {names}.")
        return kinds

    @cached_property
    def vocabulary(self) -> tuple[frozenset[str], frozenset[str]]:
        """The words that it is written with, and the classes."""
        words = [atom.text.lower() for part in self.parts for atom in _list_words(part)]
        classes = frozenset(name for word in words if (name := read_class(word)))
        return frozenset(word for word in words if not read_class(word)), classes

    @cached_property
    def needed(self) -> tuple[frozenset[str], ...]:
        """Sets of words and classes, the latter in angle brackets, of each of which a clause must hold one.

        Raises:
            TableError: If there are none, so that any clause could fit.
        """
        needed = tuple(each for part in self.parts if not part.optional for each in _list_needed(part))
        if not needed:
            raise TableError(f"The frame “{self.phrase.template}” could be said without any word of its own.")
        return needed


def split_parts(template: str) -> list[str]:
    """Return the parts of a frame as they are written."""
    return _JOINT.split(template)


def read_class(word: str) -> str:
    """Return the name of the class that a word of a parsed part stands for; empty where it is a word."""
    marked = _MARKED.fullmatch(word)
    return marked[1] if marked else ""


def _make_part(sequence: Sequence) -> Alternatives:
    """Return a part as a choice, which is optional where the whole of it is in brackets."""
    if len(sequence.atoms) == 1 and isinstance(atom := sequence.atoms[0][0], Alternatives):
        return atom
    return Alternatives((sequence,), optional=False)


def _list_words(part: Alternatives) -> Iterator[Word]:
    for way in part.ways:
        for atom, _ in way.atoms:
            if isinstance(atom, Word):
                yield atom
            elif isinstance(atom, Alternatives):
                yield from _list_words(atom)


def _list_needed(part: Alternatives) -> Iterator[frozenset[str]]:
    ways = [list(_list_needed_in(way)) for way in part.ways]
    if all(ways):
        yield frozenset[str]().union(*(min(way, key=len) for way in ways))


def _list_needed_in(sequence: Sequence) -> Iterator[frozenset[str]]:
    for atom, _ in sequence.atoms:
        if isinstance(atom, Word):
            yield frozenset([_CLASS_KEY.format(name) if (name := read_class(atom.text)) else atom.text.lower()])
        elif isinstance(atom, Alternatives) and not atom.optional:
            yield from _list_needed(atom)


__all__ = ["Alternatives", "Frame", "Sequence", "Slot", "Word", "read_class", "split_parts"]
