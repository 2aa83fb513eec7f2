"""Descriptions: elements that are told by how many, what is left out, what is beside them, their values and their looks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.interpreter import GrammarInterpreter
from core.selectors.selectors import parse_selector, render_selector
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()
NAMES = st.from_regex(r"[A-Z][a-z]{2,8}", fullmatch=True)


def find_selectors(utterance: str) -> list[str]:
    meta_goal = INTERPRETER.interpret(utterance).meta_goal
    return [str(goal.params.get("selector")) for goal in meta_goal.goals] if meta_goal else []


@each_case(
    ("words", "selector"),
    [
        ("every Delete button", 'every button "Delete"'),
        ("all the links", "every link"),
        ("the first three links", "first 3 link"),
        ("the last Delete button", 'button "Delete" nth last'),
        ("the third link in the Billing section", 'link in "Billing" nth 3'),
        ("all links except Home", 'every link except "Home"'),
        ("the checkbox next to Ada", 'checkbox near "Ada"'),
        ("the button to the left of Cancel", 'button left of "Cancel"'),
        ("the button below the Terms heading", 'button below (heading "Terms")'),
        ("the row with the highest total", 'row with highest "total"'),
        ("the Book button in the row with the lowest price", 'button "Book" in (record with lowest "price")'),
        ("the cheapest one", 'record with lowest "price"'),
        ("the Reply button of the newest message", 'button "Reply" in (record with newest "date")'),
        ("the Like button on all posts by @ada", 'every button "Like" in (record "@ada")'),
        ("the Like button on 2 posts by @ada", 'first 2 button "Like" in (record "@ada")'),
        ("the post by @ada", 'record "@ada"'),
        ("the trash icon", 'icon "trash"'),
        ("the large red circle", 'look "large red circle"'),
        ("a digit", 'look "digit" nth 1'),
        ("any button", "button nth 1"),
        ('a "checkbox" widget', "checkbox nth 1"),
        ("the centre of the blue square", 'look "blue square"'),
        ("the slider", "slider"),
    ],
)
def test_what_is_described_becomes_a_selector(words: str, selector: str) -> None:
    assert find_selectors(f"click {words}") == [selector]
    assert render_selector(parse_selector(selector)) == selector


@pytest.mark.parametrize(
    "utterance",
    [
        "click two buttons",
        "click the third last link",
        "click Save but not Cancel",
        "click the post",
        "click the first result",
        "type hello into every field",
        "select all",
        "click the middle between the two dots",
    ],
)
def test_what_does_not_say_which_is_refused(utterance: str) -> None:
    assert find_selectors(utterance) == []


@each_case(
    ("utterance", "selectors"),
    [
        ("tick everything except News", ['every checkbox except "News"']),
        ('untick everything but "A", "B" and click Save', ['every checkbox except "A", "B"', 'control "Save"']),
        ("select Tea, Milk and click Save", ['control "Tea"', 'control "Milk"', 'control "Save"']),
        ("select nothing", ["every checkbox"]),
        ("expand the sections to find and click the Returns link", ['link "Returns"', 'link "Returns"']),
        ("find and click the Save button", ['button "Save"']),
        ('for the user @ada, click on the "Report" button', ['control "Report" in (record "@ada")']),
        ("click the x to close the dialog", ['control "x" in (dialog)']),
        ("open example.com and open the File menu and click Export", ["None", 'control "File"', 'control "Export"']),
        ("open example.com and delete the second row", ["None", 'control "delete" in (record nth 2)']),
        ("open example.com and choose the card with the highest rating", ["None", 'record with highest "rating"']),
        ("tick Terms and submit", ['checkbox "Terms"', 'control "submit"']),
        ("click the cell in row 2, column 3", ['cell at "row 2 column 3"']),
        ("click the square in the second row and third column", ['look "square" at "row 2 column 3"']),
        ("click the second cell of the last row", ['cell at "row last column 2"']),
        ("click the tile in the bottom right corner of the grid", ['look "tile" at "bottom right"']),
        ("click the middle button", ['button at "middle"']),
        ("click Top Left Menu", ['menu "Top Left"']),
    ],
)
def test_several_steps_come_of_one_sentence(utterance: str, selectors: list[str]) -> None:
    assert find_selectors(utterance) == selectors


@given(NAMES, NAMES)
def test_names_in_descriptions_come_out_as_they_were_written(name: str, other: str) -> None:
    assert find_selectors(f'click "{name}" in the row of "{other}"') == [f'control "{name}" in (record "{other}")']
    assert find_selectors(f'click every "{name}" button except "{other}"') == [
        f'every button "{name}" except "{other}"'
    ]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("choose 3 March 2026 as the date", "3 March 2026"),
        ("set the date to 12/24/2026", "12/24/2026"),
        ("enter 2026-12-24 as the date", "2026-12-24"),
    ],
)
def test_dates_are_set_as_they_were_said(said: str, value: str) -> None:
    meta_goal = INTERPRETER.interpret(said).meta_goal
    assert meta_goal is not None
    assert [(goal.name, goal.params["value"]) for goal in meta_goal.goals] == [("browser.set", value)]


def test_what_one_place_holds_goes_into_another_by_reference() -> None:
    meta_goal = INTERPRETER.interpret("copy the text of the Notes field into the Summary field").meta_goal
    assert meta_goal is not None
    read, write = meta_goal.goals
    assert (read.name, read.params["selector"]) == ("browser.read", 'field "Notes"')
    assert (write.name, write.params["text"].key, write.params["text"].goal_id) == ("browser.type", "text", "g0")
