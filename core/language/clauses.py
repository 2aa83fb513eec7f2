"""Clauses: where one step ends and the next begins.

A sentence is split at "and", a comma and the like only where what follows reads as a step. The shortest clauses that can
be understood win. What would join two steps into one name or text is not accepted: the sentence is then refused.
"""

import re
from typing import NamedTuple

from core.base.late_dataclasses import dataclass, replace
from core.base.late_parts import compile_late
from core.language.grammars.grammar import Clauses
from core.language.meanings.contexts import START, Context
from core.language.phrases.joined_names import JoinedNames
from core.language.phrases.matches import Match
from core.language.phrases.phrasebook import HEARD_PARAMS, Phrasebook
from core.language.phrases.steps import ClauseStep
from core.language.screens.places import Place
from core.language.sentences.literals import FILL, MARKS, MOST_WORD_CHARACTERS, LongSentenceError, Sentence
from core.language.sentences.patterns import compile_pattern
from core.language.sentences.spans import Span, make_span

_LITERAL_START = "".join(MARKS.values())
# "click Save and Reload": capitals on both sides of the last word make one name of it.
_NAME_JOINT = compile_late(r"[a-z'\"]\s+(?:[A-Z]\w*\s+)*[A-Z]\w*$")
_LONGEST_NAME = 80
# Characters that fillers take up at most: to look for more would take ever longer, the longer the sentence.
_LONGEST_FILLERS = 120
# Characters that are gone over in search of clauses; twenty steps, or a list of twenty names, need a third.
_MOST_TRIED = 2_500
# Slots whose words may be anything, and those of them that hold a text to be put somewhere.
PUT_TEXTS = frozenset({"typed", "filling", "jotted", "text"})
OPEN_TEXTS = PUT_TEXTS | {"query", "entry", "plain_entry", "inner_entry"}
# What is lost if words of a text are taken for a step of their own.
_DESTROYING = frozenset(
    {"file.delete", "file.purge", "system.shutdown", "system.restart", "system.sleep", "system.kill", "system.close"}
)
# What brings about a state, so that nothing more comes of doing it twice.
_STATES = frozenset({"audio.mute", "audio.unmute", "media.pause", "media.play"})
# What is wrong, in front of what shall be done about it, as phrases open it.
_COMPLAINT, _UNNEEDED, _PAIR = "complaint", "unneeded", 2
# What goes on with a click by a name alone: "…, then Archive".
_PRESSING = "pressing"
_YEAR = compile_late(r"\d{4}\b")
_LONE_NAME = compile_late(r"[A-Z]\w*\s*(?:$|[,;.])")


class Separator(NamedTuple):
    """What may stand between two clauses.

    Attributes:
        begins_step: Whether a step seems to begin behind it, so that no clause goes over it.
        completes: Whether that step may complete the one in front of it, so that the words of one phrase may hold both.
        says_then: Whether it says in words that it is strong.
    """

    start: int
    end: int
    begins_step: bool
    completes: bool = False
    is_strong: bool = False
    says_then: bool = False


@dataclass(slots=True)
class _ClauseProgress:
    """How far a sentence was understood, for the refusal, and what was there before it."""

    context: Context
    start: int = -1
    before: tuple[Match, ...] = ()
    problem: Match | None = None
    joined: bool = False
    tried: int = 0

    def go_over(self, characters: int) -> None:
        """Count characters that are gone over; a LongSentenceError if there were too many of them."""
        self.tried += min(characters, MOST_WORD_CHARACTERS)
        if self.tried > _MOST_TRIED:
            raise LongSentenceError


class Parse(NamedTuple):
    """The clauses of a sentence, or how far they were understood.

    Attributes:
        matches: All clauses; without a ``failed`` part these are the steps.
        failed: The part that was not understood.
        problem: A phrase that this part matches, but that is refused.
        is_joined: Whether the part seems to hold two steps that can't be told apart.
    """

    matches: tuple[Match, ...]
    failed: Span | None = None
    problem: Match | None = None
    is_joined: bool = False

    @property
    def steps(self) -> list[ClauseStep]:
        """The steps of all clauses, in order."""
        return [step for match in self.matches for step in match.steps]


