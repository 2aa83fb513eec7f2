"""Typed records from the fake browser's documents."""

from collections.abc import Sequence
from typing import Any

from actuators.browser.cell_values import convert_cell
from actuators.browser.fake.contents import write_html
from actuators.browser.fake.documents import Document, LiveElement
from actuators.browser.fake.pages import resolve_address
from actuators.browser.fake.selecting import find_matches
from actuators.browser.record_fields import Field
from core.base.errors import ActionError, TargetError
from core.selectors.selectors import parse_selector


def extract_row(document: Document, row: LiveElement | None, number: int, fields: Sequence[Field]) -> dict[str, Any]:
    """Return one record.

    Args:
        document: The page.
        row: Element that the selectors are relative to; None for the whole page.
        number: Number of the row, from 1, for messages.
        fields: What to read in it.

    Raises:
        TargetError: If a field is missing or ambiguous.
        ActionError: If a value doesn't have its type.
    """
    return {field.name: _extract_field(document, row, number, field) for field in fields}


def _extract_field(document: Document, row: LiveElement | None, number: int, field: Field) -> Any:
    element = _find_cell(document, row, number, field)
    name = field.attribute or ("href" if field.kind == "url" else None)
    text = (
        element.attribute(name)
        if name
        else write_html(element)
        if field.kind == "html"
        else element.part or element.read_text()
    )
    evidence = {"row": number, "field": field.name, "text": text or ""}
    where = f" in row {number}" if row else ""
    if text is None:
        raise TargetError(f'The field "{field.name}"{where} has no attribute {name}.', evidence=evidence)
    url = resolve_address(text, document.url) if field.kind == "url" else None
    try:
        return convert_cell({"text": text, "state": element.checked, "url": url, "lang": "en"}, field.kind)
    except ValueError as error:
        raise ActionError(
            f'The field "{field.name}"{where} is no {field.kind}: {text!r}, {error}.',
            code="bad_value",
            hint="Read it as text, or give a more precise selector.",
            evidence=evidence,
        ) from None


def _find_cell(document: Document, row: LiveElement | None, number: int, field: Field) -> LiveElement:
    if field.selector is None:
        return row or document.root
    found = find_matches(parse_selector(field.selector), document, row)
    if len(found) == 1:
        return found[0]
    where = f" in row {number}" if row else ""
    what = f"matches {len(found)} elements{where}" if found else f"is missing{where}"
    raise TargetError(
        f'The field "{field.name}" {what} ({field.selector}).',
        code="target_ambiguous" if found else "target_missing",
        hint="Check the selector; it is relative to the row.",
        evidence={"row": number, "field": field.name, "selector": field.selector, "count": len(found)},
    )
