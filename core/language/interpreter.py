"""GoalInterpreter: from an utterance to goals or an honest refusal."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING

from core.addresses.platforms import SEARCH_PLATFORMS, SearchPlatform
from core.base.late_parts import compile_late
from core.language.clauses import PUT_TEXTS, ClauseParser, Parse, takes_away
from core.language.grammars.grammar import Grammar
from core.language.late_readers import load_fillers, load_proposals, load_statements, load_suggestions
from core.language.meanings.contexts import START, Context
from core.language.meanings.interpretation import Clause, Interpretation, Reading, Situation, SlotValue, SpokenControl
from core.language.ordering import Ordering
from core.language.phrases.file_matches import FileMatches
from core.language.phrases.matches import Match
from core.language.phrases.phrasebook import Phrasebook
from core.language.phrases.slots import ELEMENT_SLOTS
from core.language.phrases.steps import ClauseStep, leave_sending
from core.language.remarks import RemarkReader
from core.language.rewording import Rewordings
from core.language.sentences.excerpts import GAP, Excerpt
from core.language.sentences.literals import (
    LongSentenceError,
    Sentence,
    UnclosedQuoteError,
    find_literals,
    try_find_literals,
)
from core.language.sentences.spans import Span, make_span
from core.language.sentences.spoken_literals import SpokenLiterals
from core.language.talk.filler_reader import Aside, FillerReader, Variant
from core.language.talk.languages import load_language
from core.language.talk.several_languages import load_control_reader
from core.language.turning import Turner

if TYPE_CHECKING:
    from core.language.frames.weighing import Evidence
    from core.language.refusals import Refuser
    from core.language.talk.control import ControlReader

MOST_CHARACTERS = 1_000_000
# Patterns go over white space more than once; nobody says forty spaces.
_WIDE_GAP = compile_late(r"\s{40}")


class GrammarInterpreter:
    """Understands utterances by a grammar: deterministic, no model."""

    def __init__(
        self,
        language: str | Grammar = "en",
        platforms: Mapping[str, SearchPlatform] = SEARCH_PLATFORMS,
        list_programs: Callable[[], Iterable[str]] = tuple,
        destroyed: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Take a language; nothing is read or compiled before the first utterance.

        Args:
            list_programs: Names the programs that this machine has, beside those that the language knows. It is asked
                once, and only when a sentence can't be understood without.
            destroyed: The params that name what a verb destroys, by ``domain.verb``, as ``list_destroyed`` finds them in the
                rules. Without it, every verb is one that may destroy.
        """
        self._language, self._platforms = language, platforms
        self._destroyed, self._list_programs = destroyed, list_programs

    @cached_property
    def _grammar(self) -> Grammar:
        return load_language(self._language) if isinstance(self._language, str) else self._language

    @cached_property
    def _ordering(self) -> Ordering:
        return Ordering(self._grammar.clauses, self._grammar.traces)

    @cached_property
    def _parser(self) -> ClauseParser:
        return ClauseParser(self._grammar.clauses, self._phrasebook)

    @cached_property
    def _phrasebook(self) -> Phrasebook:
        make_files = partial(FileMatches, self._grammar)
        return Phrasebook(self._grammar, self._platforms, make_files, self._list_programs, self._destroyed)

    @cached_property
    def _refuser(self) -> "Refuser":
        make: type[Refuser] = import_module("core.language.refusals").Refuser
        find_nearest = load_suggestions(self._grammar).find_nearest
        return make(self._grammar.wording, self._parser, self._phrasebook.referents, find_nearest)

    @cached_property
    def _turner(self) -> Turner:
        return Turner(self._grammar.turning, self._parser.commands, self._grammar.clauses.lead_in)

    @cached_property
    def _remarks(self) -> RemarkReader:
        grammar = self._grammar
        commands, known = self._parser.commands, grammar.vocabulary.programs.known
        statements = load_statements(grammar, commands)
        return RemarkReader(grammar.remarks, statements, commands, known, self._phrasebook.files.find_mention)

    @cached_property
    def _rewordings(self) -> Rewordings:
        grammar = self._grammar
        known = grammar.vocabulary.programs.known
        return Rewordings(grammar.rewording, self._parser.commands, known, grammar.turning.then)

    @cached_property
    def _spoken(self) -> SpokenLiterals:
        return SpokenLiterals(self._grammar.vocabulary.spoken, self._grammar.vocabulary.file_endings)

    @property
    def language(self) -> str:
        """Tag of the language."""
        return self._language if isinstance(self._language, str) else self._language.language

    @cached_property
    def _controls(self) -> "ControlReader":
        return load_control_reader(self.language)

    @cached_property
    def _fillers(self) -> FillerReader:
        return load_fillers(self._grammar)

    def interpret(
        self, utterance: str, situation: Situation = Situation.NOTHING, context: Context = START
    ) -> Interpretation:
        """Return the goals of an utterance, a control, or why there is neither; see ``GoalInterpreter``."""
        if control := self.read_control(utterance, situation):
            return Interpretation(control=control)
        wording = self._grammar.wording
        if not utterance.strip():
            return self._refuser.refuse("no_intent_match", wording.empty, "", "")
        if len(utterance) > MOST_CHARACTERS:
            return self._refuser.refuse("not_supported_here", wording.too_long, "", "")
        try:
            return self._interpret_sentence(find_literals(utterance), context)
        except UnclosedQuoteError as error:
            message = wording.unclear_quote.format(position=error.position + 1)
            return self._refuser.refuse("ambiguous", message, wording.ask_quote, utterance[error.position :])
        except LongSentenceError:
            return self._refuser.refuse("not_supported_here", wording.too_long, "", "")

    def propose(self, utterance: str, refused: Interpretation, context: Context = START) -> Interpretation:
        """Return a refusal with a question about what was probably meant; see ``GoalInterpreter``."""
        return load_proposals(self._grammar).propose(utterance, refused, partial(self._read_again, context=context))

    def _read_again(self, text: str, context: Context) -> Reading | None:
        sentence = try_find_literals(text)
        try:
            parse = self._parser.parse(self._spoken.add(sentence), context) if sentence else None
        except LongSentenceError:
            return None
        if parse is None or (parse.failed is not None and parse.problem is None):
            return None
        return _tell_reading(self.interpret(text, Situation.NOTHING, context))

    def read_control(self, utterance: str, situation: Situation) -> SpokenControl | None:
        """Return what an utterance says to an open question or a run; see ``GoalInterpreter``."""
        if not situation:
            return None
        if control := self._controls.read(utterance, situation):
            return control
        called = self._fillers.drop_calls(utterance)
        control = self._controls.read(called, situation) if called != utterance else None
        return control or self._read_control_beside_remark(utterance, situation)

    def _read_control_beside_remark(self, utterance: str, situation: Situation) -> SpokenControl | None:
        """Return the same for an utterance beside which something is told; a yes only where that can't take it back."""
        sentence = try_find_literals(utterance)
        for aside in self._remarks.list_asides(sentence, START) if sentence else ():
            said = aside.excerpt.sentence.source
            control = self._controls.read(said, situation)
            is_told = self._controls.read(aside.told, situation) is None
            is_clear = control is not None and (control.is_plain or control.kind != "confirm")
            if control and is_told and is_clear and self._remarks.may_answer(aside, control.kind):
                return control
        return None

    def weigh(self, part: str) -> "list[Evidence]":
        """Return what speaks for each frame in a part of an utterance, the nearest first; nothing where quotes are unclear."""
        written = try_find_literals(part)
        span = make_span(self._spoken.add(written)) if written else None
        return self._phrasebook.weigh_frames(self._parser.strip(span), START) if span else []

    def _interpret_sentence(self, written: Sentence, context: Context) -> Interpretation:
        if _WIDE_GAP.search(written.mask):
            raise LongSentenceError
        sentence = self._spoken.add(written)
        parse = self._parser.parse(sentence, context)
        excerpt, parse = self._parse_without_fillers(sentence, parse, context) or (None, parse)
        if parse.failed is not None:
            excerpt, parse = self._parse_retold(self._remarks.list_asides(sentence, context)) or (excerpt, parse)
        if parse.failed is not None and (turned := self._interpret_turned(sentence, context)):
            return turned
        if parse.failed is not None and parse.problem is None:
            excerpt, parse = self._parse_retold(self._rewordings.list_rewordings(sentence, context)) or (excerpt, parse)
        steps = leave_sending(parse.steps, self._grammar.vocabulary.filling.sending)
        return self._conclude(sentence, excerpt, parse, steps)

    def _conclude(
        self, sentence: Sentence, excerpt: Excerpt | None, parse: Parse, steps: list[ClauseStep], apart: int = 0
    ) -> Interpretation:
        clauses = tuple(_make_clause(step, sentence, excerpt) for step in steps)
        if parse.failed is not None:
            return self._refuser.refuse_clause(sentence, parse, clauses)
        explained = "; ".join(f"“{clause.text}” is {clause.name}" for clause in clauses)
        meta_goal = replace(self._ordering.build(steps, explained, apart), source=sentence.source)
        return Interpretation(meta_goal, None, clauses, behind=parse.matches[-1].behind)

    def _parse_without_fillers(
        self, sentence: Sentence, parse: Parse, context: Context
    ) -> tuple[Excerpt, Parse] | None:
        """Return a sentence without what carries nothing, and what it means; None where it means rather what it does as it was said.

        Where it is understood both ways, only talk that can be nothing else is left out, or what would end up in a name.
        """
        times: list[tuple[int, int]] | None = None
        is_open = parse.failed is not None or self._holds_fillers(sentence, parse)
        said = [step.name for step in parse.steps]
        for variant in self._fillers.list_variants(sentence, only_sure=not is_open):
            times = self._parser.list_times(sentence) if times is None else times
            if any(variant.takes_from(start, end) for start, end in times):
                continue  # "ten minutes from now"
            if parse.failed is None and not any(_is_changed(match.span, variant) for match in parse.matches):
                return None  # what is left out stands around the steps, where it was left out anyway
            found = self._parser.parse(variant.excerpt.sentence, context)
            names = [step.name for step in found.steps]
            is_meant = variant.is_sure or parse.failed is not None or names == said
            is_named = not variant.is_thinking and _takes_from_elements(variant, sentence, parse)
            if found.failed is None and is_meant and not is_named and _keeps_values(variant.excerpt, found):
                return variant.excerpt, found
        return None

    def _parse_retold(self, ways: Iterable[Aside]) -> tuple[Excerpt, Parse] | None:
        for way in ways:
            parse = self._parser.parse(way.excerpt.sentence, way.context)
            if parse.failed is None and not (way.runs_on and any(takes_away(match) for match in parse.matches)):
                return way.excerpt, parse
        return None

    def _holds_fillers(self, sentence: Sentence, parse: Parse) -> bool:
        slots = (slot for match in parse.matches for slot in match.slots if not _is_put_text(match, slot))
        open_ones = (slot for slot in slots if sentence.find_whole(slot.start, slot.end) is None)
        return any(self._fillers.holds(sentence.mask[slot.start : slot.end]) for slot in open_ones)

    def _interpret_turned(self, sentence: Sentence, context: Context) -> Interpretation | None:
        """Return what a sentence means whose steps aren't said in their order; None if it is no such sentence."""
        turned = self._turner.turn(sentence)
        parse = self._parser.parse(turned.excerpt.sentence, context) if turned else None
        if turned is None or parse is None or parse.failed is not None:
            return None
        steps = parse.steps
        second = turned.excerpt.parts[-1].begin
        apart = sum(step.span.start < second for step in steps) if turned.is_parallel else 0
        lasting = self._grammar.turning.lasting
        if turned.is_parallel and (apart == len(steps) or any(step.name in lasting for step in steps)):
            return None
        return self._conclude(sentence, turned.excerpt, parse, steps, apart)


