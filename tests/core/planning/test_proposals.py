"""What may be proposed at all, before it is a goal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.planning.planners.ports import ProposedCall
from core.planning.proposed_goals import ProposalTerms, refuse_calls

TERMS = ProposalTerms(verbs=("browser.click", "memory.*"), secrets=("shop",), max_calls=3)


def call(name: str = "browser.click", scope: str = "", **params: object) -> ProposedCall:
    """Return a proposed call."""
    return ProposedCall(name=name, params=params, scope=scope)


@pytest.mark.parametrize(
    ("proposed", "code"),
    [
        (call("file.delete", path="x"), "verb_not_offered"),
        (call("browser.clicks"), "verb_not_offered"),
        (call("browser"), "verb_not_offered"),
        (call("memory"), "verb_not_offered"),
        (call(""), "verb_not_offered"),
        (call("BROWSER.CLICK"), "verb_not_offered"),
        (call("browser.click "), "verb_not_offered"),
        (call(text="secret:bank"), "secret_not_granted"),
        (call(fields={"Password": ["secret:bank"]}), "secret_not_granted"),
        (call(text="x" * 20_001), "too_large"),
        (call(fields={"x" * 20_001: 1}), "too_large"),
        (call(scope="root"), "bad_scope"),
    ],
)
def test_what_was_not_offered_is_refused_with_the_place_of_the_call(proposed: ProposedCall, code: str):
    (error,) = refuse_calls([call(), proposed], TERMS)
    assert (error.code, error.evidence["call"]) == (code, 1)


def test_what_was_offered_is_let_through_to_the_table():
    assert refuse_calls([call(selector="x"), call("memory.store"), call(text="secret:shop")], TERMS) == ()


def test_of_too_many_calls_none_is_taken():
    (error,) = refuse_calls([call()] * 10_000, TERMS)
    assert error.code == "too_many_calls"


@given(st.lists(st.builds(call, st.text(max_size=30)), max_size=3))
def test_only_offered_verbs_get_through(proposed: list[ProposedCall]):
    refused = {error.evidence["call"] for error in refuse_calls(proposed, TERMS)}
    through = [each.name for index, each in enumerate(proposed) if index not in refused]
    assert all(name == "browser.click" or name.startswith("memory.") for name in through)
