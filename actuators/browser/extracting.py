"""Reading typed records: repeated elements and the fields in them."""

import re
import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from playwright.async_api import Locator

from actuators.browser.cell_values import CELL_TYPES, CellType, convert_cell
from actuators.browser.locators import build_in_row
from actuators.browser.page_engine import engine_selector
from actuators.browser.probes import probe_all
from actuators.browser.reaching import Aim
from core.errors import ActionError, InputError, TargetError
from core.selectors import PlainSelector, parse_selector, render_plain

KNOWN_KEYS = frozenset({"selector", "attribute", "type"})
SHOWN_CHARS = 80
_NTH = re.compile(r"\s*>>\s*nth=(-?\d+)\s*$")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record.

    Attributes:
        name: Its name in the record.
        selector: Where it is in the row; None for the row itself.
        attribute: Attribute to read instead of the text.
        kind: Its type.
    """

    name: str
    selector: str | None
    attribute: str | None
    kind: CellType


def parse_fields(fields: Mapping[str, Any]) -> list[Field]:
    """Check the fields of an extraction.

    Raises:
        InputError: If there are none, or one is neither a selector nor ``{selector, attribute, type}``.
    """
    if not fields:
        raise InputError("extract needs at least one field.", hint='For example {"price": ".price"}.')
    return [_parse_field(name, given) for name, given in fields.items()]


async def extract_records(aim: Aim, fields: list[Field], max_rows: int, *, is_page: bool) -> list[dict[str, Any]]:
    """Read the records.

    Args:
        aim: The rows; the whole page where there are none.
        fields: What to read in each.
        max_rows: Most records to return.
        is_page: Whether the row is the whole page.

    Returns:
        A record for each row, in the order of the page.

    Raises:
        TargetError: If a field is missing in a row or there twice.
        ActionError: If a value doesn't have its type.
    """
    rows = aim.locator.locator(engine_selector("row", token=secrets.token_hex(4)))
    await rows.first.wait_for(state="attached", timeout=aim.take_ms())
    count = 1 if is_page else await aim.locator.count()
    records: list[dict[str, Any]] = [{} for _ in range(min(count, max_rows))]
    for field in fields:
        cells = await _read_cells(aim, rows, field, is_page=is_page)
        _check_cells(cells, field, len(records), is_page=is_page)
        for cell in cells:
            if cell["row"] < len(records):
                records[cell["row"]][field.name] = _convert(cell, field, is_page=is_page)
    return records


async def _read_cells(aim: Aim, rows: Locator, field: Field, *, is_page: bool) -> list[dict[str, Any]]:
    selector, nth = split_nth(field.selector)
    place = rows if selector is None else build_in_row(parse_selector(selector), rows)
    if is_page:
        await place.first.wait_for(state="attached", timeout=aim.take_ms())
    options = {"attribute": field.attribute, "type": field.kind}
    cells: list[dict[str, Any]] = await probe_all(place, "cell", aim.take_ms(), **options)
    return cells if nth is None else _pick_nth(cells, nth)


def split_nth(selector: str | None) -> tuple[str | None, int | None]:
    """Take the number off the end of a selector: all rows are read at once, and it is meant within each.

    Returns:
        The selector without it, and the zero-based number; negative ones count from the end.
    """
    if selector is None:
        return None, None
    if match := _NTH.search(selector):
        return selector[: match.start()], int(match[1])
    core = parse_selector(selector).core
    if isinstance(core, PlainSelector) and core.nth is not None:
        return render_plain(replace(core, nth=None)), core.nth - 1
    return selector, None


def _pick_nth(cells: list[dict[str, Any]], nth: int) -> list[dict[str, Any]]:
    by_row: dict[int, list[dict[str, Any]]] = {}
    for cell in cells:
        by_row.setdefault(cell["row"], []).append(cell)
    return [group[nth] for group in by_row.values() if -len(group) <= nth < len(group)]


def _check_cells(cells: list[dict[str, Any]], field: Field, rows: int, *, is_page: bool) -> None:
    counts = Counter(cell["row"] for cell in cells)
    for row in range(rows):
        if counts[row] == 1:
            continue
        where = "" if is_page else f" in row {row + 1}"
        evidence = {"row": row + 1, "field": field.name, "selector": field.selector, "count": counts[row]}
        if counts[row]:
            raise TargetError(
                f'The field "{field.name}"{where} matches {counts[row]} elements ({field.selector}).',
                code="target_ambiguous",
                hint="Write a selector that only one element in each row has.",
                evidence=evidence,
            )
        raise TargetError(
            f'The field "{field.name}" is missing{where} ({field.selector}).',
            hint="Check the selector; it is relative to the row.",
            evidence=evidence,
        )


def _convert(cell: dict[str, Any], field: Field, *, is_page: bool) -> Any:
    where = "" if is_page else f" in row {cell['row'] + 1}"
    evidence = {"row": cell["row"] + 1, "field": field.name, "text": (cell["text"] or "")[:SHOWN_CHARS]}
    if cell["text"] is None:
        raise TargetError(
            f'The field "{field.name}"{where} has no attribute {field.attribute}.',
            hint="Check the attribute's name.",
            evidence=evidence,
        )
    try:
        return convert_cell(cell, field.kind)
    except ValueError as error:
        raise ActionError(
            f'The field "{field.name}"{where} is no {field.kind}: {evidence["text"]!r}, {error}.',
            code="bad_value",
            hint="Read it as text, or name a more exact selector.",
            evidence=evidence,
        ) from None


def _parse_field(name: str, given: Any) -> Field:
    if isinstance(given, str):
        given = {"selector": given}
    if not isinstance(given, Mapping) or not given or not given.keys() <= KNOWN_KEYS:
        raise InputError(
            f'The field "{name}" must be a selector or have only selector, attribute and type.',
            hint='For example {"selector": ".price", "type": "number"}.',
        )
    kind = given.get("type", "text")
    if kind not in CELL_TYPES:
        raise InputError(f'The field "{name}" has the unknown type {kind!r}.', hint=f"Types: {', '.join(CELL_TYPES)}.")
    if given.get("selector") is not None:
        parse_selector(given["selector"])
    return Field(name, given.get("selector"), given.get("attribute"), cast("CellType", kind))
