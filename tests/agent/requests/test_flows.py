import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from agent.requests.flows import Flow, parse_flow
from core.base.errors import FlowError
from core.goals.meta_goals import Goal
from core.goals.references import Reference, Template
from core.goals.scopes import build_meta_goal
from core.goals.world import Capability, WorldState
from core.planning.context import PlanningContext
from core.planning.orchestrator import GoalOrchestrator
from core.planning.planner import GoalPlanner

NAVIGATE = "browser.navigate: {url: 'http://127.0.0.1/'}"


def find_fault(text: str) -> str:
    """Return the message of the flow error that a text gives, or only the name where it gives none."""
    try:
        parse_flow(text)
    except FlowError as error:
        return error.message
    return "flow:"


def read(*goals: str, head: str = "", **overrides: str) -> Flow:
    """Read a flow of these goals, each one line of YAML or more."""
    listed = "".join(f"  - {goal}\n" for goal in goals)
    return parse_flow(f"{head}\ngoals:\n{listed}", overrides)


def read_params(text: str, head: str = "", **overrides: str) -> dict[str, object]:
    """Return the params of the last goal of a flow whose first goal is called ``first``."""
    flow = read(f"{{id: first, {NAVIGATE}}}", f"browser.type: {text}", head=head, **overrides)
    return dict(flow.goals[-1].params)


def test_a_flow_has_a_name_goals_a_policy_and_a_budget() -> None:
    flow = parse_flow(
        "name: order\npolicy: {hosts: [a.test], roots: ['workspace:/'], verbs: ['browser.*']}\n"
        f"budget: {{seconds: 60, actions: 9}}\ngoals:\n  - {NAVIGATE}\n"
    )
    assert flow.name == "order"
    assert flow.policy.hosts == ("a.test",)
    assert flow.policy.roots == ("workspace:/",)
    assert flow.policy.verbs == ("browser.*",)
    assert (flow.budget.seconds, flow.budget.actions) == (60, 9)
    assert flow.goals == (Goal("browser", "navigate", {"url": "http://127.0.0.1/"}, goal_id="g0"),)


def test_a_flow_without_policy_and_budget_has_no_limits() -> None:
    flow = read(NAVIGATE)
    assert (flow.policy.hosts, flow.policy.roots, flow.policy.verbs) == (None, None, None)
    assert (flow.budget.seconds, flow.budget.actions) == (None, None)


def test_json_is_a_flow_too() -> None:
    flow = parse_flow(json.dumps({"goals": [{"browser.press": {"key": "Enter"}, "object": "the form"}]}))
    assert flow.goals[0].params == {"key": "Enter"}
    assert flow.goals[0].object == "the form"


def test_a_verb_without_params_has_none() -> None:
    assert [dict(goal.params) for goal in read("browser.back:", "browser.back: {}").goals] == [{}, {}]


def test_a_goal_comes_after_the_one_before_it_unless_its_scope_says_otherwise() -> None:
    flow = read(
        f"{{id: shop, {NAVIGATE}}}",
        "browser.back:",
        f"{{scope: root, {NAVIGATE}}}",
        "browser.back:",
        "{scope: 'after:shop', browser.back: }",
        "{scope: 'after:back', browser.back: }",
        "{scope: 'after:g3', browser.back: }",
    )
    scopes = [goal.scope for goal in flow.goals]
    assert scopes == ["root", "after:g0", "root", "after:g2", "after:g0", "after:back", "after:g3"]


def test_expect_is_a_goal_of_its_own_that_the_next_goals_wait_for() -> None:
    flow = read(
        f"{{id: shop, {NAVIGATE}, expect: {{title: Shop}}}}", "browser.back:", "{scope: 'after:shop', browser.back: }"
    )
    assert [goal.name for goal in flow.goals] == ["browser.navigate", "browser.expect", "browser.back", "browser.back"]
    assert [goal.scope for goal in flow.goals] == ["root", "after:g0", "after:g1", "after:g1"]
    assert flow.goals[1].params == {"title": "Shop"}


def test_expect_may_refer_to_its_own_goal_and_to_variables() -> None:
    flow = read(
        "id: total\n    browser.read: {target: text, selector: h1}\n    expect: {text: '${total.text} ${unit}'}",
        head="vars: {unit: EUR}",
    )
    assert flow.goals[1].params["text"] == Template((Reference("g0", "text"), " EUR"))


def test_a_reference_alone_is_a_reference_and_within_text_a_template() -> None:
    params = read_params("{selector: h1, text: '${first.url}', mode: 'at ${first.rows.0.price} now'}")
    assert params["text"] == Reference("g0", "url")
    assert params["mode"] == Template(("at ", Reference("g0", "rows.0.price"), " now"))


def test_a_reference_goes_to_the_goal_and_not_to_its_expectation() -> None:
    flow = read(f"{{id: shop, {NAVIGATE}, expect: {{title: Shop}}}}", "browser.press: {key: '${shop.title}'}")
    assert flow.goals[2].params["key"] == Reference("g0", "title")


