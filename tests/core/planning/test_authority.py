import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.base.errors import AuthorityError, SurehandError
from core.planning.authority import RulesResolver, enforce_authority, list_candidates
from core.planning.plans import PlannedAction, compute_digest, thaw
from core.results.tool_results import ToolCall
from core.rules.rule_types import RuleKey
from tests.cases import each_case
from tests.core.samples import MINIMAL_PARAMS, make_registry, plan_action
from tests.core.toys import ToyRun, toy

SPECS = make_registry().specs()
BY_NAME = {spec.name: spec for spec in SPECS}
LOOKALIKES = [
    "Selector",
    "selectors",
    "selector ",
    "sеlector",  # with a Cyrillic letter
    "ｓelector",  # with a full-width letter
    "URL",
    "uri",
    "href",
    "file_path",
    "args",
    "kwargs",
    "params",
    "context",
    "self",
    "__class__",
    "approved",
    "",
]

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just(10**400),
    st.floats(),
    st.text(max_size=8),
    st.just("x" * 100_000),
    st.sampled_from(["#evil", "http://evil.example/", "/etc/passwd"]),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)
PLANNED_NAMES = {name for rule in PLANNER_RULES.values() for name in rule.declared_params}
known_names = sorted({name for spec in SPECS for name in spec.params} | PLANNED_NAMES)
proposals = st.dictionaries(
    st.one_of(st.sampled_from(known_names), st.sampled_from(LOOKALIKES), st.text(max_size=8)), values, max_size=8
)


def enforce(action: PlannedAction, tool: str, params: Mapping[str, Any]):
    return enforce_authority(action, ToolCall(tool, params), list_candidates(action, SPECS))


@given(st.sampled_from(sorted(PLANNER_RULES)), proposals)
def test_whatever_a_resolver_says_the_planned_args_are_executed_and_nothing_undeclared_gets_in(
    key: RuleKey, proposed: dict[str, Any]
) -> None:
    action = plan_action(*key, MINIMAL_PARAMS[key])
    enforced = enforce(action, f"{key[0]}_{key[1]}", proposed)
    executed = enforced.call.params
    spec = BY_NAME[enforced.call.tool]
    planned = {name: executed[name] for name in action.args}
    added = set(executed) - set(action.args)
    assert repr(planned) == repr({name: thaw(value) for name, value in action.args.items()})
    assert compute_digest(action.domain, action.intent, action.verb, planned) == action.digest == enforced.args_digest
    assert not added
    assert set(executed) <= set(spec.params)


@given(st.sampled_from(sorted(PLANNER_RULES)), proposals)
def test_whatever_was_not_taken_over_is_named(key: RuleKey, proposed: dict[str, Any]) -> None:
    action = plan_action(*key, MINIMAL_PARAMS[key])
    enforced = enforce(action, f"{key[0]}_{key[1]}", proposed)
    foreign = {name for name in proposed if name not in enforced.call.params}
    assert foreign <= set(enforced.dropped) <= set(proposed)


@given(st.sampled_from(sorted(PLANNER_RULES)), st.one_of(st.sampled_from(sorted(BY_NAME)), st.text(max_size=20)))
def test_a_tool_outside_the_action_s_own_set_is_refused(key: RuleKey, tool: str) -> None:
    action = plan_action(*key, MINIMAL_PARAMS[key])
    own = f"{key[0]}_{key[1]}"
    if tool == own:
        assert enforce(action, tool, {}).call.tool == own
        return
    with pytest.raises(AuthorityError) as caught:
        enforce(action, tool, {})
    assert f"allowed: {own}" in str(caught.value)


@each_case("key", sorted(PLANNER_RULES))
async def test_the_rules_own_resolver_proposes_just_what_was_planned(key: RuleKey) -> None:
    action = plan_action(*key, MINIMAL_PARAMS[key])
    candidates = list_candidates(action, SPECS)
    enforced = enforce_authority(action, await RulesResolver().resolve(action, candidates), candidates)
    assert enforced.dropped == ()
    assert len(candidates) == 1


async def test_an_action_without_a_tool_is_refused() -> None:
    with pytest.raises(SurehandError, match=r"No tool for browser\.back is installed") as caught:
        await RulesResolver().resolve(plan_action("browser", "back", {}), ())
    assert caught.value.code == "not_supported_here"


@pytest.mark.parametrize("field", ["domain", "intent", "verb"])
def test_a_tool_of_another_domain_intent_or_verb_is_no_candidate(field: str) -> None:
    action = plan_action("browser", "click", MINIMAL_PARAMS["browser", "click"])
    assert list_candidates(action, [replace(BY_NAME["browser_click"], **{field: "other"})]) == ()


READ = plan_action("browser", "read", {"target": "text"})


