"""What was found of a record: each value with the line that it came from, and what is missing with the reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from agent.planners.extract.shapes import ListShape, RecordShape, Shape
from core.results.provenance import Origin

Way = Literal["data", "table", "list", "label", "heading", "sole", "model"]
"""How a value was found: in data that the page carries for programs, under a column's heading, as an entry of a list, behind its label, as
a heading, as the only one of its kind in its record, or by a model that named its line."""

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueSource:
    """The line that a value came from.

    Attributes:
        text: The line, or the row, with the value in it.
        selector: What finds it on the page; empty where nothing does.
    """

    text: str
    selector: str
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundValue:
    """A value.

    Attributes:
        written: As it stands in its line.
        source: The line.
    """

    value: Any
    written: str
    source: ValueSource
    way: Way


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """What was looked for and isn't in the result.

    Attributes:
        path: Of the property, such as ``price`` or ``lines[0].price``.
        why: Why not.
        record: Number of the record, from 1; 0 where there is only one.
    """

    path: str
    why: str
    record: int = 0
    is_required: bool = False


@dataclass(slots=True)
class FoundRecord:
    """A record as far as it was found.

    Attributes:
        refused: Why what was there for a path can't be its value.
        lines: Numbers of the outline's lines that the record is written in, first and behind the last; None where it may be anywhere.
    """

    values: dict[Path, FoundValue] = field(default_factory=dict[Path, FoundValue])
    refused: dict[Path, str] = field(default_factory=dict[Path, str])
    lines: tuple[int, int] | None = None

    def holds(self, path: Path) -> bool:
        """Return whether there is a value at a path or within it."""
        return any(each[: len(path)] == path for each in self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundGroup:
    """Records that stand together."""

    records: tuple[FoundRecord, ...]
    fields: frozenset[str]
    is_cut: bool = False


def build_record(record: FoundRecord, shape: RecordShape) -> dict[str, Any]:
    """Return a record as the schema wants it; what was not found is left out."""
    return _build(record.values, shape, ())


def list_gaps(record: FoundRecord, shape: RecordShape, number: int = 0) -> list[Missing]:
    """Return what a record lacks.

    Args:
        number: Of the record, from 1; 0 where there is only one.
    """
    gaps: list[Missing] = []
    for path, is_required in _list_paths(shape, (), record.values, is_required=True):
        if not record.holds(path):
            why = record.refused.get(path, "nothing there is called so")
            gaps.append(Missing(path=tell_path(path), why=why, record=number, is_required=is_required))
    return gaps


def tell_path(path: Path) -> str:
    """Return a path as people write it: ``lines[0].price``."""
    return "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in path).removeprefix(".")


def _build(values: Mapping[Path, FoundValue], shape: Shape, path: Path) -> Any:
    if isinstance(shape, RecordShape):
        names = [each for each in shape.fields if any(known[: len(path) + 1] == (*path, each.name) for known in values)]
        return {each.name: _build(values, each.shape, (*path, each.name)) for each in names}
    if isinstance(shape, ListShape) and path not in values:
        places = sorted(
            {each[len(path)] for each in values if each[: len(path)] == path and len(each) > len(path)}, key=int
        )
        return [_build(values, shape.items, (*path, place)) for place in places]
    return values[path].value


def _list_paths(
    shape: RecordShape, path: Path, values: Mapping[Path, FoundValue], *, is_required: bool
) -> list[tuple[Path, bool]]:
    paths: list[tuple[Path, bool]] = []
    for each in shape.fields:
        place, needed = (*path, each.name), is_required and each.is_required
        if isinstance(each.shape, RecordShape):
            paths += _list_paths(each.shape, place, values, is_required=needed)
        elif isinstance(each.shape, ListShape) and isinstance(each.shape.items, RecordShape):
            numbers = sorted(
                {known[len(place)] for known in values if known[: len(place)] == place and len(known) > len(place)},
                key=int,
            )
            paths += [(place, needed)] if not numbers else []
            for number in numbers:
                paths += _list_paths(each.shape.items, (*place, number), values, is_required=needed)
        else:
            paths.append((place, needed))
    return paths


def list_sources(record: FoundRecord) -> dict[str, Any]:
    """Return by path where each value came from, for files and programs."""
    return {tell_path(path): _tell_source(found) for path, found in record.values.items()}


def _tell_source(found: FoundValue) -> Mapping[str, Any]:
    source = found.source
    return {
        "written": found.written,
        "line": source.text,
        "selector": source.selector,
        "from": str(source.origin),
        "place": source.origin.place,
        "way": found.way,
    }


def count_values(records: Sequence[FoundRecord]) -> int:
    """Return how many values were found."""
    return sum(len(each.values) for each in records)
