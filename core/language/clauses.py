"""Clauses: where one step ends and the next begins.

A sentence is split at "and", a comma and the like only where what follows reads as a step. The shortest clauses that can
be understood win. What would join two steps into one name or text is not accepted: the sentence is then refused.
"""

import re
from dataclasses import dataclass

from core.language.grammar import Clauses
from core.language.literals import FILL, MARKS, Sentence
from core.language.phrasebook import Match, Phrasebook, make_span
from core.language.spans import Span

_LITERAL_START = "".join(MARKS.values())
# "click Save and Reload": capitals on both sides of the last word make one name of it.
_NAME_JOINT = re.compile(r"[a-z'\"]\s+(?:[A-Z]\w*\s+)*[A-Z]\w*$")
_LONGEST_NAME = 80
_LONE_NAME = re.compile(r"[A-Z]\w*\s*(?:$|[,;.])")


@dataclass(frozen=True, slots=True)
class Separator:
    """What may stand between two clauses.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        begins_step: Whether a step seems to begin behind it, so that no clause goes over it.
    """

    start: int
    end: int
    begins_step: bool


@dataclass(slots=True)
class _Progress:
    """How far a sentence was understood, for the refusal."""

    start: int = -1
    before: tuple[Match, ...] = ()
    problem: Match | None = None
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Parse:
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