def _tell_reading(interpretation: Interpretation) -> Reading | None:
    meta_goal, refusal = interpretation.meta_goal, interpretation.refusal
    if meta_goal:
        return Reading(
            "; ".join(f"{goal.name} {dict(goal.params)} {goal.scope}" for goal in meta_goal.goals), is_goal=True
        )
    return Reading(refusal.question, is_goal=False) if refusal and refusal.is_answerable else None


def _is_changed(span: Span, variant: Variant) -> bool:
    return span.mask.endswith(",") or variant.takes_from(span.start, span.end)


def _is_put_text(match: Match, slot: SlotValue) -> bool:
    return match.entry.kinds.get(slot.name) in PUT_TEXTS


def _takes_from_elements(variant: Variant, sentence: Sentence, parse: Parse) -> bool:
    """Whether a single word would be left of the name of a control in a sentence that is understood: "click No thanks"."""
    return parse.failed is None and any(
        variant.leaves_gap(slot.start, slot.end) and variant.count_words(sentence.mask, slot.start, slot.end) == 1
        for match in parse.matches
        for slot in match.slots
        if match.entry.kinds.get(slot.name) in ELEMENT_SLOTS
    )


def _keeps_values(excerpt: Excerpt, parse: Parse) -> bool:
    return not any(
        excerpt.has_gap(slot.start, slot.end) if _is_put_text(match, slot) else GAP in str(slot.value)
        for match in parse.matches
        for slot in match.slots
    )


def _make_clause(step: ClauseStep, sentence: Sentence, excerpt: Excerpt | None = None) -> Clause:
    """Return a clause with the places of its words in the sentence as said; an excerpt may have given the step."""

    def find_place(part: SlotValue | Span) -> tuple[int, int]:
        return excerpt.find_place(part.start, part.end) if excerpt else (part.start, part.end)

    places = [(slot, *find_place(slot)) for slot in step.slots]
    slots = tuple(replace(slot, start=start, end=end) for slot, start, end in places)
    start, end = find_place(step.span)
    return Clause(start, end, sentence.source[start:end], step.pattern, step.domain, step.verb, step.params, slots)
