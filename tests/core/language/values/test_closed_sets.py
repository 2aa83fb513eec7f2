"""Names out of a list are found though they are a little wrong, and only if they can't be anything else."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.values.closed_sets import ClosedSet
from tests.cases import each_case

NAMES = ("firefox", "chrome", "chromium", "calculator", "libreoffice", "word", "steam", "vs code", "system monitor")
PROGRAMS = ClosedSet(NAMES, frozenset({"chromes", "calculated"}))


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("fire fox", "firefox"),
        ("fire-fox", "firefox"),
        ("libre office", "libreoffice"),
        ("vscode", "vs code"),
        ("crome", "chrome"),
        ("firefxo", "firefox"),
        ("calculater", "calculator"),
        ("calculatr", "calculator"),
        ("systm moniter", "system monitor"),
    ],
)
def test_a_name_is_found_though_it_is_a_little_wrong(said: str, name: str) -> None:
    assert PROGRAMS.find(said) == name


@each_case(
    "said",
    [
        "",
        "world",
        "sword",
        "stream",
        "team",
        "ward",
        "calculators",
        "firefoxs",
        "home",
        "xirefox",
        "fire",
        "calculated",
        "monitor",
        "fax",
        "my calculator",
    ],
)
def test_short_names_plurals_and_other_words_are_not_taken_for_a_name(said: str) -> None:
    assert PROGRAMS.find(said) is None


def test_names_of_the_same_letters_are_one() -> None:
    assert ClosedSet(["open office", "openoffice"]).find("open-office") == "open office"
    assert ClosedSet(["open office", "openoffice"]).find("openoffice") == "openoffice"


def test_what_is_as_near_to_two_names_is_neither() -> None:
    assert ClosedSet(["dolphin1", "dolphin2"]).find("dolphin3") is None


@given(st.sampled_from(NAMES))
def test_every_name_is_itself(name: str) -> None:
    assert PROGRAMS.find(name) == name


@given(st.text(alphabet=string.ascii_lowercase + " -", max_size=20))
def test_what_is_found_is_never_more_than_two_letters_longer_or_shorter(said: str) -> None:
    found = PROGRAMS.find(said)
    letters = sum(letter.isalnum() for letter in said)
    assert found is None or abs(len(found.replace(" ", "")) - letters) <= 2
