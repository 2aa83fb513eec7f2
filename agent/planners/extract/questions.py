"""What a model is asked about what is left, and what is taken from its answer: only what stands in the line that it names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.planners.extract.found import FoundRecord, FoundValue, Path, Source
from agent.planners.extract.reading import SeenPage
from agent.planners.extract.seen_lines import SeenLine
from agent.planners.extract.shapes import ListShape, RecordShape, Shape, ValueShape
from agent.planners.extract.values import convert_text
from core.base.matching import fold_space
from core.base.phrases import quote_text

_MOST_VALUES = 500
_LONGEST_TEXT = 2000
_EACH = "[]"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A single value that a schema wants.

    Attributes:
        path: Its names; ``[]`` behind a name stands for each entry of a list.
        shape: What it is.
        description: What it means.
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
        yield from _list_leaves(shape.items, (*path[:-1], f"{path[-1]}{_EACH}"), description)
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
    """Return the closed schema of an answer.

    Args:
        leaves: What is asked for.
        records: Highest number of a record.
    """
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
    return "\n".join(f"{line.number}{_tell_owner(line, records)}: {'  ' * line.depth}{line.text}" for line in lines)


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


def take_answer(
    values: Sequence[Mapping[str, Any]], page: SeenPage, records: list[FoundRecord], leaves: Sequence[Leaf]
) -> list[str]:
    """Put into records what a model found, and return why some of it was refused.

    Args:
        values: Its answer.
        page: What it was shown.
        records: What was found so far; filled up, and added to where there was none.
        leaves: What it was asked for.
    """
    by_name = {leaf.name: leaf for leaf in leaves}
    lines = {line.number: line for line in page.lines}
    is_open = not records
    refused: list[str] = []
    for each in values:
        try:
            _take_value(each, by_name[str(each["property"])], (page, lines), (records, is_open))
        except ValueError as error:
            refused.append(f"{each['property']}: {error}")
    return refused


def _take_value(
    told: Mapping[str, Any],
    leaf: Leaf,
    seen: tuple[SeenPage, Mapping[int, SeenLine]],
    found: tuple[list[FoundRecord], bool],
) -> None:
    """Put a value into its record.

    Raises:
        ValueError: If it isn't in its line, or its line isn't one of its record's, or it is something else than is wanted.
    """
    page, lines = seen
    text, line = str(told["text"]), lines.get(int(told["line"]))
    if line is None:
        raise ValueError(f"line {told['line']} does not exist")
    if not stands_in(text, line.text):
        raise ValueError(f"{quote_text(text)} does not stand in line {line.number}")
    record = _find_record(int(told["record"]), *found)
    if record.lines and not record.lines[0] <= line.number < record.lines[1]:
        raise ValueError(f"line {line.number} does not belong to record {told['record']}")
    path = _make_path(leaf, record, int(told["entry"]))
    if record.holds(path):
        raise ValueError("it was found already")
    value = convert_text(text, leaf.shape, page.language)
    source = Source(text=line.text, selector=line.selector, origin=page.origin)
    record.values[path] = FoundValue(value=value, written=text, source=source, way="model")


def stands_in(text: str, line: str) -> bool:
    """Tell whether a text stands in a line, and is no part of a longer word or number there."""
    wanted, whole = fold_space(text), fold_space(line)
    place = whole.find(wanted) if wanted else -1
    while place >= 0:
        before, behind = whole[:place], whole[place + len(wanted) :]
        if not _goes_on(before[::-1], wanted[0]) and not _goes_on(behind, wanted[-1]):
            return True
        place = whole.find(wanted, place + 1)
    return False


def _goes_on(rest: str, edge: str) -> bool:
    """Tell whether a word or number goes on beyond its edge: ``1,234`` beyond ``1``."""
    if not rest or not edge.isalnum():
        return False
    joined = rest[0] in ".,'" and len(rest) > 1 and rest[1].isdigit() and edge.isdigit()
    return rest[0].isalnum() or joined or (edge.isdigit() and rest[0] in "-−" and not rest[1:2].strip())


def _find_record(number: int, records: list[FoundRecord], is_open: bool) -> FoundRecord:  # noqa: FBT001 - unpacked
    """Return a record by its number; where none was found before, the next one is begun.

    Raises:
        ValueError: If there is none of that number.
    """
    if is_open and number == len(records) + 1:
        records.append(FoundRecord())
    if number > len(records):
        raise ValueError(f"record {number} does not exist")
    return records[number - 1]


def _make_path(leaf: Leaf, record: FoundRecord, entry: int) -> Path:
    """Return where a value belongs: in lists of records by its entry, in lists of values behind those that are there."""
    path: list[str | int] = []
    for part in leaf.path:
        path.append(part.removesuffix(_EACH))
        if part.endswith(_EACH):
            is_last = part == leaf.path[-1]
            taken = {
                each[len(path)] for each in record.values if each[: len(path)] == tuple(path) and len(each) > len(path)
            }
            path.append(len(taken) if is_last else entry)
    return tuple(path)
