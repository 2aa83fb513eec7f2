"""Phrasebook: the phrases of a grammar, compiled when first needed, and the search for the one that a clause matches."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from core.errors import TableError
from core.language.contexts import START, Context, Created
from core.language.file_traces import follow_files
from core.language.grammar import Grammar, Phrase, VerbPhrases
from core.language.interpretation import SlotValue
from core.language.literals import Sentence
from core.language.located_paths import LocatedPath, choose_base, list_located, put_below, write_located
from core.language.places import Place, put_in_place
from core.language.slot_readers import SlotReaders
from core.language.slots import COMMA_SLOTS, ELEMENT_SLOTS, TYPED_SLOTS
from core.language.spans import Span, UnreadableError
from core.language.steps import Step, fill_steps
from core.language.templates import (
    ANY_WORD,
    SEVERAL,
    Sequence,
    compile_template,
    find_first_word,
    find_first_words,
    list_needed_words,
    list_slots,
    name_group,
    parse_template,
)
from core.platforms import SearchPlatform
from core.selectors import PlainSelector, Region

_NOWHERE = Place()
_HEARD_PARAMS = frozenset({"app", "device", "player", "target"})
_MARKS = re.compile(r"[.,…]*[!?][.,…!?]*")


@dataclass(frozen=True)
class Entry:
    """A phrase, parsed and compiled when a clause first needs it.

    Attributes:
        verb: The verb that it belongs to.
        phrase: The phrase.
        fragments: What ``<name>`` in its template stands for.
        shapes: What slots can hold, by kind.
        known: All kinds of slots.
    """

    verb: VerbPhrases
    phrase: Phrase
    fragments: Mapping[str, str]
    shapes: Mapping[str, str]
    known: frozenset[str]

    @cached_property
    def sequence(self) -> Sequence:
        """Its parsed template."""
        return parse_template(self.phrase.template, self.fragments)

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Kinds of its slots, by the name of the group.

        Raises:
            TableError: If there is no such kind.
        """
        kinds = {name_group(slot.name): slot.kind for slot in list_slots(self.sequence)}
        if unknown := set(kinds.values()) - self.known:
            names = ", ".join(sorted(unknown))
            raise TableError(f'The phrase "{self.phrase.template}" has slots of unknown kinds: {names}.')
        return kinds

    @cached_property
    def _needed(self) -> list[frozenset[str]]:
        return list_needed_words(self.sequence)

    @property
    def is_compiled(self) -> bool:
        """Whether the patterns are there already; trying them is then the faster way."""
        return "patterns" in vars(self)

    def may_match(self, words: str) -> bool:
        """Whether a clause, in lower case, holds the words that the phrase can't do without, in order; saves compiling it."""
        position = 0
        for needed in self._needed:
            ends = [start + len(word) for word in needed if (start := words.find(word, position)) >= 0]
            if not ends:
                return False
            position = min(ends)
        return True

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
        number: How many goals are in front of it.
        place: Where its elements are, as said in front of it; short forms behind it are about the same place.
        behind: What later clauses may refer to.
    """

    entry: Entry
    span: Span
    slots: tuple[SlotValue, ...]
    is_ambiguous: bool = False
    number: int = 0
    place: Place = _NOWHERE
    behind: Context = START

    @property
    def is_goal(self) -> bool:
        """Whether it can be done, rather than being refused."""
        return self.entry.phrase.refuses is None and not self.is_ambiguous

    def covers(self, position: int) -> bool:
        """Whether a position of the sentence is in a slot rather than in the words of the phrase."""
        return any(slot.start <= position < slot.end for slot in self.slots)

    def put_in(self, place: Place) -> "Match | None":
        """Return the same with its elements in a place; None where it has none, or they can't be."""
        is_element = [self.entry.kinds.get(slot.name) in ELEMENT_SLOTS for slot in self.slots]
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

    @property
    def is_short_form(self) -> bool:
        """Whether this speaks of what the clause in front does ("…, and the email field with B")."""
        return any("." in name for name in self.entry.phrase.after)

    @property
    def base(self) -> str:
        """The scope that its relative paths hang below, or nothing."""
        return choose_base([slot.value for slot in self.slots])

    @property
    def has_bare_path(self) -> bool:
        """Whether it names a file or folder without saying where that is."""
        return any(each.is_bare for slot in self.slots for each in list_located(slot.value))

    @property
    def told_slots(self) -> tuple[SlotValue, ...]:
        """The slots with the values that people and params see."""
        base = self.base
        return tuple(replace(slot, value=write_located(slot.value, base)) for slot in self.slots)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The goals that it stands for, in order."""
        phrase, base = self.entry.phrase, self.base
        told = self.told_slots
        if not phrase.steps:
            name = self.entry.verb.name
            return (Step(name, self.params, self.span, f"{name}: {phrase.template}", told, base),)
        goals = fill_steps(phrase.steps, {slot.name: slot.value for slot in told}, self.number)
        return tuple(Step(name, params, self.span, f"{name}: {phrase.template}", told, base) for name, params in goals)

    @property
    def params(self) -> dict[str, Any]:
        """The params of its goal; with several goals, what the slots hold."""
        params: dict[str, Any] = dict(self.entry.phrase.sets)
        for slot in self.told_slots:
            if slot.name.startswith("_"):
                continue
            name = slot.name.removesuffix("_after")
            params.update(slot.value if name == SEVERAL else {name: slot.value})
        return params


class Phrasebook:
    """The phrases of a grammar by their first words."""

    def __init__(
        self,
        grammar: Grammar,
        platforms: Mapping[str, SearchPlatform],
        list_programs: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        """Sort the phrases; each is parsed and compiled when a clause first needs it.

        Args:
            grammar: The language.
            platforms: Search platforms by name.
            list_programs: Names the programs that this machine has.

        Raises:
            TableError: If the beginning of a phrase is malformed.
        """
        self._traces = grammar.traces
        self._readers = SlotReaders(grammar.vocabulary, platforms, list_programs)
        shapes, kinds = self._readers.shapes, self._readers.kinds
        self._by_first_word: dict[str, list[Entry]] = {}
        pairs = [(verb, phrase) for verb in grammar.verbs for phrase in verb.phrases]
        # A question for what is missing is asked only if nothing is complete.
        for verb, phrase in sorted(pairs, key=lambda pair: pair[1].refuses == "missing_slot"):
            entry = Entry(verb, phrase, grammar.fragments, shapes, kinds)
            for word in find_first_words(phrase.template, grammar.fragments):
                self._by_first_word.setdefault(word, []).append(entry)
        self.first_words = frozenset(self._by_first_word) - {ANY_WORD}

    def match(self, span: Span, context: Context) -> Match | None:
        """Return the first phrase that a clause matches.

        Args:
            span: The clause without fillers.
            context: What the steps in front of it in the same sentence leave for it.
        """
        word = find_first_word(span.sentence.mask, span.start, span.end)
        for entry in self._list_candidates(word):
            if entry.phrase.after and not context.follows(entry.phrase.after):
                continue
            match = self._match_entry(entry, span, context)
            if match and not (context.is_inside and match.has_bare_path):
                return self._add_context(match, context)
        return None

    def split_place(self, span: Span) -> Iterator[tuple[Place, Span]]:
        """Yield what may be a place in front of a step, with the rest; the shortest place first."""
        return self._readers.elements.split_place(span)

    def match_behind_source(self, span: Span, context: Context, strip: Callable[[Span], Span]) -> Match | None:
        """Return the phrase that stands behind a source of sound: ``in the kitchen, turn the volume up``.

        Args:
            span: The clause without fillers.
            context: What the steps in front of it leave for it.
            strip: Takes fillers off what is behind the source.
        """
        for source, rest in self._readers.split_source(span):
            match = self.match(strip(rest), context)
            slot = self._readers.sounds.place_source(match.entry.verb.domain, source) if match else None
            if match and slot and match.is_goal and _HEARD_PARAMS.isdisjoint(match.params):
                return replace(match, slots=(*match.slots, slot))
        return None

    def is_in_front(self, span: Span) -> bool:
        """Whether a span is a field, a window or a folder in front of what is done in it."""
        readers = self._readers
        return (
            readers.elements.is_field_in_front(span)
            or readers.is_window_in_front(span)
            or readers.is_folder_in_front(span)
            or readers.is_source_in_front(span)
        )

    def _list_candidates(self, word: str) -> Iterator[Entry]:
        if word:
            yield from self._by_first_word.get(word, ())
        yield from self._by_first_word.get(ANY_WORD, ())

    def _match_entry(self, entry: Entry, span: Span, context: Context) -> Match | None:
        if not entry.is_compiled and not entry.may_match(span.words):
            return None
        readings: list[Match] = []
        for pattern in entry.patterns:
            caught = pattern.fullmatch(span.mask + " ")
            if caught is None:
                break
            reading = self._read_slots(entry, span, caught, context)
            if reading is not None:
                readings.append(Match(entry, span, reading))
        if not readings:
            return None
        match = readings[0]
        is_ambiguous = readings[-1].params != match.params or self._may_lose_mark(entry, span, match.slots)
        match = replace(match, is_ambiguous=is_ambiguous)
        part = next((slot.value for slot in match.slots if slot.name == "_in"), None)
        if part is not None:
            return match.put_in(Place(regions=(Region(part),)))
        record = next((slot.value for slot in match.slots if slot.name == "_record"), None)
        if record is not None:
            return match.put_in(Place(regions=(Region("", "", PlainSelector("record", record)),)))
        below = next((slot.value for slot in match.slots if slot.name == "_below"), None)
        return match if below is None else replace(match, slots=put_below(match.slots, below))

    def _may_lose_mark(self, entry: Entry, span: Span, slots: tuple[SlotValue, ...]) -> bool:
        """Whether the mark behind an unquoted text may as well be its last character: ``set the password to hunter2!``."""
        last = next((slot for slot in slots if slot.end == span.end and entry.kinds[slot.name] in TYPED_SLOTS), None)
        literal = span.sentence.find_whole(last.start, last.end) if last else None
        if last is None or (literal and literal.kind in {"quote", "code", "email"}):
            return False
        marks = _MARKS.match(span.sentence.mask, span.end)
        return marks is not None and ("!" in marks[0] or not self._readers.is_request(span.sentence.mask))

    def _read_slots(
        self, entry: Entry, span: Span, caught: re.Match[str], context: Context
    ) -> tuple[SlotValue, ...] | None:
        values: list[SlotValue] = []
        try:
            for name, kind in entry.kinds.items():
                if caught[name] is not None:
                    part = span.cut_group(caught, name)
                    if kind in COMMA_SLOTS and part.mask.endswith(","):
                        part = part.cut(0, part.end - part.start - 1)
                    values.append(SlotValue(name, part.start, part.end, self._readers.read(kind, part, context)))
        except UnreadableError:
            return None
        return tuple(values)

    def _add_context(self, match: Match, context: Context) -> Match:
        """Return the match with what it leaves for the clauses behind it."""
        verb, phrase = match.entry.verb, match.entry.phrase
        previous = f"{verb.name}.{phrase.opens}" if phrase.opens else verb.name
        slots = [slot for slot in match.slots if slot.name in self._traces.telling.get(verb.name, ())]
        params = match.params
        words = self._readers.name_words(slots[0], match.span) if slots else str(params.get("target", ""))
        created = self._find_created(match) if params.get("object_type") == "folder" else None
        match = replace(match, number=context.step)
        behind = context
        names = [step.name for step in match.steps] if phrase.steps else [verb.name]
        for name in names[:-1]:
            behind = self._traces.follow(behind, name, name)
        behind = self._traces.follow(behind, names[-1], previous if not phrase.steps else names[-1], words, created)
        is_inside = phrase.opens == "inside" or any(slot.name == "_below" for slot in match.slots)
        behind = self._follow_files(behind, match, names[-1], is_folder=params.get("object_type") == "folder")
        return replace(match, behind=replace(behind, is_inside=behind.is_inside or is_inside))

    def _follow_files(self, behind: Context, match: Match, name: str, *, is_folder: bool) -> Context:
        """Return the context with what a step about files leaves."""
        held = self._traces.held
        if not any(each.startswith(f"{name.partition('.')[0]}.") for each in held):
            return behind
        slots = {slot.name: slot.value for slot in match.slots}
        slots |= slots.get(SEVERAL) or {}
        return follow_files(behind, slots, held.get(name, ()), self._readers.files.is_file, is_folder=is_folder)

    def _find_created(self, match: Match) -> Created | None:
        """Return the folder that a step creates, if its verb creates them."""
        verb, param = self._traces.folder
        values = [slot.value for slot in match.slots if slot.name == param and match.entry.verb.name == verb]
        value = values[0] if values else None
        if isinstance(value, LocatedPath):
            return Created(value.write(match.base), value.full)
        return Created(value, value) if isinstance(value, str) else None


def make_span(sentence: Sentence, start: int, end: int) -> Span:
    """Return a part of a sentence, without white space at its edges."""
    return Span(sentence, 0, len(sentence.mask)).cut(start, end)
