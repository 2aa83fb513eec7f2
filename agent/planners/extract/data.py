"""Records from what a page carries for programs: JSON-LD in the words of schema.org."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from agent.planners.extract.found import FoundGroup, FoundRecord, FoundValue, Path, ValueSource
from agent.planners.extract.labels import SURE, score_label
from agent.planners.extract.seen_pages import DATA, SeenPage
from agent.planners.extract.shapes import FieldShape, ListShape, RecordShape, ValueShape
from agent.planners.extract.values import convert_text

_MOST_THINGS = 1000
_DEEPEST = 4
_LONGEST = 300


def read_data(page: SeenPage, shape: RecordShape) -> list[FoundGroup]:
    """Return what things of each type give; a thing may be told within another one."""
    by_type: dict[str, list[FoundRecord]] = {}
    for place, thing in enumerate(_list_things(page.data, 0)):
        if place >= _MOST_THINGS:
            break
        record = _read_thing(thing, page, shape)
        if record.values:
            by_type.setdefault(str(thing.get("@type", "")), []).append(record)
    return [
        FoundGroup(
            records=tuple(records), fields=frozenset(str(path[0]) for record in records for path in record.values)
        )
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
        name = _find_name(field, facts)
        if name:
            for path, value, written in _read_fact(field, facts[name]):
                line = text if written in text else f"{name}: {written}"
                source = ValueSource(text=line, selector=DATA, origin=page.origin)
                record.values[path] = FoundValue(value=value, written=written, source=source, way="data")
    return record


def _find_offer(thing: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the only offer of a thing says: that is where schema.org puts a price."""
    offers = [each for each in _as_list(thing.get("offers")) if isinstance(each, Mapping)]
    return cast("Mapping[str, Any]", offers[0]) if len(offers) == 1 else {}


def _find_name(field: FieldShape, facts: Mapping[str, Any]) -> str:
    names = [name for name in facts if not name.startswith("@") and score_label(field.names, name) >= SURE]
    return names[0] if len(names) == 1 else ""


def _read_fact(field: FieldShape, fact: Any) -> Iterator[tuple[Path, Any, str]]:
    shape = field.shape
    if isinstance(shape, ListShape) and isinstance(shape.items, ValueShape):
        for place, each in enumerate(_as_list(fact)):
            yield from (((field.name, place), value, written) for value, written in _convert(each, shape.items))
    elif isinstance(shape, ValueShape) and len(_as_list(fact)) == 1:
        yield from (((field.name,), value, written) for value, written in _convert(_as_list(fact)[0], shape))


def _convert(fact: Any, shape: ValueShape) -> Iterator[tuple[Any, str]]:
    told = cast("Mapping[str, Any]", fact).get("name") if isinstance(fact, Mapping) else fact
    if not isinstance(told, str | int | float):
        return
    written = told.rsplit("/", 1)[-1] if shape.choices and isinstance(told, str) else _write(told)
    try:
        yield convert_text(written, shape, "en"), written  # numbers and dates of data are written for programs
    except ValueError:
        return


def _write(told: str | float) -> str:
    if isinstance(told, bool):
        return "true" if told else "false"
    return told if isinstance(told, str) else json.dumps(told)


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return cast("list[Any]", value) if isinstance(value, list) else [value]
