"""Reading lists: options, paths, and the fields of records."""

import re
from typing import TYPE_CHECKING

from core.language.patterns import CODE, QUOTE
from core.language.spans import Span, UnreadableError

if TYPE_CHECKING:
    from core.language.names import NameReader

_FIELD = re.compile(rf"(?P<name>\S+(?:\s+\S+){{0,3}}?)\s+(?:from|as|in|:)\s+(?P<selector>{QUOTE}|{CODE})")
_BETWEEN_COMMAS = re.compile(r"(?<![^,])[^,]+")
_COMMA = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")


def read_any(span: Span) -> str:
    """Return quoted content, or the words as they are.

    Raises:
        UnreadableError: If there are none, or quotes within them.
    """
    value = span.quoted if span.quoted is not None else span.text
    if not value or (span.quoted is None and span.has_quotes):
        raise UnreadableError
    return value


def split_list(span: Span) -> list[Span]:
    """Return the parts of a list with commas and "and"."""
    parts: list[Span] = []
    position = 0
    for comma in _COMMA.finditer(span.mask):
        parts.append(span.cut(position, comma.start()))
        position = comma.end()
    return [*parts, span.cut(position, len(span.mask))]


def read_options(span: Span, names: "NameReader") -> str | list[str]:
    """Return one option, or several in quotes."""
    parts = split_list(span)
    if len(parts) > 1 and all(part.quoted is not None for part in parts):
        return [read_any(part) for part in parts]
    return names.read_name(span)


def read_several_options(span: Span, names: "NameReader") -> list[str]:
    """Return two options or more, each as a name of its own.

    Raises:
        UnreadableError: If there is only one, or one can't be a name.
    """
    parts = split_list(span)
    if len(parts) < 2:
        raise UnreadableError
    return [names.read_name(part) for part in parts]


def read_items(span: Span, names: "NameReader") -> list[str]:
    """Return the names of two things or more; where commas divide them, "and" is part of a name.

    Raises:
        UnreadableError: If there is only one, or one can't be a name.
    """
    parts = [span.cut(*each.span()) for each in _BETWEEN_COMMAS.finditer(span.mask)]
    parts = parts if len(parts) > 1 else split_list(span)
    if len(parts) < 2:
        raise UnreadableError
    return [names.read_name(part) for part in parts]


def read_paths(span: Span) -> str | list[str]:
    """Return a path, or several.

    Raises:
        UnreadableError: If one of them isn't written as one.
    """
    parts = [span] if span.literal else split_list(span)
    if any(part.literal is None for part in parts):
        raise UnreadableError
    paths = [read_any(part) for part in parts]
    return paths[0] if len(paths) == 1 else paths


def read_fields(span: Span) -> dict[str, str]:
    """Return fields of records: ``name from `.name` and price from `.price```.

    Raises:
        UnreadableError: If there are none, or other words.
    """
    fields: dict[str, str] = {}
    position, mask = 0, span.mask
    while match := _FIELD.match(mask, position):
        fields[span.cut_group(match, "name").text] = str(read_any(span.cut_group(match, "selector")))
        comma = _COMMA.match(mask, match.end())
        if not comma:
            position = match.end()
            break
        position = comma.end()
    if not fields or position < len(mask):
        raise UnreadableError
    return fields
