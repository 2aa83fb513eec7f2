"""What was found of a record: each value with the line that it came from, and what is missing with the reason."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from agent.planners.extract.seen_pages import SeenPage, Snippet
from agent.planners.extract.shapes import FieldShape, ListShape, RecordShape, Shape, ValueShape
from agent.planners.extract.values import convert_text
from core.base.late_dataclasses import dataclass, field
from core.results.provenance import Origin

Way = Literal["data", "table", "list", "label", "heading", "sole", "model"]
"""How a value was found: in data that the page carries for programs, under a column's heading, as an entry of a list, behind its label, as
a heading, as the only one of its kind in its record, or by a model that named its line."""

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundValue:
    """A value.

    Attributes:
        line: The line, or the row, with the value in it.
        selector: What finds it on the page; empty where nothing does.
    """

    value: Any
    written: str
    line: str
    selector: str
    origin: Origin
    way: Way


def read_value(page: SeenPage, shape: ValueShape, snippet: Snippet, way: Way) -> FoundValue:
    """Return what is written as a value.

    Raises:
        ValueError: If it is something else than is wanted.
    """
    return FoundValue(
        value=convert_text(snippet.text, shape, page.language),
        written=snippet.shown or snippet.text,
        line=snippet.line,
        selector=snippet.selector,
        origin=page.origin,
        way=way,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """What was looked for and isn't in the result.

    Attributes:
        path: Of the property, such as ``price`` or ``lines[0].price``.
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

    def lacks(self, field: FieldShape) -> bool:
        """Return whether there is nothing of a property."""
        return not self.holds((field.name,))

    def has_line(self, number: int) -> bool:
        """Return whether it may be written in a line of the outline."""
        return self.lines is None or self.lines[0] <= number < self.lines[1]

    def try_put(self, page: SeenPage, path: Path, shape: ValueShape, snippet: Snippet, way: Way) -> None:
        """Put in what is written, or why it can't be."""
        try:
            self.values[path] = read_value(page, shape, snippet, way)
        except ValueError as error:
            self.refused[path] = f"“{snippet.text}”: {error}"

    def take_over(self, values: Mapping[Path, FoundValue]) -> None:
        """Put in the values of all properties of which it has nothing yet."""
        self.values |= {path: value for path, value in values.items() if not self.holds(path[:1])}


@dataclass(frozen=True, slots=True)
class FoundGroup:
    """Records that stand together, and the names of the properties that most of them have."""

    records: tuple[FoundRecord, ...] = ()
    fields: frozenset[str] = frozenset()


def build_record(record: FoundRecord, shape: RecordShape) -> dict[str, Any]:
    """Return a record as the schema wants it; what was not found is left out."""
    return _build(record.values, shape, ())


def list_gaps(record: FoundRecord, shape: RecordShape, number: int = 0) -> list[Missing]:
    """Return what a record lacks.

    Args:
        number: Of the record, from 1; 0 where there is only one.
    """
    return [
        Missing(
            path=tell_path(path),
            why=record.refused.get(path, "nothing there is called so"),
            record=number,
            is_required=is_required,
        )
        for path, is_required in _list_paths(shape, (), record.values, is_required=True)
        if not record.holds(path)
    ]


def tell_path(path: Iterable[str | int]) -> str:
    """Return a path as people write it: ``lines[0].price``."""
    return "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in path).removeprefix(".")


def list_sources(record: FoundRecord) -> dict[str, Any]:
    """Return by path where each value came from, for files and programs."""
    return {
        tell_path(path): {
            "written": found.written,
            "line": found.line,
            "selector": found.selector,
            "from": str(found.origin),
            "place": found.origin.place,
            "way": found.way,
        }
        for path, found in record.values.items()
    }


def _build(values: Mapping[Path, FoundValue], shape: Shape, path: Path) -> Any:
    if isinstance(shape, RecordShape):
        known = list_within(values, path)
        return {
            each.name: _build(values, each.shape, (*path, each.name)) for each in shape.fields if each.name in known
        }
    if isinstance(shape, ListShape) and path not in values:
        return [_build(values, shape.items, (*path, place)) for place in list_within(values, path)]
    return values[path].value


def _list_paths(
    shape: RecordShape, path: Path, values: Mapping[Path, FoundValue], *, is_required: bool
) -> Iterator[tuple[Path, bool]]:
    for each in shape.fields:
        place, needed = (*path, each.name), is_required and each.is_required
        inner = each.shape.items if isinstance(each.shape, ListShape) else each.shape
        if not isinstance(inner, RecordShape):
            yield place, needed
        elif inner is each.shape:
            yield from _list_paths(inner, place, values, is_required=needed)
        elif entries := list_within(values, place):
            for entry in entries:
                yield from _list_paths(inner, (*place, entry), values, is_required=needed)
        else:
            yield place, needed


def list_within(values: Iterable[Path], path: Path) -> list[Any]:
    """Return the names or numbers directly within a path that there are values of, numbers in their order."""
    depth = len(path)
    found = dict.fromkeys(each[depth] for each in values if each[:depth] == path and len(each) > depth)
    return sorted(found, key=lambda each: each if isinstance(each, int) else 0)
