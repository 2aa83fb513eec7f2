"""What a model is asked about what is left."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.planners.extract.found import FoundRecord
from agent.planners.extract.seen_lines import SeenLine
from agent.planners.extract.seen_pages import SeenPage
from agent.planners.extract.shapes import ListShape, RecordShape, Shape, ValueShape
from core.base.matching import fold_space

_MOST_VALUES = 500
_LONGEST_TEXT = 2000
EACH = "[]"
"""What stands behind a name whose value is a list."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A single value that a schema wants.

    Attributes:
        path: Its names; ``[]`` behind a name stands for each entry of a list.
    """

    path: tuple[str, ...]
    shape: ValueShape
    description: str = ""

    @property
    def name(self) -> str:
        """The path, as a model is told it."""
        return ".".join(self.path)


def list_leaves(shape: RecordShape, path: tuple[str, ...] = ()) -> tuple[Leaf, ...]:
    """Return every single value that a record has."""
    return tuple(
        leaf for each in shape.fields for leaf in _list_leaves(each.shape, (*path, each.name), each.description)
    )


def _list_leaves(shape: Shape, path: tuple[str, ...], description: str) -> Iterator[Leaf]:
    if isinstance(shape, ValueShape):
        yield Leaf(path, shape, description)
    elif isinstance(shape, ListShape):
        yield from _list_leaves(shape.items, (*path[:-1], f"{path[-1]}{EACH}"), description)
    else:
        yield from list_leaves(shape, path)


def tell_leaves(leaves: Sequence[Leaf]) -> str:
    """Return what is wanted, a line each, for the instructions of a question: the words are those of whoever wrote the schema."""
    return "\n".join(
        f"- {leaf.name}: {' or '.join(map(str, leaf.shape.choices)) or leaf.shape.format or leaf.shape.kinds[0]}"
        + (f" ({fold_space(leaf.description)})" if leaf.description else "")
        for leaf in leaves
    )


def make_schema(leaves: Sequence[Leaf], records: int) -> Mapping[str, Any]:
    """Return the closed schema of an answer."""
    value = {
        "type": "object",
        "additionalProperties": False,
        "required": ["record", "property", "entry", "line", "text"],
        "properties": {
            "record": {"type": "integer", "minimum": 1, "maximum": records},
            "property": {"type": "string", "enum": [leaf.name for leaf in leaves]},
            "entry": {"type": "integer", "minimum": 0, "maximum": _MOST_VALUES},
            "line": {"type": "integer", "minimum": 0},
            "text": {"type": "string", "minLength": 1, "maxLength": _LONGEST_TEXT},
        },
    }
    values = {"type": "array", "maxItems": _MOST_VALUES, "items": value}
    return {"type": "object", "additionalProperties": False, "required": ["values"], "properties": {"values": values}}


def write_lines(lines: Sequence[SeenLine], records: Sequence[FoundRecord]) -> str:
    """Return lines with their numbers; where it is known, with that of the record that they belong to."""
    return "\n".join(f"{line.number}{_tell_owner(line, records)}: {'  ' * line.depth}{line.plain}" for line in lines)


def _tell_owner(line: SeenLine, records: Sequence[FoundRecord]) -> str:
    owner = next(
        (n for n, each in enumerate(records, 1) if each.lines and each.lines[0] <= line.number < each.lines[1]), 0
    )
    return f" (record {owner})" if owner else ""


def choose_lines(page: SeenPage, records: Sequence[FoundRecord], incomplete: Sequence[FoundRecord]) -> list[SeenLine]:
    """Return the lines that what is left may stand in: those of the incomplete records, where it is known which these are."""
    if records and all(each.lines for each in incomplete):
        spans = [each.lines for each in incomplete if each.lines]
        return [line for line in page.lines if any(start <= line.number < end for start, end in spans)]
    return list(page.lines)
