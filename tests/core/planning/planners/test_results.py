import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ErrorInfo, GoalError
from core.planning.planners.results import PlannerOutcome, PlannerResult, find_worse
from core.planning.planners.steps import StepRecord
from core.planning.planners.transcripts import TranscriptEntry

OUTCOMES: list[Any] = list(get_args(PlannerOutcome))
RESULTS = st.builds(
    PlannerResult,
    planner_id=st.sampled_from(["a", "b"]),
    scope=st.sampled_from(["local/anna/s1/r1", "local/anna/s1/r2", "local/berta/s1/r1"]),
    outcome=st.sampled_from(OUTCOMES),
    outstanding=st.tuples() | st.tuples(st.text(max_size=3)),
    artifacts=st.dictionaries(st.sampled_from(["x", "y"]), st.integers(), max_size=2),
    metrics=st.dictionaries(st.sampled_from(["ms", "tokens"]), st.integers(0, 1000).map(float), max_size=2),
)


def make(outcome: Any = "success", **facts: Any) -> PlannerResult:
    given: dict[str, Any] = {"planner_id": "p", "scope": "local/anna/s1/r1", "outcome": outcome, **facts}
    return PlannerResult(**given)


@pytest.mark.parametrize(
    ("outcomes", "together"),
    [
        (["success", "success"], "success"),
        (["success", "failed"], "partial"),
        (["failed", "failed"], "failed"),
        (["partial", "partial"], "partial"),
        (["failed", "cancelled", "success"], "cancelled"),
    ],
)
def test_outcomes_add_up(outcomes: list[str], together: str) -> None:
    assert PlannerResult.combine([make(each) for each in outcomes]).outcome == together


@given(st.lists(RESULTS, min_size=3, max_size=5))
def test_it_does_not_matter_what_is_combined_first(results: list[PlannerResult]) -> None:
    at_once = PlannerResult.combine(results)
    one_by_one = results[0]
    for each in results[1:]:
        one_by_one = PlannerResult.combine([one_by_one, each])
    for name in ("scope", "outcome", "outstanding", "artifacts", "metrics"):
        assert getattr(one_by_one, name) == getattr(at_once, name)


def test_the_parts_are_put_together_in_order_and_what_is_replaced_is_told() -> None:
    one = make(artifacts={"x": 1}, metrics={"tokens": 2.0}, transcript=(TranscriptEntry(kind="note", text="1"),))
    two = make(
        planner_id="q",
        scope="local/anna/s1/r2",
        artifacts={"x": 2, "y": 3},
        metrics={"tokens": 3.0},
        outstanding=("s",),
    )
    both = PlannerResult.combine([one, two])
    assert (both.planner_id, both.scope) == ("p+q", "local/anna/s1")
    assert (both.artifacts, both.metrics, both.outstanding) == ({"x": 2, "y": 3}, {"tokens": 5.0}, ("s",))
    assert both.diagnostics == ("Artifact “x” is that of “q”, in place of an earlier one.",)
    assert both.transcript == one.transcript


def test_one_result_alone_stays_as_it_is_and_none_is_refused() -> None:
    one = make()
    assert PlannerResult.combine([one]) is one
    with pytest.raises(GoalError):
        PlannerResult.combine([])


@given(st.sampled_from(OUTCOMES), st.sampled_from(OUTCOMES))
def test_the_worse_of_two_outcomes_is_the_one_further_from_success(one: Any, other: Any) -> None:
    assert find_worse(one, other) == find_worse(other, one) == OUTCOMES[max(OUTCOMES.index(one), OUTCOMES.index(other))]


def test_a_line_of_a_log_is_short_and_says_nothing_that_steps_gave_or_models_said() -> None:
    error = ErrorInfo("bad", "x" * 10_000)
    record = StepRecord(instance_id="s", step_id="s", status="failed", outputs={"page": "precious"}, error=error)
    result = make(
        "failed",
        failed=(record,) * 500,
        errors=(error,) * 500,
        outstanding=("s",) * 500,
        diagnostics=("y" * 10_000,) * 500,
        artifacts={"page": "precious"},
        transcript=(TranscriptEntry(kind="answer", text="precious"),),
    )
    line = json.dumps(result.to_log_entry())
    assert len(line) < 40_000
    assert "precious" not in line
    assert result.to_log_entry()["counts"] == {
        "completed": 0,
        "failed": 500,
        "outstanding": 500,
        "errors": 500,
        "artifacts": 1,
        "transcript": 1,
    }
