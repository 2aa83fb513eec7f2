"""Patterns that several readers use, over the mask of a sentence."""

import re
from collections.abc import Iterable
from functools import lru_cache

from core.base.kept_patterns import compile_kept
from core.base.late_parts import compile_late
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
    return compile_late(pattern, flags, compile_kept)
