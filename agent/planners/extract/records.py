"""A record from the lines that it is written in: by its labels first, then by what is the only thing of its kind in it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from agent.planners.extract.blocks import Block, find_blocks, find_sections
from agent.planners.extract.found import FoundGroup, FoundRecord, Way
from agent.planners.extract.labels import SURE, assign_labels, score_label
from agent.planners.extract.seen_pages import TEXT, TICKS, SeenLine, SeenPage, Snippet
from agent.planners.extract.shapes import FieldShape, RecordShape, ValueShape
from agent.planners.extract.soles import find_soles
from agent.planners.extract.values import split_list

_LEAST_SHARE = 0.5  # of the records that a property has to be found in


def read_blocks(page: SeenPage, shape: RecordShape) -> list[FoundGroup]:
    """Return what each group of like parts gives; runs that have the same are one group."""
    groups: list[FoundGroup] = []
    for runs in find_blocks(page.lines):
        alike: dict[frozenset[str], list[FoundRecord]] = {}
        for blocks in runs:
            records = [read_block(block, page, shape) for block in blocks]
            alike.setdefault(_list_fields(records, shape), []).extend(records)
        groups += [FoundGroup(tuple(records), fields) for fields, records in alike.items() if fields]
    return groups


def _list_fields(records: Sequence[FoundRecord], shape: RecordShape) -> frozenset[str]:
    """Return the properties that most of the records have."""
    counts = {each.name: sum(not record.lacks(each) for record in records) for each in shape.fields}
    return frozenset(name for name, count in counts.items() if count >= _LEAST_SHARE * len(records) and count)


def read_block(block: Block, page: SeenPage, shape: RecordShape) -> FoundRecord:
    """Return what the lines of a record say."""
    record = FoundRecord(lines=(block[0].number, block[-1].number + 1) if block else None)
    labelled = [*_list_pairs(block), *_list_stacked(block, shape)]
    for field, place in assign_labels(shape.fields, [label for label, _ in labelled]):
        _put(record, page, field, labelled[place][1], "label")
    _read_sections(record, block, page, shape)
    for field in shape.fields:
        if record.lacks(field) and (field.name,) not in record.refused:
            _read_sole(record, block, page, field, shape)
    return record


def _list_pairs(block: Block) -> Iterator[tuple[str, Snippet]]:
    for line in block:
        if line.pair:
            yield line.pair[0], line.quote(line.pair[1], line.said if line.kind in TICKS else "")


def _list_stacked(block: Block, shape: RecordShape) -> Iterator[tuple[str, Snippet]]:
    """Yield what stands below a line that is just what a property is called, colon and all."""
    for line, below in pairwise(block):
        is_label = line.kind == TEXT and below.kind == TEXT and line.depth == below.depth and line.said.endswith(":")
        if is_label and any(score_label(each.names, line.said) >= SURE for each in shape.fields):
            yield line.said, below.quote(below.said)


def _read_sections(record: FoundRecord, block: Block, page: SeenPage, shape: RecordShape) -> None:
    """Read what stands under headings that are called like properties: a text, or a list."""
    sections = list(find_sections(block))
    wanted = [each for each in shape.fields if record.lacks(each)]
    for field, place in assign_labels(wanted, [heading.said for heading, _ in sections]):
        under = sections[place][1]
        texts = [each for each in under if each.kind == TEXT]
        if field.entries:
            _put_list(
                record, page, field, field.entries, [each.quote(each.said) for each in _take_run(under) if each.said]
            )
        elif field.value and len(texts) == 1:
            _put(record, page, field, texts[0].quote(texts[0].said), "heading")


def _take_run(lines: Block) -> Iterator[SeenLine]:
    """Return the lines from the first on that are like it: what stands behind them is no entry of the same list."""
    return takewhile(lambda each: (each.kind, each.depth) == (lines[0].kind, lines[0].depth), lines)


def _read_sole(record: FoundRecord, block: Block, page: SeenPage, field: FieldShape, shape: RecordShape) -> None:
    """Read what is the only thing in a record that a property can mean."""
    used = {found.selector for found in record.values.values() if found.way == "label"}
    found = [each for each in find_soles(block, page, field, shape) if each.selector not in used]
    if len({each.text for each in found}) == 1:
        _put(record, page, field, found[0], "heading" if found[0].is_heading else "sole")


def _put(record: FoundRecord, page: SeenPage, field: FieldShape, snippet: Snippet, way: Way) -> None:
    if field.entries:
        entries = [Snippet(each, snippet.line, snippet.selector) for each in split_list(snippet.text)]
        _put_list(record, page, field, field.entries, entries)
    elif field.value:
        record.try_put(page, (field.name,), field.value, snippet, way)


def _put_list(
    record: FoundRecord, page: SeenPage, field: FieldShape, shape: ValueShape, entries: Sequence[Snippet]
) -> None:
    for place, entry in enumerate(entries):
        record.try_put(page, (field.name, place), shape, entry, "list")
