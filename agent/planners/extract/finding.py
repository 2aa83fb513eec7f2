"""Everything that a page gives of what a schema wants, without a model."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agent.planners.extract.data import read_data, read_definitions, read_pairs
from agent.planners.extract.found import FoundGroup, FoundRecord, FoundValue, Path
from agent.planners.extract.records import is_weak, read_block, read_blocks
from agent.planners.extract.seen_pages import TEXT, SeenLine, SeenPage, drop_furniture, find_end, find_sections
from agent.planners.extract.shapes import SURE, FieldShape, ListShape, RecordShape, ValueShape, score_label
from agent.planners.extract.tables import read_tables

_LEAST_COVERED = 0.5  # of what a record has to have
_REQUIRED, _OPTIONAL = 2.0, 1.0
_LABELLED = frozenset({"data", "table", "label"})


def find_records(page: SeenPage, shape: RecordShape) -> tuple[FoundRecord, ...]:
    """Return the records of a page: those of the table, list or data that has most of what is wanted."""
    readers = (read_data, read_tables, read_definitions, read_blocks)
    groups = [group for read in readers for group in read(page, shape)]
    fitting = [each for each in groups if _cover(each, shape) >= _LEAST_COVERED and _is_telling(each, shape)]
    best = max(fitting, key=lambda each: _weigh(each, shape), default=FoundGroup())
    return tuple(each for each in best.records if each.values)


def find_record(page: SeenPage, shape: RecordShape) -> FoundRecord:
    """Return the one record that a page is about, as far as it was found."""
    lines = drop_furniture(page.lines)
    # What a page is about stands in its heading, so what is before that comes last.
    top = next((place for place, each in enumerate(lines) if each.level), 0)
    record = read_block((*lines[top:], *lines[:top]), page, shape)
    record.lines = None
    read_pairs(record, page, shape)
    for group in (*read_data(page, shape), *read_tables(page, shape)):
        if len(group.records) == 1:
            record.take_over(group.records[0].values)
    for field in shape.fields:
        if record.lacks(field):
            record.values |= _find_inside(page, field)
    return record


def list_labels(
    page: SeenPage, shape: RecordShape, record: FoundRecord
) -> Iterable[tuple[FieldShape, ValueShape, SeenLine]]:
    """Yield what is missing of a record with a text of the page that is just what it is called, so that the page can be asked for its value."""
    texts = [each for each in drop_furniture(page.lines) if each.kind == TEXT and each.pair is None]
    for field in shape.fields:
        if field.value and record.lacks(field):
            found = [each for each in texts if score_label(field.names, each.said) >= SURE]
            if len(found) == 1:
                yield field, field.value, found[0]


def _find_inside(page: SeenPage, field: FieldShape) -> dict[Path, FoundValue]:
    """Return a record, or records, within a record: from the part under a heading that is called so, else from the whole page."""
    inner = field.shape.items if isinstance(field.shape, ListShape) else field.shape
    if not isinstance(inner, RecordShape):
        return {}
    part = _narrow(page, field)
    if isinstance(field.shape, ListShape):
        found = enumerate(find_records(part, inner))
        return {(field.name, place, *path): value for place, each in found for path, value in each.values.items()}
    if part is page:
        return {}  # nothing says which of the page's values belong to it
    return {(field.name, *path): value for path, value in find_record(part, inner).values.items()}


def _narrow(page: SeenPage, field: FieldShape) -> SeenPage:
    """Return the part of a page under the heading, or in the part, that is called like a property; the page itself where there is none."""
    parts: list[tuple[SeenLine, Sequence[SeenLine]]] = [*find_sections(page.lines), *_list_named(page.lines)]
    found = [lines for head, lines in parts if lines and score_label(field.names, head.said) >= SURE]
    if not found:
        return page
    tables = tuple(each for each in page.tables if each.line in found[0])
    return replace(page, lines=tuple(found[0]), tables=tables, data=())


def _list_named(lines: Sequence[SeenLine]) -> Iterable[tuple[SeenLine, Sequence[SeenLine]]]:
    """Yield each part that has a name, with the part itself at the head of what is in it."""
    for place, line in enumerate(lines):
        inside = lines[place : find_end(lines, place)]
        if line.said and not line.level and (len(inside) > 1 or line.kind == "table"):
            yield line, inside


def _cover(group: FoundGroup, shape: RecordShape) -> float:
    """Return the share of what a record has to have; of all properties where the schema requires none."""
    wanted = [each.name for each in shape.fields if each.is_required] or [each.name for each in shape.fields]
    return sum(each in group.fields for each in wanted) / len(wanted)


def _is_telling(group: FoundGroup, shape: RecordShape) -> bool:
    """Tell whether more says that these are the records than that each has a title or leads somewhere, if more is wanted."""
    found = [each for each in shape.fields if each.name in group.fields]
    ways = {value.way for record in group.records for value in record.values.values()}
    return not all(map(is_weak, found)) or not ways.isdisjoint(_LABELLED) or len(found) == len(shape.fields)


def _weigh(group: FoundGroup, shape: RecordShape) -> tuple[float, int]:
    weights = {each.name: _REQUIRED if each.is_required else _OPTIONAL for each in shape.fields}
    return sum(weights[name] for name in group.fields), sum(len(each.values) for each in group.records)
