"""Patterns that several readers use, over the mask of a sentence."""

import re
from collections.abc import Iterable

from core.language.sentences.literals import FILL, MARKS

QUOTE = f"{MARKS['quote']}{FILL}*"
CODE = f"{MARKS['code']}{FILL}*"
NAME = rf"(?:{QUOTE}|\S+(?:\s+\S+){{0,3}}?)"


def match_any_of(words: Iterable[str]) -> str:
    """Return a pattern for any of the words, the longest first."""
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a pattern; case doesn't matter and a dot is any character."""
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)
