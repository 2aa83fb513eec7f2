"""What verbs need by the values of their params, at planning and once a reference is bound."""

from dataclasses import replace
from typing import Any

import pytest

from actuators.catalog import ALL_CAPABILITIES
from actuators.verb_table import PLANNER_RULES
from core.approvals.approvals import ApprovalTerms
from core.execution.run_context import RunContext, StepContext
from core.execution.steps import StepPerformer
from core.goals.meta_goals import Goal
from core.goals.references import Reference, Template
from core.goals.world import Capability, WorldState
from core.planning.authority import RulesResolver
from core.planning.planner import GoalPlanner, PlanResult
from core.policy.policy import Policy
from core.results.tool_results import StepLog
from core.rules.param_types import WORD
from core.rules.rule_types import RuleKey
from core.rules.type_makers import ParamType, needing
from tests.cases import each_case
from tests.core.samples import WORLD, make_registry, make_setting, plan_action
from tests.core.toys import Asker

READ = Reference("g9", "text")
CASES: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("desktop.click", {"target": 'button "OK"'}, ("accessibility",)),
    ("desktop.click", {"target": 'text "OK"'}, ("screen", "vision")),
    ("desktop.click", {"target": {"point": [1, 2]}}, ()),
    ("desktop.click", {"target": {"point": [1, 2], "space": "window"}}, ("windows",)),
    ("desktop.click", {"target": {"point": [1, 2], "screenshot": "s1"}}, ("screen",)),
    ("desktop.click", {"image": "ok.png"}, ("screen", "vision")),
    ("desktop.click", {"target": {"point": [1, 2]}, "window": "Editor"}, ("windows",)),
    ("desktop.drag", {"target": {"point": [1, 2]}, "to": 'text "Bin"'}, ("screen", "vision")),
    ("desktop.press", {"keys": "ctrl+s"}, ()),
    ("desktop.press", {"keys": "ctrl+s", "window": "Editor"}, ("windows",)),
    ("desktop.find", {"role": "button"}, ("accessibility",)),
    ("desktop.wait", {"text": "Done"}, ("screen", "vision")),
    ("desktop.wait", {"window": "Editor"}, ("windows",)),
    ("system.get", {"target": "time"}, ()),
    ("system.get", {"target": "battery"}, ("battery",)),
    ("system.set", {"target": "brightness", "value": 50}, ("brightness",)),
]


def lack(*names: str) -> WorldState:
    """Return a world that can do everything but these."""
    missing = {name: Capability(False, "it is broken.", "Mend it.") for name in names}
    return replace(WORLD, capabilities={**WORLD.capabilities, **missing})


def plan(name: str, params: dict[str, Any], world: WorldState) -> PlanResult:
    domain, verb = name.split(".")
    return GoalPlanner(PLANNER_RULES).plan(Goal(domain, verb, params, goal_id="g0"), make_setting(world))


@pytest.mark.parametrize(("name", "params", "needs"), CASES)
def test_a_value_is_blocked_where_just_what_it_takes_is_missing(
    name: str, params: dict[str, Any], needs: tuple[str, ...]
) -> None:
    domain, verb = name.split(".")
    wanted = {*needs, *PLANNER_RULES[domain, verb].needs}
    for capability in ALL_CAPABILITIES:
        result = plan(name, params, lack(capability))
        assert result.status == ("blocked" if capability in wanted else "success"), capability


def test_a_blocked_value_says_why_and_what_to_do() -> None:
    error = plan("desktop.click", {"target": 'text "OK"'}, lack("vision")).error
    assert error is not None
    assert (error.code, error.hint) == ("not_supported_here", "Mend it.")
    assert error.message == "desktop.click can't be done on this machine: it is broken."


def test_what_nobody_speaks_for_is_not_supported_either() -> None:
    error = plan(
        "desktop.click", {"target": 'text "OK"'}, replace(WORLD, capabilities={"input": Capability(True)})
    ).error
    assert error is not None
    assert error.code == "not_supported_here"
    assert "nothing here provides screen" in error.message


async def bind(name: str, params: dict[str, Any], output: object, world: WorldState) -> tuple[StepLog, Asker]:
    """Plan with a reference on a machine that can do everything, and perform on one that can't."""
    domain, verb = name.split(".")
    gate = Asker(answer=False)
    action = plan_action(domain, verb, params)
    run = RunContext(world=world, policy=Policy(), approvals=ApprovalTerms(gate=gate))
    performer = StepPerformer(make_registry(), RulesResolver())
    log = await performer.perform(action, StepContext(run=run, outputs={"g9": {"text": output}}))
    return log, gate


@pytest.mark.parametrize(
    ("name", "params", "output"),
    [
        ("desktop.click", {"target": READ}, 'text "OK"'),
        ("desktop.click", {"target": Template(('text "', READ, '"'))}, "OK"),
        ("desktop.click", {"image": READ}, "ok.png"),
        ("desktop.drag", {"target": {"point": [1, 2]}, "to": READ}, 'text "Bin"'),
        ("desktop.wait", {"text": READ}, "Done"),
    ],
)
async def test_a_value_that_was_read_is_refused_before_the_act_where_the_machine_lacks_what_it_takes(
    name: str, params: dict[str, Any], output: str
) -> None:
    log, gate = await bind(name, params, output, lack("vision"))
    assert (log.result.status, log.result.effect, log.tool) == ("refused", "none", "")
    assert log.result.error is not None
    assert (log.result.error.code, log.result.error.hint) == ("not_supported_here", "Mend it.")
    assert gate.asked == []


async def test_a_value_that_was_read_is_let_through_where_the_machine_has_what_it_takes() -> None:
    log, gate = await bind("desktop.click", {"target": READ}, 'button "OK"', lack("vision"))
    assert (len(gate.asked), log.result.error and log.result.error.code) == (1, "approval_missing")


async def test_no_session_is_asked_for_once_a_run_is_under_way() -> None:
    log, gate = await bind("browser.type", {"selector": "#a", "text": READ}, "x", replace(WORLD, sessions=frozenset()))
    assert (len(gate.asked), log.result.error and log.result.error.code) == (1, "approval_missing")


# --- what is told of it


def test_a_type_lists_what_its_values_need_with_examples() -> None:
    kind = needing(WORD, {"battery": ("battery",), "displays": ("windows",), "wifi": ("battery", "radio")})
    assert kind.list_needs() == {"battery": ["battery", "wifi"], "windows": ["displays"], "radio": ["wifi"]}
    assert needing(WORD, ("windows",)).list_needs() == {"windows": ["any value"]}
    assert WORD.list_needs() == {}


@each_case("key", sorted(PLANNER_RULES))
def test_everything_that_a_verb_may_need_is_something_that_a_family_speaks_for(key: RuleKey) -> None:
    rule = PLANNER_RULES[key]
    kinds: list[ParamType] = list(rule.param_types.values())
    needs = {*rule.needs, *(need for kind in kinds for need in kind.list_needs())}
    assert {need for need in needs if not need.startswith("session:")} <= {*ALL_CAPABILITIES}
    for name, kind in rule.param_types.items():
        allowed = rule.allowed_values.get(name)
        if kind.needs and isinstance(allowed, tuple):
            assert {*kind.examples} <= {*allowed}
