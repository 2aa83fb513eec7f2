"""What is taken from a model's answer: only what stands in the line that it names, whole, and as the schema wants it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.planners.extract.found import FoundRecord
from agent.planners.extract.left import AnswerCheck, list_leaves, stands_in
from agent.planners.extract.seen_pages import SeenPage, read_lines
from agent.planners.extract.shapes import RecordShape, read_shape
from agent.planners.hands import SightLine
from core.results.provenance import Origin

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "price": {"type": "number"}, "tags": {"type": "array"}},
}
LINES = ("# Mugs", "- Blue mug, £1,234.50, tea | coffee", "- Red mug costs -5 points")


@pytest.fixture
def page() -> SeenPage:
    lines = read_lines(SightLine(text, ref=f"e{number}") for number, text in enumerate(LINES))
    return SeenPage(origin=Origin("page", "http://127.0.0.1/mugs"), lines=lines, language="en")


def take(page: SeenPage, records: list[FoundRecord], *values: dict[str, Any]) -> list[str]:
    shape = read_shape(SCHEMA)
    assert isinstance(shape, RecordShape)
    told = [{"record": 1, "entry": 0, **each} for each in values]
    return AnswerCheck(page, records, list_leaves(shape)).take(told)


def test_what_stands_in_its_line_is_taken_with_that_line(page: SeenPage) -> None:
    records: list[FoundRecord] = []
    assert take(page, records, {"property": "name", "line": 1, "text": "Blue mug"}) == []
    found = records[0].values["name",]
    assert (found.value, found.way, found.selector, found.line) == ("Blue mug", "model", "ref=e1", LINES[1])
    assert str(found.origin) == "the page at http://127.0.0.1/mugs"


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "made up": ({"property": "name", "line": 1, "text": "Green mug"}, "does not stand in line 1"),
    "of another line": ({"property": "name", "line": 2, "text": "Blue mug"}, "does not stand in line 2"),
    "no such line": ({"property": "name", "line": 9, "text": "Blue mug"}, "line 9 was not shown"),
    "part of a number": ({"property": "price", "line": 1, "text": "1"}, "does not stand"),
    "number without its sign": ({"property": "price", "line": 2, "text": "5"}, "does not stand"),
    "part of a word": ({"property": "name", "line": 1, "text": "lue"}, "does not stand"),
    "of another type": ({"property": "price", "line": 1, "text": "Blue mug"}, "no number"),
    "not asked for": ({"property": "colour", "line": 1, "text": "Blue mug"}, "nobody asked"),
    "no such record": ({"property": "name", "line": 1, "text": "Blue mug", "record": 7}, "record 7 does not exist"),
}


@pytest.mark.parametrize(("value", "why"), list(REFUSED.values()), ids=list(REFUSED))
def test_everything_else_is_refused_and_leaves_nothing(page: SeenPage, value: dict[str, Any], why: str) -> None:
    records: list[FoundRecord] = []
    (refused,) = take(page, records, value)
    assert why in refused
    assert not any(record.values for record in records)


def test_what_a_rule_found_is_never_replaced(page: SeenPage) -> None:
    records: list[FoundRecord] = []
    take(page, records, {"property": "name", "line": 1, "text": "Blue mug"})
    assert take(page, records, {"property": "name", "line": 2, "text": "Red mug"}) == ["name: it was found already"]


def test_a_line_of_another_record_gives_nothing_to_this_one(page: SeenPage) -> None:
    records = [FoundRecord(lines=(1, 2)), FoundRecord(lines=(2, 3))]
    (refused,) = take(page, records, {"property": "name", "line": 2, "text": "Red mug"})
    assert "does not belong to record 1" in refused


def test_entries_of_a_list_stand_behind_each_other(page: SeenPage) -> None:
    records: list[FoundRecord] = []
    entries = [{"property": "tags[]", "line": 1, "text": text} for text in ("tea", "coffee")]
    assert take(page, records, *entries) == []
    assert [records[0].values["tags", place].value for place in range(2)] == ["tea", "coffee"]


def test_all_entries_of_a_list_are_taken_over_from_elsewhere_where_there_are_none(page: SeenPage) -> None:
    found: list[FoundRecord] = []
    take(page, found, *({"property": "tags[]", "line": 1, "text": text} for text in ("tea", "coffee")))
    record = FoundRecord()
    record.take_over(found[0].values)
    assert [value.written for value in record.values.values()] == ["tea", "coffee"]


@given(st.text(min_size=1), st.text())
def test_only_what_a_line_has_can_stand_in_it(text: str, line: str) -> None:
    if stands_in(text, line):
        assert " ".join(text.split()) in " ".join(line.split())
