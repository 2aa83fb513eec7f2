"""Every param of every verb with a value that was read: it acts, or says where, only past a person who has seen it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from actuators.verb_table import PLANNER_RULES
from core.approvals.approvals import ApprovalGate, ApprovalTerms, ClassGate
from core.execution.run_context import RunContext, StepContext
from core.execution.steps import StepPerformer
from core.goals.meta_goals import Goal
from core.goals.references import Reference, Template
from core.planning.authority import RulesResolver
from core.planning.planner import GoalPlanner
from core.planning.plans import PlannedAction
from core.policy.policy import Policy
from core.policy.policy_rules import PolicyRule
from core.results.provenance import Origin
from core.results.tool_results import StepLog
from core.rules.params import validate_bound
from core.rules.rule_types import FromWorld, RuleKey
from fixtures.recording_tools import Recorder
from fixtures.rule_samples import MINIMAL_PARAMS, WORLD
from tests.cases import each_case
from tests.core.samples import make_setting
from tests.core.toys import Asker

READ = Reference("g9", "text")
CASES = [(key, name) for key, rule in PLANNER_RULES.items() for name in rule.declared_params]
GUESSES: tuple[Any, ...] = (
    "a.txt",
    "http://127.0.0.1/",
    'button "OK"',
    "ctrl+s",
    "a" * 64,
    1,
    200,
    1.5,
    True,
    ["a"],
    ["Shift"],
    {"width": 100, "height": 100},
    {"x": 1, "y": 1},
    {"x": 0, "y": 0, "width": 5, "height": 5},
    {"latitude": 1.0, "longitude": 1.0},
    {"name": ".name"},
    [1.0, 2.0],
    [[1.0, 2.0]],
)
ALLOWING = PolicyRule(verdict="allow", verbs=tuple(f"{domain}.*" for domain, _ in PLANNER_RULES))


def fill(key: RuleKey, name: str, value: object) -> dict[str, Any]:
    """Return the fewest params with one more, without those that stand beside it in a choice of one."""
    rule = PLANNER_RULES[key]
    others = {each for group in rule.choose_one if name in group for each in group} - {name}
    return {each: given for each, given in MINIMAL_PARAMS[key].items() if each not in others} | {name: value}


def guess(key: RuleKey, name: str) -> object:
    """Return a value that a param takes, beside the fewest others."""
    rule = PLANNER_RULES[key]
    allowed = rule.allowed_values.get(name, ())
    known = WORLD.values.get(allowed.name, ()) if isinstance(allowed, FromWorld) else allowed
    minimal = [MINIMAL_PARAMS[key][name]] if name in MINIMAL_PARAMS[key] else []
    for value in (*minimal, *known, *GUESSES):
        if not validate_bound(rule, fill(key, name, value), WORLD).problems:
            return value
    raise AssertionError(f"There is no sample for {name}.")


def plan(key: RuleKey, params: dict[str, Any]) -> PlannedAction | None:
    """Return the action that a goal is planned as; None where the param never gets as far as an argument."""
    result = GoalPlanner(PLANNER_RULES).plan(Goal(*key, params, goal_id="g0"), make_setting())
    return result.plan[0] if result.plan else None


def list_disguises(value: object) -> Iterator[object]:
    """Yield every way in which an author can write the reference."""
    yield READ
    if isinstance(value, str):
        yield Template((READ,))
    if isinstance(value, list):
        yield [READ, *value[1:]]


async def perform(
    action: PlannedAction, value: object, gate: ApprovalGate, policy: Policy
) -> tuple[StepLog, Recorder, RunContext]:
    recorder = Recorder()
    performer = StepPerformer(recorder.make_registry(), RulesResolver())
    run = RunContext(world=WORLD, policy=policy, approvals=ApprovalTerms(gate=gate))
    run.trail.note("g9", [Origin("page", "http://evil.example/")])
    log = await performer.perform(action, StepContext(run=run, outputs={"g9": {"text": value}}))
    return log, recorder, run


@pytest.mark.parametrize("rules", [(), (ALLOWING,)])
@each_case(("key", "name"), CASES, ids=lambda case: ".".join(case) if isinstance(case, tuple) else case)
async def test_a_value_that_was_read_acts_or_locates_only_past_a_person(
    key: RuleKey, name: str, rules: tuple[PolicyRule, ...]
) -> None:
    rule, value = PLANNER_RULES[key], guess(key, name)
    policy = Policy(rules=rules, extra_verbs=(".".join(key),))
    for written in list_disguises(value):
        action = plan(key, fill(key, name, written))
        if action is None or name not in action.args:
            assert name in rule.semantic_params or written is not READ
            continue
        bare = value[0] if isinstance(written, list) and isinstance(value, list) else value
        gate = Asker(answer=False)
        log, recorder, run = await perform(action, bare, gate, policy)
        if rule.action_class == "observe" and rule.param_types[name].kind == "plain":
            assert log.result.status == "ok", log.result.error
            assert Origin("page", "http://evil.example/") in run.trail.goals["g0"]
        else:
            assert recorder.calls == []
            assert (log.result.error and log.result.error.code) == "approval_missing", log.result.error
            (request,) = gate.asked
            assert (request.kind, list(request.sources)) == ("confirm", [name])
            assert "http://evil.example/" in request.text
        assert log.result.tainted == {name: ("${g9.text}, read from the page at http://evil.example/",)}


@each_case("key", PLANNER_RULES, ids=".".join)
async def test_no_class_or_rule_given_beforehand_lets_a_value_through_that_was_read(key: RuleKey) -> None:
    rule = PLANNER_RULES[key]
    gate = ClassGate(("apply_diff", "run_job", "confirm"))
    policy = Policy(rules=(ALLOWING,), extra_verbs=(".".join(key),))
    for name in rule.declared_params:
        action = plan(key, fill(key, name, READ))
        if action is None or name not in action.args:
            continue
        _, recorder, _ = await perform(action, guess(key, name), gate, policy)
        harmless = rule.action_class == "observe" and rule.param_types[name].kind == "plain"
        assert len(recorder.calls) == (1 if harmless else 0), name


async def test_the_yes_to_one_value_is_no_yes_to_another() -> None:
    key = ("file", "write")
    action = plan(key, fill(key, "content", READ))
    assert action is not None
    gate = Asker()
    for value in ("good", "evil"):
        await perform(action, value, gate, Policy())
    first, second = gate.asked
    assert first.digest != second.digest
    assert replace(first, digest="", text="", approval_id="", approval_digest="") != second
