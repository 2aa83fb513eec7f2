"""FillerReader: a sentence without what people say around and between what they ask for.

Who thinks aloud, greets, thanks or hurries asks for nothing more by it. Such words are left out; where the others were said stays
known. What can be nothing but talk where it stands is left out first; what may be something else, such as whom a sentence without a
comma speaks to, only where the sentence isn't understood with it, or where it would end up in a name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from core.base.late_parts import compile_late
from core.language.grammars.asides import Fillers
from core.language.grammars.templates import (
    Beginnings,
    compile_template,
    find_first_words,
    list_needed_words,
    parse_template,
)
from core.language.grammars.templates import Sequence as TemplateParts
from core.language.meanings.contexts import Context
from core.language.sentences.excerpts import Excerpt, leave_out
from core.language.sentences.literals import Sentence
from core.language.sentences.patterns import compile_pattern, match_any_of

FIRST_WORD = compile_late(r"[^\W_]+")
"""The word that stands at a place."""
_MARKS = str.maketrans(".;!?…", "     ")


class TalkWay:
    """One way to say what carries nothing, compiled when a sentence first holds the word that it begins with."""

    def __init__(self, template: str, fragments: Mapping[str, str]) -> None:
        self._template, self._fragments = template, fragments

    @cached_property
    def _parsed(self) -> TemplateParts:
        return parse_template(self._template, self._fragments)

    @cached_property
    def _needed(self) -> list[frozenset[str]]:
        return list_needed_words(self._parsed)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return compile_template(self._parsed, {}, greedy=False)

    def match(self, said: str, start: int) -> re.Match[str] | None:
        """Return what fits at a place; nothing is compiled for what lacks a word that the way can't do without."""
        if "_pattern" not in vars(self):
            words = said[start:].lower()
            if not all(any(word in words for word in ways) for ways in self._needed):
                return None
        return self._pattern.match(said, start)


class TalkClass:
    """The ways to say what carries nothing in one place."""

    def __init__(self, templates: Iterable[str], fillers: Fillers) -> None:
        self._templates, self._fillers = templates, fillers

    @cached_property
    def _ways(self) -> dict[str, list[TalkWay]]:
        found: dict[str, list[TalkWay]] = {}
        known: Beginnings = {}
        fragments = self._fillers.fragments
        for template in self._templates:
            way = TalkWay(template, fragments)
            first = self._fillers.beginnings.get(template)
            for word in find_first_words(template, fragments, known) if first is None else first:
                found.setdefault(word, []).append(way)
        return found

    @property
    def first_words(self) -> frozenset[str]:
        """The words that they begin with."""
        return frozenset(self._ways)

    def find_end(self, mask: str, start: int) -> int:
        """Return where the longest of what stands at a place ends, without blanks behind it; the place itself where nothing does."""
        word = FIRST_WORD.match(mask, start)
        ways = self._ways.get(word[0].lower(), ()) if word else ()
        if not ways:
            return start
        # Each word of a template takes the blanks behind it along; a mark may stand there instead.
        said = mask.translate(_MARKS)
        matches = (way.match(said, start) for way in ways)
        return max((start + len(match[0].rstrip(" \t\r\n,:")) for match in matches if match), default=start)


_MOST_CHARACTERS = 2_000
"""Characters of a sentence in which fillers are looked for; nobody talks longer in one breath."""
_MOST_RUN = 6
"""Fillers that are said one after another."""
_SURE_STAGES = 2
"""Of the stages in which more and more is left out, those in which it can be nothing but talk."""
_WORD_START = compile_late(r"(?<![\w'’-])(?=[^\W\d_])")
_PAUSE = compile_late(r"\s*[,.;!?:…–—-]")
_ENDING = compile_late(r"\s*(?:$|[,.;!?…])")
_EDGES = " \t\r\n.,;:!…"
_PAUSES = (",", ".", ";", "!", "?", "…", ":")
_COMMA = compile_late(r"\s*,")
_DOTS = compile_late(r"\s*(?:\.{2,}|…)(?=\s+\S)")
_TWICE = compile_late(
    r"(?<![\w'’-])(?P<word>[^\W\d_]+(?:'[^\W\d_]+)?)(?P<gap>\s*[,…-]?\s+)(?P=word)(?![\w'’-])", re.IGNORECASE
)


class Blot(NamedTuple):
    """A part of a sentence that carries nothing."""

    start: int
    end: int


class Variant(NamedTuple):
    """A sentence without some of what carries nothing.

    Attributes:
        excerpt: The sentence, with a gap for what is left out of its middle.
        is_sure: Whether all of that is talk wherever it stands, so that this is how the sentence was meant if it is understood.
        is_thinking: Whether it is only hesitations and stutters.
    """

    excerpt: Excerpt
    blots: tuple[Blot, ...]
    is_sure: bool
    is_thinking: bool

    def takes_from(self, start: int, end: int) -> bool:
        """Whether something of a part of the sentence as it was said is left out."""
        return any(blot.start < end and start < blot.end for blot in self.blots)

    def count_words(self, mask: str, start: int, end: int) -> int:
        """Return how many words are left of a part of the sentence as it was said."""
        return len(_blot(mask, self.blots)[start:end].split())

    def leaves_gap(self, start: int, end: int) -> bool:
        """Whether something is left out of the middle of a part of the sentence as it was said."""
        return any(start < blot.start and blot.end <= end for blot in self.blots)


