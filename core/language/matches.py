"""Matches: a phrase that is compiled when a clause first needs it, and a clause that matched one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from core.base.errors import TableError
from core.language.contexts import START, Context
from core.language.grammar import Phrase, VerbPhrases
from core.language.interpretation import SlotValue
from core.language.located_paths import choose_base, list_located, write_located
from core.language.places import Place, put_in_place
from core.language.referents import Doubt, Referent
from core.language.slots import ELEMENT_SLOTS
from core.language.spans import Span, UnreadableError
from core.language.steps import ClauseStep, fill_steps
from core.language.templates import (
    SEVERAL,
    Sequence,
    compile_template,
    list_needed_words,
    list_slots,
    name_group,
    parse_template,
)

_NOWHERE = Place()


@dataclass(frozen=True)
class PhraseEntry:
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
            raise TableError(f"The phrase “{self.phrase.template}” has slots of unknown kinds: {names}.")
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
        referents: The slots whose words stand for something that was spoken of.
        doubt: Which of these words may as well stand for something else, where that matters.
    """

    entry: PhraseEntry
    span: Span
    slots: tuple[SlotValue, ...]
    is_ambiguous: bool = False
    number: int = 0
    place: Place = _NOWHERE
    behind: Context = START
    referents: tuple[Referent, ...] = ()
    doubt: Doubt | None = None

    @property
    def is_goal(self) -> bool:
        """Whether it can be done, rather than being refused."""
        return self.entry.phrase.refuses is None and not self.is_ambiguous and self.doubt is None

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
        known = [referent.slot for referent in self.referents]
        return any(each.is_bare for slot in self.slots if slot not in known for each in list_located(slot.value))

    @property
    def told_slots(self) -> tuple[SlotValue, ...]:
        """The slots with the values that people and params see."""
        base = self.base
        return tuple(replace(slot, value=write_located(slot.value, base)) for slot in self.slots)

    @property
    def steps(self) -> tuple[ClauseStep, ...]:
        """The goals that it stands for, in order."""
        phrase, base = self.entry.phrase, self.base
        told = self.told_slots
        if not phrase.steps:
            name = self.entry.verb.name
            return (ClauseStep(name, self.params, self.span, f"{name}: {phrase.template}", told, base),)
        goals = fill_steps(phrase.steps, {slot.name: slot.value for slot in told}, self.number)
        return tuple(
            ClauseStep(name, params, self.span, f"{name}: {phrase.template}", told, base) for name, params in goals
        )

    @property
    def params(self) -> dict[str, Any]:
        """The params of its goal; with several goals, what the slots hold."""
        params: dict[str, Any] = dict(self.entry.phrase.sets)
        for slot in self.told_slots:
            if slot.name.startswith("_") or slot.value is None:
                continue
            name = slot.name.removesuffix("_after")
            params.update(slot.value if name == SEVERAL else {name: slot.value})
        return params
