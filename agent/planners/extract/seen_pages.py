"""A page or window as it was at one look: its outline, tables, links, and what it carries for programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.planners.extract.seen_lines import SeenLine
from core.results.provenance import Origin

DATA = 'css=script[type="application/ld+json"]'
"""Where a page carries data for programs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTable:
    """A table.

    Attributes:
        is_cut: Whether it has more rows than these.
        line: Where it stands in the outline; None where it isn't told there.
    """

    selector: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_cut: bool = False
    line: SeenLine | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A term of a definition list."""

    term: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPage:
    """A page or window as it was at one look.

    Attributes:
        addresses: Where links lead, by the numbers of their lines.
        language: Its language tag; empty if it states none.
        is_folded: Whether there is more than the lines tell.
    """

    origin: Origin
    lines: tuple[SeenLine, ...] = ()
    tables: tuple[SeenTable, ...] = ()
    addresses: Mapping[int, str] = field(default_factory=dict[int, str])
    definitions: tuple[tuple[Definition, ...], ...] = ()
    data: tuple[Mapping[str, Any], ...] = ()
    language: str = ""
    is_folded: bool = False
