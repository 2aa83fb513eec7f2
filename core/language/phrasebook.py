"""Phrasebook: the phrases of a grammar, compiled when first needed, and the search for the one that a clause matches."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from core.errors import TableError
from core.language.grammar import Grammar, Phrase, VerbPhrases
from core.language.interpretation import SlotValue
from core.language.literals import Sentence
from core.language.places import Place, put_in_place
from core.language.slots import ELEMENT_SLOTS, TYPED_SLOTS, SlotReaders
from core.language.spans import Span, UnreadableError
from core.language.templates import (
    ANY_WORD,
    Sequence,
    compile_template,
    find_first_word,
    list_first_words,
    list_needed_words,
    list_slots,
    parse_template,
)
from core.platforms import SearchPlatform
from core.selectors import Region

_SEVERAL = "several"
_NOWHERE = Place()
_MARKS = re.compile(r"[.,…]*[!?][.,…!?]*")


@dataclass(frozen=True)
class Entry:
    """A phrase, ready to be matched.

    Attributes:
        verb: The verb that it belongs to.
        phrase: The phrase.
        sequence: Its parsed template.
        shapes: What slots can hold, by kind.
    """

    verb: VerbPhrases
    phrase: Phrase
    sequence: Sequence
    shapes: Mapping[str, str]

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Kinds of its slots, by the name of the group."""
        return {_SEVERAL if slot.name == "*" else slot.name: slot.kind for slot in list_slots(self.sequence)}

    @cached_property
    def _needed(self) -> list[frozenset[str]]:
        return list_needed_words(self.sequence)

    @property
    def is_compiled(self) -> bool:
        """Whether the patterns are there already; trying them is then the faster way."""
        return "patterns" in vars(self)

    def may_match(self, words: str) -> bool:
        """Whether a clause, in lower case, holds the words that the phrase can't do without; saves compiling it."""
        return all(any(word in words for word in needed) for needed in self._needed)

    @cached_property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """The template with open slots as short as can be; with two of them, also as long as can be."""
        shortest = compile_template(self.sequence, self.shapes, greedy=False)
        if sum(kind not in self.shapes for kind in self.kinds.values()) < 2:
            return (shortest,)
        return (shortest, compile_template(self.sequence, self.shapes, greedy=True))


@dataclass(frozen=True, slots=True)
class Match:
    """A clause that matched a phrase.

    Attributes:
        entry: The phrase.
        span: The clause without its fillers.
        slots: The slots as they were filled.
        is_ambiguous: Whether the words can be divided among the slots in two ways.
        place: Where its elements are, as said in front of it; short forms behind it are about the same place.
    """

    entry: Entry
    span: Span
    slots: tuple[SlotValue, ...]
    is_ambiguous: bool = False
    place: Place = _NOWHERE

    @property
    def is_goal(self) -> bool:
        """Whether it can be done, rather than being refused."""
        return self.entry.phrase.refuses is None and not self.is_ambiguous

    @property
    def previous(self) -> str:
        """What short forms behind this clause may refer to: ``domain.verb`` and what the phrase opens."""
        opens = self.entry.phrase.opens
        return f"{self.entry.verb.name}.{opens}" if opens else self.entry.verb.name

    def covers(self, position: int) -> bool:
        """Whether a position of the sentence is in a slot rather than in the words of the phrase."""
        return any(slot.start <= position < slot.end for slot in self.slots)

    def put_in(self, place: Place) -> "Match | None":
        """Return the same with its elements in a place; None where it has none, or they can't be."""
        is_element = [self.entry.kinds[slot.name] in ELEMENT_SLOTS for slot in self.slots]
        if (place.frames or place.regions) and not any(is_element):
            return None
        try:
            slots = tuple(
                replace(slot, value=put_in_place(slot.value, place)) if yes else slot
                for slot, yes in zip(self.slots, is_element, strict=True)
            )
        except UnreadableError:
            return None
        return replace(self, slots=slots, place=place)

    def is_short_for(self, before: "Match") -> bool:
        """Whether this is a short form that speaks of what the clause in front does ("…, and the email field with B")."""
        return any("." in name and _follows(before.previous, (name,)) for name in self.entry.phrase.after)

    @property
    def params(self) -> dict[str, Any]:
        """The params of the goal."""
        params: dict[str, Any] = dict(self.entry.phrase.sets)
        for slot in self.slots:
            if slot.name.startswith("_"):
                continue
            params.update(slot.value if slot.name == _SEVERAL else {slot.name.removesuffix("_after"): slot.value})
        return params


