"""Suggestions: the examples of a grammar that are nearest in meaning to what was not understood.

Words of content that both hold count, the rare ones more. Words of one class count as one word, so that "silence the radio" is near
"mute the music". What is in any sentence, and what stands in quotes, counts for nothing; what shares too little is not shown.
"""

import re
from collections import Counter
from heapq import nsmallest
from itertools import islice
from math import log

from core.language.grammars.grammar import Grammar
from core.language.grammars.known_words import list_words
from core.language.grammars.word_classes import WordClasses

_QUOTED = re.compile(r"\"[^\"]*\"|`[^`]*`|“[^”]*”")
_MOST_WORDS = 40
_SHORTEST = 2
_EMPTY_CLASSES = frozenset({"talk", "bars", "unreal"})
"""Classes whose words say nothing of what a sentence is about."""
_LEAST_SHARED = 0.4
"""Of what a sentence says, the share that an example has to say as well."""


class Suggestions:
    """The examples of a grammar by what they say."""

    def __init__(self, grammar: Grammar) -> None:
        self._classes = _sort_classes(grammar.classes)
        said = {word for texts in grammar.classes.verbs.values() for word in texts}
        empty = {
            word for name in _EMPTY_CLASSES for text in grammar.classes.words.get(name, ()) for word in text.split()
        }
        self._empty = grammar.clauses.ordinary | grammar.vocabulary.pronouns | grammar.slips.empty | (empty - said)
        phrases = [phrase for verb in grammar.verbs for phrase in verb.phrases if phrase.refuses is None]
        self._examples = [(example, self._list_senses(example)) for phrase in phrases for example in phrase.examples]
        counts = Counter(sense for _, senses in self._examples for sense in frozenset[str]().union(*senses))
        most = log(len(self._examples) + 1)
        self._weights = {sense: 1 - log(count) / most for sense, count in counts.items()}
        self._holders: dict[str, list[int]] = {}
        for place, (_, senses) in enumerate(self._examples):
            for sense in frozenset[str]().union(*senses):
                self._holders.setdefault(sense, []).append(place)

    def find_nearest(self, text: str, count: int = 3) -> tuple[str, ...]:
        """Return the examples that are nearest in meaning, the best first; none where too little is shared."""
        words = self._list_senses(text)
        said = sum(max((self._weights.get(sense, 1.0) for sense in senses), default=0) for senses in words)
        shared: dict[int, float] = {}
        for senses in words:
            best: dict[int, float] = {}
            for sense in sorted(senses & self._weights.keys(), key=self._weights.__getitem__):
                best.update(dict.fromkeys(self._holders[sense], self._weights[sense]))  # of several, the rarest counts
            for place, value in best.items():
                shared[place] = shared.get(place, 0.0) + value
        near = (
            (-value / (len(self._examples[place][1]) + len(words) + 1) ** 0.5, place)
            for place, value in shared.items()
            if value >= said * _LEAST_SHARED
        )
        return tuple(self._examples[place][0] for _, place in nsmallest(count, near))

    def _list_senses(self, text: str) -> tuple[frozenset[str], ...]:
        # A quote that nothing closes is looked for no further: each of many would be, to the end of the text.
        front, mark, behind = text.rpartition("”")
        unquoted = _QUOTED.sub(" ", front + mark + behind.replace("“", " "))
        found = islice(dict.fromkeys(list_words(unquoted)), _MOST_WORDS)
        telling = (word for word in found if len(word) > _SHORTEST and word not in self._empty)
        return tuple(frozenset({word, *self._classes.get(word, ())}) for word in telling)


def _sort_classes(classes: WordClasses) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for table in (classes.words, classes.verbs):
        for name, texts in table.items():
            if name not in _EMPTY_CLASSES:
                for text in texts:
                    found.setdefault(text, set()).add(f"<{name}>")
    return {word: frozenset(names) for word, names in found.items() if " " not in word}
