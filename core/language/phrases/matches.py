"""Matches: a phrase that is compiled when a clause first needs it, and a clause that matched one."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

from core.base.late_dataclasses import dataclass, replace
from core.language.files.located_paths import choose_base, list_located, write_located
from core.language.grammars.templates import SEVERAL
from core.language.meanings.contexts import START, Context
from core.language.meanings.interpretation import SlotValue
from core.language.phrases.referents import Doubt, Referent
from core.language.phrases.slots import ELEMENT_SLOTS
from core.language.phrases.steps import ClauseStep, fill_steps
from core.language.screens.places import Place, put_in_place
from core.language.sentences.spans import Span, UnreadableError

if TYPE_CHECKING:
    from core.language.frames.frames import Frame
    from core.language.phrases.entries import PhraseEntry

_NOWHERE = Place()


@dataclass(frozen=True)
class Match:
    """A clause that matched a phrase or a frame.

    Attributes:
        span: The clause without its fillers.
        is_ambiguous: Whether the words can be divided among the slots in two ways.
        place: Where its elements are, as said in front of it; short forms behind it are about the same place.
        behind: What later clauses may refer to.
        doubt: Which of these words may as well stand for something else, where that matters.
    """

    entry: "PhraseEntry | Frame"
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

    def move(self, span: Span) -> "Match":
        """Return the same where the words of the clause stand elsewhere."""
        way = span.start - self.span.start
        doubt = self.doubt and self.doubt._replace(slot=self.doubt.slot.move(way))
        referents = tuple(each._replace(slot=each.slot.move(way)) for each in self.referents)
        slots = tuple(slot.move(way) for slot in self.slots)
        return replace(self, span=span, slots=slots, referents=referents, doubt=doubt)

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

    @cached_property
    def base(self) -> str:
        """The scope that its relative paths hang below, or nothing."""
        return choose_base([slot.value for slot in self.slots])

    @property
    def has_bare_path(self) -> bool:
        """Whether it names a file or folder without saying where that is."""
        known = [referent.slot for referent in self.referents]
        return any(each.is_bare for slot in self.slots if slot not in known for each in list_located(slot.value))

    @cached_property
    def told_slots(self) -> tuple[SlotValue, ...]:
        """The slots with the values that people and params see."""
        base = self.base
        return tuple(replace(slot, value=write_located(slot.value, base)) for slot in self.slots)

    @cached_property
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

    @cached_property
    def params(self) -> dict[str, Any]:
        """The params of its goal; with several goals, what the slots hold."""
        params: dict[str, Any] = dict(self.entry.phrase.sets)
        for slot in self.told_slots:
            if slot.name.startswith("_") or slot.value is None:
                continue
            name = slot.name.removesuffix("_after")
            params.update(slot.value if name == SEVERAL else {name: slot.value})
        return params
