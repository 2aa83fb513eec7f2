"""Which of the things to choose is meant, and whether a widget shows it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.browser.playwright.choices.matching_entries import (
    Named,
    find_entry,
    find_making,
    is_making,
    shows,
    split_path,
)
from actuators.browser.playwright.choices.offers import Entry, Offer

WORDS = st.text(st.characters(categories=["L"]), min_size=1, max_size=8)


def _entries(*labels: str) -> list[Entry]:
    return [Entry(label, (label,)) for label in labels]


@given(st.lists(WORDS, min_size=1, max_size=8, unique=True), st.data())
def test_what_is_called_exactly_so_is_found_among_any_others(labels: list[str], data: st.DataObject):
    place = data.draw(st.sampled_from(range(len(labels))))
    assert find_entry(_entries(*labels), labels[place]) == place


@given(st.lists(WORDS, min_size=2, max_size=6))
def test_a_path_has_as_many_steps_as_it_names_unless_it_is_offered_whole(steps: list[str]):
    path = " > ".join(steps)
    assert split_path(path, []) == steps
    assert split_path(path, [path]) == [path]


@given(WORDS)
def test_what_makes_a_new_one_is_not_taken_for_one_of_that_name(text: str):
    entries = _entries(f'Create "{text}"')
    assert find_entry(entries, text) is None
    assert find_making(entries, text) == 0


@pytest.mark.parametrize(
    ("wanted", "labels", "place"),
    [
        ("Oslo", ["Oslo, Norway"], 0),
        ("OSL", ["Oslo, Norway (OSL)", "Bergen (BGO)"], 0),
        ("Oslo", ["Oslo cakes"], None),
        ("Oslo", ["Oslo, Norway", "Oslo, Minnesota"], None),
        ("norway", ["Norway"], 0),
        ("1", ["Red", "Green"], 1),
        (Named("1"), ["Red", "Green"], None),
        (1, ["Red", "Green"], 1),
        (5, ["Red", "Green"], None),
    ],
)
def test_an_option_is_meant(wanted: str | int, labels: list[str], place: int | None):
    assert find_entry(_entries(*labels), wanted) == place


def test_a_description_in_an_entry_may_stand_for_it():
    entries = [Entry("Ada Lovelace ada@example.com", ("Ada Lovelace", "ada@example.com"))]
    assert find_entry(entries, "Ada Lovelace") == 0


@pytest.mark.parametrize(
    ("text", "shown", "expected"),
    [
        ("Go", ["Go, Rust"], True),
        ("Go", ["Go"], True),
        ("Go", ["Golang"], False),
        ("Go", ["Let it Go"], False),
        ("Go", [], False),
    ],
)
def test_a_widget_shows_what_it_holds(text: str, shown: list[str], expected: bool):
    assert shows(Offer("opens", (), tuple(shown), None), [text]) is expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [('Add "red"', True), ("Create new: red", True), ("red wine", False), ("Add rope", False)],
)
def test_an_entry_offers_to_make_a_new_one(label: str, expected: bool):
    assert is_making(label, "red") is expected
