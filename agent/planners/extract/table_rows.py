"""Where the rows of a table stand in the outline, and what is in them beside texts."""

from collections import Counter
from collections.abc import Sequence

from agent.planners.extract.blocks import Block
from agent.planners.extract.found import ValueSource
from agent.planners.extract.seen_lines import CUT, TICKS, SeenLine
from agent.planners.extract.seen_pages import SeenPage, SeenTable
from core.base.matching import fold_space
from core.outlines.writing import BETWEEN_CELLS
from core.selectors.selectors import quote_name

_SHOWN = frozenset({"image", *TICKS})


def find_row_blocks(table: SeenTable, page: SeenPage) -> Sequence[Block]:
    """Return the lines of each row; none where it isn't certain which they are."""
    blocks = _list_inside(table, page)[-len(table.rows) :] if table.rows else []
    if len(blocks) != len(table.rows) or not all(map(_is_row, blocks, table.rows)):
        return ()
    return blocks


def find_shown(blocks: Sequence[Block]) -> list[str]:
    """Return what the only picture or box of each row says, for a column without texts; nothing where some row has several."""
    found = [[line for line in block if line.kind in _SHOWN] for block in blocks]
    kinds = Counter(line.kind for lines in found for line in lines)
    chosen = [kind for kind, number in kinds.items() if number == len(blocks)]
    if len(chosen) > 1 and "image" in chosen:
        chosen = ["image"]  # a box beside it chooses the row
    lines = [[line for line in each if line.kind in chosen] for each in found]
    if len(chosen) != 1 or any(len(each) != 1 for each in lines):
        return []
    return [_say(each[0]) for each in lines]


def tell_row(table: SeenTable, page: SeenPage, place: int, cell: tuple[str, str, SeenLine | None]) -> ValueSource:
    """Return the line that a cell's value came from.

    Args:
        place: Of the row, from 0.
        cell: What heads the column, what stands in the cell, and the line of the row in the outline where that is known.
    """
    header, written, line = cell
    row = table.rows[place]
    text = BETWEEN_CELLS.join(each for each in row if each)
    if written not in text:
        text = f"{text}{BETWEEN_CELLS}{written}"
    counts = Counter(each for other in table.rows for each in set(other))
    name = next((each for each in row if each and counts[each] == 1 and any(map(str.isalnum, each))), "")
    if name:
        selector = f"cell {quote_name(header)} in row {quote_name(name)} in ({table.selector})"
    else:
        selector = line.selector if line else table.selector
    return ValueSource(text=text, selector=selector, origin=page.origin)


def _list_inside(table: SeenTable, page: SeenPage) -> list[Block]:
    """Return the parts directly within a table, each with what is in it."""
    if table.line is None:
        return []
    depth, blocks = table.line.depth, list[list[SeenLine]]()
    for line in page.lines:
        if line.number <= table.line.number:
            continue
        if line.depth <= depth:
            break
        if line.depth == depth + 1:
            blocks.append([])
        if blocks:
            blocks[-1].append(line)
    return [tuple(each) for each in blocks]


def _is_row(block: Block, row: Sequence[str]) -> bool:
    """Tell whether all that a part says stands in a row."""
    head = block[0]
    if head.kind not in {"text", "row", "link", "button", "checkbox"}:
        return False
    whole = fold_space(" ".join(row))
    return all(fold_space(each).removesuffix(CUT) in whole for each in head.cells if head.kind != "checkbox")


def _say(line: SeenLine) -> str:
    return line.pair[1] if line.kind in TICKS and line.pair else line.said
