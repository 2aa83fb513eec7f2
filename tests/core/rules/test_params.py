from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.goals.references import Reference, Template
from core.goals.world import WorldState
from core.rules.param_types import BOOLEAN, SECONDS, TAB, TEXT, WORD
from core.rules.params import ParamReport, shorten, suggest, validate_bound, validate_params
from core.rules.rule_types import FromWorld, PlannerRule
from core.rules.type_makers import ParamType, integer, listing, number
from tests.core.samples import WORLD, make_rule

CLICK = PLANNER_RULES["browser", "click"]
TYPE = PLANNER_RULES["browser", "type"]
WAIT = PLANNER_RULES["browser", "wait"]
EXPECT = PLANNER_RULES["browser", "expect"]
UPLOAD = PLANNER_RULES["browser", "upload"]
SEARCH = PLANNER_RULES["browser", "search"]
TEXT_OF_G0 = Reference("g0", "text")


def check(rule: PlannerRule, **params: Any) -> ParamReport:
    return validate_params(rule, params, WORLD)


def kinds(report: ParamReport) -> list[tuple[str, str]]:
    return [(problem.kind, problem.param) for problem in report.problems]


def test_a_missing_param_is_named_with_its_type() -> None:
    report = check(TYPE, selector="#a")
    assert kinds(report) == [("missing", "text")]
    assert report.problems[0].message == "text is missing (it takes: text, or secret:name)"


def test_several_elements_are_taken_where_each_is_acted_on_and_refused_where_one_is_meant() -> None:
    for rule in (CLICK, EXPECT):
        assert kinds(check(rule, selector='every button "Like"')) == []
    assert kinds(check(TYPE, selector="every field", text="a")) == [("type", "selector")]


def test_an_unknown_param_is_named_with_the_nearest_known() -> None:
    report = check(CLICK, selector="#a", buton="left")
    assert kinds(report) == [("unknown", "buton")]
    assert 'there is no param "buton" (did you mean "button"?)' in report.problems[0].message


@pytest.mark.parametrize("value", [None, TEXT_OF_G0, [TEXT_OF_G0], {}])
def test_an_unknown_param_is_reported_whatever_its_value(value: object) -> None:
    assert kinds(check(CLICK, selector="#a", selctor=value)) == [("unknown", "selctor")]


def test_a_name_that_is_no_text_is_an_unknown_param() -> None:
    keys: Any = {"selector": "#a", 5: "x", ("a",): "y"}
    assert [problem.kind for problem in validate_params(CLICK, keys, WORLD).problems] == ["unknown", "unknown"]


def test_all_problems_are_reported_at_once() -> None:
    report = check(TYPE, selector=5, mode="shout", sumbit=True, submit="yes")
    assert sorted(kinds(report)) == [
        ("missing", "text"),
        ("not_allowed", "mode"),
        ("type", "selector"),
        ("type", "submit"),
        ("unknown", "sumbit"),
    ]


def test_an_ill_typed_param_is_not_called_missing_as_well() -> None:
    assert kinds(check(WAIT, text=5)) == [("type", "text")]


STRICT: list[tuple[ParamType, object, bool]] = [
    (integer(1, 3), 1, True),
    (integer(1, 3), 3, True),
    (integer(1, 3), 0, False),
    (integer(1, 3), 4, False),
    (integer(1, 3), True, False),
    (integer(1, 3), "2", False),
    (integer(1, 3), 2.0, False),
    (number(0, 5), 2, True),
    (number(0, 5), 2.5, True),
    (number(0, 5), True, False),
    (number(0, 5), "2", False),
    (number(0, 5), float("nan"), False),
    (number(0, 5), float("inf"), False),
    (SECONDS, -0.1, False),
    (BOOLEAN, False, True),
    (BOOLEAN, 0, False),
    (BOOLEAN, "false", False),
    (TEXT, "", True),
    (TEXT, b"x", False),
    (TEXT, 5, False),
    (TEXT, "\ud800", False),
    (WORD, "", False),
    (TAB, 0, True),
    (TAB, "last", True),
    (TAB, True, False),
    (TAB, -1, False),
    (listing(WORD, 2), ["a", "b"], True),
    (listing(WORD, 2), ("a",), True),
    (listing(WORD, 2), ["a", "b", "c"], False),
    (listing(WORD, 2), ["a", 5], False),
    (listing(WORD, 2), "ab", False),
    (listing(WORD, 2), {"a"}, False),
    (listing(WORD, 2), {"a": "b"}, False),
]


