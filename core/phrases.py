"""Phrases out of the rules table's templates: what an action does, did, and must hold."""

import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

_LONGEST = 120
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


def join_phrases(phrases: Sequence[str]) -> str:
    """Return phrases as people list them: ``a, b and c``."""
    if len(phrases) <= 1:
        return "".join(phrases)
    return f"{', '.join(phrases[:-1])} and {phrases[-1]}"
