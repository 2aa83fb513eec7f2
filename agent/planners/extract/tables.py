"""Records from tables: a row each, a property under the heading that is called so."""

from collections.abc import Sequence

from agent.planners.extract.blocks import Block
from agent.planners.extract.found import FoundGroup, FoundRecord, FoundValue, Path, ValueSource
from agent.planners.extract.labels import LabelMatch, assign_labels
from agent.planners.extract.seen_lines import SeenLine
from agent.planners.extract.seen_pages import SeenPage, SeenTable
from agent.planners.extract.shapes import FieldShape, ListShape, RecordShape, ValueShape
from agent.planners.extract.table_rows import find_row_blocks, find_shown, tell_row
from agent.planners.extract.values import convert_text, split_list

_LEAST_FITTING = 0.5  # of a column's cells that say something
_ADDRESSES = frozenset({"uri", "url"})


def read_tables(page: SeenPage, shape: RecordShape) -> list[FoundGroup]:
    """Return what each table gives; those that have what is required under the same headings are one group."""
    alike: dict[tuple[str, ...], list[SeenTable]] = {}
    for table in page.tables:
        alike.setdefault(_find_key(table, shape), []).append(table)
    groups = [[_TableReading(table, page, shape).read() for table in tables] for tables in alike.values()]
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


class _TableReading:
    """Reads one table."""

    def __init__(self, table: SeenTable, page: SeenPage, shape: RecordShape) -> None:
        self._table = table
        self._page = page
        self._shape = shape
        self._records = [FoundRecord() for _ in table.rows]
        self._blocks = find_row_blocks(table, page)

    def read(self) -> FoundGroup:
        """Return its rows as records."""
        matches = _match(self._table, self._shape)
        fields = {self._shape.fields[each.field].name for each in matches if self._fill_column(each)}
        fields |= self._fill_links([each for each in self._shape.fields if each.name not in fields])
        return FoundGroup(records=tuple(self._records), fields=frozenset(fields), is_cut=self._table.is_cut)

    def _fill_column(self, match: LabelMatch) -> bool:
        """Put what stands in a column into the records, if most of it is what the property wants."""
        field, header = self._shape.fields[match.field], self._table.headers[match.label]
        if _find_format(field) in _ADDRESSES:
            return False  # a cell shows what a link is called, not where it leads
        cells = _read_column(self._table, match.label)
        if not any(cells) and (shown := find_shown(self._blocks)):
            cells = shown
        read = [_convert(cell, field, self._page.language) for cell in cells]
        said = [values for values, cell in zip(read, cells, strict=True) if cell]
        if not said or sum(isinstance(each, list) for each in said) < _LEAST_FITTING * len(said):
            for record in self._records:
                record.refused[field.name,] = f"nothing under “{header}” is that"
            return False
        for place, (cell, values) in enumerate(zip(cells, read, strict=True)):
            self._put(place, field, header, (cell, values))
        return True

    def _put(
        self, place: int, field: FieldShape, header: str, what: tuple[str, list[tuple[Path, object]] | str]
    ) -> None:
        cell, values = what
        record = self._records[place]
        if isinstance(values, str):
            record.refused[field.name,] = f"“{cell}” under “{header}”: {values}" if cell else "its cell is empty"
            return
        line = self._blocks[place][0] if self._blocks else None
        source = tell_row(self._table, self._page, place, (header, cell, line))
        for path, value in values:
            record.values[path] = FoundValue(value=value, written=cell, source=source, way="table")

    def _fill_links(self, fields: Sequence[FieldShape]) -> set[str]:
        """Put the address of the only link of each row into the only property that wants an address."""
        wanted = [each for each in fields if _find_format(each) in _ADDRESSES]
        found = [_find_link(block, self._page) for block in self._blocks]
        if len(wanted) != 1 or not found or sum(each is not None for each in found) < _LEAST_FITTING * len(found):
            return set()
        for record, link in zip(self._records, found, strict=True):
            if link is not None:
                source = ValueSource(text=link.plain, selector=link.selector, origin=self._page.origin)
                url = self._page.addresses[link.number]
                record.values[wanted[0].name,] = FoundValue(value=url, written=link.said, source=source, way="sole")
        return {wanted[0].name}


def _read_column(table: SeenTable, place: int) -> list[str]:
    """Return the cells of a column; one that spans several columns says nothing of any of them."""
    spanning = [_spans(row, place) for row in table.rows]
    is_usual = sum(spanning) > _LEAST_FITTING * len(spanning)
    return [
        "" if spans and not is_usual else row[place].strip() for row, spans in zip(table.rows, spanning, strict=True)
    ]


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
            texts = enumerate(split_list(cell))
            return [((field.name, place), convert_text(each, items, language)) for place, each in texts]
    except ValueError as error:
        return str(error)
    return "a record doesn't fit into a cell"


def _find_format(field: FieldShape) -> str:
    return field.shape.format if isinstance(field.shape, ValueShape) else ""


def _find_link(block: Block, page: SeenPage) -> SeenLine | None:
    """Return the only link of a row; None where there is none, or several lead elsewhere."""
    links = [line for line in block if line.number in page.addresses]
    return links[0] if len({page.addresses[each.number] for each in links}) == 1 else None
