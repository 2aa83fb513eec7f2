"""SlipMender: what a sentence that isn't understood may have been, had nobody slipped.

A word that the language doesn't know is taken for one that it knows and that is one slip away: two letters swapped, one too
many, one missing, one wrong, a missing blank or one too many. A word that it knows may be one that sounds like another. Nothing
comes of that by itself: whoever asks reads the mended sentences, and asks about the one that means something.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import combinations, groupby, islice, pairwise, product
from typing import NamedTuple

from core.base.late_parts import compile_late
from core.language.grammars.grammar import Grammar
from core.language.grammars.known_words import list_meant_words, list_other_words
from core.language.meanings.interpretation import Choice, Interpretation, Reading
from core.language.sentences.excerpts import GAP, Excerpt
from core.language.sentences.literals import Sentence, find_literals, try_find_literals
from core.language.talk.filler_reader import FillerReader

_MOST_CHARACTERS = 160
_MOST_WORDS = 24
_MOST_MISSPELT = 4
"""Words of one sentence that other words are looked for; where more of them are misspelt, it is another language."""
_MOST_MEANT = 6
"""Words that one word is tried as."""
_MOST_OF_TWO = 3
"""Words that each of two words is tried as, where both are misspelt."""
_FEWEST_LETTERS, _FEWEST_CHANGED, _FEWEST_JOINED = 3, 4, 5
_SMALL, _LARGE, _OTHER_BEGINNING, _TWO_SLIPS = 1, 2, 1, 4
_TOKEN = compile_late(r"(?<![^\s,(\"])[^\W\d_]+(?:['’][^\W\d_]+)*(?![^\s,.;:!?…)])")


class MendedPart(NamedTuple):
    """A part of a sentence, and what may have been meant by it.

    Attributes:
        meant: What may have been meant.
    """

    start: int
    end: int
    meant: str
    cost: int


class SlipMender:
    """Finds what misspelt and misheard words may have been; one for each language."""

    def __init__(self, grammar: Grammar, more_words: Iterable[object] = ()) -> None:
        """Take a language; its words are gathered when a sentence is first refused."""
        self._grammar = grammar
        self._slips = grammar.slips
        self._more_words = tuple(more_words)

    @cached_property
    def _meant(self) -> frozenset[str]:
        return list_meant_words(self._grammar, self._more_words) | self._slips.guards

    @cached_property
    def _known(self) -> frozenset[str]:
        return self._meant | list_other_words(self._grammar)

    @cached_property
    def _letters(self) -> str:
        return "".join(sorted({letter for word in self._meant for letter in word if letter.isalpha()}))

    def list_ways(self, sentence: Sentence) -> Iterator[tuple[tuple[MendedPart, ...], ...]]:
        """Yield ways to mend a sentence, by one word or two, those that are equally likely together, the likeliest first."""
        mask = sentence.mask
        if len(mask) > _MOST_CHARACTERS:
            return
        tokens = list(_TOKEN.finditer(mask))
        if len(tokens) > _MOST_WORDS:
            return
        unknown = [token for token in tokens if self._is_misspelt(token[0], is_first=not mask[: token.start()].strip())]
        if len(unknown) > _MOST_MISSPELT:
            return
        changes = {token.start(): list(self._list_changes(token)) for token in unknown}
        if any(self._may_guard(each) for each in changes.values()):
            return
        heard = [change for token in tokens for change in self._list_heard(token)]
        joined = [change for pair in pairwise(tokens) for change in self._list_joined(mask, *pair)]
        singles = [change for each in changes.values() for change in each[:_MOST_MEANT]]
        ways: list[tuple[MendedPart, ...]] = [(change,) for change in (*singles, *heard, *joined)]
        ways += _pair(changes, heard)
        ways.sort(key=_add_up)
        for _, group in groupby(ways, key=_add_up):
            yield tuple(group)

    def _is_misspelt(self, word: str, *, is_first: bool) -> bool:
        if len(word) < _FEWEST_LETTERS or not (word.islower() or (is_first and word[1:].islower())):
            return False
        return word.lower().replace("’", "'") not in self._known

    def _list_changes(self, token: re.Match[str]) -> Iterator[MendedPart]:
        """Yield the words that a word may have been, the likeliest first."""
        word = token[0].lower().replace("’", "'")
        costs: dict[str, int] = {}
        for meant, cost in self._list_slips(word):
            costs[meant] = min(cost, costs.get(meant, cost))
        for meant, cost in sorted(costs.items(), key=lambda each: (each[1], each[0])):
            yield MendedPart(*token.span(), _write_like(token[0], meant), cost)

    def _may_guard(self, changes: list[MendedPart]) -> bool:
        likely = (change for change in changes if change.cost == changes[0].cost)
        return any(change.meant in self._slips.guards for change in likely)

    def _list_slips(self, word: str) -> Iterator[tuple[str, int]]:
        """Yield the known words and pairs of words that are one slip away, with how unlikely the slip is."""
        for place in range(len(word)):
            front, behind = word[:place], word[place:]
            yield from self._know(front + behind[1:2] + behind[:1] + behind[2:], 0)
            if len(word) >= _FEWEST_CHANGED:
                is_doubled = behind[:1] in {front[-1:], behind[1:2]}
                yield from self._know(front + behind[1:], 0 if is_doubled else _cost(place))
                for letter in self._letters:
                    yield from self._know(front + letter + behind[1:], _cost(place) + _SMALL)
            if len(word) >= _FEWEST_JOINED and {front, behind} <= self._meant and min(place, len(behind)) > 1:
                yield f"{front} {behind}", 0
        for place in range(len(word) + 1):
            front, behind = word[:place], word[place:]
            for letter in self._letters:
                is_doubled = letter in {front[-1:], behind[:1]}
                yield from self._know(front + letter + behind, 0 if is_doubled else _cost(place))

    def _know(self, word: str, cost: int) -> Iterator[tuple[str, int]]:
        if len(word) >= _FEWEST_LETTERS and word in self._meant:
            yield word, cost

    def _list_heard(self, token: re.Match[str]) -> Iterator[MendedPart]:
        meant = self._slips.heard.get(token[0].lower(), ()) if token[0][1:].islower() else ()
        return (MendedPart(*token.span(), _write_like(token[0], word), _SMALL) for word in meant)

    def _list_joined(self, mask: str, one: re.Match[str], other: re.Match[str]) -> Iterator[MendedPart]:
        whole = one[0] + other[0]
        is_near = mask[one.end() : other.start()] == " " and whole.islower()
        if is_near and whole in self._meant and not {one[0], other[0]} <= self._known:
            yield MendedPart(one.start(), other.end(), whole, 0)


def _cost(place: int) -> int:
    """Return how unlikely a slip at a place is: words rarely begin with another letter."""
    return _SMALL if place else _SMALL + _OTHER_BEGINNING


def _pair(changes: Mapping[int, list[MendedPart]], heard: Iterable[MendedPart]) -> Iterator[tuple[MendedPart, ...]]:
    groups = [each[:_MOST_OF_TWO] for each in changes.values() if each]
    groups += [list(group) for _, group in groupby(heard, key=lambda each: each.start)] if groups else []
    for one, other in islice(combinations(groups, 2), _MOST_MISSPELT):
        yield from (tuple(sorted(pair)) for pair in product(one, other) if pair[0].start != pair[1].start)


def _add_up(way: tuple[MendedPart, ...]) -> int:
    return sum(change.cost for change in way) + _TWO_SLIPS * (len(way) - 1)


def _write_like(said: str, meant: str) -> str:
    return meant[:1].upper() + meant[1:] if said[:1].isupper() else meant


def write_mended(source: str, way: Iterable[MendedPart]) -> str:
    """Return a sentence with parts of it changed."""
    for change in sorted(way, reverse=True):
        source = source[: change.start] + change.meant + source[change.end :]
    return source


_MOST_READ = 600
"""Characters of mended sentences that are read for one that isn't understood: a dozen short sentences."""