class ClauseParser:
    """Divides sentences into clauses."""

    def __init__(self, rules: Clauses, phrasebook: Phrasebook) -> None:
        self._phrasebook = phrasebook
        self._separator, self._numbered_separator = (
            compile_pattern(rf"(?P<strong>{strong})|(?P<weak>{rules.weak})", re.IGNORECASE)
            for strong in (rules.strong, rf"\s+{rules.numbered}\s+|{rules.strong}")
        )
        self._numbered = compile_pattern(rf"\s*{rules.numbered}\s", re.IGNORECASE)
        self._completion = compile_pattern(rf"(?:{rules.completion})\b", re.IGNORECASE)
        self._abbreviation = compile_pattern(rf"(?:{rules.abbreviation})$", 0)
        self._dated = compile_pattern(rf"(?:{rules.dated})$", re.IGNORECASE)
        self._lead_in = compile_pattern(
            rf"\s*(?:(?:{rules.lead_in})(?:\s*[,:]\s*|\s+|(?=[{_LITERAL_START}])))+", re.IGNORECASE
        )
        self._lead_out = compile_pattern(rf"(?:(?:\s*,\s*|\s+)(?:{rules.lead_out})|[\s.!?…,])++$", re.IGNORECASE)
        self._late_lead_in = compile_pattern(rf"(?:{rules.late_lead_in})\s+", re.IGNORECASE)
        self._late_filler = compile_pattern(rf"\s+(?:{rules.late_filler})$", re.IGNORECASE)
        self._foreign = compile_pattern(rf"(?:{rules.foreign})\b", re.IGNORECASE)
        self._condition = compile_pattern(
            rf"(?:^|{rules.strong}|{rules.weak}|\s)(?:{rules.condition})\b", re.IGNORECASE
        )
        self._later = compile_pattern(
            rf"(?:^|\W)(?:{rules.schedule or '(?!)'}|{rules.someday or '(?!)'})(?!\w)", re.IGNORECASE
        )
        self._timed = compile_pattern(rf"(?:^|\W)(?:{rules.schedule or '(?!)'})(?!\w)", re.IGNORECASE)
        self._never = compile_pattern(rules.never, re.IGNORECASE) if rules.never else None
        self.commands = phrasebook.first_words - rules.ordinary
        self._joined_names = JoinedNames(self._separator, frozenset(self.commands), rules.schedule)

    def parse(self, sentence: Sentence, context: Context = START) -> Parse:
        """Divide a sentence into clauses and match each.

        Raises:
            LongSentenceError: If it can be divided in too many ways.
        """
        limit = self._drop_lead_out(make_span(sentence)).end
        separators = self._find_separators(sentence, limit)
        progress = _ClauseProgress(context)
        matches = self._parse_all(sentence, limit, separators, progress)
        if matches is not None:
            return Parse(_say_once(_answer_complaint(matches)))
        end = next((sep.start for sep in separators if sep.start > progress.start), limit)
        rest = self.strip(make_span(sentence, progress.start, end))
        failed = progress.problem.span if progress.problem else rest
        return Parse(progress.before, failed, progress.problem, progress.joined)

    def is_conditional(self, span: Span) -> bool:
        """Whether a part of a sentence holds a condition or a schedule."""
        return self._condition.search(span.mask) is not None

    def is_scheduled(self, span: Span) -> bool:
        """Whether a part of a sentence says that something is to be done at another time."""
        return self._later.search(span.mask) is not None

    def list_times(self, sentence: Sentence) -> list[tuple[int, int]]:
        """Return where a sentence names another time."""
        return [match.span() for match in self._timed.finditer(sentence.mask)]

    def _find_separators(self, sentence: Sentence, limit: int) -> list[Separator]:
        mask = sentence.mask[:limit]
        joints: list[tuple[int, int, bool]] = []
        separator = self._numbered_separator if self._numbered.match(mask) else self._separator
        for match in separator.finditer(mask):
            if self._is_within_name(mask, match):
                continue
            start, end, is_strong = match.start(), match.end(), match["strong"] is not None
            begin = joints[-1][1] if joints else 0
            if not mask[begin:start].strip() and joints:
                joints[-1] = (joints[-1][0], end, joints[-1][2] or is_strong)
            elif not self._is_lead_in(mask, begin, end) and not self._is_place(sentence, begin, end):
                joints.append((start, end, is_strong))
        ends = [start for start, _, _ in joints[1:]] + [limit]
        return [
            self._make_separator(make_span(sentence, end, stop), start, end, is_strong=is_strong)
            for (start, end, is_strong), stop in zip(joints, ends, strict=False)
        ]

    def _make_separator(self, behind: Span, start: int, end: int, *, is_strong: bool) -> Separator:
        begins_step = is_strong or (self.reads_as_step(behind) and not self._phrasebook.files.is_manner(behind))
        completes = begins_step and self._completion.match(behind.mask) is not None
        says_then = is_strong and any(map(str.isalpha, behind.sentence.mask[start:end]))
        return Separator(start, end, begins_step, completes, is_strong, says_then)

    def _is_lead_in(self, mask: str, start: int, end: int) -> bool:
        if end - start > _LONGEST_FILLERS:
            return False
        lead_in = self._lead_in.match(mask, start, end + _LONGEST_FILLERS)
        return lead_in is not None and lead_in.end() >= end

    def _is_place(self, sentence: Sentence, start: int, end: int) -> bool:
        span = self.strip(make_span(sentence, start, min(end + 1, len(sentence.mask))))
        if any(rest.start >= end for _, rest in self._phrasebook.split_place(span)):
            return True
        return self._phrasebook.is_in_front(self.strip(make_span(sentence, start, end)))

    def _is_within_name(self, mask: str, match: re.Match[str]) -> bool:
        start = max(0, match.start() - _LONGEST_NAME)
        if match["strong"] is not None:
            return match[0].startswith(".") and self._abbreviation.search(mask, start, match.start()) is not None
        if _YEAR.match(mask, match.end()) and self._dated.search(mask, start, match.start()):
            return True
        # "Tea, Milk" is a list; "Save and Reload" one name.
        joint = None if match[0].strip() == "," else _NAME_JOINT.search(mask, start, match.start())
        return joint is not None and _LONE_NAME.match(mask, match.end()) is not None

    def _parse_all(
        self, sentence: Sentence, limit: int, separators: list[Separator], progress: _ClauseProgress
    ) -> tuple[Match, ...] | None:
        """Return all clauses, or None; remember how far it went.

        Depth first, the shortest clause first; a start from which the rest can't be understood is never tried again.
        """
        dead: set[tuple[int, Context, Place]] = set()
        stack: list[tuple[int, tuple[Match, ...], int]] = [(0, (), 0)]
        while stack:
            position, done, skip = stack.pop()
            before = done[-1] if done else None
            context = before.behind if before else progress.context
            state = (position, context, before.place if before else Place())
            if state in dead:
                continue
            ends = [sep for sep in separators if sep.start >= position]
            if skip > len(ends):
                dead.add(state)
                continue
            stack.append((position, done, skip + 1))
            end = ends[skip].start if skip < len(ends) else limit
            progress.go_over(end - position)
            front = next((sep for sep in separators if sep.end == position), None)
            match = _check_name(self._match(make_span(sentence, position, end), before, context), front)
            is_joined = _joins(match, ends[:skip])
            if is_joined and not ends[skip - 1].completes:
                dead.add(state)  # whatever is longer joins the same two steps
            is_odd = _follows_text(match, before, front) or self._runs_on(match, ends[skip:], context)
            if not is_joined and (is_odd or self._joined_names.find(match)):
                is_joined = True
                dead.add(state)
            if match is None or not match.is_goal or is_joined:
                _note(progress, position, done, match, is_joined=is_joined and match is not None)
            elif skip == len(ends):
                return (*done, match)
            else:
                stack.append((ends[skip].end, (*done, match), 0))
        return None

    def _runs_on(self, match: Match | None, behind: list[Separator], context: Context) -> bool:
        if match is None or not match.is_goal or not behind or behind[0].is_strong:
            return False
        text = _find_text(match, OPEN_TEXTS)
        found = _check_name(self._phrasebook.match(self.strip(text), context), None) if text else None
        return found is not None and found.is_goal

    def _match(self, span: Span, before: Match | None, context: Context) -> Match | None:
        stripped = self.strip(span)
        if self._never and self._never.search(stripped.mask):
            return None
        match = self._match_placed(stripped, before, context)
        if match is None and (late := self._late_filler.search(stripped.mask)):
            stripped = stripped.cut(0, late.start())
            match = self._match_placed(stripped, before, context)
        if match is None and (early := self._late_lead_in.match(stripped.mask)):
            match = self._match_placed(self.strip(stripped.cut(early.end(), len(stripped.mask))), before, context)
        return match

    def _match_placed(self, span: Span, before: Match | None, context: Context) -> Match | None:
        match = self._phrasebook.match(span, context)
        if match:
            return match.put_in(before.place) if before and match.is_short_form else match
        for place, rest in self._phrasebook.split_place(span):
            match = self._phrasebook.match(self.strip(rest), context)
            placed = match.put_in(place) if match else None
            if placed:
                return placed
        return self._phrasebook.match_behind_source(span, context, self.strip)

    def strip(self, span: Span) -> Span:
        """Take the fillers off a clause."""
        lead_in = self._lead_in.match(span.mask)
        inner = span.cut(lead_in.end(), len(span.mask)) if lead_in and lead_in.end() < len(span.mask) else span
        return self._drop_lead_out(inner)

    def _drop_lead_out(self, span: Span) -> Span:
        lead_out = self._lead_out.search(span.mask, max(0, len(span.mask) - _LONGEST_FILLERS))
        return span.cut(0, lead_out.start()) if lead_out and lead_out.start() else span

    def reads_as_step(self, span: Span) -> bool:
        """Whether a part seems to begin a step, so that it is never taken for a piece of a name or text."""
        mask = self.strip(span).mask
        first, _, rest = mask.partition(" ")
        if self._foreign.match(mask):
            return True
        return first.lower() in self.commands and first[:1].islower() and bool(rest.strip(FILL + " "))


