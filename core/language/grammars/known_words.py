"""KnownWords: all words of a language, taken from its phrases, classes and word lists."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, cast

from core.base.late_parts import compile_late
from core.language.grammars.grammar import Grammar, Phrase

_WORD = compile_late(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_SLOT = compile_late(r"\{[^}]*\}|<\w+>")
# What holds one of these is a pattern, whose letters are no words.
_PATTERN = compile_late(r"[\\()\[\]|?*+^$]")
_SHORTEST_PART = 3


def list_meant_words(grammar: Grammar, others: Iterable[object] = ()) -> frozenset[str]:
    """Return the words that sentences are understood by, in lower case: what a misspelt word may have been."""
    templates = (phrase.template for verb in grammar.verbs for phrase in verb.phrases)
    written = [_SLOT.sub(" ", text) for text in (*templates, *grammar.fragments.values())]
    lists = (grammar.classes, grammar.vocabulary, grammar.acts, grammar.fillers.fragments, *others)
    plain = (text for each in lists for text in _list_texts(each) if not _PATTERN.search(text))
    return frozenset(word for text in (*written, *plain) for word in list_words(text))


def list_other_words(grammar: Grammar) -> frozenset[str]:
    """Return further words that are said beside these, in lower case: a sentence that holds one isn't misspelt there."""
    phrases = [phrase for verb in grammar.verbs for phrase in verb.phrases]
    texts = (text for phrase in phrases for text in _list_said(phrase))
    said = {word for text in texts for word in list_words(text)}
    patterns = (text for each in (grammar.clauses, grammar.vocabulary, grammar.fillers) for text in _list_texts(each))
    parts = {word for text in patterns for word in list_words(re.sub(r"\\.", " ", text))}
    return frozenset(said | {part for part in parts if len(part) > _SHORTEST_PART})


def list_words(text: str) -> list[str]:
    """Return the words of a text in lower case, apostrophes straight."""
    return _WORD.findall(text.replace("’", "'").lower())


def _list_said(phrase: Phrase) -> Iterator[str]:
    yield from phrase.examples
    yield phrase.asks
    yield from phrase.choices.values()


def _list_texts(table: object) -> Iterator[str]:
    if isinstance(table, str):
        yield table
    elif isinstance(table, Mapping):
        for key, value in cast("Mapping[Any, Any]", table).items():
            yield from _list_texts(key)
            yield from _list_texts(value)
    elif is_dataclass(table):
        for each in fields(table):
            yield from _list_texts(getattr(table, each.name))
    elif isinstance(table, Iterable):
        for value in cast("Iterable[Any]", table):
            yield from _list_texts(value)
