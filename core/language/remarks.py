"""Remarks: what is told beside what is asked for: "the doorbell rang, pause the film".

A sentence that isn't understood as a whole may hold a statement in front of the request or behind it. It is a statement if it
holds a verb that tells something, begins with no command, and no word of it asks, wishes, conditions, quotes or denies
something that the request could hang on. All of the request must be understood by itself; what the remark names, "it" may mean.
Where no mark is between them ("the page is blank reload it", "close this tab it's boring"), only the form of a whole statement
shows where one ends: somebody or something, a verb, a state of few words, a place. A word that what follows may hang on is no
state: "she is yelling turn it down".
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise, product
from typing import NamedTuple

from core.base.late_parts import compile_late
from core.language.grammars.asides import RemarkWords
from core.language.grammars.templates import compile_template, parse_template
from core.language.meanings.contexts import START, Context, Mention
from core.language.sentences.excerpts import leave_out
from core.language.sentences.literals import Sentence
from core.language.sentences.patterns import compile_pattern, list_plain_words
from core.language.sentences.spans import Span, make_span
from core.language.talk.filler_reader import Aside

_MOST_CHARACTERS = 400
_MOST_WORDS = 16
_MOST_APOLOGY = 2
_MOST_JOINING = 3
_MOST_NAMED = 2
_MOST_BOUNDARIES = 6
_MARKS = ",;:.!?…-–—"
_PAUSES = ",;:.!… \t\r\n-–—"
_BROWSER = "browser"
_AUDIO = "audio"


class _RemarkPlace(NamedTuple):
    """What is told, where it begins and ends, and what is known of it; see ``Aside``."""

    start: int
    end: int
    told: str
    context: Context
    is_sure: bool
    runs_on: bool = False


class RemarkReader:
    """Finds the remarks of one language."""

    def __init__(
        self,
        words: RemarkWords,
        statements: "Statements",
        commands: frozenset[str],
        programs: frozenset[str],
        find_mention: Callable[[Span], Mention | None],
    ) -> None:
        self._words, self._commands, self._programs, self._find_mention = words, commands, programs, find_mention
        self._statements = statements
        self._boundary = compile_pattern(
            rf"\s*[,;:.!?…]+(?:\s+(?:{self._words.leads}))?\s+|\s+[-–—]+\s+|\s+(?:{self._words.leads})\s+"
        )
        self._lead = compile_pattern(rf"\b(?:{self._words.leads})\s", re.IGNORECASE)
        self._bar = compile_pattern(rf"\b(?:{self._words.barring})\b", re.IGNORECASE)
        self._reason = compile_pattern(rf"\s*,?\s+(?:{self._words.reasons})\s+")
        self._joint = compile_pattern(rf"\s*[,;:.!]+\s+(?:(?:{self._words.joints})\s+)?|\s+(?:{self._words.joints})\s+")

    def list_asides(self, sentence: Sentence, context: Context) -> Iterator[Aside]:
        """Yield the sentence without what may be a remark, the shortest remark first."""
        if not self._words.verbs or len(sentence.mask) > _MOST_CHARACTERS:
            return
        for joint in self._joint.finditer(sentence.mask):
            if taken := self._take(make_span(sentence, 0, joint.start())):
                yield Aside(leave_out(sentence, [(0, joint.end())]), context.speak_of(taken))
        boundaries = list(self._boundary.finditer(sentence.mask))
        if len(boundaries) > _MOST_BOUNDARIES:
            return
        in_front = list(self._list_in_front(sentence, context, boundaries))
        behind = list(self._list_behind(sentence, boundaries))
        yield from _leave_out(sentence, context, in_front, behind)

    def _list_in_front(
        self, sentence: Sentence, context: Context, boundaries: list[re.Match[str]]
    ) -> Iterator["_RemarkPlace"]:
        for found in boundaries:
            told, rest = sentence.mask[: found.start()], list_plain_words(sentence.mask[found.end() :])
            is_run_on = not found[0].strip().startswith(tuple(_MARKS))
            if is_run_on and not (len(rest) > 1 and rest[0] in self._words.running_on | self._commands):
                continue  # "I don't want it so loud"
            if not self._words.joining.isdisjoint(rest[:_MOST_JOINING]):
                continue  # "my card got torn, you know, and I need a new one"
            if self._is_remark(told, found[0]):
                spoken = self._speak_of(make_span(sentence, 0, found.start()), context)
                is_sure = self._lead.search(found[0]) is not None and self._is_clear(told)
                yield _RemarkPlace(0, found.end(), told, spoken, is_sure)
        for end in self._statements.list_ends(sentence.mask):
            told = sentence.mask[:end].strip(_PAUSES)
            if not self._is_barred(told):
                yield _RemarkPlace(
                    0, end, told, self._speak_of(make_span(sentence, 0, end), context), is_sure=False, runs_on=True
                )

    def _list_behind(self, sentence: Sentence, boundaries: list[re.Match[str]]) -> Iterator["_RemarkPlace"]:
        mask = sentence.mask
        pauses = [(found, False) for found in reversed(boundaries) if not found[0].strip(_PAUSES)]
        for found, is_reason in [*pauses, *((found, True) for found in self._reason.finditer(mask))]:
            told = mask[found.end() :]
            if self._is_remark_behind(told, is_reason=is_reason):
                yield _RemarkPlace(found.start(), len(mask), told, START, self._is_clear(told))
        for start in self._statements.list_starts(mask):
            told = mask[start:]
            if not self._is_barred(told) and self._words.bars_behind.isdisjoint(list_plain_words(told)):
                yield _RemarkPlace(start, len(mask), told, START, is_sure=False)

    def may_answer(self, aside: Aside, kind: str) -> bool:
        """Whether what is left beside a remark is an answer or a word to a run.

        What judges belongs to the answer: "yes, that's my answer". A yes may not be denied by the remark, who asks for help speaks
        to us ("I lost my card, what do I do next" doesn't), and "excuse me" beside what is told asks for nothing.
        """
        words = list_plain_words(aside.excerpt.sentence.mask)
        if list_plain_words(aside.told)[0] in self._words.judging:
            return False
        if kind in {"confirm", "repeat"} and words[0] in self._words.subjects:
            return False  # one more statement
        is_told_behind = aside.excerpt.parts[0].start == 0
        if kind == "repeat":
            is_asked = not self._words.repeating.isdisjoint(words)
            return is_asked and (not is_told_behind or len(words) > _MOST_APOLOGY)
        return (
            aside.is_sure if kind == "confirm" else kind != "help" or not self._words.addressed.isdisjoint(words[:-1])
        )

    def _asks(self, words: list[str]) -> bool:
        """Whether something may be asked for behind an "and" as well: "I'm good and delete a.txt", "… and frobnicate"."""
        known = self._words.verbs | self._words.subjects
        endings = (*self._words.verb_endings, *self._words.gerunds)
        return any(
            before in self._words.joining and word not in known and not word.endswith(endings)
            for before, word in pairwise(words)
        )

    def _is_clear(self, said: str) -> bool:
        return (self._words.bars_behind | self._words.doubts).isdisjoint(list_plain_words(said))

    def _is_remark(self, said: str, mark: str) -> bool:
        words = list_plain_words(said)
        if not 0 < len(words) <= _MOST_WORDS or self._is_barred(said):
            return False
        if "?" not in mark and self._statements.is_statement(said):
            return True
        if words[-1] in self._words.unfinished or self._asks(words):
            return False  # "that is so true"
        if "?" in mark:
            return words[0] in self._words.questions and self._tells(words)
        if words[0] in self._words.denials and not (len(words) > 1 and words[1] in self._words.verbs):
            return False  # "cannot in the editor, press ctrl+s"
        if words[0] in self._words.first_bars or words[0] in self._commands - self._words.subjects:
            return False
        return self._tells(words)

    def _is_barred(self, said: str) -> bool:
        return not self._words.bars.isdisjoint(list_plain_words(said)) or self._bar.search(said) is not None

    def _is_remark_behind(self, said: str, *, is_reason: bool) -> bool:
        words = list_plain_words(said)
        if (
            "?" in (said.rstrip("?") if is_reason else said)
            or not 1 < len(words) <= _MOST_WORDS
            or self._asks(words)
            or (not is_reason and self._bar.search(said))
        ):
            return False
        barred = self._words.bars_reason if is_reason else self._words.bars | self._words.bars_behind
        is_whole = self._tells(words) or (is_reason and len(words) > _MOST_NAMED)  # "exactly so the music" gives none
        is_told = words[0] in self._words.subjects_behind and is_whole
        return barred.isdisjoint(words) and (is_told or (not is_reason and self._statements.is_statement(said)))

    def _tells(self, words: list[str]) -> bool:
        if words[0].endswith(self._words.gerunds) and len(words) > 1:
            return True
        if any(word in self._words.verbs or word.endswith(self._words.verb_endings) for word in words):
            return True
        followed = pairwise(words)
        return any(
            word.endswith(self._words.contracted) and behind.endswith(self._words.gerunds) for word, behind in followed
        )

    def _take(self, span: Span) -> Mention | None:
        """Return the thing that words only name: "take a.txt"; None where they say anything else."""
        said = " ".join(list_plain_words(span.mask))
        opening = next((each for each in self._words.taking if said.startswith(f"{each} ")), None)
        if opening is None or span.literal is not None:
            return None
        front = re.match(r"\s+".join(map(re.escape, opening.split())), span.mask, re.IGNORECASE)
        return self._find_mention(span.cut(front.end(), len(span.mask))) if front else None

    def _speak_of(self, span: Span, context: Context) -> Context:
        words = list_plain_words(span.mask)
        mentions = self._list_written(span)
        mentions += [
            Mention("program", word)
            for before, word in pairwise(["", *words])
            if word in self._programs and before not in self._words.qualifying  # "my signal" is no program
        ]
        if not self._words.tabs.isdisjoint(words):
            mentions.append(Mention("tab", ""))
        spoken = context.speak_of(*(each._replace(order=order) for order, each in enumerate(mentions)))
        if not self._words.on_pages.isdisjoint(words):
            return replace(spoken, surface=_BROWSER, previous=spoken.previous or _BROWSER)
        if not self._words.on_sounds.isdisjoint(words):
            return replace(spoken, previous=spoken.previous or _AUDIO)
        return spoken

    def _list_written(self, span: Span) -> list[Mention]:
        """Return the files and folders that a remark writes; what it says behind one may tell where that is."""
        starts = [start for start in span.sentence.literals if span.start <= start < span.end]
        for start in starts[-1:]:
            if whole := self._find_mention(span.cut(start - span.start, len(span.mask))):
                return [whole]
            literal = span.sentence.literals[start]
            behind = list_plain_words(span.sentence.mask[literal.end : span.end])
            if len(starts) == 1 and self._words.placing.isdisjoint(behind):
                alone = self._find_mention(span.cut(start - span.start, literal.end - span.start))
                return [alone] if alone else []
        return []


def _leave_out(
    sentence: Sentence, context: Context, in_front: list[_RemarkPlace], behind: list[_RemarkPlace]
) -> Iterator[Aside]:
    size = len(sentence.mask)
    for each in in_front:
        yield Aside(leave_out(sentence, [(0, each.end)]), each.context, each.told, each.is_sure, each.runs_on)
    for each in behind:
        yield Aside(leave_out(sentence, [(each.start, size)]), context, each.told, each.is_sure)
    for front, last in product(in_front, behind):
        if front.end < last.start:
            rest = leave_out(sentence, [(0, front.end), (last.start, size)])
            yield Aside(rest, front.context, f"{front.told}, {last.told}", runs_on=front.runs_on)


_PLAIN = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_SHAPES = {"word": _PLAIN, "few": rf"{_PLAIN}(?:\s+{_PLAIN}){{0,2}}"}
_WORD = compile_late(r"(?<=\s)\S+")
_MOST_UNDIVIDED = 12
"""Words of a statement that nothing divides from what is asked for."""
_FEWEST = 2
_BLANKS = " \t\r\n"


class Statements:
    """Finds the statements of one language."""

    def __init__(self, words: RemarkWords, commands: frozenset[str]) -> None:
        self._words, self._commands = words, commands | words.running_on

    @cached_property
    def _patterns(self) -> list[re.Pattern[str]]:
        parsed = (parse_template(template, self._words.fragments) for template in self._words.statements)
        return [compile_template(each, _SHAPES, greedy=False) for each in parsed]

    def is_statement(self, said: str) -> bool:
        """Whether words tell something that is complete, and that nothing beside it hangs on."""
        words = list_plain_words(said)
        if not _FEWEST <= len(words) <= _MOST_UNDIVIDED or words[-1] in self._words.unfinished:
            return False
        matches = (pattern.fullmatch(f"{said} ") for pattern in self._patterns)
        return any(match and self._may_be_told(match) for match in matches)

    def _may_be_told(self, match: re.Match[str]) -> bool:
        open_words = (word for part in match.groups(default="") for word in list_plain_words(part))
        return self._words.no_states.isdisjoint(open_words)

    def list_ends(self, mask: str) -> Iterator[int]:
        """Yield where a statement ends that a sentence begins with, and a request begins."""
        for word in _WORD.finditer(mask):
            said = mask[: word.start()].strip(_BLANKS)
            if said.count(" ") >= _MOST_UNDIVIDED:
                return
            is_last = " " not in mask[word.start() :].rstrip()
            goes_on = not self._words.placing.isdisjoint(list_plain_words(said)[-1:])  # "the TV is on mute"
            if word[0].lower() in self._commands and not (is_last or goes_on) and self.is_statement(said):
                yield word.start()

    def list_starts(self, mask: str) -> Iterator[int]:
        """Yield where a statement begins that a sentence ends with, the last first."""
        said = mask.rstrip(" .!…")
        for word in reversed(list(_WORD.finditer(said))[-_MOST_UNDIVIDED:]):
            in_front = list_plain_words(said[: word.start()])[-1:]
            # "close the tab I was reading" says which one, and "click Save once it is enabled" when.
            is_apart = not self._words.parting.isdisjoint(in_front)
            is_unrelated = word[0].lower() in self._words.unrelated and self._words.no_states.isdisjoint(in_front)
            if (is_apart or is_unrelated) and self.is_statement(said[word.start() :]):
                yield word.start()
