"""What is taken from a model's answer: only what stands in the line that it names."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent.planners.extract.found import FoundRecord, FoundValue, Path, ValueSource
from agent.planners.extract.questions import EACH, Leaf
from agent.planners.extract.seen_pages import SeenPage
from agent.planners.extract.values import convert_text
from core.base.matching import fold_space
from core.base.phrases import quote_text


class AnswerCheck:
    """Holds what a model found to the page that it was shown, and puts what holds into records."""

    def __init__(self, page: SeenPage, records: list[FoundRecord], leaves: Sequence[Leaf]) -> None:
        """Check answers about a page.

        Args:
            records: What was found so far; filled up, and added to where there was none.
        """
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
        """Put a value into its record."""
        text, line = str(told["text"]), self._lines.get(int(told["line"]))
        leaf = self._leaves.get(str(told["property"]))
        if leaf is None or line is None:
            raise ValueError(f"line {told['line']} was not shown" if leaf else "nobody asked for it")
        if not stands_in(text, line.plain):
            raise ValueError(f"{quote_text(text)} does not stand in line {line.number}")
        value = convert_text(text, leaf.shape, self._page.language)
        record = self._find_record(int(told["record"]), line.number)
        path = _make_path(leaf, record, int(told["entry"]))
        if record.holds(path):
            raise ValueError("it was found already")
        source = ValueSource(text=line.plain, selector=line.selector, origin=self._page.origin)
        record.values[path] = FoundValue(value=value, written=text, source=source, way="model")

    def _find_record(self, number: int, line: int) -> FoundRecord:
        """Return a record by its number; where none was found before, the next one is begun."""
        if self._may_add and number == len(self._records) + 1:
            self._records.append(FoundRecord())
        if not 1 <= number <= len(self._records):
            raise ValueError(f"record {number} does not exist")
        record = self._records[number - 1]
        if record.lines and not record.lines[0] <= line < record.lines[1]:
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
    path: list[str | int] = []
    for part in leaf.path:
        path.append(part.removesuffix(EACH))
        if part.endswith(EACH):
            is_last = part == leaf.path[-1]
            taken = {
                each[len(path)] for each in record.values if each[: len(path)] == tuple(path) and len(each) > len(path)
            }
            path.append(len(taken) if is_last else entry)
    return tuple(path)
