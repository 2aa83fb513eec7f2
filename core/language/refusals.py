"""Refusals: why a sentence isn't understood, and what is asked for so that it is."""

import re
from collections.abc import Callable
from typing import Any

from core.language.clauses import ClauseParser, Parse
from core.language.grammars.grammar import Fill, Wording
from core.language.meanings.interpretation import Choice, Clause, Completion, Interpretation, Refusal, RefusalCode
from core.language.phrases.matches import Match
from core.language.phrases.referents import Doubt, ReferentReader
from core.language.sentences.literals import Sentence
from core.language.sentences.spans import Span, make_span

_PART = re.compile(r"\{(\w+)\}")
_MAYBE = re.compile(r"\[([^\]]*\{(\w+)\}[^\]]*)\]")
_ANY = "*"
_ANSWER = "{answer}"
_QUOTED = f'"{_ANSWER}"'
_GOES_ON = Fill("*", f"{{clause}} {_ANSWER}")
"""What any question understands: an answer that goes on where the sentence stopped ("copy a.txt" … "to Documents")."""


def list_completions(match: Match) -> tuple[Completion, ...]:
    """Return the ways in which an answer can complete a sentence, the first that does counts."""
    fills = match.entry.phrase.fills
    if match.entry.phrase.refuses != "missing_slot":
        ways = list(fills)
    else:
        ways = [*fills, _GOES_ON._replace(slot=fills[0].slot if fills else _ANY)]
    return tuple(_make_completion(match, fill) for fill in ways)


def list_choices(match: Match) -> tuple[Choice, ...]:
    """Return what a sentence can mean, each with the sentence that says so."""
    return tuple(Choice(name, _wrap(match, _write(match, text))) for name, text in match.entry.phrase.choices.items())


def _make_completion(match: Match, fill: Fill) -> Completion:
    is_quoted = _QUOTED in fill.text
    before, _, after = fill.text.partition(_QUOTED if is_quoted else _ANSWER)
    source, span = match.span.sentence.source, match.span
    before, after = source[: span.start] + _write(match, before), _write(match, after) + source[span.end :]
    return Completion("" if fill.slot == _ANY else fill.slot, before, after, is_quoted)


def _wrap(match: Match, clause: str) -> str:
    source, span = match.span.sentence.source, match.span
    return source[: span.start] + clause + source[span.end :]


def _write(match: Match, text: str) -> str:
    sure = _MAYBE.sub(lambda found: found[1] if _find_words(match, found[2]) else "", text)
    return _PART.sub(lambda found: _find_words(match, found[1]), sure)


def _find_words(match: Match, name: str) -> str:
    if name == "clause":
        return match.span.text
    source = match.span.sentence.source
    return next((source[slot.start : slot.end] for slot in match.slots if slot.name == name), "")


_MOST_SHOWN = 200


class Refuser:
    """Refuses what isn't understood, in the words of one language."""

    def __init__(
        self,
        wording: Wording,
        parser: ClauseParser,
        referents: ReferentReader,
        find_nearest: Callable[[str], tuple[str, ...]],
    ) -> None:
        self._wording, self._parser, self._referents = wording, parser, referents
        self._find_nearest = find_nearest

    def refuse_clause(self, sentence: Sentence, parse: Parse, clauses: tuple[Clause, ...]) -> Interpretation:
        """Refuse a sentence for the sake of one clause."""
        wording = self._wording
        span = parse.failed
        clause = span.text if span else sentence.source
        words = {"clause": clause if len(clause) <= _MOST_SHOWN else clause[:_MOST_SHOWN] + "…"}
        problem = parse.problem
        if problem and problem.doubt:
            return self._ask_thing(problem, problem.doubt, words["clause"], clauses)
        later = _find_later(self._parser, wording, make_span(sentence, span.start), problem) if span else ""
        if later:
            return self.refuse("not_supported_here", later.format(**words), "", clause, clauses)
        if problem and problem.is_ambiguous:
            return self.refuse("ambiguous", wording.two_readings.format(**words), wording.ask_quotes, clause, clauses)
        if problem:
            return self._refuse_problem(problem, words, clause, clauses)
        if parse.is_joined:
            return self.refuse("ambiguous", wording.two_steps.format(**words), wording.ask_quotes, clause, clauses)
        is_request = self._parser.reads_as_step(make_span(sentence))
        message = wording.not_understood.format(**words)
        return self.refuse("no_intent_match", message, "", clause, clauses, is_request=is_request)

    def _refuse_problem(
        self, problem: Match, words: dict[str, str], clause: str, clauses: tuple[Clause, ...]
    ) -> Interpretation:
        wording, asks = self._wording, problem.entry.phrase.asks
        code = problem.entry.phrase.refuses or "not_supported_here"
        if open_ended := {"missing_slot": wording.missing, "ambiguous": wording.ambiguous}.get(code):
            return self.refuse(code, open_ended.format(**words), asks, clause, clauses, **_list_ways_on(problem))
        # Spoken by itself, the reason begins a sentence.
        question = asks[:1].upper() + asks[1:] if asks.endswith("?") else ""
        return self.refuse(code, wording.unsupported.format(reason=asks, **words), question, clause, clauses)

    def _ask_thing(self, problem: Match, doubt: Doubt, clause: str, clauses: tuple[Clause, ...]) -> Interpretation:
        wording, referents = self._wording, self._referents
        source, slot = problem.span.sentence.source, doubt.slot
        choices = _list_things(referents, doubt, source)
        unclear = wording.unnamed_thing if doubt.things and doubt.things[0].is_unnamed else wording.unclear_words
        message = unclear.format(words=source[slot.start : slot.end], clause=clause)
        names = ", ".join(each.name for each in choices)
        asks = wording.ask_thing if len(choices) == 1 else wording.ask_things
        question = asks.format(thing=names, things=names) if choices else ""
        more = {"choices": choices, "slots": (slot,)}
        return self.refuse("ambiguous", message, question, problem.span.text, clauses, **more)

    def refuse(
        self, code: RefusalCode, message: str, question: str, clause: str, clauses: tuple[Clause, ...] = (), **more: Any
    ) -> Interpretation:
        """Refuse a sentence."""
        nearest = self._find_nearest(clause)
        return Interpretation(None, Refusal(code, message, question, nearest, clause, **more), clauses)


def _list_things(referents: ReferentReader, doubt: Doubt, source: str) -> tuple[Choice, ...]:
    slot, said = doubt.slot, {each: referents.say(each) for each in doubt.things}
    return tuple(
        Choice(
            referents.name(each, doubt.things), source[: slot.start] + words + source[slot.end :], referents.call(each)
        )
        for each, words in said.items()
        if words
    )


def _find_later(parser: ClauseParser, wording: Wording, span: Span, problem: Match | None) -> str:
    """Return what is said where a part of a sentence holds a schedule or a condition; empty where it holds none."""
    phrase = problem.entry.phrase if problem else None
    if not (phrase and phrase.asks) and parser.is_scheduled(span):
        return wording.schedule
    return wording.condition if not (phrase and phrase.choices) and parser.is_conditional(span) else ""


def _list_ways_on(problem: Match) -> dict[str, Any]:
    choices = list_choices(problem)
    completions = () if choices else list_completions(problem)
    slot = completions[0].slot if completions else ""
    return {"slot": slot, "completions": completions, "choices": choices, "slots": problem.told_slots}
