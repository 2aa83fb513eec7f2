"""Turning: a sentence whose parts are not said in the order in which they happen, in that order.

"Mute the sound before you open the shop", "after opening the shop, click Mugs" and "play the music while you download the
file" are each two steps and a word that says when. The parts are put together again in the order in which they happen, byte
for byte, with a word between them that the clauses understand; and "opening" behind that word becomes "open".
"""

import re
from typing import NamedTuple

from core.language.grammars.asides import Turning
from core.language.sentences.excerpts import Excerpt, ExcerptPart, move_literals
from core.language.sentences.literals import FILL, MARKS, Literal, Sentence
from core.language.sentences.patterns import compile_pattern

_LITERALS = "".join(MARKS.values()) + FILL
_EDGES = " \t\r\n,;:."
_MARKS = ("!", "?", "…")


class _ReorderedPart(NamedTuple):
    """A part of a sentence, and the word that it begins with instead of its own."""

    start: int
    end: int
    stem: str = ""


class Turned(NamedTuple):
    """A sentence in the order in which its parts happen."""

    excerpt: Excerpt
    is_parallel: bool


class Turner:
    """Puts the parts of sentences in order."""

    def __init__(self, rules: Turning, commands: frozenset[str], lead_in: str) -> None:
        self._rules = rules
        self._commands = commands
        self._when = {
            kind: compile_pattern(rf"(?:(?<=\s)|^)(?:{words})\s+", re.IGNORECASE)
            for kind, words in (("before", rules.before), ("after", rules.after), ("while", rules.during))
            if words
        }
        self._awaited = compile_pattern(rf"(?<=\s)(?:{rules.awaited})\s+", re.IGNORECASE) if rules.awaited else None
        self._person = compile_pattern(rf"(?:{rules.person})\s+", re.IGNORECASE)
        self._asking = compile_pattern(
            rf"\W{{0,9}}(?:(?:{lead_in})\W{{1,9}}){{0,2}}?(?:{rules.asking})\s+", re.IGNORECASE
        )
        self._word = compile_pattern(rf"[^\W\d_{_LITERALS}]+", 0)

    def turn(self, sentence: Sentence) -> Turned | None:
        """Return the sentence in order, or None where nothing says that it is in another one.

        Only what has a single such word is turned: with two it wouldn't be clear what each is about.
        """
        found = [(kind, match) for kind, when in self._when.items() for match in when.finditer(sentence.mask)]
        if len(found) != 1:
            return None if found else self._turn_awaited(sentence) or self._turn_request(sentence)
        kind, match = found[0]
        main, said = _ReorderedPart(0, match.start()), _ReorderedPart(match.end(), len(sentence.mask))
        if not sentence.mask[: match.start()].strip(_EDGES):
            comma = sentence.mask.find(",", match.end())
            if comma < 0:
                return None
            said, main = _ReorderedPart(match.end(), comma), _ReorderedPart(comma + 1, len(sentence.mask))
        opened = self._open(sentence, said)
        if opened is None:
            return self._turn_awaited(sentence)
        first, second = (opened, main) if kind == "after" else (main, opened)
        if any(sentence.source[part.start : part.end].rstrip(_EDGES).endswith(_MARKS) for part in (first, second)):
            return None  # whether the mark belongs to a text is asked for the sentence as it was said
        return self._join(sentence, (first, second), is_parallel=kind == "while")

    def _turn_awaited(self, sentence: Sentence) -> Turned | None:
        """Return a sentence with what is waited for in front: "mute the sound when report.pdf arrives"; None for another.

        What is waited for must be written; whether "it" comes is no more than a condition.
        """
        found = list(self._awaited.finditer(sentence.mask)) if self._awaited else []
        if len(found) != 1 or not sentence.mask[: found[0].start()].strip(_EDGES):
            return None
        start, end = found[0].start(), len(sentence.mask)
        if not any(start < place < end for place in sentence.literals):
            return None
        return self._join(sentence, (_ReorderedPart(start, end), _ReorderedPart(0, start)), is_parallel=False)

    def _turn_request(self, sentence: Sentence) -> Turned | None:
        asked = self._asking.match(sentence.mask) if self._rules.asking else None
        opened = self._open(sentence, _ReorderedPart(asked.end(), len(sentence.mask))) if asked else None
        return self._join(sentence, (opened,), is_parallel=False) if opened else None

    def _open(self, sentence: Sentence, part: _ReorderedPart) -> _ReorderedPart | None:
        start, end, _ = part
        if person := self._person.match(sentence.mask, start, end):
            start = person.end()
            word = self._word.match(sentence.mask, start, end)
            if word and word[0].lower() in self._commands:
                return _ReorderedPart(start, end, word[0])
        word = self._word.match(sentence.mask, start, end)
        stem = self._find_stem(word[0].lower()) if word else ""
        return _ReorderedPart(start, end, stem) if stem else None

    def _find_stem(self, word: str) -> str:
        """Return the command that a word such as "opening" is made of; empty if it is no such word."""
        for ending, instead in self._rules.endings:
            stem = re.sub(rf"{ending}$", instead, word)
            if stem != word and stem in self._commands:
                return stem
        return ""

    def _join(self, sentence: Sentence, parts: tuple[_ReorderedPart, ...], *, is_parallel: bool) -> Turned | None:
        joint = self._rules.meanwhile if is_parallel else self._rules.then
        source, mask = "", ""
        literals: dict[int, Literal] = {}
        places: list[ExcerptPart] = []
        for start, end, stem in parts:
            said = sentence.mask[start:end]
            begin = start + len(said) - len(said.lstrip(_EDGES))
            stop = begin + len(said.strip(_EDGES))
            if begin >= stop:
                return None
            source, mask = (f"{text}{joint}" if text else "" for text in (source, mask))
            places.append(ExcerptPart(len(source), begin, stop))
            word = self._word.match(sentence.mask, begin, stop) if stem else None
            behind = word.end() if word else begin
            head = stem.ljust(behind - begin) if word else ""
            literals |= move_literals(sentence, behind, stop, len(source) + len(head) - behind)
            source += head + sentence.source[behind:stop]
            mask += head + sentence.mask[behind:stop]
        return Turned(Excerpt(Sentence(source, mask, literals, read=sentence.read), tuple(places)), is_parallel)
