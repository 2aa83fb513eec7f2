"""Reading keys and combinations of keys."""

import re

from core.base.errors import SurehandError
from core.language.grammars.grammar import Vocabulary
from core.language.sentences.spans import Span, UnreadableError
from core.selectors.keys import parse_keys


class KeyReader:
    """Reads the names of keys in the words of one language."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def read_key(self, span: Span) -> str:
        """Return the name of a key or combination; ``control shift t`` and ``ctrl+shift+t`` are the same."""
        *held, key = [part.strip() for part in (span.quoted or self._join_keys(span)).split("+")]
        modifiers = self._vocabulary.modifiers
        parts = [*(modifiers.get(part.lower(), part) for part in held), self._vocabulary.keys.get(key.lower(), key)]
        try:
            return parse_keys("+".join(parts))
        except SurehandError:
            raise UnreadableError from None

    def _join_keys(self, span: Span) -> str:
        *front, last = span.text.replace("+", " ").replace("-", " ").split() or [""]
        # "control plus s" and "control and s"; "control plus" is a key by itself.
        words = [*(word for word in front if not self._joins(word.lower())), last]
        count = 0
        while count < len(words) - 1 and words[count].lower() in self._vocabulary.modifiers:
            count += 1
        key = " ".join(words[count:])
        if not last or (key.lower() not in self._vocabulary.keys and (len(key) > 1 or not key.isascii())):
            raise UnreadableError
        return "+".join([*words[:count], key])

    def _joins(self, word: str) -> bool:
        return self._vocabulary.keys.get(word) == "+" or word in self._vocabulary.numbers.joints

    def read_keys(self, span: Span) -> str:
        """Return keys as they were written, if that is how keys are written, else as ``read_key`` does."""
        named = self.read_key(span)
        return span.text if span.quoted is None and " " not in span.text and "+" in span.text else named

    def read_modifiers(self, span: Span) -> list[str]:
        """Return the names of keys that are held."""
        words = [word for word in re.split(r"[\s+-]+", span.words) if word and not self._joins(word)]
        if not words or any(word not in self._vocabulary.modifiers for word in words):
            raise UnreadableError
        return [self._vocabulary.modifiers[word] for word in words]
