"""Finding things by words: those of the thing itself first, then those of the parts, rows and headings that it stands in."""

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from core.base.control_words import CONTROL_NAMES
from core.outlines.items import ENTRIES
from core.outlines.shapes import Shape
from core.outlines.trees import NOWHERE, ItemTree

_WORD = re.compile(r"\w+")
_MOST_CHARS = 10_000  # of one text
_MOST_WORDS = 12  # of a question
_AROUND = 0.6  # what a word is worth that stands around a thing
_SAME = 0.5  # what it adds that a thing is called just so
_ACT = 0.02
_OTHER_NAME = 0.9
_LIKE = 80  # of 100: a word that is misspelt
_AS_GOOD = 0.7  # of the best
NEAR = 0.55
"""From which score on something says what was asked for."""


def rank_items(tree: ItemTree, shapes: Sequence[Shape], words: str) -> list[tuple[int, float]]:
    """Return the items that are nearest to words, the nearest first, with how near they are; what has no line is not found."""
    asked = split_words(words)[:_MOST_WORDS]
    if not asked:
        return []
    count = len(tree.items)
    contents = [
        split_words(" ".join((item.kind, item.name[:_MOST_CHARS], item.value or "", item.takes))) for item in tree.items
    ]
    scores = [0.0] * count
    for word in asked:
        for index, score in enumerate(_score_word(tree, contents, word)):
            scores[index] += score / len(asked)
    phrase = " ".join(asked)
    others = set(CONTROL_NAMES.get(phrase, ()))
    found: list[tuple[float, int]] = []
    for index, score in enumerate(scores):
        item = tree.items[index]
        if shapes[index] <= Shape.WRAP:
            continue
        name = " ".join(split_words(item.name)) if len(item.name) <= len(phrase) * 2 else ""
        is_other = item.can_act and item.name.casefold().strip() in others
        near = max(score, _OTHER_NAME if is_other else 0)
        if near:
            found.append((near + _SAME * (name == phrase) + _ACT * item.can_act, index))
    found.sort(key=lambda each: (-each[0], each[1]))
    best = found[0][0] if found else 0
    return [(index, score) for score, index in found if score >= _AS_GOOD * best]


def split_words(text: str) -> list[str]:
    """Return the words of a text, all in small letters."""
    return _WORD.findall(text[:_MOST_CHARS].casefold())


def _score_word(tree: ItemTree, contents: Sequence[Sequence[str]], word: str) -> list[float]:
    known: dict[str, float] = {}
    own: list[float] = []
    for content in contents:
        best = 0.0
        for each in content:
            score = known.get(each)
            if score is None:
                score = known[each] = compare_words(word, each)
            best = max(best, score)
        own.append(best)
    around = list(own)  # what each says to what is in it; an entry says all that is written in it
    for index in range(len(own) - 1, -1, -1):
        holder = tree.holders[index]
        if holder != NOWHERE and tree.items[holder].kind in ENTRIES:
            around[holder] = max(around[holder], around[index])
    for index, holder in enumerate(tree.holders):
        if holder != NOWHERE:
            own[index] = max(own[index], _AROUND * around[holder])
            around[index] = max(around[index], around[holder])
    return own


def compare_words(asked: str, written: str) -> float:
    """Return how near a word is to the one that was asked for, from 0 to 1."""
    if asked == written:
        return 1.0
    shortest = 3 if asked.isascii() else 1
    if len(asked) >= shortest and asked in written:
        return 0.9 if written.startswith(asked) else 0.75
    if len(written) > shortest and asked.startswith(written):
        return 0.7
    ratio = fuzz.ratio(asked, written, score_cutoff=_LIKE) if len(asked) >= shortest else 0
    return ratio * 0.008
