import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.budgets import Budget
from core.base.errors import BudgetError

seconds = st.one_of(st.none(), st.floats(0, 1000))
actions = st.one_of(st.none(), st.integers(0, 1000))
budgets = st.builds(Budget, seconds, actions)


def allows(budget: Budget, elapsed_s: float, started: int) -> bool:
    try:
        budget.check(elapsed_s, started)
    except BudgetError:
        return False
    return True


@pytest.mark.parametrize(
    ("budget", "elapsed_s", "started", "allowed"),
    [
        (Budget(), 1e9, 10**9, True),
        (Budget(seconds=2), 1.9, 0, True),
        (Budget(seconds=2), 2, 0, False),
        (Budget(actions=2), 0, 1, True),
        (Budget(actions=2), 0, 2, False),
        (Budget(actions=0), 0, 0, False),
        (Budget(seconds=0), 0, 0, False),
    ],
)
def test_a_budget_ends_where_its_limit_is_reached(
    budget: Budget, elapsed_s: float, started: int, allowed: bool
) -> None:
    assert allows(budget, elapsed_s, started) is allowed


def test_what_is_used_up_is_named() -> None:
    with pytest.raises(BudgetError, match=r"has used up its 2\.5 s") as caught:
        Budget(seconds=2.5).check(3, 0)
    assert caught.value.code == "budget_exhausted"
    with pytest.raises(BudgetError, match="has used up its 3 actions"):
        Budget(actions=3).check(0, 3)


@given(budgets, budgets, st.floats(0, 2000), st.integers(0, 2000))
def test_a_narrowed_budget_allows_just_what_both_allow(
    left: Budget, right: Budget, elapsed_s: float, started: int
) -> None:
    both = allows(left, elapsed_s, started) and allows(right, elapsed_s, started)
    assert allows(left.narrow(right), elapsed_s, started) == both


@given(budgets, st.floats(0, 3600), st.floats(0, 2000))
def test_a_timeout_is_cut_to_what_is_left(budget: Budget, timeout_s: float, elapsed_s: float) -> None:
    cut = min(timeout_s, budget.find_left(elapsed_s))
    assert 0 <= cut <= timeout_s
    assert budget.seconds is not None or cut == timeout_s
    assert budget.seconds is None or cut <= max(0, budget.seconds - elapsed_s)
