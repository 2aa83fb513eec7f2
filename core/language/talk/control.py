"""The control lane: yes, no, stop, undo, repeat, help and status, understood only while there is something to say them to.

A word such as "stop" or "right" means something to whoever asked a question or does something, and nothing otherwise.
So controls are read only in a situation that asks for them, they are never put in a line behind other steps, and all of an
utterance must belong to them: "stop the music" is none.

What somebody holds true or false ("that is not what I asked for", "I don't believe that is wrong") is a claim: a yes, a no
where it is turned around once or thrice, and a yes by the way where twice. What turns it around ends at a pause: "I beg to
differ, that is not true" is said twice rather than turned around twice.
"""

import re
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Words
from difflib import get_close_matches
from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple, cast, get_args

from core.base.late_dataclasses import dataclass
from core.language.grammars.grammar import VerbPhrases
from core.language.meanings.interpretation import ControlKind, Situation, SpokenControl
from core.language.sentences.literals import try_find_literals
from core.language.talk.languages import load_said
from core.language.talk.wordings import End, Matcher, WordChoice, Wordings, list_words

MOST_WORDS = 24
"""Words of an utterance; nobody says yes in more."""

CLAIM = "claim"
"""Name of the phrases that are a yes or a no by how often they are turned around."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PAUSE = re.compile(r"[,.;:!?…–—]|\s-+\s")
_SHORTEST_MENDED = 6
"""Characters of a word that is put right; shorter ones are too like others."""
_ALIKE = 0.83
_LOOSE = "loose"
_ALONE = "alone"
_PAUSES = "pause"
_KINDS = frozenset(get_args(ControlKind))
# What may be said when nothing is asked and nothing goes on, but something has just been done.
_AFTERWARDS = frozenset[ControlKind]({"undo", "status"})
# What can't be an answer when it is itself asked: "yes?"
_SURE = frozenset[ControlKind]({"confirm", "deny"})
# What is done anew, so that to forbid something in front of it may well forbid this.
_DONE_AGAIN = frozenset[ControlKind]({"repeat", "undo"})
# What people give a reason for: "the phone is ringing, say that again".
_REASONED = frozenset[ControlKind]({"repeat", "stop"})


@dataclass(frozen=True, slots=True)
class Controls:
    """The controls of a language. Data only.

    Attributes:
        phrases: Ways to say each kind, and claims, without slots; ``loose`` among what one sets means that it also says
            yes or no, but only by the way, as praise does, and ``pause`` that a stop may only mean a moment.
        fragments: What ``<name>`` in a phrase stands for; at least a word.
        talk: Words that may stand within any of this and say nothing.
        fillers: What may stand in front of, between and behind them and means nothing, in the notation of phrases.
        doubts: The same, but a yes with it approves nothing ("maybe", "i think").
        contrasts: The same, but a no behind it takes back praise in front ("nice try but no").
        reasons: The same, but it counts only beside a wish to hear something again ("the music was too loud").
        questions: The same, but a yes or no with it is rather asked about ("can i go ahead").
        evasions: What, in small letters, answers no question about a name, as a regular expression.
        pointing: What chooses none of several things though it holds a number: "that one".
        negations: How a no ends that turns around what follows ("don't" in "don't stop").
        contractions: Words and what they are short for: ``won't`` for ``will not``.
        endings: The same for what words end with: ``n't`` for ``not``.
        numbers: Words by which one of several things is chosen, counted from 1; -1 is the last.
        small_words: Words that say nothing in a choice.
    """

    phrases: tuple[VerbPhrases, ...]
    fragments: Mapping[str, str]
    fillers: tuple[str, ...]
    contractions: Mapping[str, str]
    endings: Mapping[str, str]
    numbers: Mapping[str, int]
    small_words: frozenset[str]
    wording: Mapping[str, str]
    contrasts: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    negations: tuple[str, ...] = ()
    turning: frozenset[str] = frozenset()
    talk: frozenset[str] = frozenset()
    asides: tuple[str, ...] = ()
    evasions: str = "(?!)"
    pointing: str = "(?!)"


@cache
def load_controls(tag: str) -> Controls:
    """Return what is said to open questions and to runs that go on; it is read once, and not before it is needed."""
    return load_said(tag, "control", Controls)


class _Said(NamedTuple):
    kind: str
    is_plain: bool
    negates: bool = False
    is_alone: bool = False
    is_pause: bool = False
    forbids: bool = False


_Step = tuple[int, _Said | None]
"""Where a part ends, and what it says."""

_Ways = dict[tuple[_Said, ...], int]
"""What is said, without fillers, and of how many parts with them."""


class _Part(NamedTuple):
    """A wording, what it says, None where that is nothing, and words of each set of which it can't do without one."""

    wording: WordChoice
    said: _Said | None
    needs: list[frozenset[str]]


