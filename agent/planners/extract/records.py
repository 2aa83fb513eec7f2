"""A record from the lines that it is written in: by its labels first, then by what is the only thing of its kind in it."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agent.planners.extract.blocks import Block, find_blocks, find_sections
from agent.planners.extract.found import FoundGroup, FoundRecord, FoundValue, Path, ValueSource, Way
from agent.planners.extract.labels import SURE, assign_labels, score_label
from agent.planners.extract.seen_lines import TEXT, TICKS, SeenLine, Snippet
from agent.planners.extract.seen_pages import SeenPage
from agent.planners.extract.shapes import FieldShape, ListShape, RecordShape, ValueShape
from agent.planners.extract.soles import find_soles
from agent.planners.extract.values import convert_text, split_list

_LEAST_SHARE = 0.5  # of the records that a property has to be found in


@dataclass(frozen=True, slots=True)
class _Labelled:
    label: str
    written: Snippet


def read_blocks(page: SeenPage, shape: RecordShape) -> list[FoundGroup]:
    """Return what each group of like parts gives; runs that have the same are one group."""
    groups: list[FoundGroup] = []
    for runs in find_blocks(page.lines):
        alike: dict[frozenset[str], list[FoundRecord]] = {}
        for blocks in runs:
            records = [read_block(block, page, shape) for block in blocks]
            alike.setdefault(_list_fields(records, shape), []).extend(records)
        groups += [FoundGroup(records=tuple(records), fields=fields) for fields, records in alike.items() if fields]
    return groups


def _list_fields(records: Sequence[FoundRecord], shape: RecordShape) -> frozenset[str]:
    """Return the properties that most of the records have."""
    counts = {each.name: sum(record.holds((each.name,)) for record in records) for each in shape.fields}
    return frozenset(name for name, count in counts.items() if count >= _LEAST_SHARE * len(records) and count)


def read_block(block: Block, page: SeenPage, shape: RecordShape) -> FoundRecord:
    """Return what the lines of a record say."""
    record = FoundRecord(lines=(block[0].number, block[-1].number + 1) if block else None)
    labelled = [*_list_pairs(block), *_list_stacked(block, shape)]
    for match in assign_labels([each.names for each in shape.fields], [each.label for each in labelled]):
        written = labelled[match.label].written
        _put(record, page, shape.fields[match.field], written, "label")
    _read_sections(record, block, page, shape)
    for field in shape.fields:
        if not record.holds((field.name,)) and (field.name,) not in record.refused:
            _read_sole(record, block, page, field, shape)
    return record


def _list_pairs(block: Block) -> Iterator[_Labelled]:
    for line in block:
        if line.pair:
            yield _Labelled(line.pair[0], Snippet(line.pair[1], line, line.said if line.kind in TICKS else ""))


def _list_stacked(block: Block, shape: RecordShape) -> Iterator[_Labelled]:
    """Yield what stands below a line that is just what a property is called, colon and all."""
    for line, below in itertools.pairwise(block):
        is_label = line.kind == TEXT and below.kind == TEXT and line.depth == below.depth and line.said.endswith(":")
        if is_label and any(score_label(each.names, line.said) >= SURE for each in shape.fields):
            yield _Labelled(line.said, Snippet(below.said, below))


def _read_sections(record: FoundRecord, block: Block, page: SeenPage, shape: RecordShape) -> None:
    """Read what stands under headings that are called like properties: a text, or a list."""
    sections = list(find_sections(block))
    wanted = [each for each in shape.fields if not record.holds((each.name,))]
    for match in assign_labels([each.names for each in wanted], [heading.said for heading, _ in sections]):
        field, under = wanted[match.field], sections[match.label][1]
        if isinstance(field.shape, ListShape) and isinstance(field.shape.items, ValueShape):
            entries = [Snippet(each.said, each) for each in _take_run(under) if each.said]
            _put_list(record, page, field, field.shape.items, entries)
        elif isinstance(field.shape, ValueShape) and len(texts := [each for each in under if each.kind == TEXT]) == 1:
            _put(record, page, field, Snippet(texts[0].said, texts[0]), "heading")


def _take_run(lines: Block) -> Iterator[SeenLine]:
    """Return the lines from the first on that are like it: what stands behind them is no entry of the same list."""
    return itertools.takewhile(lambda each: (each.kind, each.depth) == (lines[0].kind, lines[0].depth), lines)


def _read_sole(record: FoundRecord, block: Block, page: SeenPage, field: FieldShape, shape: RecordShape) -> None:
    """Read what is the only thing in a record that a property can mean."""
    used = {found.source.selector for found in record.values.values() if found.way == "label"}
    found = [each for each in find_soles(block, page, field, shape) if each.line.selector not in used]
    if len({each.text for each in found}) == 1:
        _put(record, page, field, found[0], "heading" if found[0].line.level else "sole")


def _put(record: FoundRecord, page: SeenPage, field: FieldShape, written: Snippet, way: Way) -> None:
    """Put what is written into a record, or why it can't be."""
    shape = field.shape
    if isinstance(shape, ListShape) and isinstance(shape.items, ValueShape):
        _put_list(record, page, field, shape.items, [Snippet(each, written.line) for each in split_list(written.text)])
    elif isinstance(shape, ValueShape):
        _put_value(record, page, (field.name,), (shape, written, way))


def _put_list(
    record: FoundRecord, page: SeenPage, field: FieldShape, shape: ValueShape, entries: Sequence[Snippet]
) -> None:
    for place, entry in enumerate(entries):
        _put_value(record, page, (field.name, place), (shape, entry, "list"))


def _put_value(record: FoundRecord, page: SeenPage, path: Path, what: tuple[ValueShape, Snippet, Way]) -> None:
    shape, written, way = what
    try:
        value: Any = convert_text(written.text, shape, page.language)
    except ValueError as error:
        record.refused[path] = f"“{written.text}”: {error}"
        return
    source = ValueSource(text=written.line.plain, selector=written.line.selector, origin=page.origin)
    record.values[path] = FoundValue(value=value, written=written.shown or written.text, source=source, way=way)
