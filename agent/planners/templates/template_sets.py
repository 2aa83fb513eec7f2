"""TemplateSet: templates that were found fit to be used together; all that is wrong with them is said at once."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from core.base.errors import TableError
from core.base.late_dataclasses import dataclass
from core.planning.planners.metadata import PlannerMetadata, StepDescriptor
from core.planning.planners.ports import PromptTemplate, name_placeholders
from core.rules.params import suggest

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


_Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class TemplateNeed:
    """A template that a planner can't do without.

    Attributes:
        name: Its id; ``explore.propose@2`` for one version of it, the highest counts otherwise.
        given: Names of the values that it may use.
        instead_of: The template that it is used in place of, and whose placeholders it has to have; empty for none.
    """

    name: str
    by: str
    given: frozenset[str] = frozenset()
    instead_of: str = ""


class TemplateSet:
    """Templates by id and version."""

    def __init__(self, templates: Iterable[PromptTemplate] = ()) -> None:
        self._templates: Mapping[_Key, PromptTemplate] = MappingProxyType(
            {(each.template_id, each.version): each for each in templates}
        )
        self._newest = dict(sorted(self._templates))

    def __iter__(self) -> Iterator[PromptTemplate]:
        return (self._templates[key] for key in sorted(self._templates))

    def find(self, name: str) -> PromptTemplate | None:
        """Return a template by its id, or its id and version; None if there is none."""
        template_id, _, version = name.partition("@")
        if not version:
            return self._templates.get((template_id, self._newest.get(template_id, 0)))
        return self._templates.get((template_id, int(version))) if version.isdecimal() else None

    def read(self, name: str) -> PromptTemplate:
        """Return a template by its id, or its id and version; a TableError if there is none."""
        if found := self.find(name):
            return found
        raise TableError(f"No template “{name}”{suggest(name, self._newest)}.", code="template_missing")

    def find_faults(self, needs: Iterable[TemplateNeed]) -> list[str]:
        """Return what is wrong with what planners need of these templates, one text each."""
        return [fault for need in needs if (fault := self._judge(need))]

    def _judge(self, need: TemplateNeed) -> str:
        found = self.find(need.name)
        if found is None:
            return f"{need.by} needs template “{need.name}”, which does not exist{suggest(need.name, self._newest)}"
        if need.instead_of:
            replaced = self.find(need.instead_of)
            same = replaced is None or found.placeholders == replaced.placeholders
            return "" if same else f"template “{need.name}” has other placeholders than “{need.instead_of}”"
        if lacking := found.placeholders - need.given:
            return f"template “{need.name}” has {_name_all(lacking)}, which {need.by} does not give"
        return ""


def list_needs(metadata: PlannerMetadata) -> list[TemplateNeed]:
    """Return the templates that a planner's steps name, and what each gives to its own."""
    return [
        TemplateNeed(
            step.template_id, f"step “{step.step_id}” of planner “{metadata.name}”", name_given(metadata, step)
        )
        for step in metadata.steps
        if step.template_id
    ]


def name_given(metadata: PlannerMetadata, step: StepDescriptor) -> frozenset[str]:
    """Return the names of what a step may put into its template: its inputs, and the planner's own and its settings."""
    return frozenset({*step.inputs, *(each.name for each in metadata.inputs), *metadata.settings})


def find_doubles(found: Sequence[FoundTemplate]) -> list[str]:
    """Return which templates are there twice, with both files."""
    first: dict[_Key, FoundTemplate] = {}
    return [
        f"{each.file}: {_name(each)} is in {other.file} as well"
        for each in found
        if (other := first.setdefault(each.key, each)) is not each
    ]


def replace_templates(shipped: TemplateSet, own: Sequence[FoundTemplate]) -> tuple[TemplateSet, list[str]]:
    """Return the shipped templates with a person's own in place of those of the same id and version, and what is wrong.

    A replacement has the same placeholders: the planner gives no others, and what is left out would be lost unseen. One that
    names a version that isn't shipped (any more) was written for another planner.
    """
    templates = {(each.template_id, each.version): each for each in shipped}
    faults = find_doubles(own)
    for each in own:
        faults += _find_misfits(each, shipped)
        templates[each.key] = each.template
    return TemplateSet(templates.values()), faults


def _find_misfits(own: FoundTemplate, shipped: TemplateSet) -> Iterator[str]:
    newest = shipped.find(own.template.template_id)
    if newest is None:
        return
    replaced = shipped.find(f"{own.template.template_id}@{own.template.version}")
    if replaced is None:
        yield f"{own.file}: {_name(own)} replaces nothing; Surehand has version {newest.version}"
        return
    for names, what in (
        (replaced.placeholders - own.template.placeholders, "lacks"),
        (own.template.placeholders - replaced.placeholders, "may not have"),
    ):
        if names:
            yield f"{own.file}: {_name(own)} {what} {_name_all(names)}"


def _name(found: FoundTemplate) -> str:
    return f"version {found.template.version} of {found.template.template_id}"


def _name_all(placeholders: frozenset[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(placeholders))
