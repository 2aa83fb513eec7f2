"""Entries: the phrases of a grammar by the words that sentences begin or end with; each is made when first needed."""

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

from core.base.errors import TableError
from core.base.late_dataclasses import dataclass
from core.language.grammars.grammar import Grammar, Phrase, VerbPhrases
from core.language.grammars.templates import (
    ANY_WORD,
    Beginnings,
    compile_template,
    find_first_words,
    list_needed_words,
    list_slots,
    name_group,
    parse_template,
)
from core.language.grammars.templates import Sequence as TemplateParts
from core.language.grammars.verb_forms import Acts, WayOfAct


@dataclass(frozen=True)
class PhraseEntry:
    """A phrase, parsed and compiled when a clause first needs it.

    Attributes:
        fragments: What ``<name>`` in its template stands for.
        shapes: What slots can hold, by kind.
    """

    verb: VerbPhrases
    phrase: Phrase
    template: str
    fragments: Mapping[str, str]
    shapes: Mapping[str, str]
    known: Container[str]

    @cached_property
    def sequence(self) -> TemplateParts:
        """Its parsed template."""
        return parse_template(self.template, self.fragments)

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """Kinds of its slots, by the name of the group.

        Raises:
            TableError: If there is no such kind.
        """
        if unknown := {kind for kind in self._said_kinds.values() if kind not in self.known}:
            names = ", ".join(sorted(unknown))
            raise TableError(f"The phrase “{self.phrase.template}” has slots of unknown kinds: {names}.")
        return self._said_kinds

    @cached_property
    def _said_kinds(self) -> dict[str, str]:
        return {name_group(slot.name): slot.kind for slot in list_slots(self.sequence)}

    @cached_property
    def _needed(self) -> tuple[tuple[str, ...], ...]:
        """The words that it can't do without, in lower case: one of each group, the smallest group first, as it is missing most often."""
        return tuple(sorted(map(tuple, list_needed_words(self.sequence)), key=len))

    def may_match(self, words: str) -> bool:
        """Whether a clause, in lower case, holds the words that the phrase can't do without; that is known sooner than what it matches."""
        for group in self._needed:
            for word in group:
                if word in words:
                    break
            else:
                return False
        return True

    def list_patterns(self) -> Iterator[re.Pattern[str]]:
        """Yield the template with open slots as short as can be; with two of them, also as long as can be."""
        yield self._shortest
        if sum(kind not in self.shapes for kind in self._said_kinds.values()) > 1:
            yield self._longest

    @cached_property
    def _shortest(self) -> re.Pattern[str]:
        return compile_template(self.sequence, self.shapes, greedy=False)

    @cached_property
    def _longest(self) -> re.Pattern[str]:
        return compile_template(self.sequence, self.shapes, greedy=True)


Numbered = tuple[int, PhraseEntry]


class EntryIndex:
    """The phrases of a grammar by their first words; by their last, where that is the verb."""

    def __init__(self, grammar: Grammar, shapes: Mapping[str, str], kinds: Container[str]) -> None:
        """Sort the phrases; a TableError if the beginning of one is malformed."""
        self._grammar, self._shapes, self._kinds = grammar, shapes, kinds
        self._acts = Acts(grammar.acts, grammar.fragments)
        self._by_first_word: dict[str, list[Numbered]] = {}
        self._by_act: dict[str, list[tuple[int, VerbPhrases, Phrase, str]]] = {}
        self._of_ways: dict[tuple[str, int], list[Numbered]] = {}
        pairs = [(verb, phrase) for verb in grammar.verbs for phrase in verb.phrases if not phrase.is_frame]
        # A question for what is missing is asked only if nothing is complete.
        pairs.sort(key=lambda pair: pair[1].refuses == "missing_slot")
        known: Beginnings = {}
        for number, (verb, phrase) in enumerate(pairs):
            template = grammar.spellings.write_phrase(phrase.template)
            if named := self._acts.split(template):
                self._by_act.setdefault(named[0], []).append((number, verb, phrase, named[1]))
                continue
            entry = self._make(verb, phrase, template)
            first = grammar.beginnings.get(phrase.template)
            if first is None:
                first = find_first_words(phrase.template, grammar.fragments, known)
            for word in {*first, *map(grammar.spellings.write, first)}:
                self._by_first_word.setdefault(word, []).append((number, entry))

    @cached_property
    def first_words(self) -> frozenset[str]:
        """The words that sentences begin with."""
        return frozenset([*self._by_first_word, *self._by_first_verb]) - {ANY_WORD}

    def list_candidates(self, word: str, words: str) -> Iterator[PhraseEntry]:
        """Yield the phrases that a clause may match, the more special ones first."""
        if not self._by_act:
            yield from (entry for _, entry in self._by_first_word.get(word, ()) if word)
            yield from (entry for _, entry in self._by_first_word.get(ANY_WORD, ()))
            return
        in_front = [*self._by_first_word.get(word, ()), *self._list_of_ways(self._by_first_verb.get(word, ()))]
        behind: list[Numbered] = []
        if words.partition(" ")[0] not in self._barred:
            ways = self._by_last_verb.get(words.rpartition(" ")[2], ())
            behind = [*self._by_first_word.get(ANY_WORD, ()), *self._list_of_ways(ways)]
        yield from (entry for part in (in_front, behind) for _, entry in sorted(part, key=lambda each: each[0]))

    @cached_property
    def _barred(self) -> frozenset[str]:
        return self._acts.barred | (self.first_words - self._grammar.clauses.ordinary)

    @cached_property
    def _by_first_verb(self) -> dict[str, list[tuple[str, int]]]:
        return self._sort_ways(lambda way: way.first)

    @cached_property
    def _by_last_verb(self) -> dict[str, list[tuple[str, int]]]:
        return self._sort_ways(lambda way: way.last)

    def _sort_ways(self, list_words: Callable[[WayOfAct], frozenset[str]]) -> dict[str, list[tuple[str, int]]]:
        found: dict[str, list[tuple[str, int]]] = {}
        for act in self._by_act:
            for place, way in enumerate(self._acts.list_ways(act)):
                for word in list_words(way):
                    found.setdefault(word, []).append((act, place))
        return found

    def _list_of_ways(self, ways: Sequence[tuple[str, int]]) -> Iterator[Numbered]:
        return chain.from_iterable(self._of_ways.get(each) or self._write(*each) for each in ways)

    def _write(self, act: str, place: int) -> list[Numbered]:
        way = self._acts.list_ways(act)[place]
        made = [(number, self._make(verb, phrase, way.write(rest))) for number, verb, phrase, rest in self._by_act[act]]
        self._of_ways[act, place] = made
        return made

    def _make(self, verb: VerbPhrases, phrase: Phrase, template: str) -> PhraseEntry:
        return PhraseEntry(verb, phrase, template, self._grammar.fragments, self._shapes, self._kinds)
