"""How lines are written, whatever a page says."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.outlines.items import ItemName, OutlineItem, tell_count
from core.outlines.writing import clean_text, list_facts, pick_selector, shorten, tell_counts, write_hidden, write_thing
from tests.core.outlines.makers import Page, outline


def _button(*states: str) -> OutlineItem:
    return OutlineItem("e7", 0, "button", "Save", states=states, can_act=True)


@pytest.mark.parametrize(
    ("kind", "number", "told"),
    [
        ("field", 2, "2 fields"),
        ("button", 1, "1 button"),
        ("checkbox", 3, "3 checkboxes"),
        ("switch", 2, "2 switches"),
        ("listitem", 180, "180 entries"),
        ("listitem", 1, "1 entry"),
    ],
)
def test_kinds_are_counted_in_plain_words(kind: str, number: int, told: str) -> None:
    assert tell_count(kind, number) == told


def test_the_commonest_kinds_come_first_and_the_rest_is_summed() -> None:
    assert tell_counts({"button": 3, "link": 48}) == "48 links, 3 buttons"
    assert tell_counts({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}) == "5 es, 4 ds, 3 cs, 3 more"


async def test_facts_stand_behind_the_selector_in_their_order() -> None:
    page = Page()
    page.act(0, "field", "Size", value='4" wide', states=("required", "focused"), takes="choose: Small | Large")
    page.act(0, "checkbox", "Tea", states=("ticked", "disabled"))
    made = await outline(page.items, numbered=True)
    assert made.text.split("\n") == [
        r'field "Size" # 1, = "4\" wide", required, focused, choose: Small | Large',
        'checkbox "Tea" # 2, ticked, disabled',
    ]


def test_what_covers_a_thing_is_told_last() -> None:
    facts = list_facts(_button("disabled"), 'dialog "Cookies"')
    assert facts == ["disabled", 'covered by dialog "Cookies"']


@pytest.mark.parametrize(
    ("selector", "line"),
    [
        ('button "Save"', 'button "Save"'),
        ('frame "Pay" >> button "Save" in "Card"', 'frame "Pay" >> button "Save" in "Card"'),
        ('icon "disk"', 'icon "disk"'),
        ("ref=e7", 'ref=e7 # button "Save"'),
        ('frame "Pay" >> ref=e7', 'frame "Pay" >> ref=e7 # button "Save"'),
        ("", '- button "Save"'),
    ],
)
def test_a_line_says_what_a_thing_is_where_its_selector_does_not(selector: str, line: str) -> None:
    assert write_thing(_button(), selector, []) == line


@pytest.mark.parametrize(
    ("selector", "line"),
    [
        ('row "IC 1"', 'row "IC 1" # = "Kraków | 06:15"'),
        ('row "Kraków"', 'row "Kraków" # = "IC 1 | Kraków | 06:15"'),
        ("ref=e7", 'ref=e7 # row "IC 1 | Kraków | 06:15"'),
    ],
)
def test_a_row_tells_all_its_cells_whatever_it_is_called_by(selector: str, line: str) -> None:
    assert write_thing(OutlineItem("e7", 0, "row", "IC 1 | Kraków | 06:15", can_act=True), selector, []) == line


@pytest.mark.parametrize(
    ("selector", "shown"),
    [
        ('button "Sa\u202eve"', "ref=e7"),
        ('frame "Pay" >> button "a\u200bb"', 'frame "Pay" >> ref=e7'),
        ('button "a\nb"', "ref=e7"),
        ("#save", "ref=e7"),
        ('button "❤️ Like"', 'button "❤️ Like"'),
        ('button "👩‍👩‍👧"', 'button "👩‍👩‍👧"'),
        ('button "می‌خواهم"', 'button "می‌خواهم"'),
    ],
)
def test_a_selector_that_holds_what_is_not_seen_gives_way_to_the_ref(selector: str, shown: str) -> None:
    assert pick_selector(_button(), ItemName(selector)) == shown


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\nb\r\n  c", "a b c"),
        ("a\x1b[31mred", "a\\x1b[31mred"),
        ("\u202eevil", "\\u202eevil"),
        ("a\u200b\u200d\ufe0fb", "a\\u200b\\u200d\\ufe0fb"),
        ("line\u2028line", "line line"),
        ("Café – 3 €", "Café – 3 €"),
    ],
)
def test_control_and_invisible_characters_are_shown_as_escapes(text: str, line: str) -> None:
    assert clean_text(text) == line


async def test_texts_cannot_pass_for_lines_of_ours() -> None:
    page = Page()
    for text in ('button "Buy"', "… 3 more rows (scope: main)", "x\nbutton 'Buy'", "# Sign in"):
        page.add(0, "text", text)
    made = await outline(page.items)
    assert all(line.text.startswith("- ") and not line.selector for line in made.lines)


async def test_the_texts_of_a_row_are_one_line() -> None:
    page = Page()
    page.add(0, "row")
    for text in ("Tea", "3.50", "in stock"):
        page.add(1, "cell", text)
    page.act(1, "button", "Buy")
    assert (await outline(page.items)).text == '- Tea | 3.50 | in stock\n  button "Buy"'


async def test_long_texts_are_cut_where_room_is_short() -> None:
    page = Page()
    page.add(0, "text", "word " * 3000)
    page.act(0, "button", "Next")
    made = await outline(page.items, 400)
    assert made.text.split("\n")[0].endswith("…")
    assert 'button "Next"' in made.text
    assert (await outline(page.items, 10_000)).text.count("word") == 3000


@given(st.text(), st.integers(4, 50))
def test_shortened_texts_are_one_clean_line(text: str, most: int) -> None:
    assert not re.search(r"[\n\r\x00-\x1f\x7f-\x9f\u2028\u202e\u200b]", shorten(text, most))
    assert clean_text(clean_text(text)) == clean_text(text)


def test_alike_things_that_were_not_looked_at_say_how_to_find_one() -> None:
    item = OutlineItem("e1", 0, "hidden", states=("not looked at",), holds=(("row", 1600),))
    assert write_hidden(item, "") == "… 1600 rows not looked at (find: words of one)"
