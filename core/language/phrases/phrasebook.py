"""Phrasebook: the phrases of a grammar, compiled when first needed, and the search for the one that a clause matches."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, cast

from core.addresses.platforms import SearchPlatform
from core.base.late_parts import compile_late
from core.language.files.located_paths import LocatedPath, put_below
from core.language.grammars.grammar import Grammar
from core.language.grammars.templates import SEVERAL, find_first_word
from core.language.meanings.contexts import Context, Created, Traces
from core.language.meanings.interpretation import SlotValue
from core.language.phrases.entries import PhraseEntry
from core.language.phrases.matches import Match
from core.language.phrases.referents import Referent, ReferentReader
from core.language.phrases.shared_phrases import load_entries, load_frames, load_lexicon, make_slot_readers
from core.language.phrases.slots import COMMA_SLOTS, FILE_SLOTS, NAME_SLOTS, TYPED_SLOTS, WHOLE_SLOTS, list_shapes
from core.language.phrases.steps import FOLDER_SLOTS, FileStep, follow_files, follow_things
from core.language.screens.places import Place
from core.language.sentences.patterns import compile_pattern
from core.language.sentences.spans import Span, UnreadableError
from core.selectors.selectors import PlainSelector, Region

if TYPE_CHECKING:
    from core.language.frames.frame_reader import FrameReader
    from core.language.frames.frames import Frame
    from core.language.frames.weighing import Evidence
    from core.language.phrases.file_matches import FileMatches
    from core.language.phrases.slot_readers import SlotReaders

HEARD_PARAMS = frozenset({"app", "device", "player", "target"})
"""The params that say whose sound is meant."""

_PRESSING = "browser.click"
_MARKS = compile_late(r"[.,…]*[!?][.,…!?]*")


class Phrasebook:
    """The phrases of a grammar by their first words."""

    def __init__(
        self,
        grammar: Grammar,
        platforms: Mapping[str, SearchPlatform],
        make_files: Callable[[Callable[[], "SlotReaders"], ReferentReader], "FileMatches"],
        list_programs: Callable[[], Iterable[str]] = tuple,
        destroyed: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Take the phrases; each is parsed and compiled when a clause first needs it, once for all who read them.

        Args:
            make_files: Makes what knows clauses about files in any order.
            destroyed: The params that name what a verb destroys, by ``domain.verb``; None where that isn't known.

        Raises:
            TableError: If the beginning of a phrase is malformed.
        """
        self._grammar, self._traces = grammar, grammar.traces
        self._platforms, self._list_programs = platforms, list_programs
        self.referents = ReferentReader(grammar.vocabulary.referring, grammar.traces.returning, destroyed)
        self.files = make_files(lambda: self._readers, self.referents)
        shapes = list_shapes(grammar.vocabulary)
        self._patterns = {kind: compile_pattern(shape) for kind, shape in shapes.items()}
        self._entries = load_entries(grammar)
        self.first_words = self._entries.first_words | load_lexicon(grammar).commands

    @cached_property
    def _readers(self) -> "SlotReaders":
        return make_slot_readers(self._grammar.vocabulary, self._platforms, self._list_programs)

    @cached_property
    def _frames(self) -> "FrameReader":
        return load_frames(self._grammar)

    def match(self, span: Span, context: Context) -> Match | None:
        """Return the first phrase that a clause matches; with words like "it", the one whose thing was spoken of last.

        Args:
            span: The clause without fillers.
            context: What the steps in front of it in the same sentence leave for it.
        """
        sentence = span.sentence
        key = (self, span.wording, "?" in sentence.mask and self._readers.is_request(sentence.mask), context)
        if key not in sentence.read:
            sentence.read[key] = self._match_afresh(span, context)
        found = cast("Match | None", sentence.read[key])
        if found is None or (found.span.sentence is sentence and found.span.start == span.start):
            return found
        return found.move(span)

    def _match_afresh(self, span: Span, context: Context) -> Match | None:
        phrase = self._match_phrase(span, context)
        found = self.files.weigh(phrase, span, context)
        if found is None or found.entry.phrase.refuses:  # what a frame understands is not asked about
            framed = self._match_frame(span, context)
            found = framed if found is None or (framed and framed.is_goal) else found
        if found is None:
            return None
        if found is not phrase and found.referents:
            found = self._choose([found], context)
        return self._add_context(found, context)

    def _match_phrase(self, span: Span, context: Context) -> Match | None:
        rivals: list[Match] = []
        asked: Match | None = None
        word = find_first_word(span.sentence.mask, span.start, span.end)
        words, matched, followed = span.words, span.mask + " ", context.list_followed()
        for entry in self._entries.list_candidates(word, words):
            after = entry.phrase.after
            if (after and followed.isdisjoint(after)) or not entry.may_match(words):
                continue
            match = self._match_entry(entry, span, matched, context)
            if match is None or (context.is_inside and match.has_bare_path):
                continue
            if match.referents:
                rivals.append(match)
            elif not rivals and (match.entry.phrase.refuses == "missing_slot" or _may_be_named(match, context)):
                asked = asked or match  # only if nothing else is said by it
            elif not rivals:
                return match
        return self._choose(rivals, context) if rivals else asked

    def _match_frame(self, span: Span, context: Context) -> Match | None:
        found: list[tuple[tuple[int, ...], Match]] = []
        can_read = partial(self._can_read, context=context, seen={})
        for reading in self._frames.list_readings(span, can_read, context.list_followed()):
            if reading.cuts(WHOLE_SLOTS) or reading.cuts(FILE_SLOTS, is_behind=True):
                continue
            slots = reading.widen(NAME_SLOTS, can_read)
            match = self._read_slots(reading.frame, span, slots, context)
            if match is None or (context.is_inside and match.has_bare_path) or _contradicts(match):
                continue
            if finished := self._finish(match):
                follows = bool(reading.frame.phrase.after)  # what goes on with the step in front is rather meant
                found.append(((*reading.cover.cost, not follows), finished))
                reading.take()
        return _find_cheapest(found) if found else None

    def weigh_frames(self, span: Span, context: Context) -> "list[Evidence]":
        """Return what speaks for each frame in a clause, the nearest first."""
        return self._frames.weigh_all(span, partial(self._can_read, context=context, seen={}))

    def _can_read(
        self, frame: "Frame", name: str, span: Span, *, context: Context, seen: dict[tuple[str, int, int], bool | None]
    ) -> bool:
        key = (kind := frame.kinds[name], span.start, span.end)
        if key not in seen:
            seen[key] = self._can_hold(kind, span, context)
        held = seen[key]
        return held if held is not None else bool(self.referents.read(frame.verb.name, name, kind, span, context))

    def _can_hold(self, kind: str, span: Span, context: Context) -> bool | None:
        """Whether slots of a kind can hold words as they are; None where words that stand for something are left."""
        if kind in self._patterns and not self._patterns[kind].fullmatch(span.mask):
            return False
        try:
            value = self._readers.read(kind, span, context)
        except UnreadableError:
            return None
        may_be_other = kind != "silenced" and isinstance(value, dict) and "app" in value
        return not may_be_other or not self._readers.is_behind_article(span)

    def _choose(self, rivals: list[Match], context: Context) -> Match:
        """Return the reading of a clause whose thing was spoken of last, with the doubt about it, if there is one."""
        doable = [match for match in rivals if match.is_goal] or rivals
        best = max(doable, key=lambda match: match.referents[0].mention.order)
        referents = [match.referents[0] for match in doable]
        verb = best.entry.verb.name
        doubts = (self.referents.find_doubt(verb, each, referents, context) for each in best.referents)
        return replace(best, doubt=next((doubt for doubt in doubts if doubt), None))

    def split_place(self, span: Span) -> Iterator[tuple[Place, Span]]:
        """Yield what may be a place in front of a step, with the rest; the shortest place first."""
        return self._readers.elements.split_place(span)

    def match_behind_source(self, span: Span, context: Context, strip: Callable[[Span], Span]) -> Match | None:
        """Return the phrase that stands behind a source of sound: ``in the kitchen, turn the volume up``."""
        for source, rest in self._readers.split_source(span):
            match = self.match(strip(rest), context)
            slot = self._readers.sounds.place_source(match.entry.verb.domain, source) if match else None
            if match and slot and match.is_goal and HEARD_PARAMS.isdisjoint(match.params):
                return replace(match, slots=(*match.slots, slot))
        return None

    def is_in_front(self, span: Span) -> bool:
        """Whether a span is a field, a window or a folder in front of what is done in it."""
        return self._readers.is_in_front(span) or self.files.is_in_front(span)

    def _match_entry(self, entry: PhraseEntry, span: Span, matched: str, context: Context) -> Match | None:
        readings: list[Match] = []
        for pattern in entry.list_patterns():
            caught = pattern.fullmatch(matched)
            if caught is None:
                break
            parts = {name: span.cut_group(caught, name) for name in entry.kinds if caught[name] is not None}
            reading = self._read_slots(entry, span, parts, context)
            if reading is not None:
                readings.append(reading)
        if not readings:
            return None
        match = readings[0]
        is_ambiguous = readings[-1].params != match.params or self._may_lose_mark(entry, span, match.slots)
        return self._finish(replace(match, is_ambiguous=is_ambiguous))

    def _finish(self, match: Match) -> Match | None:
        part = next((slot.value for slot in match.slots if slot.name == "_in"), None)
        if part is not None:
            return match.put_in(Place(regions=(Region(part),)))
        record = next((slot.value for slot in match.slots if slot.name == "_record"), None)
        if record is not None:
            return match.put_in(Place(regions=(Region("", "", PlainSelector("record", record)),)))
        below = next((slot.value for slot in match.slots if slot.name == "_below"), None)
        return match if below is None else replace(match, slots=put_below(match.slots, below))

    def _may_lose_mark(self, entry: "PhraseEntry | Frame", span: Span, slots: tuple[SlotValue, ...]) -> bool:
        """Whether the mark behind an unquoted text may as well be its last character: ``set the password to hunter2!``."""
        last = next((slot for slot in slots if slot.end == span.end and entry.kinds[slot.name] in TYPED_SLOTS), None)
        literal = span.sentence.find_whole(last.start, last.end) if last else None
        if last is None or (literal and literal.kind in {"quote", "code", "email"}):
            return False
        marks = _MARKS.match(span.sentence.mask, span.end)
        return marks is not None and ("!" in marks[0] or not self._readers.is_request(span.sentence.mask))

    def _read_slots(
        self, entry: "PhraseEntry | Frame", span: Span, parts: Mapping[str, Span], context: Context
    ) -> Match | None:
        values: list[SlotValue] = []
        referents: list[Referent] = []
        try:
            for name, kind in entry.kinds.items():
                if name in parts:
                    part = parts[name]
                    if kind in COMMA_SLOTS and part.mask.endswith(","):
                        part = part.cut(0, part.end - part.start - 1)
                    referent = self.referents.read(entry.verb.name, name, kind, part, context)
                    if referent is None or referent.is_container:
                        values.append(SlotValue(name, part.start, part.end, self._readers.read(kind, part, context)))
                    else:
                        values.append(referent.slot)
                    referents += [referent] if referent else []
        except UnreadableError:
            return None
        return Match(entry, span, tuple(values), referents=tuple(referents))

    def _add_context(self, match: Match, context: Context) -> Match:
        verb, phrase = match.entry.verb, match.entry.phrase
        previous = f"{verb.name}.{phrase.opens}" if phrase.opens else verb.name
        slots = [slot for slot in match.slots if slot.name in self._traces.telling.get(verb.name, ())]
        params = match.params
        words = self._readers.name_words(slots[0], match.span) if slots else str(params.get("target", ""))
        created = _find_created(match, self._traces) if params.get("object_type") == "folder" else None
        match, behind = replace(match, number=context.step), context
        names = [step.name for step in match.steps] if phrase.steps else [verb.name]
        for name in names[:-1]:
            behind = self._traces.follow(behind, name, name)
        behind = self._traces.follow(behind, names[-1], previous if not phrase.steps else names[-1], words, created)
        is_inside = phrase.opens == "inside" or any(slot.name == "_below" for slot in match.slots)
        follow = partial(
            self._follow_files, match=match, name=names[-1], is_folder=params.get("object_type") == "folder"
        )
        is_made = names[-1] in self._traces.made
        behind = follow_things(behind if is_made else follow(behind), match.steps, self.referents.destroys)
        behind = follow(behind) if is_made else behind
        return replace(match, behind=replace(behind, is_inside=behind.is_inside or is_inside))

    def _follow_files(self, behind: Context, match: Match, name: str, *, is_folder: bool) -> Context:
        held = self._traces.held.get(name, ())
        if not held and not any(each.startswith(f"{name.partition('.')[0]}.") for each in self._traces.held):
            return behind
        slots = {slot.name: slot.value for slot in match.slots}
        slots |= slots.get(SEVERAL) or {}
        taken = [each for each in slots if each not in held and self.referents.destroys(name, each)]
        folders = frozenset(each for each in slots if match.entry.kinds.get(each) in FOLDER_SLOTS)
        step = FileStep(slots, held, name in self._traces.equal, taken, folders, is_folder, self._traces.made.get(name))
        return follow_files(behind, step, self.files.is_file)


