"""Suggestions: the examples of a grammar that come nearest to what was not understood.

Shared words count, the rare ones more, and the same first word most; words that are in any sentence, and what stands in
quotes, don't. That is as good as an edit distance for this use, costs no import and takes a
fraction of a millisecond.
"""

import re
from heapq import nsmallest
from itertools import islice

from core.language.grammars.grammar import Grammar

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
        self._holders: dict[str, list[int]] = {}
        self._beginners: dict[str, list[int]] = {}
        for place, (_, (first, words)) in enumerate(self._examples):
            self._beginners.setdefault(first, []).append(place)
            for word in words:
                self._holders.setdefault(word, []).append(place)

    def find_nearest(self, text: str, count: int = 3) -> tuple[str, ...]:
        """Return the nearest examples, the best first; none where no word is shared.

        Args:
            text: What was not understood.
            count: How many to return at most.
        """
        first, words = self._list_words(text)
        shared: dict[int, float] = {}
        for word in words:
            holders = self._holders.get(word, [])
            for place in holders:
                shared[place] = shared.get(place, 0.0) + 1 / len(holders)
        for place in self._beginners.get(first, []) if first else []:
            shared[place] = shared.get(place, 0.0) + 1
        lengths = [len(self._examples[place][1][1]) + len(words) + 1 for place in shared]
        scored = [(-value / length**0.5, place) for (place, value), length in zip(shared.items(), lengths, strict=True)]
        return tuple(self._examples[place][0] for _, place in nsmallest(count, scored))

    def _list_words(self, text: str) -> tuple[str, frozenset[str]]:
        """Return the first word of a text, and all that tell something."""
        found = [match[0].lower() for match in islice(_WORD.finditer(_QUOTED.sub(" ", text)), _MOST_WORDS)]
        telling = frozenset(word for word in found if len(word) > _SHORTEST and word not in self._ordinary)
        return next(iter(found), ""), telling