def test_variables_are_filled_in_at_every_depth_but_not_in_keys() -> None:
    params = read_params("{text: '${a}', value: ['x${a}', {'${a}': '${ a }'}]}", head="vars: {a: é}")
    assert params == {"text": "é", "value": ["xé", {"${a}": "é"}]}


def test_a_variable_keeps_its_type_when_it_stands_alone() -> None:
    head = "vars: {n: 2, f: 2.5, b: true, s: '2'}"
    params = read_params("{a: '${n}', b: '${f}', c: '${b}', d: '${s}', e: '${n} ${f} ${b} ${s}'}", head=head)
    assert list(params.values()) == [2, 2.5, True, "2", "2 2.5 true 2"]
    assert [type(value) for value in params.values()] == [int, float, bool, str, str]


def test_a_variable_may_use_those_above_it() -> None:
    head = "vars: {host: 'a.test', shop: 'http://${host}/shop', raw: '$${host}'}"
    params = read_params("{text: '${shop}', value: '${raw}'}", head=head)
    assert params == {"text": "http://a.test/shop", "value": "${host}"}


def test_overrides_replace_variables_and_take_their_type_literally() -> None:
    head = "vars: {n: 2, f: 2.5, b: true, s: x, t: 'see ${s}'}"
    text = "{a: '${n}', b: '${f}', c: '${b}', d: '${s}', e: '${t}'}"
    params = read_params(text, head=head, n="3", f="4", b="False", s="${f}")
    assert list(params.values()) == [3, 4.0, False, "${f}", "see ${f}"]
    assert [type(value) for value in params.values()] == [int, float, bool, str, str]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$${", "${"),
        ("$${name}", "${name}"),
        ("a $${name} b", "a ${name} b"),
        ("$$${name}", "$${name}"),
        ("$", "$"),
        ("{}", "{}"),
        ("$name", "$name"),
        ("$${${v}}", "${1}"),
    ],
)
def test_dollar_dollar_brace_stands_for_the_characters(text: str, value: str) -> None:
    assert read_params(f"{{text: '{text}'}}", head="vars: {v: 1}")["text"] == value


@given(st.text())
def test_any_literal_text_comes_through_byte_for_byte(text: str) -> None:
    flow = parse_flow(json.dumps({"goals": [{"browser.type": {"text": text.replace("${", "$${")}}]}))
    assert flow.goals[0].params["text"] == text


def plan_text(flow: str) -> object:
    """Return the text that the last goal of a flow is planned to type."""
    world = WorldState(capabilities={"browser": Capability(available=True)}, sessions=frozenset({"page"}))
    meta_goal = build_meta_goal(parse_flow(flow).goals)
    graph = GoalOrchestrator(GoalPlanner(PLANNER_RULES)).orchestrate(meta_goal, PlanningContext(world)).graph
    return list(graph.nodes.values())[-1].args["text"]


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"])))
def test_any_literal_text_in_quotes_of_a_yaml_flow_is_planned_byte_for_byte(text: str) -> None:
    quoted = text.replace("${", "$${").replace("'", "''")
    assert plan_text(f"goals:\n  - browser.type:\n      selector: h1\n      text: '{quoted}'") == text


@given(st.text())
def test_any_literal_text_of_a_json_flow_is_planned_byte_for_byte(text: str) -> None:
    params = {"selector": 'field "Name"', "text": text.replace("${", "$${")}
    assert plan_text(json.dumps({"goals": [{"browser.type": params}]})) == text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("s3cret", "s3cret"),
        ("'it''s: # not a comment'", "it's: # not a comment"),
        ('"tab\\tand\\u0000nul \\x1b"', "tab\tand\0nul \x1b"),
        ("'a \u2028 b \x85 c'", "a \u2028 b \x85 c"),
        ("|\n        two\n          lines\n", "two\n  lines\n"),
        ("|-\n        no end", "no end"),
        (">\n        folded\n        here\n", "folded here\n"),
        ('"  spaces kept  "', "  spaces kept  "),
        ('"true"', "true"),
    ],
)
def test_every_way_to_write_a_text_is_planned_as_yaml_means_it(written: str, text: str) -> None:
    assert plan_text(f"goals:\n  - browser.type:\n      selector: h1\n      text: {written}") == text


@given(st.text())
def test_any_text_is_a_flow_or_a_flow_error(text: str) -> None:
    assert find_fault(text).startswith("flow:")


WORDS = ["goals", "vars", "policy", "budget", "name", "id", "scope", "expect", "browser.click", "a.b", "when", "${x}"]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from(WORDS)
    | st.text(max_size=5),
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.sampled_from(WORDS), each, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(WORDS), VALUES, max_size=5))
def test_any_mapping_is_a_flow_or_a_flow_error(value: dict[str, object]) -> None:
    assert find_fault(json.dumps(value)).startswith("flow:")


@given(st.lists(st.dictionaries(st.sampled_from(WORDS), VALUES, min_size=1, max_size=3), min_size=1, max_size=3))
def test_any_goals_are_a_flow_or_a_flow_error(goals: list[dict[str, object]]) -> None:
    assert find_fault(json.dumps({"goals": goals, "vars": {"x": "1"}})).startswith("flow:")