class Aside(NamedTuple):
    """A sentence without a remark, or told otherwise.

    Attributes:
        context: What that may refer to.
        is_sure: Whether the remark holds nothing that may deny or doubt what is left, and that follows from it or stands in front.
        runs_on: Whether nothing divides the remark from what is left behind it, or a step from another one.
    """

    excerpt: Excerpt
    context: Context
    told: str = ""
    is_sure: bool = False
    runs_on: bool = False


class FillerReader:
    """Leaves out what carries nothing; one for each language."""

    def __init__(self, fillers: Fillers, joints: str) -> None:
        self._fillers = fillers
        self._joint = compile_pattern(joints, re.IGNORECASE)
        before = match_any_of(fillers.before_asides) or "(?!)"
        self._before_aside = compile_pattern(rf"\s*(?:{before})(?!\w)", re.IGNORECASE)
        calls = (*fillers.hesitations, *fillers.calls, *fillers.interjections)
        self._hesitation, self._call = TalkClass(fillers.hesitations, fillers), TalkClass(calls, fillers)
        self._call_aside, self._request = TalkClass(fillers.calls_aside, fillers), TalkClass(fillers.requests, fillers)
        self._behind = TalkClass(fillers.behind, fillers)
        self._called_behind = TalkClass((*fillers.hesitations, *fillers.called_behind), fillers)
        self._aside = TalkClass(fillers.asides, fillers)
        self._aside_within_commas = TalkClass(fillers.asides_within_commas, fillers)

    @cached_property
    def _around(self) -> frozenset[str]:
        classes = (self._call, self._call_aside, self._request, self._behind, self._called_behind)
        return frozenset[str]().union(*(each.first_words for each in classes))

    @cached_property
    def _passing(self) -> frozenset[str]:
        return self._aside.first_words | self._aside_within_commas.first_words

    def holds(self, text: str) -> bool:
        """Whether a text that was taken for a name begins, ends or goes on with what somebody says who thinks, thanks or hurries."""
        said = f"{text} "
        if any(True for _ in self._find_hesitations(said)):
            return True
        classes = (self._behind, self._called_behind)
        return any(
            self._run_behind(said, word.start(), classes) == len(text)
            for word in _WORD_START.finditer(text)
            if word.start() and not _is_named(said, word.start(), len(text))
        )

    def list_variants(self, sentence: Sentence, *, only_sure: bool = False) -> Iterator[Variant]:
        """Yield a sentence without what carries nothing, the least left out first; nothing where there is none of it.

        Args:
            only_sure: Whether only that is left out which can be nothing but talk.
        """
        if len(sentence.mask) > _MOST_CHARACTERS:
            return
        mask = f"{sentence.mask} "
        seen = {sentence.mask}
        stages = islice(self._list_stages(mask), _SURE_STAGES if only_sure else None)
        for place, blots in enumerate(stages):
            for merged in ([_widen(mask, blot) for blot in blots], blots) if blots else ():
                blotted = _blot(sentence.mask, merged)
                if blotted not in seen and blotted.strip():
                    seen.add(blotted)
                    rest = leave_out(sentence, merged)
                    yield Variant(rest, tuple(merged), is_sure=place < _SURE_STAGES, is_thinking=place == 0)

    def _list_stages(self, mask: str) -> Iterator[list[Blot]]:
        """Yield what is left out, more and more of it; the last way is that words said twice are said once."""
        hesitations = [*self._find_hesitations(mask)]
        hesitations += self._find_doubled(_blot(mask, hesitations), stutters=True)
        yield hesitations
        sure = [*hesitations, *self._find_around(_blot(mask, hesitations), sure=True)]
        yield sure
        around = [*sure, *self._find_around(_blot(mask, sure), sure=False)]
        yield around
        yield [*around, *self._find_asides(_blot(mask, around))]
        doubled = [*self._find_doubled(_blot(mask, hesitations), stutters=False)]
        if not doubled and len(sure) == len(hesitations):
            return  # the way before is the same
        twice = [*hesitations, *doubled]
        twice += self._find_around(_blot(mask, twice), sure=False)
        yield [*twice, *self._find_asides(_blot(mask, twice))]

    def drop_calls(self, text: str) -> str:
        """Return an answer without hesitations, greetings and thanks around it, with blanks in their places."""
        mask = f"{text} "
        blots = [_widen(mask, blot) for blot in self._find_hesitations(mask)]
        blotted = _blot(mask, blots)
        blots.append(Blot(0, self._run(blotted, 0, (self._call, self._call_aside))))
        starts = (word.start() for word in _WORD_START.finditer(blotted))
        ends = (start for start in starts if blotted[:start].rstrip()[-1:] in _PAUSES)
        stop = len(blotted.rstrip(_EDGES))
        end = next((end for end in ends if self._run_behind(blotted, end, (self._called_behind,)) == stop), len(mask))
        return _blot(mask, [*blots, Blot(end, len(mask))])[:-1]

    def _find_hesitations(self, mask: str) -> Iterator[Blot]:
        for dots in _DOTS.finditer(mask):
            yield Blot(*dots.span())
        for start in _list_beginnings(mask, self._hesitation.first_words):
            end = self._hesitation.find_end(mask, start)
            is_last = not mask[end:].strip(_EDGES) and mask[:start].rstrip()[-1:] not in _PAUSES
            if end > start and not is_last:  # the last word may be what is meant: "search for um"
                yield Blot(start, end)

    def _find_around(self, mask: str, *, sure: bool) -> Iterator[Blot]:
        """Yield what is said in front of a step and behind one; names of whom is spoken to without a comma only if it need not be sure."""
        starts = _list_beginnings(mask, self._around)
        openings = {0, *(joint.end() for joint in self._joint.finditer(mask))} if starts else set[int]()
        done = 0
        for start in starts:
            if start < done:
                continue
            end = start
            if not openings.isdisjoint(range(len(mask[:start].rstrip()), start + 1)):
                end = self._run(mask, start, (self._call, self._call_aside, self._request))
            if end == start:
                paused = mask[:start].rstrip()[-1:] in _PAUSES
                calls = () if sure and not paused else (self._called_behind,)
                end = self._run_behind(mask, start, (self._behind, *calls))
            if end > start and (not sure or not _is_named(mask, start, end)):
                done = end
                yield Blot(start, end)

    def _run(self, mask: str, start: int, classes: tuple[TalkClass, ...]) -> int:
        place = start
        for _ in range(_MOST_RUN):
            ends = [
                end
                for each in classes
                if (end := each.find_end(mask, place)) > place
                and (each is not self._call_aside or _PAUSE.match(mask, end))
            ]
            if not ends:
                break
            place = _skip_pause(mask, max(ends))
        return place

    def _run_behind(self, mask: str, start: int, classes: tuple[TalkClass, ...]) -> int:
        place = start
        for _ in range(_MOST_RUN):
            end = max(each.find_end(mask, place) for each in classes)
            if end == place:
                return start
            if self._ends_step(mask, end):
                return end
            place = _skip_pause(mask, end)
        return start

    def _ends_step(self, mask: str, end: int) -> bool:
        return _ENDING.match(mask, end) is not None or self._joint.match(mask, end) is not None

    def _find_asides(self, mask: str) -> Iterator[Blot]:
        done = 0
        for start in _list_beginnings(mask, self._passing):
            if start < done or not mask[:start].strip():
                continue
            end = self._aside.find_end(mask, start)
            within_commas = mask[:start].rstrip()[-1:] == ","
            if within_commas:
                longer = self._aside_within_commas.find_end(mask, start)
                end = longer if longer > end and _PAUSE.match(mask, longer) else end
            if end > start and ((within_commas and _PAUSE.match(mask, end)) or self._before_aside.match(mask, end)):
                done = end
                yield Blot(start, end)

    def _find_doubled(self, mask: str, *, stutters: bool) -> Iterator[Blot]:
        """Yield the first of each two words that are one; those that are never meant twice, or any that may not be."""
        for twice in _TWICE.finditer(mask):
            word = twice["word"].lower()
            if word in self._fillers.stutters if stutters else word not in self._fillers.repeatable:
                yield Blot(twice.start("word"), twice.end("gap"))


