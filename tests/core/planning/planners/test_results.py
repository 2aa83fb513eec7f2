from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from core.planning.planners.results import PlannerOutcome, PlannerResult, find_worse

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


@given(st.sampled_from(OUTCOMES), st.sampled_from(OUTCOMES))
def test_the_worse_of_two_outcomes_is_the_one_further_from_success(one: Any, other: Any) -> None:
    assert find_worse(one, other) == find_worse(other, one) == OUTCOMES[max(OUTCOMES.index(one), OUTCOMES.index(other))]
