"""Prompt files: TOML in which each table is a template, ``[explore.propose]`` with ``version`` and ``text``."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.planning.planners.ports import PromptTemplate
from core.planning.planners.rendering import name_placeholders

LONGEST_TEXT = 50_000
_KEYS = frozenset({"version", "text"})
_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")


class PromptError(ValueError):
    """Something in a prompt file is wrong; the text says where and what."""


@dataclass(frozen=True, slots=True)
class FoundTemplate:
    """A template and where it was found."""

    template: PromptTemplate
    file: str

    @property
    def key(self) -> tuple[str, int]:
        """Its id and version."""
        return self.template.template_id, self.template.version


def read_prompts(text: str, file: str) -> list[FoundTemplate]:
    """Return the templates of a file, in its order; several versions of one are a list of tables.

    Raises:
        PromptError: If it isn't TOML, is empty, or a template is malformed; names the file and the place.
    """
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PromptError(f"{file}: {error}") from None
    if not data:  # as a file is that somebody has just begun to write
        raise PromptError(f"{file}: it holds no template")
    return [_read_template(place, table, file) for place, table in _walk(data, "", file)]


def _walk(tables: Mapping[str, Any], above: str, file: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each template's table with its id; ``[explore.propose]`` and ``["explore.propose"]`` mean the same."""
    for name, value in tables.items():
        place = f"{above}.{name}" if above else name
        if isinstance(value, list):
            yield from ((place, _check_table(each, place, file)) for each in value)
        elif _KEYS & (table := _check_table(value, place, file)).keys() or not table:
            yield place, table
        else:
            yield from _walk(table, place, file)


def _check_table(value: object, place: str, file: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise PromptError(f"{file}: {place} is not a table with version and text")
    return value


def _read_template(template_id: str, table: Mapping[str, Any], file: str) -> FoundTemplate:
    place = f"{file}: {template_id}"
    if not _ID.fullmatch(template_id):
        raise PromptError(
            f"{place} can't name a template; write words in lower case with dots, such as explore.propose"
        )
    if unknown := sorted(table.keys() - _KEYS):
        raise PromptError(f"{place}.{unknown[0]} is unknown; there are {', '.join(sorted(_KEYS))}")
    version, text = table.get("version"), table.get("text")
    if type(version) is not int or version < 1:
        raise PromptError(f"{place}.version must be a number from 1")
    if not isinstance(text, str) or not text.strip() or len(text) > LONGEST_TEXT:
        raise PromptError(f"{place}.text must be a text of 1 to {LONGEST_TEXT} characters")
    try:
        placeholders = name_placeholders(text)
    except ValueError as error:
        raise PromptError(f"{place}.text: {error}") from None
    template = PromptTemplate(template_id=template_id, version=version, text=text.strip(), placeholders=placeholders)
    return FoundTemplate(template, file)