Read = Callable[[str], Reading | None]
"""Returns what a sentence means; None where it isn't understood."""


class Proposals:
    """Finds what a sentence that isn't understood may have been meant as; one for each language."""

    def __init__(self, grammar: Grammar, mender: SlipMender, fillers: FillerReader) -> None:
        self._wording = grammar.wording
        self._mender = mender
        self._fillers = fillers

    def propose(self, utterance: str, refused: Interpretation, read: Read) -> Interpretation:
        """Return a refusal with a question about what was probably meant; as it was where there is no such thing."""
        refusal = refused.refusal
        if refusal is None or refusal.code != "no_intent_match" or refusal.question:
            return refused
        meant = self._find_meant(utterance, read)
        if not meant:
            return refused
        question = self._wording.ask_meant.format(sentence=meant)
        choices = (Choice(meant, meant, is_whole=True),)
        return replace(refused, refusal=replace(refusal, question=question, choices=choices))

    def _find_meant(self, utterance: str, read: Read) -> str:
        """Return the one mended sentence that means something; empty where none does, or several that mean different things."""
        said = try_find_literals(utterance.strip())
        if said is None:
            return ""
        sentence = self._leave_out_talk(said)
        left = _MOST_READ
        for ways in self._mender.list_ways(sentence):
            texts = [write_mended(sentence.source, way) for way in ways]
            left -= sum(map(len, texts))
            if left < 0:
                break
            found = {text: reading for text in texts if (reading := read(text))}
            doable = {text: reading for text, reading in found.items() if reading.is_goal} or found
            if doable:
                return next(iter(doable)) if len({reading.said for reading in doable.values()}) == 1 else ""
        return ""

    def _leave_out_talk(self, sentence: Sentence) -> Sentence:
        best: Excerpt | None = None
        for variant in self._fillers.list_variants(sentence):
            if not variant.is_sure:
                break
            best = variant.excerpt
        if best is None:
            return sentence
        gaps = [MendedPart(part.begin - len(GAP), part.begin, " ", 0) for part in best.parts if part.begin]
        return find_literals(write_mended(best.sentence.source, gaps))
