"""Phrasebook: the phrases of a grammar, compiled when first needed, and the search for the one that a clause matches."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core.errors import TableError
from core.language.grammar import Grammar, Phrase, VerbPhrases
from core.language.interpretation import SlotValue
from core.language.literals import Sentence
from core.language.slots import SlotReaders
from core.language.spans import Span, UnreadableError
from core.language.templates import (
    ANY_WORD,
    Sequence,
    compile_template,
    find_first_word,
    list_first_words,
    list_slots,
    parse_template,
)
from core.platforms import SearchPlatform

_SEVERAL = "several"


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
    """

    entry: Entry
    span: Span
    slots: tuple[SlotValue, ...]
    is_ambiguous: bool = False

    @property
    def is_goal(self) -> bool:
        """Whether it can be done, rather than being refused."""
        return self.entry.phrase.refuses is None and not self.is_ambiguous

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
            previous: ``domain.verb`` of the step in front of it in the same sentence, or nothing.
        """
        word = find_first_word(span.sentence.mask, span.start, span.end)
        for entry in self._list_candidates(word):
            after = entry.phrase.after
            if after and not (previous == after or previous.startswith(after + ".")):
                continue
            match = self._match_entry(entry, span)
            if match:
                return match
        return None

    def _list_candidates(self, word: str) -> Iterator[Entry]:
        if word:
            yield from self._by_first_word.get(word, ())
        yield from self._by_first_word.get(ANY_WORD, ())

    def _match_entry(self, entry: Entry, span: Span) -> Match | None:
        readings: list[tuple[SlotValue, ...]] = []
        for pattern in entry.patterns:
            caught = pattern.fullmatch(span.mask + " ")
            if caught is None:
                break
            reading = self._read_slots(entry, span, caught)
            if reading is not None and reading not in readings:
                readings.append(reading)
        return Match(entry, span, readings[0], len(readings) > 1) if readings else None

    def _read_slots(self, entry: Entry, span: Span, caught: re.Match[str]) -> tuple[SlotValue, ...] | None:
        values: list[SlotValue] = []
        try:
            for name, kind in entry.kinds.items():
                if caught[name] is not None:
                    part = span.cut_group(caught, name)
                    values.append(SlotValue(name, part.start, part.end, self._readers.read(kind, part)))
        except UnreadableError:
            return None
        return tuple(values)


def make_span(sentence: Sentence, start: int, end: int) -> Span:
    """Return a part of a sentence, without white space at its edges."""
    return Span(sentence, 0, len(sentence.mask)).cut(start, end)