@pytest.mark.parametrize(("kind", "value", "good"), STRICT)
def test_types_are_strict(kind: ParamType, value: object, good: bool) -> None:
    rule = make_rule(required_params=("it",), param_types={"it": kind})
    report = check(rule, it=value)
    assert kinds(report) == ([] if good else [("type", "it")])
    assert good or f"it must be {kind.label}, not " in report.problems[0].message


@pytest.mark.parametrize(
    ("verb", "param", "good", "bad"),
    [
        ("click", "selector", ['button "Buy"', "#a > b"], ["", 5, ["#a"]]),
        ("navigate", "url", ["http://a/", "https://b.example/x?y#z", "about:blank"], ["a.example", "", "http://", 7]),
        ("press", "key", ["Enter", "Control+A"], ["", 5]),
        ("drag", "offset", [[1, 2.5], (0, -3)], [[1], [1, 2, 3], ["1", 2], {1, 2}]),
        ("upload", "path", ["a", ["a", "b"]], [5, "", [""]]),
        ("select", "value", [0, "", "a", ["a", "b"]], [True, -1, {"a": 1}]),
        ("emulate", "viewport", [{"width": 1, "height": 2}], [{"width": 1}, {"width": 1, "height": 2, "depth": 3}]),
        ("emulate", "geolocation", [{"latitude": 1, "longitude": 2}], [{"latitude": 91, "longitude": 2}]),
        ("extract", "fields", [{"a": "#b"}, {"a": {"selector": "#b", "type": "number"}}], [{}, {"a": {"typ": "x"}}]),
    ],
)
def test_params_of_the_table_take_what_they_say(verb: str, param: str, good: list[Any], bad: list[Any]) -> None:
    rule = PLANNER_RULES["browser", verb]
    for value in good:
        assert ("type", param) not in kinds(validate_params(rule, {param: value}, WORLD)), value
    for value in bad:
        assert ("type", param) in kinds(validate_params(rule, {param: value}, WORLD)), value


def test_a_value_outside_the_allowed_ones_is_named_with_the_nearest() -> None:
    report = check(CLICK, selector="#a", button="lef")
    assert kinds(report) == [("not_allowed", "button")]
    assert report.problems[0].message == 'button must be one of left, right, middle, not "lef" (did you mean "left"?)'


def test_every_member_of_a_list_must_be_allowed() -> None:
    report = check(CLICK, selector="#a", modifiers=["Alt", "Hyper"])
    assert kinds(report) == [("not_allowed", "modifiers")]
    assert '"Hyper"' in report.problems[0].message


def test_allowed_values_may_come_from_the_world() -> None:
    rule = make_rule(
        optional_params=("place",), param_types={"place": WORD}, allowed_values={"place": FromWorld("places")}
    )
    here = WorldState(values={"places": ("attic",)})
    assert validate_params(rule, {"place": "attic"}, here).problems == ()
    assert kinds(validate_params(rule, {"place": "cellar"}, here)) == [("not_allowed", "place")]
    assert kinds(validate_params(rule, {"place": "attic"}, WorldState())) == [("not_allowed", "place")]


def test_defaults_fill_what_is_absent_and_nothing_else() -> None:
    assert check(CLICK, selector="#a").params == {"selector": "#a", "button": "left", "count": 1}
    assert check(CLICK, selector="#a", count=2).params["count"] == 2


def test_null_means_absent() -> None:
    assert check(CLICK, selector="#a", button=None).params["button"] == "left"
    assert kinds(check(CLICK, selector=None)) == [("missing", "selector")]


