"""Spellings: the letters of a language that many keyboards lack, as people write them without: ``öffne`` is ``oeffne``."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, cast

from core.base.late_parts import compile_late

_NOT_SAID = frozenset({"wording", "names", "phrases", "language", "borrows"})
_WORD = compile_late(r"[^\W_]+")


class Spellings:
    """The other spellings of a language."""

    def __init__(self, letters: Mapping[str, str]) -> None:
        """Take what is written instead of each letter; none in most languages."""
        self._letters = letters

    @cached_property
    def _any(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, self._letters)), re.IGNORECASE)

    def write(self, text: str) -> str:
        """Return a text in the other spelling; the same where it has none."""
        if not self._letters or text.isascii():
            return text
        return self._any.sub(lambda letter: self._letters[letter[0].lower()], text)

    def write_phrase(self, template: str) -> str:
        """Return a phrase, or a part of one, in which each word may have either spelling."""
        if not self._letters or template.isascii():
            return template
        return _WORD.sub(lambda word: self._either(word[0], "({}|{})"), template)

    def write_phrases(self, said: str | list[str]) -> Any:
        """Return the same for one or for several."""
        return self.write_phrase(said) if isinstance(said, str) else [self.write_phrase(each) for each in said]

    def add(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Return the words of a language with the other spelling beside each; what isn't said by anybody stays."""
        if not self._letters:
            return {**said}
        return {key: value if key in _NOT_SAID else self._add(value) for key, value in said.items()} | {
            other: self._add(value)
            for key, value in said.items()
            if key not in _NOT_SAID and (other := self.write(key)) != key
        }

    def _add(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return self.add(cast("Mapping[str, Any]", value))
        if isinstance(value, list):
            items = [self._add(each) if isinstance(each, Mapping) else each for each in cast("list[Any]", value)]
            others = [self.write(each) for each in items if isinstance(each, str)]
            return [*items, *(each for each in others if each not in items)]
        return self._either(value, "(?:{}|{})") if isinstance(value, str) else value

    def _either(self, text: str, form: str) -> str:
        other = self.write(text)
        return text if other == text else form.format(text, other)
