"""Records from what a page carries for programs: JSON-LD in the words of schema.org."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from html.parser import HTMLParser
from itertools import islice
from typing import Any, cast

from agent.planners.extract.found import FoundGroup, FoundRecord, Path, read_value
from agent.planners.extract.records import is_called
from agent.planners.extract.seen_pages import CUT, DATA, SeenLine, SeenPage, Snippet
from agent.planners.extract.shapes import SURE, FieldShape, RecordShape, ValueShape, assign_labels, score_label
from core.base.matching import fold_space
from core.selectors.selectors import quote_name

_BLOCKS = frozenset({"p", "div", "li", "br", "pre", "tr"})


def parse_definitions(html: str, lines: Sequence[SeenLine]) -> tuple[tuple[str, str], ...]:
    """Return the terms of a definition list with what is said of them, as far as the outline of its page shows them."""
    parser = _DefinitionParser()
    parser.feed(html)
    parser.close()
    seen = {fold_space(line.said).removesuffix(CUT).rstrip() for line in lines if line.said}
    return tuple((term, text) for term, text in parser.list_pairs() if term in seen and _is_seen(text, seen))


def read_definitions(page: SeenPage, shape: RecordShape) -> list[FoundGroup]:
    """Return what definition lists give where a title and a text are all that is wanted: a pair is then a record."""
    title = [each for each in shape.fields if is_called(each, "title")]
    prose = [each for each in shape.fields if is_called(each, "prose")]
    others = [each for each in shape.fields if each.is_required and each not in (*title, *prose)]
    if len(title) != 1 or len(prose) != 1 or others:
        return []
    groups = [[_read_pair(page, pair, title[0], prose[0]) for pair in pairs] for pairs in page.definitions]
    fields = frozenset({title[0].name, prose[0].name})
    return [FoundGroup(tuple(records), fields) for records in groups if records]


def read_pairs(record: FoundRecord, page: SeenPage, shape: RecordShape) -> None:
    """Put what definition lists say of a record into it, where nothing has said that yet."""
    pairs = [pair for pairs in page.definitions for pair in pairs]
    for field, place in assign_labels(shape.fields, [term for term, _ in pairs]):
        if record.lacks(field):
            _put(record, page, field, pairs[place], pairs[place][1])


def _read_pair(page: SeenPage, pair: tuple[str, str], title: FieldShape, prose: FieldShape) -> FoundRecord:
    record = FoundRecord()
    for field, text in zip((title, prose), pair, strict=True):
        _put(record, page, field, pair, text)
    return record


def _put(record: FoundRecord, page: SeenPage, field: FieldShape, pair: tuple[str, str], text: str) -> None:
    if field.value:
        line = f"{pair[0]}: {pair[1]}"
        record.try_put(page, (field.name,), field.value, quote_pair(pair[0], text, line), "label")


def quote_pair(label: str, text: str, line: str = "") -> Snippet:
    """Return what a page pairs with a label by its own markup."""
    return Snippet(text, line, f"value {quote_name(label)}")


def _is_seen(text: str, seen: set[str]) -> bool:
    return any(text.startswith(each) or each.startswith(text) for each in seen if each)


class _DefinitionParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._parts: list[tuple[str, list[str]]] = []
        self._is_open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in {"dt", "dd"}:
            self._parts.append((tag, []))
            self._is_open = True
        elif tag in _BLOCKS and self._parts:
            self._parts[-1][1].append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in {"dt", "dd"}:
            self._is_open = False

    def handle_data(self, data: str) -> None:
        if self._is_open and self._parts:
            self._parts[-1][1].append(data)

    def list_pairs(self) -> Iterator[tuple[str, str]]:
        said = [(tag, fold_space("".join(texts))) for tag, texts in self._parts]
        for place, (tag, term) in enumerate(said):
            kinds = "".join(each[1] for each, _ in said[max(place - 1, 0) : place + 3])
            is_alone = kinds[1 if place else 0 :][:3] in {"td", "tdt"} and (not place or kinds[0] == "d")
            if tag == "dt" and term and is_alone and said[place + 1][1]:
                yield term, said[place + 1][1]


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
    told = cast("Mapping[str, Any]", fact).get("name") if isinstance(fact, Mapping) else fact
    if isinstance(told, str):
        return told.rsplit("/", 1)[-1] if shape.choices else told
    return json.dumps(told) if isinstance(told, int | float) else None


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return cast("list[Any]", value) if isinstance(value, list) else [value]