class Phrasebook:
    """The phrases of a grammar by their first words."""

    def __init__(self, grammar: Grammar, platforms: Mapping[str, SearchPlatform]) -> None:
        """Sort the phrases; patterns are compiled when a clause first needs them.

        Args:
            grammar: The language.
            platforms: Search platforms by name.

        Raises:
            TableError: If a phrase is malformed or names a kind of slot that there isn't.
        """
        self._readers = SlotReaders(grammar.vocabulary, platforms)
        self._shapes = self._readers.shapes
        self._by_first_word: dict[str, list[Entry]] = {}
        entries = [self._make_entry(verb, phrase, grammar) for verb in grammar.verbs for phrase in verb.phrases]
        # A question for what is missing is asked only if nothing is complete.
        for entry in sorted(entries, key=lambda entry: entry.phrase.refuses == "missing_slot"):
            for word in list_first_words(entry.sequence):
                self._by_first_word.setdefault(word, []).append(entry)
        self.first_words = frozenset(self._by_first_word) - {ANY_WORD}

    def _make_entry(self, verb: VerbPhrases, phrase: Phrase, grammar: Grammar) -> Entry:
        entry = Entry(verb, phrase, parse_template(phrase.template, grammar.fragments), self._shapes)
        unknown = set(entry.kinds.values()) - self._readers.kinds
        if unknown:
            raise TableError(
                f'The phrase "{phrase.template}" has slots of unknown kinds: {", ".join(sorted(unknown))}.'
            )
        return entry

    def match(self, span: Span, previous: str) -> Match | None:
        """Return the first phrase that a clause matches.

        Args:
            span: The clause without fillers.
            previous: ``Match.previous`` of the step in front of it in the same sentence, or nothing.
        """
        word = find_first_word(span.sentence.mask, span.start, span.end)
        for entry in self._list_candidates(word):
            if entry.phrase.after and not _follows(previous, entry.phrase.after):
                continue
            match = self._match_entry(entry, span)
            if match:
                return match
        return None

    def split_place(self, span: Span) -> Iterator[tuple[Place, Span]]:
        """Yield what may be a place in front of a step, with the rest; the shortest place first."""
        return self._readers.elements.split_place(span)

    def is_field_in_front(self, span: Span) -> bool:
        """Whether a span is a field in front of what is typed into it."""
        return self._readers.elements.is_field_in_front(span)

    def _list_candidates(self, word: str) -> Iterator[Entry]:
        if word:
            yield from self._by_first_word.get(word, ())
        yield from self._by_first_word.get(ANY_WORD, ())

    def _match_entry(self, entry: Entry, span: Span) -> Match | None:
        if not entry.is_compiled and not entry.may_match(span.words):
            return None
        readings: list[tuple[SlotValue, ...]] = []
        for pattern in entry.patterns:
            caught = pattern.fullmatch(span.mask + " ")
            if caught is None:
                break
            reading = self._read_slots(entry, span, caught)
            if reading is not None and reading not in readings:
                readings.append(reading)
        if not readings:
            return None
        match = Match(entry, span, readings[0], len(readings) > 1 or self._may_lose_mark(entry, span, readings[0]))
        part = next((slot.value for slot in match.slots if slot.name == "_in"), None)
        return match if part is None else match.put_in(Place(regions=(Region(part),)))

    def _may_lose_mark(self, entry: Entry, span: Span, slots: tuple[SlotValue, ...]) -> bool:
        """Whether the mark behind an unquoted text may as well be its last character: ``set the password to hunter2!``."""
        last = next((slot for slot in slots if slot.end == span.end and entry.kinds[slot.name] in TYPED_SLOTS), None)
        literal = span.sentence.find_whole(last.start, last.end) if last else None
        if last is None or (literal and literal.kind in {"quote", "code", "email"}):
            return False
        marks = _MARKS.match(span.sentence.mask, span.end)
        return marks is not None and ("!" in marks[0] or not self._readers.is_request(span.sentence.mask))

    def _read_slots(self, entry: Entry, span: Span, caught: re.Match[str]) -> tuple[SlotValue, ...] | None:
        values: list[SlotValue] = []
        try:
            for name, kind in entry.kinds.items():
                if caught[name] is not None:
                    part = span.cut_group(caught, name)
                    if kind in ELEMENT_SLOTS and part.mask.endswith(","):
                        part = part.cut(0, part.end - part.start - 1)
                    values.append(SlotValue(name, part.start, part.end, self._readers.read(kind, part)))
        except UnreadableError:
            return None
        return tuple(values)


def _follows(previous: str, after: tuple[str, ...]) -> bool:
    """Whether the step in front is one of those that a phrase needs there."""
    return any(previous == name or previous.startswith(name + ".") for name in after)


def make_span(sentence: Sentence, start: int, end: int) -> Span:
    """Return a part of a sentence, without white space at its edges."""
    return Span(sentence, 0, len(sentence.mask)).cut(start, end)
