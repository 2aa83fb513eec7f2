"""Records from what a page carries for programs: JSON-LD in the words of schema.org."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, cast

from agent.planners.extract.found import FoundGroup, FoundRecord, Path, read_value
from agent.planners.extract.labels import SURE, score_label
from agent.planners.extract.seen_pages import DATA, SeenPage, Snippet
from agent.planners.extract.shapes import FieldShape, RecordShape, ValueShape

_MOST_THINGS = 1000
_DEEPEST = 4
_LONGEST = 300


def read_data(page: SeenPage, shape: RecordShape) -> list[FoundGroup]:
    """Return what things of each type give; a thing may be told within another one."""
    page = replace(page, language="en")  # numbers and dates of data are written for programs
    by_type: dict[str, list[FoundRecord]] = {}
    for thing in islice(_list_things(page.data, 0), _MOST_THINGS):
        record = _read_thing(thing, page, shape)
        if record.values:
            by_type.setdefault(str(thing.get("@type", "")), []).append(record)
    return [
        FoundGroup(tuple(records), frozenset(str(path[0]) for record in records for path in record.values))
        for records in by_type.values()
    ]


def _list_things(data: Sequence[Any], depth: int) -> Iterator[Mapping[str, Any]]:
    for each in data:
        if isinstance(each, Mapping) and depth < _DEEPEST:
            thing = cast("Mapping[str, Any]", each)
            yield thing
            yield from _list_things([part for value in thing.values() for part in _as_list(value)], depth + 1)


def _read_thing(thing: Mapping[str, Any], page: SeenPage, shape: RecordShape) -> FoundRecord:
    facts = {**_find_offer(thing), **thing}
    text = json.dumps(thing, ensure_ascii=False)[:_LONGEST]
    record = FoundRecord()
    for field in shape.fields:
        names = [name for name in facts if not name.startswith("@") and score_label(field.names, name) >= SURE]
        for path, wanted, fact in _list_wanted(field, facts[names[0]] if len(names) == 1 else None):
            if (written := _write(fact, wanted)) is not None:
                line = text if written in text else f"{names[0]}: {written}"
                with suppress(ValueError):
                    record.values[path] = read_value(page, wanted, Snippet(written, line, DATA), "data")
    return record


def _find_offer(thing: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the only offer of a thing says: that is where schema.org puts a price."""
    offers = [each for each in _as_list(thing.get("offers")) if isinstance(each, Mapping)]
    return cast("Mapping[str, Any]", offers[0]) if len(offers) == 1 else {}


def _list_wanted(field: FieldShape, fact: Any) -> Iterator[tuple[Path, ValueShape, Any]]:
    told = _as_list(fact)
    if field.entries:
        for place, each in enumerate(told):
            yield (field.name, place), field.entries, each
    elif field.value and len(told) == 1:
        yield (field.name,), field.value, told[0]


def _write(fact: Any, shape: ValueShape) -> str | None:
    """Return a fact as text; None where it is none."""
    told = cast("Mapping[str, Any]", fact).get("name") if isinstance(fact, Mapping) else fact
    if isinstance(told, str):
        return told.rsplit("/", 1)[-1] if shape.choices else told
    return json.dumps(told) if isinstance(told, int | float) else None


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return cast("list[Any]", value) if isinstance(value, list) else [value]
