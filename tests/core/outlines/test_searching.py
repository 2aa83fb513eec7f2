"""Finding lines by words."""

import time

import pytest

from core.outlines.searching import compare_words
from tests.core.outlines.makers import Page, outline, users


async def test_the_nearest_lines_are_shown_with_what_they_stand_in() -> None:
    made = await outline(users().items, find="delete user 42")
    assert made.text.split("\n")[:3] == ["# Users", 'table "Users"', '  button "Delete user 42"']


async def test_words_of_the_row_around_a_thing_tell_which_one_is_meant() -> None:
    page = Page()
    for name in ("Ada", "Bob", "Cy"):
        page.add(0, "row")
        page.add(1, "cell", name)
        page.act(1, "button", "Delete")
    made = await outline(page.items, find="delete bob")
    assert [line.ref for line in made.lines] == ["e5", "e6"]


async def test_words_of_a_heading_and_a_region_count() -> None:
    page = Page()
    for name in ("Billing", "Shipping"):
        page.heading(0, name, 2)
        page.act(0, "field", "Street")
    made = await outline(page.items, find="shipping street")
    assert made.text == '## Shipping\nfield "Street"'


@pytest.mark.parametrize("words", ["sgin in", "log in", "SIGN IN", "sign"])
async def test_misspelt_words_and_other_words_for_the_same_are_found(words: str) -> None:
    page = users(5)
    page.act(0, "button", "Sign in")
    assert 'button "Sign in"' in (await outline(page.items, find=words)).text


async def test_where_nothing_is_near_that_is_said_with_the_nearest() -> None:
    page = users(5)
    assert (await outline(page.items, find="zeppelin")).text == '… nothing says "zeppelin"'
    lines = (await outline(page.items, find="imprint of the airship company")).text.split("\n")
    assert lines[0] == '… nothing says "imprint of the airship company"; the nearest:'
    assert 'link "Imprint"' in lines


async def test_how_many_more_there_are_is_said() -> None:
    made = await outline(users(300).items, 200, find="delete")
    assert made.tokens <= 200
    assert made.text.split("\n")[-1].startswith("… ")
    assert " more (max_tokens: " in made.text.split("\n")[-1]


async def test_twenty_thousand_items_are_searched_at_once() -> None:
    items = users(6600).items
    start = time.process_time()
    made = await outline(items, find="delete user 6543")
    assert 'button "Delete user 6543"' in made.text
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    ("asked", "written", "least", "most"),
    [
        ("save", "save", 1, 1),
        ("save", "saved", 0.9, 0.9),
        ("saev", "save", 0, 0.8),
        ("a", "banana", 0, 0),
        ("設定", "再設定", 0.75, 0.75),
    ],
)
def test_words_are_the_nearer_the_more_they_are_the_same(asked: str, written: str, least: float, most: float) -> None:
    assert least <= compare_words(asked, written) <= most