def _may_be_named(match: Match, context: Context) -> bool:
    """Whether a word that is an order by itself rather names what is pressed next: "click View, then Reload"."""
    span, front = match.span, match.span.sentence.mask[: match.span.start].rstrip()[-1:]
    is_name = span.mask.istitle() and span.mask.isalpha() and front not in {"", ".", "!", "?"}
    return is_name and not match.slots and context.previous.startswith(_PRESSING)


def _contradicts(match: Match) -> bool:
    said: dict[str, object] = {}
    for slot in match.slots:
        name = slot.name.removesuffix("_after")
        more = (slot.value or {}) if name == SEVERAL else {name: slot.value}
        if any(key in said for key in more):
            return True
        said |= more
    return False


def _find_cheapest(found: Sequence[tuple[tuple[int, ...], Match]]) -> Match | None:
    """Return what costs the least; None where two that cost the same mean different things."""
    least = min(cost for cost, _ in found)
    best = [match for cost, match in found if cost == least]
    goals = [match for match in best if match.is_goal] or best
    return goals[0] if all(_means_same(goals[0], other) for other in goals[1:]) else None


def _means_same(match: Match, other: Match) -> bool:
    return [(each.name, each.params) for each in match.steps] == [(each.name, each.params) for each in other.steps]


def _find_created(match: Match, traces: Traces) -> Created | None:
    verb, param = traces.folder
    slots = match.slots if match.entry.verb.name == verb else ()
    value = next((slot.value for slot in slots if slot.name == param), None)
    if isinstance(value, LocatedPath):
        return Created(value.write(match.base), value.full)
    return Created(value, value) if isinstance(value, str) else None
