"""Typed records from the fake browser's documents."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from actuators.browser.fake_browser import resolve_address
from actuators.browser.fake_contents import write_html
from actuators.browser.fake_documents import Document, LiveElement
from actuators.browser.fake_selecting import explain_ambiguous, explain_missing, find_matches
from core.errors import ActionError
from core.selectors import parse_selector

_NUMBER = re.compile(r"-?\d[\d,\s]*(?:\.\d+)?")
_TRUE, _FALSE = ("yes", "true"), ("no", "false")


def extract_row(document: Document, row: LiveElement | None, number: int, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return one record.

    Args:
        document: The page.
        row: Element that the selectors are relative to; None for the whole page.
        number: Number of the row, from 1, for messages.
        fields: As in the tool.

    Raises:
        TargetError: If a field is missing or ambiguous.
        ActionError: If a value doesn't have its type.
    """
    return {name: _extract_field(document, row, (number, name), field) for name, field in fields.items()}


def _extract_field(document: Document, row: LiveElement | None, place: tuple[int, str], field: Any) -> Any:
    wanted = {"selector": field} if isinstance(field, str) else dict(field)
    spec = parse_selector(wanted["selector"])
    found = find_matches(spec, document, row)
    if not found:
        raise explain_missing(spec, document, 0.0)
    if len(found) > 1:
        raise explain_ambiguous(spec, found, 0.0)
    kind = wanted.get("type", "text")
    if kind == "html":
        return write_html(found[0])
    attribute = wanted.get("attribute") or ("href" if kind == "url" else None)
    text = (found[0].attribute(attribute) or "") if attribute else found[0].read_text()
    return _convert(document, text, kind, place)


def _convert(document: Document, text: str, kind: str, place: tuple[int, str]) -> Any:
    converters: dict[str, Callable[[str], Any]] = {
        "text": str,
        "url": lambda text: resolve_address(text, document.url),
        "number": _read_number,
        "integer": _read_integer,
        "boolean": _read_boolean,
    }
    try:
        return converters[kind](text)
    except ValueError:
        number, name = place
        raise ActionError(
            f'Row {number}: the field {name} is "{text}", which is no {kind}.',
            code="bad_value",
            hint="Choose another type or selector for it.",
            evidence={"row": number, "field": name, "text": text, "type": kind},
        ) from None


def _read_number(text: str) -> float:
    match = _NUMBER.search(text)
    if match is None:
        raise ValueError(text)
    return float(re.sub(r"[,\s]", "", match[0]))


def _read_integer(text: str) -> int:
    number = _read_number(text)
    if number != int(number):
        raise ValueError(text)
    return int(number)


def _read_boolean(text: str) -> bool:
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ValueError(text)
