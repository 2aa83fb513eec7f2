"""Reading lists: options, paths, and the fields of records."""

import re
from functools import cache
from typing import TYPE_CHECKING

from core.base.late_parts import compile_late
from core.language.sentences.patterns import CODE, QUOTE, match_any_of
from core.language.sentences.spans import Span, UnreadableError

if TYPE_CHECKING:
    from core.language.values.names import NameReader

_FIELD = compile_late(rf"(?P<name>\S+(?:\s+\S+){{0,3}}?)\s+(?:from|as|in|:)\s+(?P<selector>{QUOTE}|{CODE})")
_BETWEEN_COMMAS = compile_late(r"(?<![^,])[^,]+")


def read_any(span: Span) -> str:
    """Return quoted content, or the words as they are."""
    value = span.quoted if span.quoted is not None else span.text
    if not value or (span.quoted is None and span.has_quotes):
        raise UnreadableError
    return value


@cache
def _compile_comma(joints: frozenset[str]) -> re.Pattern[str]:
    words = match_any_of(joints)
    return re.compile(rf"\s*,\s*(?:(?:{words})\s+)?|\s+(?:{words})\s+")


def split_list(span: Span, joints: frozenset[str]) -> list[Span]:
    """Return the parts of a list with commas and "and"."""
    parts: list[Span] = []
    position = 0
    for comma in _compile_comma(joints).finditer(span.mask):
        parts.append(span.cut(position, comma.start()))
        position = comma.end()
    return [*parts, span.cut(position, len(span.mask))]


def split_several(span: Span, joints: frozenset[str]) -> list[Span]:
    """Return the parts of a list of two things or more.

    Raises:
        UnreadableError: If there are fewer.
    """
    parts = split_list(span, joints)
    if len(parts) < 2:
        raise UnreadableError
    return parts


def read_options(span: Span, names: "NameReader", barred: frozenset[str] = frozenset()) -> str | list[str]:
    """Return one option, or several in quotes.

    Args:
        barred: Words that no option without quotes holds, since they say where it is.
    """
    parts = split_list(span, names.joints)
    if len(parts) > 1 and all(part.quoted is not None for part in parts):
        return [read_any(part) for part in parts]
    if span.quoted is None and not barred.isdisjoint(span.words.split()[1:]):
        raise UnreadableError
    return names.read_name(span)


def read_several_options(span: Span, names: "NameReader") -> list[str]:
    """Return two options or more, each as a name of its own."""
    return [names.read_name(part) for part in split_several(span, names.joints)]


def read_items(span: Span, names: "NameReader") -> list[str]:
    """Return the names of two things or more; where commas divide them, "and" is part of a name."""
    parts = [span.cut(*each.span()) for each in _BETWEEN_COMMAS.finditer(span.mask)]
    parts = parts if len(parts) > 1 else split_several(span, names.joints)
    return [names.read_name(part) for part in parts]


def read_paths(span: Span, joints: frozenset[str]) -> str | list[str]:
    """Return a path, or several."""
    parts = [span] if span.literal else split_list(span, joints)
    if any(part.literal is None for part in parts):
        raise UnreadableError
    paths = [read_any(part) for part in parts]
    return paths[0] if len(paths) == 1 else paths


def read_fields(span: Span, joints: frozenset[str]) -> dict[str, str]:
    """Return fields of records: ``name from `.name` and price from `.price```."""
    fields: dict[str, str] = {}
    position, mask = 0, span.mask
    while match := _FIELD.match(mask, position):
        fields[span.cut_group(match, "name").text] = str(read_any(span.cut_group(match, "selector")))
        comma = _compile_comma(joints).match(mask, match.end())
        if not comma:
            position = match.end()
            break
        position = comma.end()
    if not fields or position < len(mask):
        raise UnreadableError
    return fields
