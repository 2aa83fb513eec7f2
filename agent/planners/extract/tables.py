"""Records from tables: a row each, a property under the heading that is called so."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from agent.planners.extract.found import FoundGroup, FoundRecord, read_value
from agent.planners.extract.seen_pages import CUT, TICKS, Block, SeenLine, SeenPage, SeenTable, Snippet, find_end
from agent.planners.extract.shapes import FieldShape, RecordShape, ValueShape, assign_labels
from agent.planners.extract.values import split_list
from core.base.matching import fold_space
from core.outlines.writing import BETWEEN_CELLS
from core.selectors.selectors import quote_name

_LEAST_FITTING = 0.5  # of a column's cells that say something
_ROWS = frozenset({"text", "row", "link", "button", "checkbox"})
_SHOWN = frozenset({"image", *TICKS})


def read_tables(page: SeenPage, shape: RecordShape) -> list[FoundGroup]:
    """Return what each table gives; those that have what is required under the same headings are one group."""
    alike: dict[tuple[str, ...], list[FoundGroup]] = {}
    for table in page.tables:
        alike.setdefault(_find_key(table, shape), []).append(_TableReading(table, page, shape).read())
    return [
        FoundGroup(
            records=tuple(record for group in groups for record in group.records),
            fields=frozenset[str]().union(*(group.fields for group in groups)),
        )
        for groups in alike.values()
        if any(group.fields for group in groups)
    ]


def _find_key(table: SeenTable, shape: RecordShape) -> tuple[str, ...]:
    """Return the headings of what is required; all headings where one of those is missing, or nothing is required."""
    headers = {field.name: table.headers[place] for field, place in assign_labels(shape.fields, table.headers)}
    required = [each.name for each in shape.fields if each.is_required]
    return tuple(headers[name] for name in required) if required and set(required) <= headers.keys() else table.headers


class _TableReading:
    def __init__(self, table: SeenTable, page: SeenPage, shape: RecordShape) -> None:
        self._table = table
        self._page = page
        self._shape = shape
        self._records = [FoundRecord() for _ in table.rows]
        self._blocks = _find_row_blocks(table, page)
        self._counts = Counter(each for row in table.rows for each in set(row))

    def read(self) -> FoundGroup:
        matches = assign_labels(self._shape.fields, self._table.headers)
        fields = {field.name for field, place in matches if self._fill_column(field, place)}
        fields |= self._fill_links([each for each in self._shape.fields if each.name not in fields])
        return FoundGroup(tuple(self._records), frozenset(fields))

    def _fill_column(self, field: FieldShape, place: int) -> bool:
        if field.value and field.value.is_address:
            return False  # a cell shows what a link is called, not where it leads
        cells = _read_column(self._table, place)
        if not any(cells):
            cells = _find_shown(self._blocks) or cells
        read = [self._read_cell(field, place, row, cell) for row, cell in enumerate(cells)]
        said = [each for each, cell in zip(read, cells, strict=True) if cell]
        header = self._table.headers[place]
        if not said or sum(not each.refused for each in said) < _LEAST_FITTING * len(said):
            for record in self._records:
                record.refused[field.name,] = f"nothing under “{header}” is that"
            return False
        for record, each, cell in zip(self._records, read, cells, strict=True):
            record.values |= each.values
            for path, why in each.refused.items():
                record.refused[path] = f"“{cell}” under “{header}”: {why}" if cell else "its cell is empty"
        return True

    def _read_cell(self, field: FieldShape, place: int, row: int, cell: str) -> FoundRecord:
        found, snippet = FoundRecord(), self._quote(place, row, cell)
        try:
            if field.value:
                found.values[field.name,] = read_value(self._page, field.value, snippet, "table")
            elif field.entries:
                for number, each in enumerate(split_list(cell)):
                    entry = replace(snippet, text=each)
                    found.values[field.name, number] = read_value(self._page, field.entries, entry, "table")
            else:
                raise ValueError("a record doesn't fit into a cell")
        except ValueError as error:
            return FoundRecord(refused={(field.name,): str(error)})
        return found

    def _quote(self, place: int, row: int, cell: str) -> Snippet:
        """Return a cell with its row, and a selector that finds it again by what is only in that row."""
        table, cells = self._table, self._table.rows[row]
        text = BETWEEN_CELLS.join(each for each in cells if each)
        if cell not in text:
            text = f"{text}{BETWEEN_CELLS}{cell}"
        name = next((each for each in cells if self._counts[each] == 1 and any(map(str.isalnum, each))), "")
        line = self._blocks[row][0] if self._blocks else table.line
        header = quote_name(table.headers[place])
        named = f"cell {header} in row {quote_name(name)} in ({table.line.selector})"
        return Snippet(cell, text, named if name else line.selector, shown=cell)

    def _fill_links(self, fields: Sequence[FieldShape]) -> set[str]:
        wanted = [each for each in fields if each.value and each.value.is_address]
        found = [_find_link(block, self._page) for block in self._blocks]
        if len(wanted) != 1 or not found or sum(each is not None for each in found) < _LEAST_FITTING * len(found):
            return set()
        for record, link in zip(self._records, found, strict=True):
            if link is not None:
                url = link.quote(self._page.addresses[link.number], link.said)
                record.values[wanted[0].name,] = read_value(self._page, ValueShape(), url, "sole")
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


def _find_link(block: Block, page: SeenPage) -> SeenLine | None:
    links = [line for line in block if line.number in page.addresses]
    return links[0] if len({page.addresses[each.number] for each in links}) == 1 else None


def _find_row_blocks(table: SeenTable, page: SeenPage) -> Sequence[Block]:
    """Return the lines of each row; none where it isn't certain which they are."""
    place = next((place for place, line in enumerate(page.lines) if line.number >= table.line.number), 0)
    blocks: list[list[SeenLine]] = []
    for line in page.lines[place + 1 : find_end(page.lines, place)]:
        if line.depth == table.line.depth + 1:
            blocks.append([])
        if blocks:
            blocks[-1].append(line)
    last = [tuple(each) for each in blocks[-len(table.rows) :]] if table.rows else []
    return last if len(last) == len(table.rows) and all(map(_is_row, last, table.rows)) else ()


def _is_row(block: Block, row: Sequence[str]) -> bool:
    head, whole = block[0], fold_space(" ".join(row))
    cells = [fold_space(each).removesuffix(CUT) for each in head.cells if head.kind != "checkbox"]
    return head.kind in _ROWS and all(each in whole for each in cells)


def _find_shown(blocks: Sequence[Block]) -> list[str]:
    found = [[line for line in block if line.kind in _SHOWN] for block in blocks]
    kinds = Counter(line.kind for lines in found for line in lines)
    chosen = [kind for kind, number in kinds.items() if number == len(blocks)]
    if len(chosen) > 1 and "image" in chosen:
        chosen = ["image"]  # a box beside it chooses the row
    lines = [[line for line in each if line.kind in chosen] for each in found]
    if len(chosen) != 1 or any(len(each) != 1 for each in lines):
        return []
    return [each.pair[1] if each.kind in TICKS and each.pair else each.said for (each,) in lines]
