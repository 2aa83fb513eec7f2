"""Everything that a page gives of what a schema wants, without a model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.planners.extract.blocks import drop_furniture, find_sections
from agent.planners.extract.data import read_data
from agent.planners.extract.definitions import read_definitions, read_pairs
from agent.planners.extract.found import FoundGroup, FoundRecord, FoundValue, Path
from agent.planners.extract.labels import SURE, score_label
from agent.planners.extract.records import read_block, read_blocks
from agent.planners.extract.seen_lines import TEXT, SeenLine
from agent.planners.extract.seen_pages import SeenPage
from agent.planners.extract.shapes import FieldShape, ListShape, RecordShape, ValueShape
from agent.planners.extract.soles import is_weak
from agent.planners.extract.tables import read_tables

_LEAST_COVERED = 0.5  # of what a record has to have
_REQUIRED, _OPTIONAL = 2.0, 1.0


def find_records(page: SeenPage, shape: RecordShape) -> FoundGroup:
    """Return the records of a page: those of the table, list or data that has most of what is wanted."""
    groups = [
        *read_data(page, shape),
        *read_tables(page, shape),
        *read_definitions(page, shape),
        *read_blocks(page, shape),
    ]
    fitting = [each for each in groups if _cover(each.fields, shape) >= _LEAST_COVERED and _is_telling(each, shape)]
    best = max(fitting, key=lambda each: _weigh(each, shape), default=FoundGroup(records=(), fields=frozenset()))
    records = tuple(each for each in best.records if each.values)
    return replace(best, records=records)


def find_record(page: SeenPage, shape: RecordShape) -> FoundRecord:
    """Return the one record that a page is about, as far as it was found."""
    lines = drop_furniture(page.lines)
    record = read_block(_start_with_title(lines), page, shape)
    record.lines = None
    read_pairs(record, page, shape)
    for group in (*read_data(page, shape), *read_tables(page, shape)):
        if len(group.records) == 1:
            _take_over(record, group.records[0].values)
    for field in shape.fields:
        if not record.holds((field.name,)):
            _find_inside(record, page, field)
    return record


def list_labels(page: SeenPage, shape: RecordShape, record: FoundRecord) -> Iterable[tuple[FieldShape, SeenLine]]:
    """Yield what is missing of a record with a text of the page that is just what it is called, so that the page can be asked for its value."""
    texts = [each for each in drop_furniture(page.lines) if each.kind == TEXT and each.pair is None]
    for field in shape.fields:
        if isinstance(field.shape, ValueShape) and not record.holds((field.name,)):
            found = [each for each in texts if score_label(field.names, each.said) >= SURE]
            if len(found) == 1:
                yield field, found[0]


def _start_with_title(lines: Sequence[SeenLine]) -> tuple[SeenLine, ...]:
    """Return the lines from the first heading on, and those before it behind them: what a page is about stands in its heading."""
    top = next((place for place, each in enumerate(lines) if each.level), 0)
    return (*lines[top:], *lines[:top])


def _take_over(record: FoundRecord, values: Mapping[Path, FoundValue]) -> None:
    for path, value in values.items():
        if not record.holds(path[:1]):
            record.values[path] = value


def _find_inside(record: FoundRecord, page: SeenPage, field: FieldShape) -> None:
    """Read a record, or records, within a record: from the part under a heading that is called so, else from the whole page."""
    inner = field.shape.items if isinstance(field.shape, ListShape) else field.shape
    if not isinstance(inner, RecordShape):
        return
    part = _narrow(page, field)
    if isinstance(field.shape, ListShape):
        found: list[FoundRecord] = list(find_records(part, inner).records)
        values: dict[Path, FoundValue] = {
            (field.name, place, *path): value for place, each in enumerate(found) for path, value in each.values.items()
        }
    else:
        if part is page:
            return  # nothing says which of the page's values belong to it
        values = {(field.name, *path): value for path, value in find_record(part, inner).values.items()}
    record.values.update(values)


def _narrow(page: SeenPage, field: FieldShape) -> SeenPage:
    """Return the part of a page under the heading, or in the part, that is called like a property; the page itself where there is none."""
    parts: list[tuple[SeenLine, Sequence[SeenLine]]] = [*find_sections(page.lines), *_list_named(page.lines)]
    found = [lines for head, lines in parts if lines and score_label(field.names, head.said) >= SURE]
    if not found:
        return page
    numbers = {each.number for each in found[0]}
    tables = tuple(each for each in page.tables if each.line and each.line.number in numbers)
    return replace(page, lines=tuple(found[0]), tables=tables, data=())


def _list_named(lines: Sequence[SeenLine]) -> Iterable[tuple[SeenLine, Sequence[SeenLine]]]:
    """Yield each part that has a name, with the part itself at the head of what is in it."""
    for place, line in enumerate(lines):
        end = place + 1
        while end < len(lines) and lines[end].depth > line.depth:
            end += 1
        if line.said and not line.level and (end > place + 1 or line.kind == "table"):
            yield line, lines[place:end]


def _cover(fields: frozenset[str], shape: RecordShape) -> float:
    """Return the share of what a record has to have; of all properties where the schema requires none."""
    wanted = [each.name for each in shape.fields if each.is_required] or [each.name for each in shape.fields]
    return sum(each in fields for each in wanted) / len(wanted)


def _is_telling(group: FoundGroup, shape: RecordShape) -> bool:
    """Tell whether more says that these are the records than that each has a title or leads somewhere, if more is wanted."""
    found = [each for each in shape.fields if each.name in group.fields]
    if any(not is_weak(each) for each in found) or _is_labelled(group):
        return True
    return len(found) == len(shape.fields)


def _is_labelled(group: FoundGroup) -> bool:
    return any(value.way in {"data", "table", "label"} for record in group.records for value in record.values.values())


def _weigh(group: FoundGroup, shape: RecordShape) -> tuple[float, int]:
    weights = {each.name: _REQUIRED if each.is_required else _OPTIONAL for each in shape.fields}
    values: Any = sum(len(each.values) for each in group.records)
    return sum(weights[name] for name in group.fields), values
