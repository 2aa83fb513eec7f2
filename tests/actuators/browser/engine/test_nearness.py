"""Which names are near what was asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.browser.playwright.finding.candidates import NEAR, judge_nearness


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("Submitt", "Submit"),
        ("Zazolc gesla jazn", "Zażółć gęślą jaźń"),
        ("Add to cart", "Add to basket"),
        ("Delete", "Delete row 3 of the list"),
        ("Save changes button", "Save"),
        ("log in", "Login"),
        ("e-mail adress", "Email address"),
        ("Holiday type", "Type of holiday"),
    ],
)
def test_what_may_have_been_meant_is_near(wanted: str, name: str) -> None:
    assert judge_nearness(wanted, name) >= NEAR


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("Go", "Categories"),
        ("Advanced", "Add"),
        ("Options", "Log out"),
        ("Save", "Available tags"),
        ("Holiday", "Hold all day"),
        ("Country", "Account"),
        ("Start date", "To"),
        ("dashboard", "Sign in"),
        ("Report", "Import"),
    ],
)
def test_what_only_has_the_letters_is_far(wanted: str, name: str) -> None:
    assert judge_nearness(wanted, name) < NEAR


@given(st.text(max_size=40), st.text(max_size=40))
def test_nearness_is_a_number_from_0_to_100_whichever_is_asked_for(one: str, other: str) -> None:
    assert 0 <= judge_nearness(one, other) <= 100
    assert judge_nearness(one, other) == pytest.approx(judge_nearness(other, one))


@given(st.text(alphabet="abcdefgh ", min_size=1, max_size=40).filter(str.strip))
def test_a_name_is_nearest_to_itself(name: str) -> None:
    assert judge_nearness(name, name) == 100
