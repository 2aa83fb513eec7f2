"""What an extraction has got so far: pages, records, gaps, and what they come to in the end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import jsonschema_rs

from agent.planners.extract.found import FoundRecord, Missing, build_record, list_gaps, list_sources, tell_path
from agent.planners.extract.reading import PageReader
from agent.planners.extract.seen_pages import SeenPage
from agent.planners.extract.shapes import ListShape, RecordShape
from core.results.provenance import Origin

_MOST_FAULTS = 20


@dataclass(slots=True)
class Extraction:
    """An extraction while it goes on.

    Attributes:
        reader: Looks at the page or window.
        page: What was seen last; None before the first look.
        begun: How many of them were found before the page that was seen last.
        notes: What else has to be known.
    """

    reader: PageReader
    schema: Mapping[str, Any]
    shape: RecordShape | ListShape
    page: SeenPage | None = None
    records: list[FoundRecord] = field(default_factory=list[FoundRecord])
    begun: int = 0
    origins: list[Origin] = field(default_factory=list[Origin])
    notes: list[str] = field(default_factory=list[str])

    @property
    def record_shape(self) -> RecordShape:
        """What one record is."""
        shape = self.shape.items if isinstance(self.shape, ListShape) else self.shape
        if not isinstance(shape, RecordShape):
            raise TypeError(shape)
        return shape

    @property
    def is_list(self) -> bool:
        """Whether several records are wanted."""
        return isinstance(self.shape, ListShape)

    @property
    def latest(self) -> list[FoundRecord]:
        """The records of the page that was seen last."""
        return self.records[self.begun :]

    def see(self, page: SeenPage) -> bool:
        """Go on with a page; tell whether it is another one than the last."""
        is_new = self.page is None or [each.text for each in page.lines] != [each.text for each in self.page.lines]
        self.page = page
        self.begun = len(self.records)
        if page.origin not in self.origins:
            self.origins.append(page.origin)
        if page.is_folded:
            self.notes.append(f"Not all of {page.origin} was read: some of it is hidden, or had no room.")
        return is_new

    def add(self, records: list[FoundRecord]) -> None:
        """Add the records of the page that was seen last. Where it still shows those of the page before, they are taken once."""
        before = [build_record(each, self.record_shape) for each in self.records]
        now = [build_record(each, self.record_shape) for each in records]
        shared = next((n for n in range(min(len(before), len(now)), 0, -1) if before[-n:] == now[:n]), 0)
        self.records += records[shared:]

    def build(self) -> Any:
        """Return what the schema wants, as far as it was found."""
        built = [build_record(each, self.record_shape) for each in self.records]
        if self.is_list:
            return built
        return built[0] if built else {}

    def list_gaps(self) -> list[Missing]:
        """Return what is missing."""
        if not self.records and not self.is_list:
            return list_gaps(FoundRecord(), self.record_shape)
        numbered = enumerate(self.records, 1)
        return [gap for n, each in numbered for gap in list_gaps(each, self.record_shape, n if self.is_list else 0)]

    def list_faults(self) -> list[str]:
        """Return what the schema has against the result, gaps apart."""
        errors = jsonschema_rs.validator_for(dict(self.schema)).iter_errors(self.build())
        told = (f"{_tell_place(each.instance_path)}: {each.message}" for each in errors if each.kind.name != "required")
        return [*islice(told, _MOST_FAULTS)]

    def list_sources(self) -> list[dict[str, Any]]:
        """Return for each record by path where each value came from."""
        return [list_sources(each) for each in self.records]


def _tell_place(path: Sequence[str | int]) -> str:
    return tell_path(tuple(path)) or "the result"