class ClauseParser:
    """Divides sentences into clauses."""

    def __init__(self, rules: Clauses, phrasebook: Phrasebook) -> None:
        """Prepare the patterns.

        Args:
            rules: How steps are strung together.
            phrasebook: The phrases.
        """
        self._phrasebook = phrasebook
        self._separator = re.compile(rf"(?P<strong>{rules.strong})|(?P<weak>{rules.weak})", re.IGNORECASE)
        self._abbreviation = re.compile(rf"(?:{rules.abbreviation})$")
        self._lead_in = re.compile(rf"\s*(?:(?:{rules.lead_in})(?:\s*,\s*|\s+|(?=[{_LITERAL_START}])))+", re.IGNORECASE)
        self._lead_out = re.compile(rf"(?:(?:\s*,\s*|\s+)(?:{rules.lead_out})|[\s.!?…,])+$", re.IGNORECASE)
        self._late_filler = re.compile(rf"\s+(?:{rules.late_filler})$", re.IGNORECASE)
        self._foreign = re.compile(rf"(?:{rules.foreign})\b", re.IGNORECASE)
        self._condition = re.compile(rf"(?:^|{rules.strong}|{rules.weak}|\s)(?:{rules.condition})\b", re.IGNORECASE)
        self._commands = phrasebook.first_words - rules.ordinary

    def parse(self, sentence: Sentence) -> Parse:
        """Divide a sentence into clauses and match each."""
        limit = self._drop_lead_out(make_span(sentence, 0, len(sentence.mask))).end
        separators = self._find_separators(sentence, limit)
        progress = _Progress()
        matches = self._parse_all(sentence, limit, separators, progress)
        if matches is not None:
            return Parse(matches)
        end = next((sep.start for sep in separators if sep.start > progress.start), limit)
        rest = self.strip(make_span(sentence, progress.start, end))
        failed = progress.problem.span if progress.problem else rest
        return Parse(progress.before, failed, progress.problem, progress.joined)

    def is_conditional(self, sentence: Sentence) -> bool:
        """Whether a sentence holds a condition or a schedule."""
        return self._condition.search(sentence.mask) is not None

    def _find_separators(self, sentence: Sentence, limit: int) -> list[Separator]:
        mask = sentence.mask[:limit]
        joints: list[tuple[int, int, bool]] = []
        for match in self._separator.finditer(mask):
            if self._is_within_name(mask, match):
                continue
            start, end, is_strong = match.start(), match.end(), match["strong"] is not None
            begin = joints[-1][1] if joints else 0
            if not mask[begin:start].strip() and joints:
                joints[-1] = (joints[-1][0], end, joints[-1][2] or is_strong)
            elif not self._is_lead_in(mask, begin, end):
                joints.append((start, end, is_strong))
        ends = [start for start, _, _ in joints[1:]] + [limit]
        return [
            Separator(start, end, begins_step=is_strong or self._reads_as_step(make_span(sentence, end, stop)))
            for (start, end, is_strong), stop in zip(joints, ends, strict=False)
        ]

    def _is_lead_in(self, mask: str, start: int, end: int) -> bool:
        """Whether there are only fillers up to the end of a separator, as in "ok, …"."""
        lead_in = self._lead_in.match(mask, start)
        return lead_in is not None and lead_in.end() >= end

    def _is_within_name(self, mask: str, match: re.Match[str]) -> bool:
        """Whether what looks like a separator belongs to an abbreviation or to a name."""
        start = max(0, match.start() - _LONGEST_NAME)
        if match["strong"] is not None:
            return match[0].startswith(".") and self._abbreviation.search(mask, start, match.start()) is not None
        joint = _NAME_JOINT.search(mask, start, match.start())
        return joint is not None and _LONE_NAME.match(mask, match.end()) is not None

    def _parse_all(
        self, sentence: Sentence, limit: int, separators: list[Separator], progress: _Progress
    ) -> tuple[Match, ...] | None:
        """Return all clauses, or None; remember how far it went.

        Depth first, the shortest clause first; a start from which the rest can't be understood is never tried again.
        """
        dead: set[tuple[int, str]] = set()
        stack: list[tuple[int, tuple[Match, ...], int]] = [(0, (), 0)]
        while stack:
            position, done, skip = stack.pop()
            previous = done[-1].entry.verb.name if done else ""
            if (position, previous) in dead:
                continue
            ends = [sep for sep in separators if sep.start >= position]
            if skip > len(ends):
                dead.add((position, previous))
                continue
            stack.append((position, done, skip + 1))
            end = ends[skip].start if skip < len(ends) else limit
            match = self._match(make_span(sentence, position, end), previous)
            is_joined = skip > 0 and ends[skip - 1].begins_step
            if is_joined:
                dead.add((position, previous))  # whatever is longer joins the same two steps
            if match is None or not match.is_goal or is_joined:
                _note(progress, position, done, match, is_joined=is_joined and match is not None)
            elif skip == len(ends):
                return (*done, match)
            else:
                stack.append((ends[skip].end, (*done, match), 0))
        return None

    def _match(self, span: Span, previous: str) -> Match | None:
        stripped = self.strip(span)
        match = self._phrasebook.match(stripped, previous)
        late = self._late_filler.search(stripped.mask)
        if match is None and late:
            return self._phrasebook.match(stripped.cut(0, late.start()), previous)
        return match

    def strip(self, span: Span) -> Span:
        """Take the fillers off a clause."""
        lead_in = self._lead_in.match(span.mask)
        inner = span.cut(lead_in.end(), len(span.mask)) if lead_in and lead_in.end() < len(span.mask) else span
        return self._drop_lead_out(inner)

    def _drop_lead_out(self, span: Span) -> Span:
        lead_out = self._lead_out.search(span.mask)
        return span.cut(0, lead_out.start()) if lead_out and lead_out.start() else span

    def _reads_as_step(self, span: Span) -> bool:
        """Whether a part seems to begin a step, so that it is never taken for a piece of a name or text."""
        mask = self.strip(span).mask
        first, _, rest = mask.partition(" ")
        if self._foreign.match(mask):
            return True
        return first.lower() in self._commands and first[:1].islower() and bool(rest.strip(FILL + " "))


def _note(
    progress: _Progress, position: int, before: tuple[Match, ...], match: Match | None, *, is_joined: bool
) -> None:
    """Remember the furthest start from which nothing could be understood, and its first problem."""
    if position > progress.start:
        progress.start, progress.before, progress.problem, progress.joined = position, before, None, False
    if position == progress.start:
        refused = match if match and not match.is_goal else None
        progress.problem = progress.problem or refused
        progress.joined = progress.joined or is_joined
