"""Answers are held to closed schemas by us, whatever a library or a provider promises."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from agent.models.checking import check_answer, check_schema, read_json
from agent.planners.goals import make_schema
from tests.agent.models.questions import SCHEMA


def test_every_schema_of_ours_is_closed() -> None:
    check_schema(make_schema([".".join(each) for each in PLANNER_RULES]))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {
            "type": "object",
            "properties": {"a": {"type": "object", "additionalProperties": {}}},
            "additionalProperties": False,
        },
        {"properties": {"a": {}}},
        {"type": "array", "items": {"type": "object"}},
        {"anyOf": [{"type": "string"}, {"type": "object"}]},
        {"$defs": {"x": {"type": "object"}}, "$ref": "#/$defs/x"},
        {"type": "nonsense"},
    ],
)
def test_a_schema_that_leaves_something_open_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"open|valid|nonsense"):
        check_schema(schema)


def test_a_param_called_properties_is_a_name_and_no_keyword() -> None:
    check_schema({"type": "object", "additionalProperties": False, "properties": {"properties": {"type": "string"}}})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(json_values)
def test_only_what_fits_the_schema_is_an_answer(value: object) -> None:
    fits = isinstance(value, dict) and value.keys() == {"word"} and isinstance(value["word"], str)
    try:
        assert check_answer(value, SCHEMA) == value
    except ValueError:
        assert not fits
    else:
        assert fits


@given(json_values)
def test_what_is_json_is_read_as_it_is(value: object) -> None:
    assert read_json(json.dumps(value)) == value
    assert read_json(f"```json\n{json.dumps(value)}\n```") == value


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ValueError):
        assert json.dumps(read_json(text))


@pytest.mark.parametrize("text", ["[" * 100_000, "1e999", "-Infinity", '{"a":1,"a":1}', "1" * 2_000_000, ""])
def test_json_that_does_harm_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_json(text)
