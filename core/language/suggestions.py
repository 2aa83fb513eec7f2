"""Suggestions: the examples of a grammar that come nearest to what was not understood.

Shared words count, the rare ones more. That is as good as an edit distance for this use, costs no import and takes a
fraction of a millisecond.
"""

import re
from collections import Counter
from itertools import islice

from core.language.grammar import Grammar

_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 40


class Suggestions:
    """The examples of a grammar by their words."""

    def __init__(self, grammar: Grammar) -> None:
        """Count the words of all examples.

        Args:
            grammar: The language.
        """
        phrases = [phrase for verb in grammar.verbs for phrase in verb.phrases if phrase.refuses is None]
        self._examples = [(example, _list_words(example)) for phrase in phrases for example in phrase.examples]
        self._counts = Counter(word for _, words in self._examples for word in words)

    def find_nearest(self, text: str, count: int = 3) -> tuple[str, ...]:
        """Return the nearest examples, the best first; none where no word is shared.

        Args:
            text: What was not understood.
            count: How many to return at most.
        """
        wanted = _list_words(text)
        scored = [(self._score(wanted, words), example) for example, words in self._examples]
        best = sorted((entry for entry in scored if entry[0] > 0), key=lambda entry: -entry[0])
        return tuple(example for _, example in best[:count])

    def _score(self, wanted: frozenset[str], words: frozenset[str]) -> float:
        shared = sum(1 / self._counts[word] for word in wanted & words)
        return shared / (len(words) + len(wanted)) ** 0.5


def _list_words(text: str) -> frozenset[str]:
    return frozenset(match[0].lower() for match in islice(_WORD.finditer(text), _MOST_WORDS))