def _list_beginnings(mask: str, first_words: frozenset[str]) -> list[int]:
    starts = (word.start() for word in _WORD_START.finditer(mask))
    return [start for start in starts if (word := FIRST_WORD.match(mask, start)) and word[0].lower() in first_words]


def _is_named(mask: str, start: int, end: int) -> bool:
    """Whether a part has a capital where others have none, so that it is rather a name: "the folder Many Thanks"."""
    words = [word for word in mask[start:end].split() if word not in {"I", "I'd", "I'll", "I'm"}]
    return start > 0 and any(word[:1].isupper() for word in words) and not mask.isupper()


def _skip_pause(mask: str, end: int) -> int:
    while end < len(mask) - 1 and (mask[end].isspace() or mask[end] in ",:;.!…-–—"):
        end += 1
    return end


def _widen(mask: str, blot: Blot) -> Blot:
    """Return a part with the comma in front of it, where another one stands behind it."""
    front = mask[: blot.start].rstrip()
    behind = _COMMA.match(mask, blot.end)
    end = behind.end() if behind else blot.end
    is_paused = behind is not None or mask[: blot.end].rstrip().endswith(",")
    return Blot(len(front) - 1 if is_paused and front.endswith(",") else blot.start, end)


def _blot(mask: str, blots: Iterable[Blot]) -> str:
    for start, end in blots:
        mask = mask[:start] + " " * (end - start) + mask[end:]
    return mask
