import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from actuators.verb_table import PLANNER_RULES
from agent.facts.flow_schema import describe_flow_schema
from agent.requests.words.documents import parse_document
from tests.cases import each_case
from tests.docs.examples import Example, list_examples

FLOWS = sorted((Path(__file__).parents[3] / "fixtures" / "flows").glob("*.yaml"))
SCHEMA = describe_flow_schema()
VALIDATOR = jsonschema_rs.validator_for(SCHEMA)


def list_faults(text: str) -> list[str]:
    return [error.message for error in VALIDATOR.iter_errors(parse_document(text, "flow").data)]


def test_the_schema_is_a_schema_and_the_same_every_time() -> None:
    jsonschema_rs.meta.validate(SCHEMA)
    assert json.dumps(SCHEMA) == json.dumps(describe_flow_schema())


@pytest.mark.parametrize("path", FLOWS, ids=lambda path: path.name)
def test_the_fixtures_fit(path: Path) -> None:
    assert list_faults(path.read_text(encoding="utf-8")) == []


@each_case("example", list_examples("yaml flow"), ids=str)
def test_the_examples_of_the_guides_fit(example: Example) -> None:
    assert list_faults(example.text) == []


@each_case("example", list_examples("yaml goal"), ids=str)
def test_the_goals_of_the_guides_fit(example: Example) -> None:
    assert list_faults(f"goals:\n{example.text}") == []


@each_case("name", [f"{domain}.{verb}" for domain, verb in PLANNER_RULES], ids=str)
def test_a_verb_with_an_unknown_param_does_not_fit(name: str) -> None:
    assert VALIDATOR.is_valid({"goals": [{name: {"ghost_param": "x"}}]}) is False


@each_case(
    "bad",
    [
        {},
        {"goals": []},
        {"goals": [{}]},
        {"goals": [{"browser.clik": {"selector": "css=a"}}]},
        {"goals": [{"browser.click": {"selector": "css=a"}, "browser.back": {}}]},
        {"goals": [{"browser.type": {"selector": "css=a"}}]},
        {"goals": [{"browser.navigate": {"url": 2}}]},
        {"goals": [{"browser.navigate": {"url": "x"}, "retry": 0}]},
        {"goals": [{"browser.navigate": {"url": "x"}, "when": {"value": "x"}}]},
        {"goals": [{"browser.navigate": {"url": "x"}, "when": {"value": "x", "like": "y"}}]},
        {"goals": [{"browser.navigate": {"url": "x"}, "when": {"browser.click": {"selector": "css=a"}}}]},
        {"goals": [{"group": "x"}]},
        {"goals": [{"repeat": {"times": 2, "rows": "x.csv"}, "goals": [{"browser.back": {}}]}]},
        {"goals": [{"repeat": {"times": 1001}, "goals": [{"browser.back": {}}]}]},
        {"goals": [{"include": {}}]},
        {"goals": [{"include": "x.yaml", "goals": []}]},
        {"goals": [{"browser.back": {}}], "repeat": {}},
        {"goals": [{"browser.back": {}}], "vars": {"x": {"default": 1}}},
        {"goals": [{"browser.back": {}}], "policy": {"hots": []}},
    ],
)
def test_what_is_no_flow_does_not_fit(bad: dict[str, Any]) -> None:
    assert VALIDATOR.is_valid(bad) is False
