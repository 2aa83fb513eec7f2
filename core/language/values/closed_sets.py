"""ClosedSet: a name out of a list, though it was heard or written a little wrong. Open text is never read so."""

from collections.abc import Iterable
from functools import cache, cached_property
from importlib import import_module
from typing import Any

_LEAST_LETTERS = 6
"""Shorter words are one letter away from too many other words."""
_LETTERS_FOR_TWO = 10
"""From here on, two wrong letters are forgiven."""
_PLURAL = "s"


class ClosedSet:
    """Names that are all there is to choose from."""

    def __init__(self, names: Iterable[str], words: frozenset[str] = frozenset()) -> None:
        """Take the names, and words that are never taken for a misspelt name, because they are words themselves."""
        self._names = frozenset(names)
        self._words = words

    @cached_property
    def _by_letters(self) -> dict[str, str]:
        """The names by their letters and digits alone; two names with the same letters are one."""
        return {_join(name): name for name in sorted(self._names, reverse=True)}

    @cached_property
    def _by_shape(self) -> dict[tuple[int, str], list[str]]:
        """The names by their number of words and first letter, which no misspelling changes."""
        names: dict[tuple[int, str], list[str]] = {}
        for name in self._names:
            names.setdefault((len(name.split()), name[:1]), []).append(name)
        return names

    def find(self, words: str) -> str | None:
        """Return the name that is meant: the same letters, or in a long word one letter more, less, other or swapped.

        Two names that are equally near, another first letter and a mere plural make none.
        """
        if words in self._words:
            return None
        if words in self._names:
            return words
        if same := self._by_letters.get(_join(words)):
            return same
        said = words.split()
        alike = self._by_shape.get((len(said), words[:1]), ())
        near = sorted((distance, name) for name in alike if (distance := _measure(said, name.split())))
        best = [name for distance, name in near if distance == near[0][0]]
        return best[0] if len({_join(name) for name in best}) == 1 else None


@cache
def _load_osa() -> Any:
    """Return what measures how far words are apart; loaded when a name is first misspelt, since that takes a while."""
    return import_module("rapidfuzz.distance.OSA")


def _measure(said: list[str], wanted: list[str]) -> int:
    """Return how many letters are wrong for a name of as many words; 0 if they can't mean it, or are the same."""
    wrong = [(one, other) for one, other in zip(said, wanted, strict=True) if one != other]
    if not all(_may_mean(one, other) for one, other in wrong):
        return 0
    return sum(_load_osa().distance(one, other) for one, other in wrong)


def _may_mean(said: str, wanted: str) -> bool:
    shorter, longer = sorted((said, wanted), key=len)
    if len(wanted) < _LEAST_LETTERS or len(shorter) < _LEAST_LETTERS - 1 or longer == shorter + _PLURAL:
        return False
    limit = 2 if len(said) >= _LETTERS_FOR_TWO else 1
    return said[0] == wanted[0] and _load_osa().distance(said, wanted, score_cutoff=limit) <= limit


def _join(name: str) -> str:
    return "".join(letter for letter in name if letter.isalnum())
