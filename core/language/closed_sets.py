"""ClosedSet: a name out of a list, though it was heard or written a little wrong. Open text is never read so."""

from collections.abc import Iterable
from functools import cached_property

from rapidfuzz import process
from rapidfuzz.distance import OSA

_LEAST_LETTERS = 6
"""Shorter names are one letter away from too many other words."""
_LETTERS_FOR_TWO = 10
"""From here on, two wrong letters are forgiven."""
_PLURAL = "s"


class ClosedSet:
    """Names that are all there is to choose from."""

    def __init__(self, names: Iterable[str], words: frozenset[str] = frozenset()) -> None:
        """Take the names.

        Args:
            names: The names, in lower case.
            words: Words that are never taken for a misspelt name, because they are words themselves.
        """
        self._names = sorted(set(names))
        self._words = words

    @cached_property
    def _by_letters(self) -> dict[str, str]:
        """The names by their letters and digits alone; those that two names share belong to neither."""
        found: dict[str, str] = {}
        for name in self._names:
            key = _join(name)
            found[key] = name if key not in found else ""
        return found

    def find(self, words: str) -> str | None:
        """Return the name that is meant: the same letters, or one letter more, less, other or swapped.

        Two names that are equally near, another first letter and a mere plural make none.

        Args:
            words: What was said, in lower case.
        """
        if words in self._words:
            return None
        said = _join(words)
        if same := self._by_letters.get(said):
            return same
        limit = 2 if len(said) >= _LETTERS_FOR_TWO else 1
        found = process.extract(said, list(self._by_letters), scorer=OSA.distance, score_cutoff=limit, limit=None)
        near = [(int(distance), key) for key, distance, _ in found if self._may_mean(said, key)]
        best = [key for distance, key in near if distance == min(near)[0]]
        return self._by_letters[best[0]] or None if len(best) == 1 else None

    def _may_mean(self, said: str, key: str) -> bool:
        shorter, longer = sorted((said, key), key=len)
        is_plural = longer == shorter + _PLURAL
        return len(shorter) >= _LEAST_LETTERS - 1 and len(key) >= _LEAST_LETTERS and said[0] == key[0] and not is_plural


def _join(name: str) -> str:
    return "".join(letter for letter in name if letter.isalnum())
