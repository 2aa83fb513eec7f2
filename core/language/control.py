"""The control lane: yes, no, stop, undo, repeat, help and status, understood only while there is something to say them to.

A word such as "stop" or "right" means something to whoever asked a question or does something, and nothing otherwise.
So controls are read only in a situation that asks for them, they are never put in a line behind other steps, and all of an
utterance must belong to them: "stop the music" is none.
"""

import re
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Words
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Literal, NamedTuple, cast, get_args

from core.language.grammar import Phrase, VerbPhrases
from core.language.interpretation import ControlKind, Situation, SpokenControl
from core.language.literals import LongSentenceError, UnclosedQuoteError, find_literals
from core.language.templates import (
    ANY_WORD,
    Sequence,
    compile_template,
    find_first_words,
    list_needed_words,
    parse_template,
)

MOST_WORDS = 24
"""Words of an utterance; nobody says yes in more."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PAUSE = re.compile(r"[,.;:!…–—]")
_SHORTEST_MENDED = 6
"""Characters of a word that is put right; shorter ones are too like others."""
_ALIKE = 0.83
_LOOSE = "loose"
_KINDS = frozenset(get_args(ControlKind))
# What may be said when nothing is asked and nothing goes on, but something has just been done.
_AFTERWARDS = frozenset[ControlKind]({"undo", "status"})
# What can't be an answer when it is itself asked: "yes?"
_SURE = frozenset[ControlKind]({"confirm", "deny"})


@dataclass(frozen=True, slots=True)
class Controls:
    """The controls of a language. Data only.

    Attributes:
        phrases: Ways to say each kind, without slots; ``loose`` among what one sets means that it also says yes or no,
            but only by the way, as praise does.
        fragments: What ``<name>`` in a phrase stands for.
        fillers: What may stand in front of, between and behind them and means nothing, in the notation of phrases.
        doubts: The same, but a yes with it approves nothing ("maybe", "i think").
        questions: The same, but a yes or no with it is rather asked about ("can i go ahead").
        evasions: What, in small letters, answers no question about a name, as a regular expression.
        pointing: What chooses none of several things though it holds a number: "that one".
        negations: How a no ends that turns around what follows ("don't" in "don't stop"), as a regular expression.
        contractions: Words and what they are short for: ``won't`` for ``will not``.
        endings: The same for what words end with: ``n't`` for ``not``.
        numbers: Words by which one of several things is chosen, counted from 1; -1 is the last.
        small_words: Words that say nothing in a choice.
        wording: What is said of an answer that is a request as well.
    """

    phrases: tuple[VerbPhrases, ...]
    fragments: Mapping[str, str]
    fillers: tuple[str, ...]
    contractions: Mapping[str, str]
    endings: Mapping[str, str]
    numbers: Mapping[str, int]
    small_words: frozenset[str]
    wording: Mapping[str, str]
    doubts: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    negations: str = "(?!)"
    evasions: str = "(?!)"
    pointing: str = "(?!)"


_Mark = Literal["doubt", "question"]


class _Said(NamedTuple):
    kind: ControlKind | _Mark
    is_plain: bool
    negates: bool = False


class _ControlPhrase:
    """A phrase, or a filler where it says nothing, compiled when it is first needed."""

    def __init__(self, template: str, fragments: Mapping[str, str], said: _Said | None) -> None:
        self.said = said
        self._template = template
        self._fragments = fragments

    @cached_property
    def _sequence(self) -> Sequence:
        return parse_template(self._template, self._fragments)

    @cached_property
    def _needed(self) -> list[frozenset[str]]:
        return list_needed_words(self._sequence)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return compile_template(self._sequence, {}, greedy=False)

    def may_match(self, words: frozenset[str]) -> bool:
        """Whether these are words that the phrase can't do without; saves compiling it."""
        return all(needed & words for needed in self._needed)

    def matches(self, words: str) -> bool:
        """Whether these words, with a space behind them, are the phrase."""
        return self._pattern.fullmatch(words) is not None


