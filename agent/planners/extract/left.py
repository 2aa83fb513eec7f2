"""What a model is asked about what is left, and what is taken from its answer: only what stands in the line that it names."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agent.planners.extract.found import FoundRecord, Path, list_within, read_value
from agent.planners.extract.seen_pages import SeenLine, SeenPage
from agent.planners.extract.shapes import ListShape, RecordShape, Shape, ValueShape
from core.base.late_dataclasses import dataclass
from core.base.matching import fold_space
from core.base.phrases import quote_text

_MOST_VALUES = 500
_LONGEST_TEXT = 2000
_EACH = "[]"
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


def choose_lines(page: SeenPage, records: Sequence[FoundRecord], incomplete: Sequence[FoundRecord]) -> list[SeenLine]:
    """Return the lines that what is left may stand in: those of the incomplete records, where it is known which these are."""
    if records and all(each.lines for each in incomplete):
        return [line for line in page.lines if any(each.has_line(line.number) for each in incomplete)]
    return list(page.lines)


def write_lines(lines: Sequence[SeenLine], records: Sequence[FoundRecord]) -> str:
    """Return lines with their numbers; where it is known, with that of the record that they belong to."""
    return "\n".join(f"{line.number}{_tell_owner(line, records)}: {'  ' * line.depth}{line.plain}" for line in lines)


def _tell_owner(line: SeenLine, records: Sequence[FoundRecord]) -> str:
    owner = next((n for n, each in enumerate(records, 1) if each.lines and each.has_line(line.number)), 0)
    return f" (record {owner})" if owner else ""


class AnswerCheck:
    """Holds what a model found to the page that it was shown, and puts what holds into records."""

    def __init__(self, page: SeenPage, records: list[FoundRecord], leaves: Sequence[Leaf]) -> None:
        """Check answers about a page; what was found so far is filled up, and added to where there was none."""
        self._page = page
        self._lines = {line.number: line for line in page.lines}
        self._records = records
        self._may_add = not records
        self._leaves = {leaf.name: leaf for leaf in leaves}

    def take(self, values: Sequence[Mapping[str, Any]]) -> list[str]:
        """Take what holds, and return why the rest was refused."""
        refused: list[str] = []
        for each in values:
            try:
                self._take_value(each)
            except ValueError as error:
                refused.append(f"{each['property']}: {error}")
        return refused

    def _take_value(self, told: Mapping[str, Any]) -> None:
        """Put a value into its record; a ValueError if it isn't in its line, that isn't its record's, or it is something else than is wanted."""
        text, line = str(told["text"]), self._lines.get(int(told["line"]))
        leaf = self._leaves.get(str(told["property"]))
        if leaf is None or line is None:
            raise ValueError(f"line {told['line']} was not shown" if leaf else "nobody asked for it")
        if not stands_in(text, line.plain):
            raise ValueError(f"{quote_text(text)} does not stand in line {line.number}")
        value = read_value(self._page, leaf.shape, line.quote(text), "model")
        record = self._find_record(int(told["record"]), line.number)
        path = _make_path(leaf, record, int(told["entry"]))
        if record.holds(path):
            raise ValueError("it was found already")
        record.values[path] = value

    def _find_record(self, number: int, line: int) -> FoundRecord:
        """Return a record by its number; where none was found before, the next one is begun. A ValueError if there is none, or the line is another's."""
        if self._may_add and number == len(self._records) + 1:
            self._records.append(FoundRecord())
        if not 1 <= number <= len(self._records):
            raise ValueError(f"record {number} does not exist")
        record = self._records[number - 1]
        if not record.has_line(line):
            raise ValueError(f"line {line} does not belong to record {number}")
        return record


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


def _make_path(leaf: Leaf, record: FoundRecord, entry: int) -> Path:
    """Return where a value belongs: in lists of records by its entry, in lists of values behind those that are there."""
    path: Path = ()
    for place, part in enumerate(leaf.path, 1):
        path = (*path, part.removesuffix(_EACH))
        if part.endswith(_EACH):
            path = (*path, len(list_within(record.values, path)) if place == len(leaf.path) else entry)
    return path
