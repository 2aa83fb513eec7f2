"""The fields of an extraction as data, and the selectors that they name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from actuators.browser.ports.cell_values import CELL_TYPES, CellType
from core.base.errors import InputError
from core.selectors.selectors import parse_single_selector

KNOWN_KEYS = frozenset({"selector", "attribute", "type"})
_NTH = re.compile(r"\s*>>\s*nth=(-?\d+)\s*$")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record.

    Attributes:
        selector: Where it is in the row; None for the row itself.
        attribute: Attribute to read instead of the text.
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


def split_nth(selector: str | None) -> tuple[str | None, int | None]:
    """Take the number off the end of a literal selector: all rows are read at once, and it is meant within each.

    Plain forms keep theirs: the page engine looks in each row by itself.

    Returns:
        The selector without it, and the zero-based number; negative ones count from the end.
    """
    if selector is None:
        return None, None
    if match := _NTH.search(selector):
        return selector[: match.start()], int(match[1])
    return selector, None


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
        parse_single_selector(given["selector"])
    return Field(name, given.get("selector"), given.get("attribute"), cast("CellType", kind))
