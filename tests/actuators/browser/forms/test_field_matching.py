"""Which field is meant by what is said about its value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.browser.playwright.controls.filling import FoundField, match_fields
from core.base.errors import TargetError

NAMES = ("Director", "Year", "Genre", "City", "E-mail", "Phone number", "Country", "Colour")


def match(asked: list[str], names: list[str]) -> dict[str, list[int]]:
    return match_fields(dict.fromkeys(asked, "x"), [FoundField((name,)) for name in names])


@pytest.mark.parametrize(
    ("asked", "names", "places"),
    [
        (["movies", "directed by", "year"], ["Genre", "Director", "Year"], [0, 1, 2]),
        (["movies", "directed by", "year"], ["Released date", "Director name", "Movie genre"], [2, 1, 0]),
        (["from", "to", "date"], ["To", "From", "Departure date"], [1, 0, 2]),
        (["name", "last name"], ["First name", "Last name"], [0, 1]),
        (["email", "phone"], ["Telephone", "Phone", "E-mail address"], [2, 1]),
    ],
)
def test_words_mean_the_field_that_is_called_so_or_shares_their_family(
    asked: list[str], names: list[str], places: list[int]
):
    assert [found[0] for found in match(asked, names).values()] == places


@pytest.mark.parametrize(
    ("asked", "names", "code"),
    [
        (["name"], ["First name", "Last name"], "target_ambiguous"),
        (["weight"], ["Height"], "target_missing"),
        (["email", "weight", "width"], ["Email", "Age"], "target_missing"),
        (["email", "weight"], ["Email", "Age", "Height"], "target_missing"),
        (["email", "the email"], ["Email", "Age"], "target_ambiguous"),
    ],
)
def test_what_is_not_clear_is_not_guessed(asked: list[str], names: list[str], code: str):
    with pytest.raises(TargetError) as caught:
        match(asked, names)
    assert caught.value.code == code


def test_a_field_that_asks_for_the_same_once_more_gets_it_too():
    assert match(["password", "user"], ["User", "Password", "Confirm password"])["password"] == [1, 2]


def test_what_an_author_calls_a_field_counts_where_nothing_else_names_it():
    assert match_fields({"email": "x"}, [FoundField((), ("txtEmail",)), FoundField((), ("age",))]) == {"email": [0]}


@given(st.permutations(NAMES), st.sets(st.sampled_from(NAMES), min_size=1))
def test_each_field_that_is_named_is_found_wherever_it_stands(names: list[str], asked: set[str]):
    found = match(sorted(asked), names)
    assert {words: names[places[0]] for words, places in found.items()} == {name: name for name in asked}
