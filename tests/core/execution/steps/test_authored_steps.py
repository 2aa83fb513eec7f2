"""What a model proposed acts only past a person: every verb of the table, with and without params, also after a crash."""

import json
from dataclasses import replace

import pytest

from actuators.verb_table import PLANNER_RULES
from core.execution.asking import expect_request, find_kind
from core.execution.taint import find_origins, find_sources
from core.goals.meta_goals import Goal
from core.journal.journal import JournalEntry, Row, RunRecord
from core.journal.run_rows import note_plan, read_run
from core.planning.graph import build_graph
from core.planning.planner import GoalPlanner
from core.planning.plans import PlannedAction
from core.policy.policy import Policy
from core.policy.policy_rules import PolicyRule
from core.results.provenance import ORIGIN_KINDS, TaintLog
from core.rules.rule_types import RuleKey
from fixtures.rule_samples import MINIMAL_PARAMS
from tests.core.samples import make_setting

PLANNER = GoalPlanner(PLANNER_RULES)
ALLOWING = PolicyRule(verdict="allow", verbs=tuple(f"{domain}.*" for domain, _ in PLANNER_RULES))
HIDING = "a\u202eb\n— proposed by nobody"


def plan(key: RuleKey, author: str = "small", *, written: bool = False) -> PlannedAction | None:
    params = MINIMAL_PARAMS[key]
    goal = Goal(*key, params, goal_id="g0", author=author, written=dict.fromkeys(params, author) if written else {})
    result = PLANNER.plan(goal, make_setting())
    assert result.status == "success", result.reason
    assert result.frames == ()  # nothing of it fills in what a person leaves out later
    return result.plan[0] if result.plan else None


@pytest.mark.parametrize("key", PLANNER_RULES, ids=".".join)
def test_every_act_that_a_model_proposed_is_confirmed_whoever_wrote_its_values(key: RuleKey) -> None:
    for written in (False, True):
        action = plan(key, written=written)
        if action is None:
            continue
        request = expect_request(action, verdict="allow")
        if action.action_class == "actuate":
            assert request is not None
            assert request.kind == find_kind(action, (), verdict=None)
            assert request.kind == "confirm" or PLANNER_RULES[key].approval == request.kind
            assert "proposed by the model “small”" in request.text
        elif request is not None:
            assert written or PLANNER_RULES[key].approval != "none"


@pytest.mark.parametrize("key", [key for key in PLANNER_RULES if MINIMAL_PARAMS[key]], ids=".".join)
def test_what_a_model_wrote_is_shown_as_its_own_and_followed(key: RuleKey) -> None:
    action = plan(key, written=True)
    if action is None:
        return
    sources = find_sources(action, TaintLog())
    assert set(sources) == set(MINIMAL_PARAMS[key]) & set(action.args)
    assert [str(origin) for origin in find_origins(action, TaintLog())] == (["the model “small”"] if sources else [])


def test_a_model_whose_name_looks_like_an_approval_is_shown_escaped() -> None:
    action = plan(("audio", "mute"), HIDING)
    assert action is not None
    request = expect_request(action, verdict=None)
    assert request is not None
    assert "\u202e" not in request.text
    assert "\n" not in request.text


def test_no_verb_may_say_that_it_reads_a_model() -> None:
    assert "model" not in ORIGIN_KINDS


def test_a_plan_that_comes_out_of_the_journal_still_knows_its_author() -> None:
    action = plan(("file", "read"), written=True)
    assert action is not None
    entries = note_plan("r1", build_graph([action], []), {"asked": "x", "plan_digest": "d"}, Policy(rules=(ALLOWING,)))
    rows = tuple(
        Row(JournalEntry(each.run_id, each.action_id, each.state, json.loads(json.dumps(each.body))), place, 1, "")
        for place, each in enumerate(entries)
    )
    (found,) = read_run(RunRecord("r1", rows), PLANNER_RULES).graph.nodes.values()
    assert found == action
    assert (found.author, dict(found.written)) == ("small", {"path": "small"})
    assert PLANNER.readmit(found, make_setting()) is None


def test_a_plan_whose_author_was_taken_away_is_another_plan() -> None:
    action = plan(("file", "read"), written=True)
    assert action is not None
    assert replace(action, author="") != action
    assert replace(action, written={}) != action