def _answer_complaint(matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """Return a complaint and what shall be done about it as the latter: "it's too loud, turn it down"; likewise what isn't needed."""
    opens = matches[0].entry.phrase.opens
    if len(matches) != _PAIR or opens not in {_COMPLAINT, _UNNEEDED}:
        return matches
    if opens == _UNNEEDED:
        return matches[1:] if matches[1].referents else matches  # "I don't need this window, minimize it"
    complaint, remedy = matches
    if complaint.entry.verb.domain != remedy.entry.verb.domain:
        return matches
    is_heard = not HEARD_PARAMS.isdisjoint(remedy.params)
    return (remedy if is_heard else replace(remedy, slots=(*remedy.slots, *complaint.slots)),)


def _say_once(matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """Return the steps without those that only say again what the one in front does: "I'm done with this tab, close it", "hush, mute"."""
    return tuple(
        match for number, match in enumerate(matches) if not (number and _says_again(match, matches[number - 1]))
    )


def _says_again(match: Match, before: Match) -> bool:
    said, known = ([(step.name, step.params) for step in each.steps] for each in (match, before))
    if match.referents and said == known:
        return True
    is_state = len(said) == len(known) == 1 and said[0][0] == known[0][0] and said[0][0] in _STATES
    return is_state and said[0][1].items() <= known[0][1].items()


def _joins(match: Match | None, crossed: list[Separator]) -> bool:
    """Whether a clause goes over the beginning of another step; a phrase that itself speaks of both steps doesn't."""
    steps = [separator for separator in crossed if separator.begins_step]
    if not steps:
        return False
    return match is None or any(not separator.completes or match.covers(separator.start) for separator in steps)


def _follows_text(match: Match | None, before: Match | None, front: Separator | None) -> bool:
    """Whether a step may as well belong to the unquoted text in front of it, and that is the safer reading.

    So it is where the step takes something away, or where words that don't begin as one would do something wholly else: "set the
    tags to late and loud" has nothing to do with the sound.
    """
    if match is None or before is None or front is None or front.is_strong:
        return False
    is_elsewhere = not front.begins_step and match.entry.verb.domain != before.entry.verb.domain
    return (takes_away(match) or is_elsewhere) and _find_text(before, PUT_TEXTS) is not None


def _check_name(match: Match | None, front: Separator | None) -> Match | None:
    """Return a match, unless it is a name alone that may belong to the one in front: "click Yes, I agree"."""
    is_name = match is not None and match.entry.phrase.opens == _PRESSING
    return None if is_name and not (front and front.says_then) else match


def takes_away(match: Match) -> bool:
    """Whether a step takes something away that is lost if its words weren't meant as a step."""
    return match.entry.verb.name in _DESTROYING


def _find_text(match: Match, kinds: frozenset[str]) -> Span | None:
    """Return the unquoted text that a step ends with, if it does."""
    for slot in match.slots:
        span = make_span(match.span.sentence, slot.start, slot.end)
        is_last = slot.end == match.span.end
        if is_last and match.entry.kinds.get(slot.name) in kinds and not span.has_quotes:
            return span
    return None


def _note(
    progress: _ClauseProgress, position: int, before: tuple[Match, ...], match: Match | None, *, is_joined: bool
) -> None:
    if position > progress.start:
        progress.start, progress.before, progress.problem, progress.joined = position, before, None, False
    if position == progress.start:
        refused = match if match and not match.is_goal else None
        progress.problem = progress.problem or refused
        progress.joined = progress.joined or is_joined
