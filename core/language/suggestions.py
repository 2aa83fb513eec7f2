"""Suggestions: the examples of a grammar that come nearest to what was not understood.

Shared words count, the rare ones more, and the same first word most; words that are in any sentence, and what stands in
quotes, don't. That is as good as an edit distance for this use, costs no import and takes a
fraction of a millisecond.
"""

import re
from collections import Counter
from itertools import islice

from core.language.grammar import Grammar

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_QUOTED = re.compile(r"\"[^\"]*\"|`[^`]*`")
_MOST_WORDS = 40
_SHORTEST = 2


class Suggestions:
    """The examples of a grammar by their words."""

    def __init__(self, grammar: Grammar) -> None:
        """Count the words of all examples.

        Args:
            grammar: The language.
        """
        self._ordinary = grammar.clauses.ordinary | grammar.vocabulary.pronouns
        phrases = [phrase for verb in grammar.verbs for phrase in verb.phrases if phrase.refuses is None]
        self._examples = [(example, self._list_words(example)) for phrase in phrases for example in phrase.examples]
        self._counts = Counter(word for _, words in self._examples for word in words[1])

    def find_nearest(self, text: str, count: int = 3) -> tuple[str, ...]:
        """Return the nearest examples, the best first; none where no word is shared.

        Args:
            text: What was not understood.
            count: How many to return at most.
        """
        wanted = self._list_words(text)
        scored = [(self._score(wanted, words), example) for example, words in self._examples]
        best = sorted((entry for entry in scored if entry[0] > 0), key=lambda entry: -entry[0])
        return tuple(example for _, example in best[:count])

    def _score(self, wanted: tuple[str, frozenset[str]], words: tuple[str, frozenset[str]]) -> float:
        shared = sum(1 / self._counts[word] for word in wanted[1] & words[1])
        begins_alike = wanted[0] == words[0] != ""
        return (shared + begins_alike) / (len(words[1]) + len(wanted[1]) + 1) ** 0.5

    def _list_words(self, text: str) -> tuple[str, frozenset[str]]:
        """Return the first word of a text, and all that tell something."""
        found = [match[0].lower() for match in islice(_WORD.finditer(_QUOTED.sub(" ", text)), _MOST_WORDS)]
        telling = frozenset(word for word in found if len(word) > _SHORTEST and word not in self._ordinary)
        return next(iter(found), ""), telling