class ControlReader:
    """Reads controls; one for each language."""

    def __init__(self, controls: Controls, kinds: frozenset[str] = _KINDS, *, fewest: bool = True) -> None:
        """Sort the phrases by their first words.

        Args:
            kinds: What there is to say, besides claims; phrases of anything else count for nothing.
            fewest: Whether words that may say something or nothing say nothing; else they say it.
        """
        self._controls = controls
        self._kinds = kinds
        self._prefer = min if fewest else max
        self._wordings = Wordings(controls.fragments, controls.turning, controls.talk, controls.asides)

    @cached_property
    def _parts(self) -> list[_Part]:
        templates = _list_templates(self._controls, self._kinds)
        wordings = [(self._wordings.parse(template), said) for template, said in templates]
        return [_Part(each, said, self._wordings.list_needs(each.rows[0])) for each, said in wordings]

    @cached_property
    def _by_first_word(self) -> dict[str, list[_Part]]:
        found: dict[str, list[_Part]] = {}
        for part in self._parts:
            for word in self._wordings.list_first_words((part.wording,)):
                found.setdefault(word, []).append(part)
        return found

    @cached_property
    def _negations(self) -> list[WordChoice]:
        return [self._wordings.parse(template) for template in self._controls.negations]

    def read(self, utterance: str, situation: Situation) -> SpokenControl | None:
        """Return what an utterance says to whoever asked or is at work; None if it says something else."""
        if not situation:
            return None
        said = self._read_said(utterance)
        if any(each.negates or each.forbids for each in said) and self._pauses(utterance):
            said = [each._replace(negates=False, forbids=False) for each in said]
        control = _decide(said)
        if control is None or (situation == Situation.DONE and control.kind not in _AFTERWARDS):
            return None
        is_asked = utterance.rstrip(" .!…\"'").endswith("?")
        return None if is_asked and control.kind in _SURE else control

    def list_kinds(self, utterance: str) -> list[str]:
        """Return all that an utterance says, in order; nothing if some of it is anything else."""
        return [each.kind for each in self._read_said(utterance) if each.kind in self._kinds]

    def _read_said(self, utterance: str) -> list[_Said]:
        words = self._split(utterance)
        mended = self._mend(words)
        said = self._read_all(mended, self._find_pauses(utterance))
        return said if mended == words else [each._replace(is_plain=False) for each in said]

    def _split(self, utterance: str) -> list[str]:
        """Return the words of an utterance, written out; none where it holds more than words."""
        sentence = try_find_literals(utterance)
        found = [match[0].lower().replace("’", "'") for match in _WORD.finditer(utterance)]
        if sentence is None or sentence.literals or len(found) > MOST_WORDS:
            return []
        return [word for each in found for word in self._write_out(each).split()]

    def _find_pauses(self, utterance: str) -> list[int]:
        counts = [
            (match.start(), len(self._write_out(match[0].lower().replace("’", "'")).split()))
            for match in _WORD.finditer(utterance)
        ]
        return [sum(count for start, count in counts if start < pause.start()) for pause in _PAUSE.finditer(utterance)]

    def _pauses(self, utterance: str) -> bool:
        """Whether a no that could turn around what follows ends in front of a comma or the like: "no don't, stop"."""
        *parts, _ = _PAUSE.split(utterance)
        pieces = [tuple(self._split(part)) for part in parts]
        return any(len(piece) in self._find_negations(Matcher(self._wordings, piece), len(piece)) for piece in pieces)

    def _find_negations(self, matcher: Matcher, count: int) -> dict[int, int]:
        """Return where what turns around what follows ends in so many words, each with the last place where it begins."""
        return {
            end.place: start
            for start in range(count)
            for each in self._negations
            for end in matcher.find_ends(each, start)
        }

    def _write_out(self, word: str) -> str:
        if word in self._controls.contractions:
            return self._controls.contractions[word]
        for short, full in self._controls.endings.items():
            if word.endswith(short):
                return f"{word.removesuffix(short)} {full}"
        return word

    @cached_property
    def _known(self) -> frozenset[str]:
        return self._wordings.words.union(self._controls.talk, *(list_words((part.wording,)) for part in self._parts))

    @cached_property
    def _long(self) -> dict[tuple[str, int], list[str]]:
        """The words that others may be slips of, by their first letters and lengths."""
        found: dict[tuple[str, int], list[str]] = {}
        for word in sorted(self._known):
            if len(word) >= _SHORTEST_MENDED - 1:
                found.setdefault((word[0], len(word)), []).append(word)
        return found

    def _mend(self, words: list[str]) -> list[str]:
        """Return the words with slips of the keyboard or of the ear put right: "correcly", "affirmitive".

        None at all where one is of no control, as most requests have it.
        """
        mended: list[str] = []
        for word in words:
            found = word if word in self._known else self._find_near(word)
            if not found:
                return []
            mended.append(found)
        return mended

    def _find_near(self, word: str) -> str:
        if len(word) < _SHORTEST_MENDED:
            return ""
        near = (len(word) - 1, len(word), len(word) + 1)
        alike = [each for length in near for each in self._long.get((word[0], length), ())]
        found = get_close_matches(word, alike, n=2, cutoff=_ALIKE)
        return found[0] if len(found) == 1 else ""

    def _read_all(self, words: Words[str], pauses: Words[int]) -> list[_Said]:
        """Return what is said one after another, fillers left out; nothing unless every word belongs to it.

        Of several ways to divide the words that with the fewest parts counts, so that "that is not right" is never taken for
        "that is" and something else, and of these one that holds fewest controls.
        """
        if not words:
            return []
        steps = self._list_steps(words, pauses)
        ways: list[_Ways] = [{} for _ in words] + [{(): 0}]
        for start in sorted(steps, reverse=True):
            for end, part in steps[start]:
                _extend(ways[start], part, ways[end])
        sound = {heard: count for heard, count in ways[0].items() if _is_sound(heard, self._kinds)}
        best = [heard for heard, count in sound.items() if count == min(sound.values())]
        length = self._prefer(map(len, best), default=0)
        return _choose([heard for heard in best if len(heard) == length])

    def _list_steps(self, words: Words[str], pauses: Words[int]) -> dict[int, dict[_Step, None]]:
        """Return what begins at each word at which something can end in front of it; pauses as numbers of words."""
        matcher = Matcher(self._wordings, tuple(words))
        around = [pair for pair in pairwise(pauses) if pair[1] in matcher.list_behind_talk(pair[0])]
        ends = set(pauses).difference(*around)  # "that is not, in my opinion, wrong" goes on
        negations = self._find_negations(matcher, len(words))
        steps: dict[int, dict[_Step, None]] = {}
        reached = [0]
        while reached:
            start = reached.pop()
            if start < len(words) and start not in steps:
                rest = frozenset(words[start:])
                parts = [
                    each
                    for each in self._by_first_word.get(words[start], ())
                    if not any(map(rest.isdisjoint, each.needs))
                ]
                steps[start] = dict.fromkeys(
                    _weigh(part.said, start, end, negations)
                    for part in parts
                    for end in sorted(matcher.find_ends(part.wording, start), reverse=True)
                    if not (end.turns > 1 and any(start < pause < end.place for pause in ends))
                )
                reached += [end for end, _ in steps[start]]
        return steps


