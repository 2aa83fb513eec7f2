import json
from typing import Any

from docstring_parser import parse

from actuators.verb_table import PLANNER_RULES
from agent.tool_schemas import describe_tool
from core.tools.registry import ToolSpec
from tests.cases import each_case
from tests.core.samples import make_registry

SPECS = make_registry().specs()


def test_the_same_tool_is_described_by_the_same_bytes_every_time() -> None:
    described = [json.dumps([describe_tool(spec) for spec in make_registry().specs()]) for _ in range(2)]
    assert described[0] == described[1]


@each_case("spec", SPECS, ids=lambda spec: spec.name)
def test_every_tool_is_documented_with_every_parameter_and_what_it_returns(spec: ToolSpec) -> None:
    method = getattr(spec.toolset, spec.verb)
    documented = {each.arg_name for each in parse(method.__doc__).params} - {"context"}
    described = describe_tool(spec)
    properties = described["parameters"].get("properties", {})
    assert described["description"].endswith(".")
    assert described["returns"]
    assert all(described["raises"].values())
    assert set(properties) == {*spec.params} == documented
    assert all(len(each["description"]) > 3 for each in properties.values())


@each_case("spec", SPECS, ids=lambda spec: spec.name)
def test_every_schema_is_closed_and_says_what_is_required(spec: ToolSpec) -> None:
    schema = describe_tool(spec)["parameters"]
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert schema.get("required", []) == list(spec.required)
    assert "context" not in schema["properties"]
    assert "title" not in schema


def thaw_list(value: Any) -> Any:
    """Return a default as JSON has it."""
    return list(value) if isinstance(value, tuple) else value


@each_case("spec", SPECS, ids=lambda spec: spec.name)
def test_a_tool_s_default_is_the_table_s_default(spec: ToolSpec) -> None:
    properties = describe_tool(spec)["parameters"]["properties"]
    for name, default in PLANNER_RULES[spec.domain, spec.verb].default_params.items():
        assert properties[name].get("default") in (thaw_list(default), None), name


def list_choices(schema: Any) -> set[str]:
    """Return the values that a schema's enumerations allow, however deep."""
    if isinstance(schema, list):
        return {value for each in schema for value in list_choices(each)}
    if not isinstance(schema, dict):
        return set()
    deeper = {value for each in schema.values() for value in list_choices(each)}
    return deeper | set(schema.get("enum", ())) - {None}


CHOICES = [
    (spec, name, set(allowed))
    for spec in SPECS
    for name, allowed in PLANNER_RULES[spec.domain, spec.verb].allowed_values.items()
    if name in spec.params and isinstance(allowed, tuple)
]


@each_case(("spec", "name", "allowed"), CHOICES, ids=lambda value: getattr(value, "name", ""))
def test_a_tool_s_choices_are_the_table_s_allowed_values(spec: ToolSpec, name: str, allowed: set[str]) -> None:
    assert list_choices(describe_tool(spec)["parameters"]["properties"][name]) == allowed
