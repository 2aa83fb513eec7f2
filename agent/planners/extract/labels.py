"""Which label of a page means which property of a schema."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz import fuzz

from agent.planners.extract.shapes import FieldShape

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_SAME, _JOINED, _SORTED, _STEMMED = 100.0, 98.0, 97.0, 96.0
_LEAST = 70.0
_CLEARLY = 3.0  # better than the next one
_LEAST_ALIKE = 88.0  # of 100, of letters: a slip or a shorter spelling
_SHORTEST_ALIKE = 5
SURE = 95.0
"""From here on a label is the property's own name, but for spelling."""


def split_words(name: str) -> tuple[str, ...]:
    """Return the words of a name, however it is written: ``orderTotal``, ``order_total``, ``Order total:``."""
    plain = unicodedata.normalize("NFKD", name)
    letters = "".join(each for each in plain if not unicodedata.combining(each))
    return tuple(word.casefold() for word in _WORD.findall(letters))


def score_label(names: Sequence[str], label: str) -> float:
    """Return how well a label fits a property, from 0 to 100.

    Args:
        names: What the property may be called.
    """
    said = split_words(label)
    return max((_score(split_words(name), said) for name in names), default=0.0) if said else 0.0


def assign_labels(wanted: Sequence[FieldShape], labels: Sequence[str]) -> list[tuple[FieldShape, int]]:
    """Return which property which label means, by its place; each is used once, and none where two fit as well."""
    pairs = [
        _LabelMatch(field, label, score)
        for field, each in enumerate(wanted)
        for label, said in enumerate(labels)
        if (score := score_label(each.names, said)) >= _LEAST
    ]
    taken: list[_LabelMatch] = []
    for pair in sorted(pairs, key=lambda each: -each.score):
        free = [each for each in pairs if not any(each.meets(other) for other in taken)]
        rivals = [each.score for each in free if each != pair and each.meets(pair)]
        if pair in free and pair.score - max(rivals, default=0.0) >= _CLEARLY:
            taken.append(pair)
    return [(wanted[each.field], each.label) for each in taken]


class _LabelMatch(NamedTuple):
    """How well a label fits a property, both by their places."""

    field: int
    label: int
    score: float

    def meets(self, other: "_LabelMatch") -> bool:
        """Tell whether both are about the same property or the same label."""
        return self.field == other.field or self.label == other.label


def _score(wanted: tuple[str, ...], said: tuple[str, ...]) -> float:
    if not wanted:
        return 0.0
    if wanted == said:
        return _SAME
    joined, other = "".join(wanted), "".join(said)
    if joined == other:
        return _JOINED
    if sorted(wanted) == sorted(said):
        return _SORTED
    if [_stem(each) for each in wanted] == [_stem(each) for each in said]:
        return _STEMMED
    return max(_score_part(set(wanted), set(said)), _score_letters(joined, other))


def _score_part(wanted: set[str], said: set[str]) -> float:
    """Return how well one fits that has all words of the other, and more."""
    one, other = {_stem(each) for each in wanted}, {_stem(each) for each in said}
    if not (one <= other or other <= one):
        return 0.0
    return _LEAST + 20 * len(one & other) / len(one | other)


def _score_letters(one: str, other: str) -> float:
    if min(len(one), len(other)) < _SHORTEST_ALIKE:
        return 0.0
    alike = fuzz.ratio(one, other)
    return alike * 0.95 if alike >= _LEAST_ALIKE else 0.0


def _stem(word: str) -> str:
    """Return a word without the ending that says that there are several."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
