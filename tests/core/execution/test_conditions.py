from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.execution.conditions import decide_need
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.goals.scopes import build_meta_goal
from core.goals.step_terms import HOLDS, Comparison, StepCondition, StepTerms
from core.planning.context import PlanningContext
from core.planning.orchestrator import GoalOrchestrator
from core.planning.planner import GoalPlanner
from core.results.replies import compose_reply, judge_outcome
from core.results.tool_results import StepLog
from tests.core.toys import TOY_RULES, WORLD, ToyRun, plan_toys, statuses, toy

READ = Reference("g0", "count")


def on(goal: Goal, **parts: Any) -> Goal:
    """Return a goal on these terms."""
    return replace(goal, terms=StepTerms(**parts))


def when(goal: Goal, value: Any, comparison: Comparison, wanted: Any, *, unless: bool = False) -> Goal:
    return on(goal, conditions=(StepCondition(value, comparison, wanted, unless),))


def read_code(log: StepLog) -> str:
    return log.result.error.code if log.result.error else ""


def holds(value: Any, comparison: Comparison, wanted: Any) -> bool:
    goal = when(toy("note", "after:g0", text="x"), Reference("g0", "v"), comparison, wanted)
    _, action = plan_toys([toy("look", text="a"), goal]).nodes.values()
    return decide_need(action, {"g0": {"v": value}}, {}).lack is None


@pytest.mark.parametrize(
    ("value", "comparison", "wanted", "expected"),
    [
        ("a", "is", "a", True),
        (1, "is", 1.0, True),
        (1, "is", "1", False),
        (True, "is", 1, False),
        ("a", "is_not", "b", True),
        (3, "above", 2, True),
        (2, "above", 2, False),
        (1.5, "below", 2, True),
        ("one two", "contains", "two", True),
        (["a", "b"], "contains", "b", True),
        ({"a": 1}, "contains", "a", True),
        (7, "contains", "7", False),
        ("", "empty", True, True),
        ([], "empty", True, True),
        (None, "empty", True, True),
        (0, "empty", True, False),
        ("x", "empty", False, True),
    ],
)
def test_a_condition_holds_by_the_data_and_its_type(
    value: Any, comparison: Comparison, wanted: Any, *, expected: bool
) -> None:
    assert holds(value, comparison, wanted) is expected


@given(st.integers() | st.floats(allow_nan=False), st.integers() | st.floats(allow_nan=False))
def test_a_number_is_above_or_below_another_or_the_same(value: float, wanted: float) -> None:
    found = [holds(value, "above", wanted), holds(value, "below", wanted), holds(value, "is", wanted)]
    assert found.count(True) == 1


async def test_a_step_whose_condition_does_not_hold_is_left_out_and_what_waits_for_it_goes_on() -> None:
    run = ToyRun()
    goals = [
        toy("look", text="a"),
        when(toy("note", "after:g0", text="few"), READ, "above", 5),
        toy("note", "after:g1", text="next"),
    ]
    logs = await run.run(*goals)
    assert statuses(logs) == ["ok", "skipped", "ok"]
    assert read_code(logs[1]) == "not_needed"
    assert run.toys.noted == ["next"]
    assert logs[1].result.evidence["conditions"] == [
        {
            "told": "if ${g0.count} above 5",
            "value": 2,
            "holds": False,
            "why": "${g0.count} above 5 was asked, and it is 2",
        }
    ]
    assert judge_outcome(logs) == "success"
    assert "One step was not needed." in compose_reply(logs, "success")


async def test_a_step_whose_condition_holds_is_done_and_its_receipt_says_why() -> None:
    logs = await ToyRun().run(toy("look", text="a"), when(toy("note", "after:g0", text="x"), READ, "is", 2))
    (told,) = logs[1].result.evidence["conditions"]
    assert (told["told"], told["value"], told["holds"]) == ("if ${g0.count} is 2", 2, True)


async def test_unless_turns_a_condition_around() -> None:
    goals = [toy("look", text="a"), when(toy("note", "after:g0", text="x"), READ, "is", 2, unless=True)]
    assert statuses(await ToyRun().run(*goals)) == ["ok", "skipped"]


async def test_what_refers_to_a_step_that_was_left_out_is_left_out_too_and_says_so() -> None:
    goals = [
        toy("look", text="a"),
        when(toy("look", "after:g0", text="b"), READ, "is", 9),
        toy("note", "after:g1", text=Reference("g1", "text")),
        toy("note", "after:g2", text="c"),
    ]
    logs = await ToyRun().run(*goals)
    assert statuses(logs) == ["ok", "skipped", "skipped", "ok"]
    assert str(logs[2].result.error) == "Not needed: it belongs to “Look b”, which was not needed."


async def test_what_belongs_to_a_step_is_left_out_with_it() -> None:
    goals = [
        toy("look", text="a"),
        when(toy("note", "after:g0", text="b"), READ, "is", 9),
        on(toy("expect", "after:g1", text="b"), only_with="g1"),
    ]
    assert statuses(await ToyRun().run(*goals)) == ["ok", "skipped", "skipped"]


async def test_a_condition_that_can_t_be_decided_is_an_error_and_no_answer() -> None:
    goals = [
        toy("look", text="a"),
        when(toy("note", "after:g0", text="b"), Reference("g0", "text"), "above", 1),
        when(toy("note", "after:g0", text="c"), Reference("g0", "ghost"), "is", 1),
    ]
    logs = await ToyRun().run(*goals)
    assert [read_code(log) for log in logs] == ["", "not_comparable", "reference_missing"]
    assert statuses(logs) == ["ok", "refused", "refused"]


async def test_a_question_is_answered_and_no_failure_where_the_answer_is_no() -> None:
    asked = on(toy("expect", "after:g0", text="ghost"), is_question=True)
    goals = [
        toy("note", text="a"),
        asked,
        when(toy("note", "after:g1", text="b"), Reference("g1", HOLDS), "is", wanted=True),
    ]
    logs = await ToyRun().run(*goals)
    assert statuses(logs) == ["ok", "ok", "skipped"]
    assert logs[1].result.output == {"holds": False}
    assert logs[1].result.evidence["found"] == "“ghost” was not noted."
    assert logs[1].summary == "asked whether this holds (expect ghost): no"
    yes = [goals[0], replace(asked, params={"text": "a"}), goals[2]]
    assert statuses(await ToyRun().run(*yes)) == ["ok", "ok", "ok"]


async def test_a_question_that_fails_otherwise_is_a_failure() -> None:
    goals = [
        on(toy("expect", text="broken"), is_question=True),
        when(toy("note", "after:g0", text="b"), Reference("g0", HOLDS), "is", wanted=True),
    ]
    logs = await ToyRun().run(*goals)
    assert statuses(logs) == ["failed", "skipped"]
    assert read_code(logs[0]) == "broken"


@pytest.mark.parametrize(
    ("goal", "code"),
    [
        (on(toy("note", text="a"), is_question=True), "bad_condition"),
        (on(toy("note", text="a"), attempts=2), "not_repeatable"),
        (on(toy("seek"), attempts=2), ""),
    ],
)
def test_terms_that_don_t_fit_the_verb_are_refused_while_planning(goal: Goal, code: str) -> None:
    planned = GoalOrchestrator(GoalPlanner(TOY_RULES)).orchestrate(build_meta_goal([goal]), PlanningContext(WORLD))
    error = planned.results["g0"].error
    assert (error.code if error else "") == code