class ControlReader:
    """Reads controls; one for each language."""

    def __init__(self, controls: Controls) -> None:
        """Sort the phrases by their first words; nothing is compiled.

        Args:
            controls: How they are said.
        """
        self._controls = controls
        self._by_first_word: dict[str, list[_ControlPhrase]] = {}
        for template, said in _list_templates(controls):
            entry = _ControlPhrase(template, controls.fragments, said)
            for word in find_first_words(template, controls.fragments):
                self._by_first_word.setdefault(word, []).append(entry)

    def read(self, utterance: str, situation: Situation) -> SpokenControl | None:
        """Return what an utterance says to whoever asked or is at work; None if it says something else.

        Args:
            utterance: What somebody said.
            situation: What it may be an answer to.
        """
        if not situation:
            return None
        words = self._split(utterance)
        said = self._read_all(words)
        if not said and (mended := self._mend(words)) != words:
            said = [each._replace(is_plain=False) for each in self._read_all(mended)]
        if self._pauses(utterance):
            said = [each._replace(negates=False) for each in said]
        control = _decide(said)
        if control is None or (situation == Situation.DONE and control.kind not in _AFTERWARDS):
            return None
        is_asked = utterance.rstrip(" .!…\"'").endswith("?")
        return None if is_asked and control.kind in _SURE else control

    def _split(self, utterance: str) -> list[str]:
        """Return the words of an utterance, written out; none where it holds more than words."""
        try:
            sentence = find_literals(utterance)
        except (UnclosedQuoteError, LongSentenceError):
            return []
        found = [match[0].lower().replace("’", "'") for match in _WORD.finditer(utterance)]
        if sentence.literals or len(found) > MOST_WORDS:
            return []
        return [word for each in found for word in self._write_out(each).split()]

    def _pauses(self, utterance: str) -> bool:
        """Whether a no that could turn around what follows ends in front of a comma or the like: "no don't, stop"."""
        *parts, _ = _PAUSE.split(utterance)
        return any(self._negation.search(" ".join(self._split(part))) for part in parts)

    def _write_out(self, word: str) -> str:
        if word in self._controls.contractions:
            return self._controls.contractions[word]
        for short, full in self._controls.endings.items():
            if word.endswith(short):
                return f"{word.removesuffix(short)} {full}"
        return word

    @cached_property
    def _negation(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{self._controls.negations})$")

    @cached_property
    def _known(self) -> frozenset[str]:
        """All words that there are in phrases and fillers."""
        texts = (*self._controls.fragments.values(), *(template for template, _ in _list_templates(self._controls)))
        return frozenset(word for text in texts for word in _WORD.findall(text.lower()))

    def _mend(self, words: list[str]) -> list[str]:
        """Return the words with slips of the keyboard or of the ear put right: "correcly", "affirmitive"."""
        return [
            word if len(word) < _SHORTEST_MENDED or word in self._known else self._find_near(word) for word in words
        ]

    def _find_near(self, word: str) -> str:
        alike = [each for each in self._known if each[0] == word[0] and abs(len(each) - len(word)) <= 1]
        found = get_close_matches(word, sorted(alike), n=2, cutoff=_ALIKE)
        return found[0] if len(found) == 1 else word

    def _read_all(self, words: Words[str]) -> list[_Said]:
        """Return what is said one after another, fillers left out; nothing unless every word belongs to it.

        Longest first, so that "that is not right" is never taken for "that is" and something else.
        """
        dead: set[int] = set()
        if not words:
            return []
        stack = [(0, cast("list[_Said]", []), self._list_parts(words, 0))]
        while stack:
            start, said, parts = stack[-1]
            step = next(parts, None)
            if step is None:
                dead.add(start)
                stack.pop()
                continue
            end, entry = step
            heard = [*said, self._note(entry.said, words[start:end])] if entry.said else said
            if end == len(words):
                if any(each.kind in _KINDS for each in heard):
                    return heard
            elif end not in dead:
                stack.append((end, heard, self._list_parts(words, end)))
        return []

    def _note(self, said: _Said, words: Words[str]) -> _Said:
        negates = said.kind == "deny" and self._negation.search(" ".join(words)) is not None
        return said._replace(negates=True) if negates else said

    def _list_parts(self, words: Words[str], start: int) -> Iterator[tuple[int, _ControlPhrase]]:
        """Yield what begins with a word, with where it ends; the longest first."""
        entries = [*self._by_first_word.get(words[start], ()), *self._by_first_word.get(ANY_WORD, ())]
        rest = frozenset(words[start:])
        entries = [entry for entry in entries if entry.may_match(rest)]
        for end in range(len(words), start, -1):
            text = " ".join(words[start:end]) + " "
            yield from ((end, entry) for entry in entries if entry.matches(text))


def _list_templates(controls: Controls) -> Iterator[tuple[str, _Said | None]]:
    """Yield the phrases and fillers; a control counts before a filler of the same words."""
    for verb in controls.phrases:
        if verb.verb not in _KINDS:
            continue
        for phrase in verb.phrases:
            yield phrase.template, _Said(cast("ControlKind", verb.verb), _is_plain(phrase))
    for filler in controls.fillers:
        yield filler, None
    for doubt in controls.doubts:
        yield doubt, _Said("doubt", is_plain=False)
    for question in controls.questions:
        yield question, _Said("question", is_plain=False)


def _is_plain(phrase: Phrase) -> bool:
    return not phrase.sets.get(_LOOSE, False)


def _decide(said: Words[_Said]) -> SpokenControl | None:
    """Return what several controls in one breath come to; None where they contradict each other, or nothing was said.

    A yes in front of something else only leads up to it ("ok, stop"), and of what is left the last counts ("no, say that
    again").
    """
    marks = {each.kind for each in said if each.kind not in _KINDS}
    said = [each for each in said if each.kind in _KINDS]
    kinds = tuple(cast("dict[ControlKind, None]", dict.fromkeys(each.kind for each in said)))
    if any(each.negates for each in said[:-1]) or (marks and "question" in marks and _SURE.issuperset(kinds)):
        return None  # "don't stop", "can i go ahead"
    others = [each for each in said if each.kind != "confirm"]
    if not others:
        return SpokenControl("confirm", not marks and any(each.is_plain for each in said), kinds) if said else None
    if len(others) < len(said) and all(each.kind == "deny" for each in others):
        return None
    last = others[-1]
    return SpokenControl(cast("ControlKind", last.kind), last.is_plain, kinds)
