"""Records from tables: a row each, a property under the heading that is called so."""

from collections.abc import Sequence

from agent.planners.extract.found import FoundGroup, FoundRecord, FoundValue, Path, ValueSource
from agent.planners.extract.labels import LabelMatch, assign_labels
from agent.planners.extract.seen_pages import SeenLink, SeenPage, SeenTable
from agent.planners.extract.shapes import FieldShape, ListShape, RecordShape, ValueShape
from agent.planners.extract.values import convert_text, split_list
from core.outlines.writing import BETWEEN_CELLS
from core.selectors.selectors import quote_name

_LEAST_FITTING = 0.5  # of a column's cells that say something
_ADDRESSES = frozenset({"uri", "url"})


def read_tables(page: SeenPage, shape: RecordShape) -> list[FoundGroup]:
    """Return what each table gives; those that have what is required under the same headings are one group.

    Args:
        page: Where they are.
        shape: Of a record.
    """
    alike: dict[tuple[str, ...], list[SeenTable]] = {}
    for table in page.tables:
        alike.setdefault(_find_key(table, shape), []).append(table)
    groups = [[_read_table(table, page, shape) for table in tables] for tables in alike.values()]
    return [_join(found) for found in groups if any(each.fields for each in found)]


def _join(groups: Sequence[FoundGroup]) -> FoundGroup:
    return FoundGroup(
        records=tuple(record for group in groups for record in group.records),
        fields=frozenset[str]().union(*(group.fields for group in groups)),
        is_cut=any(group.is_cut for group in groups),
    )


def _find_key(table: SeenTable, shape: RecordShape) -> tuple[str, ...]:
    """Return the headings of what is required; all headings where one of those is missing, or nothing is required."""
    headers = {shape.fields[each.field].name: table.headers[each.label] for each in _match(table, shape)}
    required = [each.name for each in shape.fields if each.is_required]
    return tuple(headers[name] for name in required) if required and set(required) <= headers.keys() else table.headers


def _match(table: SeenTable, shape: RecordShape) -> Sequence[LabelMatch]:
    return assign_labels([each.names for each in shape.fields], table.headers)


def _read_table(table: SeenTable, page: SeenPage, shape: RecordShape) -> FoundGroup:
    records = [FoundRecord() for _ in table.rows]
    fields = {
        shape.fields[each.field].name
        for each in _match(table, shape)
        if _fill_column(records, table, page, shape, each)
    }
    fields |= _fill_links(records, table, page, [each for each in shape.fields if each.name not in fields])
    return FoundGroup(records=tuple(records), fields=frozenset(fields), is_cut=table.is_cut)


def _fill_column(
    records: Sequence[FoundRecord], table: SeenTable, page: SeenPage, shape: RecordShape, match: LabelMatch
) -> bool:
    """Put what stands in a column into the records, if most of it is what the property wants."""
    field = shape.fields[match.field]
    if _find_format(field) in _ADDRESSES:
        return False  # a cell shows what a link is called, not where it leads
    written = _read_column(table, match.label)
    read = [_convert(cell, field, page.language) for cell in written]
    said = [cell for cell in written if cell.strip()]
    if sum(
        isinstance(each, list) for each, cell in zip(read, written, strict=True) if cell.strip()
    ) < _LEAST_FITTING * max(len(said), 1):
        return False
    for place, (record, cell, values) in enumerate(zip(records, written, read, strict=True)):
        source = tell_row(table, page, place, table.headers[match.label])
        if isinstance(values, str):
            record.refused[(field.name,)] = (
                f"“{cell}” under “{table.headers[match.label]}”: {values}" if cell.strip() else "its cell is empty"
            )
            continue
        for path, value in values:
            record.values[path] = FoundValue(value=value, written=cell, source=source, way="table")
    return True


def _read_column(table: SeenTable, place: int) -> list[str]:
    """Return the cells of a column; one that spans several columns says nothing of any of them."""
    spanning = [_spans(row, place) for row in table.rows]
    is_usual = sum(spanning) > _LEAST_FITTING * len(spanning)
    return ["" if spans and not is_usual else row[place] for row, spans in zip(table.rows, spanning, strict=True)]


def _spans(row: Sequence[str], place: int) -> bool:
    beside = [row[other] for other in (place - 1, place + 1) if 0 <= other < len(row)]
    return row[place] in beside and any(each.isalpha() for each in row[place])


def _convert(cell: str, field: FieldShape, language: str) -> list[tuple[Path, object]] | str:
    """Return the values of a cell by path, or why it isn't one."""
    try:
        if isinstance(field.shape, ValueShape):
            return [((field.name,), convert_text(cell, field.shape, language))]
        if isinstance(field.shape, ListShape) and isinstance(field.shape.items, ValueShape):
            items = field.shape.items
            return [
                ((field.name, place), convert_text(each, items, language))
                for place, each in enumerate(split_list(cell))
            ]
    except ValueError as error:
        return str(error)
    return "a record doesn't fit into a cell"


def _find_format(field: FieldShape) -> str:
    return field.shape.format if isinstance(field.shape, ValueShape) else ""


def _fill_links(
    records: Sequence[FoundRecord], table: SeenTable, page: SeenPage, fields: Sequence[FieldShape]
) -> set[str]:
    """Put the address of the only link of each row into the only property that wants an address."""
    wanted = [each for each in fields if _find_format(each) in _ADDRESSES and isinstance(each.shape, ValueShape)]
    if len(wanted) != 1:
        return set()
    found = [_find_link(row, page.links, table.rows) for row in table.rows]
    if sum(each is not None for each in found) < _LEAST_FITTING * max(len(found), 1):
        return set()
    for place, (record, link) in enumerate(zip(records, found, strict=True)):
        if link is not None:
            source = tell_row(table, page, place, "")
            record.values[wanted[0].name,] = FoundValue(value=link.url, written=link.text, source=source, way="sole")
    return {wanted[0].name}


def _find_link(row: Sequence[str], links: Sequence[SeenLink], rows: Sequence[Sequence[str]]) -> SeenLink | None:
    """Return the only link whose name is a cell of a row and of no other one; None where there is none, or several lead elsewhere."""
    own = [cell for cell in row if cell and sum(cell in other for other in rows) == 1]
    found = {link.url: link for link in links if link.text and link.text in own}
    return next(iter(found.values())) if len(found) == 1 else None


def tell_row(table: SeenTable, page: SeenPage, place: int, header: str) -> ValueSource:
    """Return a row as the line that a value came from.

    Args:
        table: The table.
        page: Where it is.
        place: Of the row, from 0.
        header: Of the column; empty for the row.
    """
    row = table.rows[place]
    first = row[0] if row else ""
    is_named = first and [each[0] for each in table.rows].count(first) == 1
    named = f"row {quote_name(first)}" if is_named else ""
    inside = f" in ({table.selector})" if named else ""
    cell = f"cell {quote_name(header)} in {named}" if named and header else named
    return ValueSource(
        text=BETWEEN_CELLS.join(row), selector=f"{cell}{inside}" if cell else table.selector, origin=page.origin
    )
