"""What is said of looking at a page between tools and back ends, and the fields of an extraction."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from actuators.browser.ports.values import CELL_TYPES, CellType
from core.base.errors import InputError
from core.base.late_dataclasses import dataclass
from core.rules.browser_choices import ReadTarget
from core.selectors.selectors import parse_single_selector

if TYPE_CHECKING:
    from actuators.numbered_pictures import NumberedBox
    from core.outlines.items import Outline, OutlineRequest

PictureKind = Literal["png", "jpeg"]
KNOWN_KEYS = frozenset({"selector", "attribute", "type"})
_NTH = re.compile(r"\s*>>\s*nth=(-?\d+)\s*$")


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """What to read from the page, or from one element or several of it."""

    target: ReadTarget
    selector: str | None
    attribute: str | None
    most_chars: int


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What was read.

    Attributes:
        found: For ``title`` and ``url`` a text; for ``text``, ``html`` and ``value`` a mapping with ``text``, ``truncated`` and, for a
            value, ``value``; a list of texts where the selector names several; for ``attribute`` a text or None, for ``count`` a
            number, for ``colour`` a mapping with ``text`` and ``name`` or None, for ``links`` a list of ``text`` and ``url``, for ``table`` headers, rows, caption and total, or None.
    """

    found: Any
    url: str
    meanwhile: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LookRequest:
    """What of a page is wanted in an outline, or of a part of it; ``since`` the last look only what has changed."""

    scope: str | None
    outline: "OutlineRequest"
    since: bool


@dataclass(frozen=True, slots=True)
class PageOutline:
    """A page's outline, address, and a picture without secrets where lines are numbered, with the places on it."""

    outline: "Outline"
    url: str
    picture: bytes | None = None
    boxes: Sequence["NumberedBox"] = ()


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A picture or print of a page, and the address of the page."""

    content: bytes
    url: str


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record: where it is in the row (None for the row itself), and of which attribute instead of the text."""

    name: str
    selector: str | None
    attribute: str | None
    kind: CellType


def parse_fields(fields: Mapping[str, Any]) -> list[Field]:
    """Check the fields of an extraction: selectors, or ``{selector, attribute, type}``; InputError for others."""
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