_MOST_WAYS = 12
"""Ways to read the rest of an utterance that are kept, the shortest first."""


def _extend(ways: _Ways, part: _Said | None, behind: _Ways) -> None:
    for heard, count in behind.items():
        now = (part, *heard) if part else heard
        ways[now] = min(ways.get(now, count + 1), count + 1)
    for each in sorted(ways, key=lambda each: (ways[each], -len(each)))[_MOST_WAYS:]:
        del ways[each]


def _choose(best: list[tuple[_Said, ...]]) -> list[_Said]:
    """Return the first of several ways to read the same words where none of them comes to another control."""
    decided = {control and control.kind for control in map(_decide, best)}
    return list(best[0]) if len(decided) == 1 else []


def _is_sound(heard: tuple[_Said, ...], kinds: frozenset[str]) -> bool:
    said = {each.kind for each in heard}
    return not kinds.isdisjoint(said) and (len(said) == 1 or not any(each.is_alone for each in heard))


def _weigh(said: _Said | None, start: int, end: End, negations: Mapping[int, int]) -> _Step:
    """Return where a part ends, and what it says; claims are turned around."""
    if said and said.kind == CLAIM:
        is_plain = said.is_plain and not end.turns
        said = _Said("deny", is_plain=True) if end.turns == 1 else _Said("confirm", is_plain=is_plain)
    if said and said.kind == "deny":
        forbids = any(begin >= start and place < end.place for place, begin in negations.items())
        said = said._replace(negates=negations.get(end.place, -1) >= start, forbids=forbids)
    return (end.place, said)


