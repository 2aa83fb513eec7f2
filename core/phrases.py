"""Phrases out of the rules table's templates: what an action does, did, and must hold."""

import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

_LONGEST = 120
_INNER_QUOTES = str.maketrans("“”", "‘’")
_SPACES = re.compile(r"[ \t]{2,}")


class _Lenient(string.Formatter):
    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> Any:  # noqa: ARG002 -- the base class's signature
        return kwargs.get(str(key), "")

    def format_field(self, value: Any, format_spec: str) -> str:  # noqa: ARG002 -- the base class's signature
        if isinstance(value, bool):
            return "yes" if value else "no"
        text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


_FORMATTER = _Lenient()


def render_phrase(template: str, values: Mapping[str, Any]) -> str:
    """Return a template with its braces filled in; missing values leave nothing, long ones are cut.

    Args:
        template: A phrase of the rules table.
        values: The action's arguments.
    """
    if "{" not in template:
        return template
    return _SPACES.sub(" ", _FORMATTER.vformat(template, (), values)).strip()


def escape_text(text: str) -> str:
    """Return a text with control, bidirectional and other invisible characters shown as escapes."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def fold_text(text: str) -> str:
    """Return a text as one line without invisible characters."""
    return escape_text(" ".join(text.split()))


def cut_text(text: str, limit: int) -> str:
    """Return at most so many characters of a text; an ellipsis stands for the rest."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def quote_text(text: str, limit: int = 100) -> str:
    """Return the beginning of a text that was read, on one line between quotation marks that it can't close.

    Args:
        text: As it was read.
        limit: Characters that are kept.
    """
    beginning = text.lstrip()[: limit * 4]  # the rest of a long text need not be looked at
    return f"“{cut_text(fold_text(beginning), limit).translate(_INNER_QUOTES)}”"


def join_phrases(phrases: Sequence[str]) -> str:
    """Return phrases as people list them: ``a, b and c``."""
    if len(phrases) <= 1:
        return "".join(phrases)
    return f"{', '.join(phrases[:-1])} and {phrases[-1]}"
