import json
import re
from importlib import import_module
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import ListToolsResult
from pydantic import TypeAdapter

from actuators.verb_table import PLANNER_RULES
from agent.offers.door_tools import DOOR_TOOLS, describe_door_tools
from agent.offers.tool_formats import TOOL_FORMATS, ToolFormat, format_tools, read_format, shorten_schema
from agent.tool_schemas import describe_tool
from core.base.errors import InputError
from tests.core.samples import make_registry

TOOLS = [describe_tool(spec) for spec in make_registry().specs()]
ALL = [*TOOLS, *describe_door_tools()]


def list_shown(form: ToolFormat) -> list[tuple[str, str, dict[str, Any]]]:
    """Return name, description and schema of each tool in a format, read by the maker's own types.

    Their packages take two seconds to import, which every worker would pay for if it were done above.
    """
    shown = format_tools(ALL, form)
    if form == "openai":
        read = TypeAdapter[Any](import_module("openai.types.chat").ChatCompletionFunctionToolParam).validate_python
        named = [read(each, strict=True, extra="forbid")["function"] for each in shown]
        return [(each["name"], each.get("description", ""), dict(each.get("parameters", {}))) for each in named]
    if form == "anthropic":
        read = TypeAdapter[Any](import_module("anthropic.types").ToolParam).validate_python
        taken = [read(each, extra="forbid") for each in shown]
        return [(each["name"], each.get("description", ""), dict(each["input_schema"])) for each in taken]
    if form == "gemini":
        gemini = import_module("google.genai.types").Tool
        declared = [one for each in shown for one in gemini.model_validate(each).function_declarations or ()]
        return [(each.name or "", each.description or "", dict(each.parameters_json_schema or {})) for each in declared]
    listed = ListToolsResult.model_validate(shown).tools
    return [(each.name, each.description or "", each.input_schema) for each in listed]


@pytest.mark.parametrize("form", TOOL_FORMATS)
def test_the_maker_s_own_types_read_every_tool(form: ToolFormat) -> None:
    shown = list_shown(form)
    assert [name for name, _, _ in shown] == [tool["name"] for tool in ALL]
    assert all(said for _, said, _ in shown)
    assert all(re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}", name) for name, _, _ in shown)


@pytest.mark.parametrize("form", TOOL_FORMATS)
def test_every_schema_is_one_that_a_validator_takes_and_of_an_object(form: ToolFormat) -> None:
    for name, _, schema in list_shown(form):
        jsonschema_rs.validator_for(schema)
        assert schema["type"] == "object", name
        assert "null" not in json.dumps(schema), name


def test_a_tool_s_name_is_domain_and_verb_so_that_a_call_can_be_sent_as_a_goal() -> None:
    named = [tuple(name.split("_", 1)) for name, _, _ in list_shown("openai")[: len(TOOLS)]]
    assert set(named) == set(PLANNER_RULES)


def test_a_format_that_nobody_knows_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(InputError, match="Formats: openai, anthropic, gemini, mcp"):
        read_format("cohere")


PARTS = st.recursive(
    st.sampled_from([{"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {"enum": ["a", "b"]}]),
    lambda part: st.one_of(
        part.map(lambda each: {"anyOf": [each, {"type": "null"}], "default": None, "title": "Some"}),
        part.map(lambda each: {"type": "array", "items": each}),
        st.dictionaries(st.sampled_from(["title", "default", "anyOf", "x"]), part, min_size=1).map(
            lambda named: {"type": "object", "properties": named, "title": "Thing", "additionalProperties": False}
        ),
    ),
    max_leaves=6,
)
VALUES = st.recursive(
    st.sampled_from(["a", "zz", 1, True]),
    lambda value: st.one_of(
        st.lists(value, max_size=2), st.dictionaries(st.sampled_from(["title", "default", "anyOf", "x"]), value)
    ),
    max_leaves=6,
)


@given(PARTS, VALUES)
def test_a_shortened_schema_takes_what_the_whole_one_takes_but_null(part: dict[str, Any], value: object) -> None:
    whole = {"type": "object", "properties": {"p": part}}
    short = shorten_schema(whole)
    assert jsonschema_rs.is_valid(whole, {"p": value}) == jsonschema_rs.is_valid(short, {"p": value})
    assert len(json.dumps(short)) <= len(json.dumps(whole))


def test_no_tool_of_the_door_takes_a_yes_or_an_approval() -> None:
    params = {name for tool in DOOR_TOOLS for name in tool.parameters["properties"]}
    assert not params & {"yes", "approve", "approvals", "confirm", "digest", "policy"}
