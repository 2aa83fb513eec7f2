"""What stands on a page, as a schema wants it: typed where that is certain, refused with the reason where it is not."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.planners.extract.shapes import ListShape, RecordShape, ValueShape, read_shape
from agent.planners.extract.values import convert_text, split_list
from core.base.errors import InputError

READ: list[tuple[dict[str, Any], str, Any]] = [
    ({"type": "number"}, "£1,234.50", 1234.5),
    ({"type": "number"}, "-5 %", -5),
    ({"type": "number"}, "3.2 million", 3_200_000),
    ({"type": "integer"}, "12 pieces", 12),
    ({"type": ["integer", "number"]}, "2.5 kg", 2.5),
    ({"type": "boolean"}, "Yes", True),
    ({"type": "boolean"}, "✗", False),
    ({"type": "string"}, "  Blue \n mug ", "Blue mug"),
    ({"type": "string", "format": "date"}, "24 December 2026", "2026-12-24"),
    ({"type": "string", "format": "date"}, "24.12.2026", "2026-12-24"),
    ({"type": "string", "format": "date"}, "13/02/2026", "2026-02-13"),
    ({"type": "string", "format": "time"}, "6:30 pm", "18:30:00"),
    ({"type": "string", "format": "date-time"}, "2026-12-24T18:30:00Z", "2026-12-24T18:30:00+00:00"),
    ({"type": "string", "format": "email"}, "Write to ada@example.com", "ada@example.com"),
    ({"type": "string", "format": "uri"}, "http://127.0.0.1/a b", "http://127.0.0.1/a%20b"),
    ({"enum": ["in_stock", "sold-out"]}, "In stock", "in_stock"),
    ({"enum": [1, 2, 3]}, "2 stars", 2),
    ({"type": ["string", "null"]}, "–", None),
    ({"anyOf": [{"type": "number"}, {"type": "null"}]}, "", None),
]
REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"type": "number"}, "1 to 3", "2 numbers"),
    ({"type": "number"}, "free", "no number"),
    ({"type": "number"}, "2.5k", "thousands"),
    ({"type": "number"}, "1,234", "two ways"),
    ({"type": "integer"}, "2.5", "not a whole number"),
    ({"type": "boolean"}, "perhaps", "neither yes nor no"),
    ({"type": "string"}, "", "empty"),
    ({"type": "string", "format": "date"}, "01/02/2026", "day and month"),
    ({"type": "string", "format": "date"}, "soon", "not a date"),
    ({"type": "string", "format": "email"}, "a@b.de, c@d.de", "e-mail"),
    ({"enum": ["red", "blue"]}, "reddish", "none of the choices"),
]


def make_shape(schema: dict[str, Any]) -> ValueShape:
    record = read_shape({"type": "object", "properties": {"value": schema}})
    assert isinstance(record, RecordShape)
    shape = record.fields[0].shape
    assert isinstance(shape, ValueShape)
    return shape


@pytest.mark.parametrize(("schema", "text", "value"), READ)
def test_a_text_becomes_the_value_that_the_schema_wants(schema: dict[str, Any], text: str, value: Any) -> None:
    found = convert_text(text, make_shape(schema))
    assert found == value
    assert type(found) is type(value) or isinstance(found, float)


@pytest.mark.parametrize(("schema", "text", "why"), REFUSED)
def test_a_text_that_is_something_else_or_could_be_two_things_is_refused(
    schema: dict[str, Any], text: str, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        convert_text(text, make_shape(schema))


def test_the_language_of_the_page_decides_what_can_be_read_in_two_ways() -> None:
    number, date = make_shape({"type": "number"}), make_shape({"type": "string", "format": "date"})
    assert (convert_text("1,234", number, "en"), convert_text("1,234", number, "de")) == (1234, 1.234)
    assert convert_text("01/02/2026", date, "en-US") == "2026-01-02"
    assert convert_text("01/02/2026", date, "en-GB") == "2026-02-01"


@given(st.integers(-(10**12), 10**12))
def test_a_number_with_thousands_separators_is_that_number(number: int) -> None:
    assert convert_text(f"{number:,}", make_shape({"type": "integer"}), "en") == number


@given(st.text())
def test_any_text_is_a_value_or_refused(text: str) -> None:
    for schema in ({"type": "number"}, {"type": "string", "format": "date"}, {"type": "string", "format": "uri"}):
        with suppress(ValueError):
            convert_text(text, make_shape(schema), "en-GB")


def test_lists_are_split_at_what_people_write_between_entries() -> None:
    assert split_list("tea, milk; sugar | salt") == ["tea", "milk", "sugar", "salt"]


def test_lists_and_references_of_a_schema_are_followed() -> None:
    tag = {"type": "string"}
    shape = read_shape(
        {
            "$defs": {"Item": {"type": "object", "properties": {"tags": {"type": "array", "items": tag}}}},
            "type": "array",
            "items": {"$ref": "#/$defs/Item"},
        }
    )
    assert isinstance(shape, ListShape)
    assert isinstance(shape.items, RecordShape)
    assert isinstance(shape.items.fields[0].shape, ListShape)


BAD_SCHEMAS: dict[str, Any] = {
    "a text": {"type": "string"},
    "no properties": {"type": "object"},
    "two types": {"type": "object", "properties": {"a": {"type": ["object", "string"]}}},
    "alternatives": {"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "number"}]}}},
    "a circle": {"$ref": "#"},
    "another file": {"$ref": "other.json"},
    "unknown type": {"type": "object", "properties": {"a": {"type": "money"}}},
}


@pytest.mark.parametrize("schema", list(BAD_SCHEMAS.values()), ids=list(BAD_SCHEMAS))
def test_a_schema_that_no_page_can_fill_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        read_shape(schema)
    assert caught.value.code == "bad_schema"
