from dataclasses import replace
from typing import Any

import pytest

from actuators.verb_table import PLANNER_RULES
from core.base.errors import TableError
from core.rules.param_types import TEXT, WORD
from core.rules.rule_checks import check_table, find_faults
from core.rules.rule_types import ContextProduction, MadeName, PlannerRule, RuleKey
from core.rules.type_makers import integer
from core.tools.registry import ToolSpec
from tests.cases import each_case
from tests.core.samples import make_registry, make_rule

TOOLS = make_registry().specs()
WITH_TEXT: dict[str, Any] = {"required_params": ("text",), "param_types": {"text": TEXT}}


def change_table(key: RuleKey, **parts: Any) -> dict[RuleKey, PlannerRule]:
    rule = PLANNER_RULES[key]
    fields = {name: getattr(rule, name) for name in PlannerRule.__dataclass_fields__ if name != "validator"}
    return {**PLANNER_RULES, key: PlannerRule(**{**fields, **parts})}


def change_tool(name: str, **parts: Any) -> list[ToolSpec]:
    return [replace(tool, **parts) if tool.name == name else tool for tool in TOOLS]


def test_the_real_table_agrees_with_the_real_tools() -> None:
    check_table(PLANNER_RULES, TOOLS)


@each_case("key", sorted(PLANNER_RULES))
def test_every_row_of_the_real_table_is_sound_by_itself(key: RuleKey) -> None:
    assert find_faults(PLANNER_RULES[key]) == []


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ({"description_template": "Look at {it}"}, "description_template names it, which the rule doesn't declare"),
        ({"summary": "looked at {it}"}, "summary names it"),
        ({"resource": ("page:{it}",)}, "resource names it"),
        ({"description_template": "Look {"}, "'Look {' can't be read as a template"),
        ({"resource": ("{",)}, "'{' can't be read as a template"),
        ({"param_types": {"it": TEXT}}, "param_types names it"),
        ({"allowed_values": {"it": ("a",)}}, "allowed_values names it"),
        ({"default_params": {"it": "a"}}, "default_params names it"),
        ({"semantic_params": {"it": str}}, "semantic_params names it"),
        ({"context_consumption": {"it": ("a", "b")}}, "context_consumption names it"),
        ({"context_production": ContextProduction("a", ("it",))}, "context_production names it"),
        ({"choose_one": (("it",),)}, "choose_one or choose_any names it"),
        ({"choose_any": (("it",),)}, "choose_one or choose_any names it"),
        ({"required_params": ("it",)}, "it has no type"),
        ({**WITH_TEXT, "optional_params": ("text",)}, "a param is declared twice"),
        ({**WITH_TEXT, "default_params": {"text": "a"}}, "text is required and has a default"),
        ({"repeat": "at_most_once"}, "an observing verb must be safe to repeat"),
        ({"session_bootstraps": ("page",)}, "opens sessions but doesn't provide its substrate"),
        ({"timeout_s": 0}, "timeout_s must be above 0"),
        ({"timeout_s": 3601}, "timeout_s must be above 0 and at most 3600"),
        ({"holds_seat": True}, "an observing verb makes nothing, ends nothing and holds no seat"),
        ({"ends_programs": True}, "an observing verb makes nothing, ends nothing and holds no seat"),
        ({"makes": MadeName("file", "path")}, "an observing verb makes nothing, ends nothing and holds no seat"),
        (
            {
                "optional_params": ("it",),
                "param_types": {"it": WORD},
                "default_params": {"it": "c"},
                "allowed_values": {"it": ("a", "b")},
            },
            "the default of it is not an allowed value",
        ),
        (
            {"optional_params": ("it",), "param_types": {"it": integer(1, 3)}, "default_params": {"it": "2"}},
            "the default of it is ill-typed",
        ),
    ],
)
def test_a_drifted_row_is_told(parts: dict[str, Any], fault: str) -> None:
    faults = find_faults(make_rule(**parts))
    assert any(fault in each for each in faults), faults


def test_a_sound_row_has_no_faults() -> None:
    assert find_faults(make_rule(**WITH_TEXT, description_template="Look at {text}", resource=("page:{lane}",))) == []


@pytest.mark.parametrize(
    ("name", "parts", "fault"),
    [
        ("browser_click", {"intent": "other"}, "browser.click: no tool of intent browser_control exists for it"),
        ("browser_click", {"verb": "clack"}, "browser.clack has a tool but no rule"),
        ("browser_click", {"hints": {"selector": str}}, "browser.click: its tool has no parameter button"),
        ("browser_back", {"hints": {"x": str}}, "browser.back: its tool's parameter x is undeclared"),
    ],
)
def test_a_tool_that_doesn_t_fit_its_row_is_told(name: str, parts: dict[str, Any], fault: str) -> None:
    with pytest.raises(TableError, match=r"^The rules table is inconsistent: ") as caught:
        check_table(PLANNER_RULES, change_tool(name, **parts))
    assert fault in str(caught.value)


def test_a_row_without_a_tool_is_told() -> None:
    with pytest.raises(TableError, match=r"browser\.click: no tool of intent browser_control"):
        check_table(PLANNER_RULES, [tool for tool in TOOLS if tool.verb != "click"])


def test_a_row_that_plans_a_semantic_param_as_an_argument_is_told() -> None:
    with pytest.raises(TableError, match=r"its tool has no parameter platform"):
        check_table(change_table(("browser", "navigate"), semantic_params={}), TOOLS)


def test_a_row_that_consumes_what_no_row_produces_is_told() -> None:
    table = change_table(("browser", "search"), context_consumption={"platform": ("browser", "engine")})
    with pytest.raises(TableError, match=r"browser\.search: it consumes browser\.engine, which no rule produces"):
        check_table(table, TOOLS)


def test_a_row_that_takes_what_it_destroys_from_context_is_told() -> None:
    table = change_table(("browser", "search"), destroys=("platform",))
    with pytest.raises(TableError, match=r"browser\.search: platform names what is destroyed"):
        check_table(table, TOOLS)


def test_a_row_that_destroys_what_no_param_names_is_told() -> None:
    with pytest.raises(TableError, match=r"file\.delete: destroys names path"):
        check_table(change_table(("file", "delete"), destroys=("path",)), TOOLS)


@pytest.mark.parametrize("key", [key for key, rule in PLANNER_RULES.items() if rule.approval == "confirm"])
def test_what_a_person_must_confirm_says_what_it_destroys_or_can_be_called_off(key: tuple[str, str]) -> None:
    rule = PLANNER_RULES[key]
    assert rule.destroys or rule.undo == "inverse"


def test_everything_that_is_wrong_is_told_at_once() -> None:
    table = {**change_table(("browser", "click"), timeout_s=0), ("audio", "mute"): make_rule()}
    with pytest.raises(TableError) as caught:
        check_table(table, TOOLS)
    assert "browser.click: timeout_s" in str(caught.value)
    assert "audio.mute: no tool" in str(caught.value)


@pytest.mark.parametrize("name", ["param_types", "allowed_values", "default_params", "context_consumption"])
def test_nobody_who_is_given_an_action_can_change_the_table_by_its_rule(name: str) -> None:
    mapping: Any = getattr(PLANNER_RULES["browser", "search"], name)
    with pytest.raises(TypeError, match="does not support item assignment"):
        mapping["text"] = "x"