@pytest.mark.parametrize("param", ["max_chars", "max_rows", "limit", "offset"])
def test_a_resolver_cuts_nothing_that_is_read(param: str) -> None:
    for name in ("browser_read", "browser_extract", "file_read", "file_list"):
        domain, verb = name.split("_")
        action = plan_action(domain, verb, MINIMAL_PARAMS[domain, verb])
        enforced = enforce(action, name, {param: 1})
        assert (dict(enforced.call.params).get(param), enforced.dropped) == (action.args.get(param), (param,))


def test_the_planned_args_repeated_by_a_resolver_are_no_change() -> None:
    params = {"fields": {"a": {"selector": "#a", "type": "number"}}, "rows": "li"}
    action = plan_action("browser", "extract", params)
    assert enforce(action, "browser_extract", params).dropped == ()
    clicked = plan_action("browser", "click", {"selector": "#a", "modifiers": ["Alt"]})
    assert enforce(clicked, "browser_click", {"modifiers": ["Alt"], "count": 1}).dropped == ()


@pytest.mark.parametrize(
    "changed",
    [
        {"fields": {"a": {"selector": "#b", "type": "number"}}},
        {"fields": {"a": {"selector": "#a"}}},
        {"fields": {"a": {"selector": "#a", "type": "number"}, "b": "#b"}},
        {"fields": "#a"},
        {"rows": ["li"]},
        {"rows": None},
    ],
)
def test_a_changed_arg_is_overwritten_and_named(changed: dict[str, Any]) -> None:
    params = {"fields": {"a": {"selector": "#a", "type": "number"}}, "rows": "li"}
    enforced = enforce(plan_action("browser", "extract", params), "browser_extract", {**params, **changed})
    assert dict(enforced.call.params) == params
    assert enforced.dropped == tuple(changed)


@pytest.mark.parametrize("value", [True, 1.0, "1"])
def test_a_value_that_only_equals_the_planned_one_is_overwritten_and_named(value: object) -> None:
    enforced = enforce(plan_action("browser", "click", {"selector": "#a"}), "browser_click", {"count": value})
    assert type(enforced.call.params["count"]) is int
    assert enforced.dropped == ("count",)


def test_an_action_whose_args_do_not_fit_its_digest_is_refused() -> None:
    action = plan_action("browser", "click", {"selector": "#a"})
    with pytest.raises(AuthorityError, match="differ from the planned ones"):
        enforce(replace(action, args={**action.args, "selector": "#b"}), "browser_click", {})


def test_what_a_tool_does_to_its_arguments_does_not_change_the_plan() -> None:
    params = {"fields": {"a": {"selector": "#a"}}}
    action = plan_action("browser", "extract", params)
    executed: Any = enforce(action, "browser_extract", {}).call.params
    executed["fields"]["a"]["selector"] = "#evil"
    executed["fields"]["b"] = "#b"
    executed["rows"] = "li"
    assert thaw(action.args) == params
    assert enforce(action, "browser_extract", {}).call.params == params


async def test_a_tool_that_spoils_its_arguments_leaves_the_receipt_and_the_plan_as_they_were() -> None:
    run = ToyRun()
    given = {"a": {"selector": "#a"}}
    first, second = await run.run(
        toy("spoil", fields=given, words=["x"]), toy("spoil", "after:g0", fields=given, words=["x"])
    )
    assert first.result.status == second.result.status == "ok"
    assert first.result.args_digest == second.result.args_digest
    assert given == {"a": {"selector": "#a"}}


class HostileResolver:
    """Proposes what it was made with, whatever is asked."""

    def __init__(self, tool: str, params: Mapping[str, Any]) -> None:
        self.call = ToolCall(tool, copy.deepcopy(dict(params)))

    async def resolve(self, action: PlannedAction, candidates: object) -> ToolCall:
        return self.call


async def test_a_hostile_resolver_changes_nothing_that_is_executed() -> None:
    run = ToyRun(HostileResolver("toy_note", {"text": "evil", "more": 1}))
    (log,) = await run.run(toy("note", text="good"))
    assert run.toys.noted == ["good"]
    assert (log.dropped, log.resolver) == (("more", "text"), "HostileResolver")
    assert log.result.status == "ok"


async def test_a_hostile_resolver_that_chooses_another_tool_executes_nothing() -> None:
    run = ToyRun(HostileResolver("toy_note", {"text": "evil"}))
    (log,) = await run.run(toy("look", text="good"))
    assert run.toys.noted == []
    assert (log.result.status, log.result.effect) == ("refused", "none")
    assert log.result.error is not None
    assert log.result.error.code == "authority_violation"


def test_what_is_acted_on_and_what_is_said_is_planned_by_some_rule() -> None:
    assert {
        *("selector", "state", "url", "path", "source", "destination", "text", "value", "key", "app", "device"),
        *("level", "target", "name", "content", "query"),
    } <= PLANNED_NAMES
