"""Reading typed records: repeated elements and the fields in them."""

import secrets
from collections import Counter
from typing import Any

from playwright.async_api import Locator

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.locators import build_in_row
from actuators.browser.playwright.finding.probes import count_matches, probe_all
from actuators.browser.ports.reading import Field, split_nth
from actuators.browser.ports.values import convert_cell
from core.base.errors import ActionError, TargetError
from core.selectors.selectors import parse_selector

SHOWN_CHARS = 80


async def extract_records(
    aim: ActionTarget, fields: list[Field], max_rows: int, *, is_page: bool
) -> list[dict[str, Any]]:
    """Read the records.

    Args:
        aim: The rows; the whole page where there are none.

    Returns:
        A record for each row, in the order of the page.

    Raises:
        TargetError: If a field is missing in a row or there twice.
        ActionError: If a value doesn't have its type.
    """
    rows = aim.locator.locator(engine_selector("row", token=secrets.token_hex(4)))
    await rows.first.wait_for(state="attached", timeout=aim.take_ms())
    count = 1 if is_page else await count_matches(aim.locator)
    records: list[dict[str, Any]] = [{} for _ in range(min(count, max_rows))]
    for field in fields:
        cells = await _read_cells(aim, rows, field, is_page=is_page)
        _check_cells(cells, field, len(records), is_page=is_page)
        for cell in cells:
            if cell["row"] < len(records):
                records[cell["row"]][field.name] = _convert(cell, field, is_page=is_page)
    return records


async def _read_cells(aim: ActionTarget, rows: Locator, field: Field, *, is_page: bool) -> list[dict[str, Any]]:
    selector, nth = split_nth(field.selector)
    place = rows if selector is None else build_in_row(parse_selector(selector), rows)
    if is_page:
        await place.first.wait_for(state="attached", timeout=aim.take_ms())
    options = {"attribute": field.attribute, "type": field.kind}
    cells: list[dict[str, Any]] = await probe_all(place, "cell", aim.take_ms(), **options)
    return cells if nth is None else _pick_nth(cells, nth)


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
                hint="Write a selector that matches one element in each row.",
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
            hint="Read it as text, or give a more precise selector.",
            evidence=evidence,
        ) from None
