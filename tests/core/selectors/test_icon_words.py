"""What people call icons, and pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.selectors.icon_words import ICON_GROUPS, alike, icon_query, split_words, wanted_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("fa-trash-o", ("fa", "trash", "o")),
        ("closeEmail", ("close", "email")),
        ("Send reply", ("send", "reply")),
        ("HTMLView2", ("html", "view", "2")),
        ("snake_case", ("snake", "case")),
        ("mülleimer", ("mülleimer",)),
    ],
)
def test_names_are_taken_apart_as_people_and_pages_write_them(name: str, words: tuple[str, ...]) -> None:
    assert split_words(name) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("the trash icon", ("trash",)),
        ("Close button", ("close",)),
        ("icon", ("icon",)),
        ("open search", ("open", "search")),
    ],
)
def test_words_that_only_say_icon_are_left_out(name: str, words: tuple[str, ...]) -> None:
    assert wanted_words(name) == words


def test_other_words_for_the_same_icon_are_offered_after_the_word_itself() -> None:
    query = icon_query("delete icon")
    assert query["words"] == ["delete"]
    assert ["trash"] in query["likes"]
    assert icon_query("magnifying glass")["likes"][0] == ["search"]
    assert icon_query("delete mail")["likes"] == []


@given(st.sampled_from([word for group in ICON_GROUPS for word in group]))
def test_a_word_is_never_like_itself_and_what_is_like_it_is_like_it_back(word: str) -> None:
    others = alike(word)
    assert word not in others
    assert all(word in alike(other) for other in others)