def test_validated_params_stand_in_the_order_of_the_rule() -> None:
    told = check(TYPE, mode="keys", submit=True, selector="#a", text="x").params
    assert list(told) == ["text", "selector", "mode", "submit"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"text": "a"}, []),
        ({}, [("missing", "selector")]),
        ({"text": "a", "url": "b"}, [("conflict", "selector")]),
        ({"text": "a", "url": None}, []),
        ({"text": TEXT_OF_G0}, []),
        ({"text": TEXT_OF_G0, "url": "b"}, [("conflict", "selector")]),
    ],
)
def test_of_some_params_exactly_one_is_needed(given: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert kinds(check(WAIT, **given)) == expected


def test_a_conflict_names_what_was_given() -> None:
    text = check(WAIT, text="a", url="b").problems[0].message
    assert text == "exactly one of selector, url, text, load_state, seconds is needed; url and text were given"


@pytest.mark.parametrize(
    ("given", "good"),
    [({"title": "a"}, True), ({"title": "a", "url": "b"}, True), ({"state": "visible"}, False), ({}, False)],
)
def test_of_some_params_at_least_one_is_needed(given: dict[str, Any], good: bool) -> None:
    assert kinds(check(EXPECT, **given)) == ([] if good else [("missing", "selector")])


@pytest.mark.parametrize("value", [TEXT_OF_G0, Template(("#", TEXT_OF_G0))])
def test_a_reference_is_left_as_it_is_until_its_value_is_known(value: object) -> None:
    report = check(CLICK, selector=value, button=value)
    assert report.problems == ()
    assert report.params["selector"] is value


def test_a_reference_inside_a_list_defers_the_whole_list() -> None:
    report = check(UPLOAD, selector="#a", path=["a.txt", TEXT_OF_G0])
    assert report.problems == ()
    assert report.params["path"] == ["a.txt", TEXT_OF_G0]


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"selector": "#a", "button": "left"}, []),
        ({"selector": "#a", "button": "thumb"}, [("not_allowed", "button")]),
        ({"selector": 5}, [("type", "selector")]),
        ({"selector": None}, [("type", "selector")]),
        ({"selector": ""}, [("type", "selector")]),
    ],
)
def test_a_value_that_was_read_is_held_to_the_same_rules(args: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert [(each.kind, each.param) for each in validate_bound(CLICK, args, WORLD).problems] == expected


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just(TEXT_OF_G0)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=6,
)


@given(st.sampled_from(sorted(PLANNER_RULES)), st.data())
def test_validation_never_raises_and_never_lets_an_undeclared_param_through(key: Any, data: st.DataObject) -> None:
    rule = PLANNER_RULES[key]
    names = st.one_of(st.sampled_from([*rule.declared_params, "x"]), st.text(max_size=6))
    params = data.draw(st.dictionaries(names, values, max_size=5))
    report = validate_params(rule, params, WORLD)
    assert set(report.params) <= set(rule.declared_params)
    unknown = set(params) - set(rule.declared_params)
    assert {problem.param for problem in report.problems if problem.kind == "unknown"} == unknown
    if not report.problems:
        assert set(rule.required_params) <= set(report.params)


def test_a_value_in_a_message_is_short_and_shows_what_is_invisible() -> None:
    assert shorten("a\u202e\x1b") == '"a\\u202e\\x1b"'
    assert len(shorten("x" * 10_000)) == 80
    assert len(shorten(["x" * 10_000])) == 80


def test_nothing_is_suggested_where_nothing_is_near() -> None:
    assert suggest("zzz", ["button", "count"]) == ""
    assert suggest("coutn", ["button", "count"]) == ' (did you mean "count"?)'


def test_an_ill_typed_address_is_named_without_its_credentials() -> None:
    report = validate_params(PLANNER_RULES["browser", "navigate"], {"url": "javascript://ada:s3cret@x/"}, WORLD)
    assert [problem.kind for problem in report.problems] == ["type"]
    assert "s3cret" not in report.problems[0].message
