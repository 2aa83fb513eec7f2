"""Patterns that several readers use, over the mask of a sentence."""

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Any, cast

from core.base.kept_patterns import compile_kept
from core.language.sentences.literals import FILL, MARKS

EDGES = ",;:.!?…\"'()"
"""What may stand around a word and is no part of it."""


def list_plain_words(said: str) -> list[str]:
    """Return the words of a part of a sentence, in lower case and without marks around them."""
    words = (word.strip(EDGES) for word in said.lower().replace("’", "'").split())
    return [word for word in words if word]


QUOTE = f"{MARKS['quote']}{FILL}*"
CODE = f"{MARKS['code']}{FILL}*"
NAME = rf"(?:{QUOTE}|\S+(?:\s+\S+){{0,3}}?)"


def match_any_of(words: Iterable[str]) -> str:
    """Return a pattern for any of the words, the longest first."""
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))


@lru_cache(maxsize=1_024)
def compile_pattern(pattern: str, flags: int = re.IGNORECASE | re.DOTALL) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is first used, once for all: a sentence needs few of all that a language has.

    Args:
        flags: As ``re`` has them; without any said, case doesn't matter and a dot is any character.
    """
    return cast("re.Pattern[str]", _LatePattern(pattern, flags))


class _LatePattern:
    """Stands for a pattern; what is asked of it is kept, so that it costs no more than the pattern itself."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern, self._flags = pattern, flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return compile_kept(self._pattern, self._flags)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found
