"""Lexicon: words by their class, in all the forms that a class has them in."""

import re
from collections.abc import Iterable
from functools import cached_property
from itertools import zip_longest

from core.language.grammars.word_classes import WordClasses

TALK = "talk"
"""The class of the words that carry nothing, wherever they stand."""

ARTICLES = "articles"
"""The class of those among them that a slot may hold between other words: "the volume of my radio"."""

BARS = "bars"
"""The class of the words that no slot holds unless they are quoted."""

HANGING = "hanging"
"""The class of the words that no slot ends with, unless it is all that the slot holds."""

PASSED = "passed"
"""The class of the articles that no slot begins with: all slots are read without them."""

UNREAL = "unreal"
"""The class of the words that tell of what was not done: "you could have muted it"."""

CORRECTING = "correcting"
"""The class of the words that correct the step in front of a clause."""

MOMENTS = "moments"
"""The class of the words that a time follows, where nothing but a number stands behind them and all else behind that."""

HOURS = "hours"
"""The class of the numbers in words that are a time behind them."""

_Entries = dict[str, dict[str, list[tuple[tuple[str, ...], str]]]]


class Lexicon:
    """Finds the classes of the words of a clause."""

    def __init__(self, classes: WordClasses) -> None:
        self._classes = classes

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all classes, those of forms included."""
        of_forms = {f"{name}_{form}" for name in self._classes.verbs for form in self._classes.forms}
        return frozenset([*self._classes.words, *self._classes.verbs, *of_forms])

    @property
    def commands(self) -> frozenset[str]:
        """The first words of what has the form of a command."""
        return frozenset(text.partition(" ")[0] for texts in self._classes.verbs.values() for text in texts)

    @cached_property
    def _entries(self) -> "_Entries":
        """The words of each entry with its class, by the first two of them; by the first and nothing where there is but one."""
        entries: _Entries = {}
        for name, texts in [*self._classes.words.items(), *self._classes.verbs.items()]:
            _enter(entries, texts, name)
        for name, texts in self._classes.verbs.items():
            for form in self._classes.forms:
                _enter(entries, (self._make_form(text, form) for text in texts), f"{name}_{form}")
        return entries

    def _make_form(self, text: str, form: str) -> str:
        word, gap, rest = text.partition(" ")
        irregular = self._classes.irregular.get(word, {}).get(form)
        return f"{irregular or self._inflect(word, form)}{gap}{rest}"

    def _inflect(self, word: str, form: str) -> str:
        for ending, instead in self._classes.forms[form]:
            changed, count = re.subn(f"{ending}$", instead, word, count=1)
            if count:
                return changed
        return word

    def find(self, words: tuple[str, ...]) -> list[dict[str, list[int]]]:
        """Return for each word which classes begin there, and where the words of each end."""
        found: list[dict[str, list[int]]] = []
        words = tuple(word.replace("’", "'") for word in words)
        for start, (word, behind) in enumerate(zip_longest(words, words[1:], fillvalue="")):
            here: dict[str, list[int]] = {}
            entries = self._entries.get(word, {})
            for entry, name in (*entries.get("", ()), *(entries.get(behind, ()) if behind else ())):
                end = start + len(entry)
                if words[start:end] == entry:
                    here.setdefault(name, []).append(end)
            found.append(here)
        return found


def _enter(entries: _Entries, texts: Iterable[str], name: str) -> None:
    """Add words to the entries of a class, also as they are written without their apostrophes."""
    for text in texts:
        for way in {text, text.replace("'", "")}:
            first, *rest = words = tuple(way.split())
            entries.setdefault(first, {}).setdefault(rest[0] if rest else "", []).append((words, name))