def _list_templates(controls: Controls, kinds: frozenset[str]) -> Iterator[tuple[str, _Said | None]]:
    """Yield the phrases and fillers; a control counts before a filler of the same words."""
    for verb in controls.phrases:
        if verb.verb not in kinds and verb.verb != CLAIM:
            continue
        for phrase in verb.phrases:
            is_loose, is_alone, is_pause = (phrase.sets.get(each, False) for each in (_LOOSE, _ALONE, _PAUSES))
            yield phrase.template, _Said(verb.verb, not is_loose, is_alone=is_alone, is_pause=is_pause)
    for filler in (*controls.fillers, *controls.asides):
        yield filler, None
    for mark in ("contrast", "reason", "doubt", "question"):
        for template in cast("tuple[str, ...]", getattr(controls, f"{mark}s")):
            yield template, _Said(mark, is_plain=False)


def _leave_praise(said: Words[_Said]) -> Words[_Said]:
    """Return what stands behind a "but" where that is a no, and only praise in front of it."""
    place = next((place for place, each in enumerate(said) if each.kind == "contrast"), 0)
    front, behind = said[:place], said[place + 1 :]
    is_praised = bool(front) and all(each.kind == "confirm" and not each.is_plain for each in front)
    return behind if is_praised and {each.kind for each in behind} == {"deny"} else said


def _decide(said: Words[_Said]) -> SpokenControl | None:
    """Return what several controls in one breath come to; None where they contradict each other, or nothing was said.

    A yes in front of something else only leads up to it ("ok, stop"), and of what is left the last counts ("no, say that
    again"), a no by the way only if there is nothing else ("stop, I don't need that").
    """
    said = _leave_praise(said)
    ends_open = bool(said) and said[-1].kind == "contrast"
    marks = {each.kind for each in said if each.kind not in _KINDS}
    said = [each for each in said if each.kind in _KINDS]
    kinds = tuple(cast("dict[ControlKind, None]", dict.fromkeys(each.kind for each in said)))
    if any(each.negates for each in said[:-1]) or (marks and "question" in marks and _SURE.issuperset(kinds)):
        return None  # "don't stop", "can i go ahead"
    if ("reason" in marks and _REASONED.isdisjoint(kinds)) or ends_open:
        return None  # "the music was too loud", "yes but"
    if any(each.forbids and behind.kind in _DONE_AGAIN for each, behind in pairwise(said)):
        return None  # "do not do the last thing again"
    others = [each for each in said if each.kind != "confirm"]
    if not others:
        return SpokenControl("confirm", not marks and any(each.is_plain for each in said), kinds) if said else None
    if len(others) < len(said) and all(each.kind == "deny" for each in others):
        return None
    last = ([each for each in others if each.is_plain or each.kind != "deny"] or others)[-1]
    is_pause = all(each.is_pause for each in others)
    return SpokenControl(cast("ControlKind", last.kind), last.is_plain, kinds, is_pause)
