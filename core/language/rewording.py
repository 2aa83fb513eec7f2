"""Rewording: a sentence that isn't understood as it stands, in the words in which it is more often said, byte for byte.

What is done with a thing may be said behind its name: "the Save button, click it". And steps may follow each other with nothing
between them: "open a new tab go to example.com". Nothing is added but a blank or a joint, and all of the sentence is kept but the
words that only lead on to the thing, the pronoun that stands for it, and a "please" beside it: "my surname is Okafor, enter it under Last name".
"""

import re
from collections.abc import Iterator
from itertools import combinations, pairwise

from core.base.late_parts import compile_late
from core.language.grammars.asides import RewordingWords
from core.language.meanings.contexts import Context
from core.language.sentences.excerpts import Excerpt, put_together
from core.language.sentences.literals import Sentence
from core.language.sentences.patterns import EDGES, compile_pattern, list_plain_words
from core.language.talk.filler_reader import Aside

_MOST_CHARACTERS = 240
_MOST_WORDS = 8
_MOST_MARKS = 3
_MOST_STARTS = 4
_MOST_IN_FRONT = 3
_MARK = compile_late(r"\s*[,;:.!]+\s+|\s+[-–—]+\s+")
_WORD = compile_late(r"\S+")


class Rewordings:
    """Finds them in the words of one language."""

    def __init__(self, words: RewordingWords, commands: frozenset[str], programs: frozenset[str], joint: str) -> None:
        self._words, self._programs, self._joint = words, programs, joint
        self._commands = (commands | words.starts) - words.no_starts - words.kinds
        self._pronoun = compile_pattern(rf"(?<!\S)(?:{words.pronouns or '(?!)'})(?=$|[\s,;:.!?…])", re.IGNORECASE)
        self._so = compile_pattern(words.is_so, re.IGNORECASE)
        self._value = compile_pattern(
            rf"(?P<owner>\S+(?:\s+\S+){{0,4}}?)\s+(?:{words.is_so})\s+(?P<value>.+)", re.IGNORECASE
        )
        self._front = compile_pattern(rf"(?:(?:{words.edges})[\s,]+)+", re.IGNORECASE)
        self._back = compile_pattern(rf"(?:[\s,]+(?:{words.edges}))+$", re.IGNORECASE)

    def list_rewordings(self, sentence: Sentence, context: Context) -> Iterator[Aside]:
        """Yield the ways to say a sentence otherwise."""
        if self._words.pronouns and len(sentence.mask) <= _MOST_CHARACTERS:
            yield from (Aside(each, context) for each in self._list_with_things(sentence))
            yield from (Aside(each, context, runs_on=True) for each in self._list_divided(sentence))

    def _list_with_things(self, sentence: Sentence) -> Iterator[Excerpt]:
        marks = list(_MARK.finditer(sentence.mask))[:_MOST_MARKS]
        for begin, mark in zip([0, *(each.end() for each in marks)], marks, strict=False):
            verb = list_plain_words(sentence.mask[mark.end() :])[:1]
            is_pressed = bool(verb) and verb[0] in self._words.pressed
            thing = self._find_thing(sentence, begin, mark.start(), is_pressed=is_pressed)
            place = self._find_pronoun(sentence.mask, mark.end()) if thing else None
            if thing and place:
                parts = ((0, begin), (mark.end(), place[0]), thing, (place[1], len(sentence.mask)))
                yield put_together(sentence, parts, " ")

    def _find_thing(self, sentence: Sentence, begin: int, end: int, *, is_pressed: bool) -> tuple[int, int] | None:
        front, back = self._front.match(sentence.mask, begin, end), self._back.search(sentence.mask, begin, end)
        start, stop = front.end() if front else begin, back.start() if back else end
        if valued := self._value.fullmatch(sentence.mask, start, stop):
            return self._find_value(sentence, valued)
        words = list_plain_words(sentence.mask[start:stop])
        if not 0 < len(words) <= _MOST_WORDS or not self._words.no_things.isdisjoint(words):
            return None
        is_step = words[0] in self._commands and (
            not (is_pressed or words[-1] in self._words.controls) or not self._words.determiners.isdisjoint(words)
        )
        if is_step:
            return None  # "play the music, then lower it"
        is_written = any(start <= place < stop for place in sentence.literals)
        is_called = words[0] in self._words.determiners or words[-1] in self._words.kinds
        is_known = is_written or is_called or is_pressed or " ".join(words) in self._programs
        return (start, stop) if is_known else None

    def _find_value(self, sentence: Sentence, valued: re.Match[str]) -> tuple[int, int] | None:
        said, owner = list_plain_words(valued["value"]), list_plain_words(valued["owner"])
        if not {*said, *owner}.isdisjoint(self._words.no_things) or owner[0] not in self._words.owners:
            return None
        start, stop = valued.span("value")
        text = sentence.source[start:stop]
        is_written = any(start <= place < stop for place in sentence.literals)
        return (start, stop) if is_written or text[:1].isupper() or any(each.isdigit() for each in text) else None

    def _find_pronoun(self, mask: str, start: int) -> tuple[int, int] | None:
        for found in self._pronoun.finditer(mask, start):
            behind = list_plain_words(mask[found.end() :])[:1]
            is_last = not behind or mask[found.end() : found.end() + 1] in set(EDGES)
            if found.start() > start and (is_last or behind[0] in self._words.behind_pronouns):
                return found.span()
        return None

    def _list_divided(self, sentence: Sentence) -> Iterator[Excerpt]:
        words = list(_WORD.finditer(sentence.mask))
        if not any(word[0].lower() in self._commands for word in words[:_MOST_IN_FRONT]):
            return  # no step begins there
        starts = [words[place].start() for place in range(2, len(words) - 1) if self._may_begin(words, place)]
        if len(starts) > _MOST_STARTS:
            return
        for many in (1, 2):
            for chosen in combinations(starts, many):
                edges = [0, *chosen, len(sentence.mask)]
                parts = tuple(pairwise(edges))
                yield put_together(sentence, parts, self._joint)

    def _may_begin(self, words: list[re.Match[str]], place: int) -> bool:
        earlier, before, behind = (words[place + offset][0].lower() for offset in (-2, -1, 1))
        is_joined = earlier in self._words.joints or earlier.strip(EDGES) != earlier
        is_lone = before in self._commands and is_joined
        return (
            words[place][0] in self._commands
            and not is_lone
            and before.strip(EDGES) == before
            and before not in self._words.no_fronts
            and not self._so.fullmatch(behind)
        )
