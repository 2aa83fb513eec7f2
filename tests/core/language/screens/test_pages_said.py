"""What new users say of pages: fields of any kind, boxes, rows, order, files, dialogs; and what is refused rather than guessed."""

from typing import Any

import pytest

from core.language.interpreter import GrammarInterpreter
from core.language.talk.dialogue import Dialogue
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()

Goals = list[tuple[str, dict[str, Any]]]


def say(sentence: str, page: str = "open example.com") -> Goals:
    """Return the goals of a sentence behind a page; none where it is refused."""
    dialogue = Dialogue(INTERPRETER)
    if page:
        dialogue.settle(dialogue.hear(page).interpretation)
    meta_goal = dialogue.hear(sentence).interpretation.meta_goal
    return [(goal.name.removeprefix("browser."), dict(goal.params)) for goal in meta_goal.goals] if meta_goal else []


def give(name: str, value: str) -> tuple[str, dict[str, Any]]:
    """Return the goal that gives a field a value."""
    return "set", {"selector": f'field "{name}"', "value": value}


def tick(selector: str) -> tuple[str, dict[str, Any]]:
    """Return the goal that ticks a box."""
    return "check", {"selector": selector}


def click(selector: str) -> tuple[str, dict[str, Any]]:
    """Return the goal that clicks something."""
    return "click", {"selector": selector}


@pytest.mark.parametrize(
    ("sentence", "goals"),
    [
        ("choose Window as the seat", [give("seat", "Window")]),
        ("pick Oat milk as the milk", [give("milk", "Oat milk")]),
        ("select 25 to 34 as the age range", [give("age range", "25 to 34")]),
        ("choose Lisbon as the city and Window as the seat", [give("city", "Lisbon"), give("seat", "Window")]),
        ("choose Lisbon as city", [give("city", "Lisbon")]),
        ("choose 50 as the rows per page", [give("rows per page", "50")]),
        ("take Window for the seat and click Book", [give("seat", "Window"), click('control "Book"')]),
        ("in the dialog, choose Lisbon as the city", [("set", {"selector": 'field "city" in (dialog)', "value": "Lisbon"})]),
    ],
)  # fmt: skip
def test_what_is_chosen_as_something_is_given_to_that_field(sentence: str, goals: Goals):
    assert say(sentence) == goals


@pytest.mark.parametrize(
    ("sentence", "name", "values"),
    [
        ("choose Monday, Wednesday and Friday as the days", "days", ["Monday", "Wednesday", "Friday"]),
        ("select Chess and Singing as hobbies", "hobbies", ["Chess", "Singing"]),
        ("set the languages to French and German", "languages", ["French", "German"]),
        ("pick Honey and Lemon from Extras", "Extras", ["Honey", "Lemon"]),
    ],
)  # fmt: skip
def test_several_that_are_chosen_are_a_list(sentence: str, name: str, values: list[str]):
    assert say(sentence) == [("select", {"selector": f'field "{name}"', "value": values})]


@each_case(
    ("sentence", "goals"),
    [
        ("set the meal to Vegan", [give("meal", "Vegan")]),
        ("set the width to 300 and the height to 200", [give("width", "300"), give("height", "200")]),
        ("set Nickname to Ada, set the meal to Vegan", [give("Nickname", "Ada"), give("meal", "Vegan")]),
        ("change the title to Salt and Pepper", [give("title", "Salt and Pepper")]),
        ("set the notes to milk and eggs", [give("notes", "milk and eggs")]),
        ("set the country of birth to Peru", [give("country of birth", "Peru")]),
        ("set last visit to 7", [give("last visit", "7")]),
        ("set the start to 9 am and the end to 5 pm", [give("start", "9 am"), give("end", "5 pm")]),
        ("set the appointment to 4 June 2027 at 10:30", [give("appointment", "4 June 2027 at 10:30")]),
        ("set the trip to 4 June 2027 to 9 June 2027", [give("trip", "4 June 2027 to 9 June 2027")]),
        ("set the trip from 2027-06-04 to 2027-06-09", [give("trip", "2027-06-04 to 2027-06-09")]),
        ("change the budget from 200 to 500", [give("budget", "200 to 500")]),
        ("set the budget between 200 and 500", [give("budget", "200 to 500")]),
        ("set the treble slider to 80", [("set", {"selector": 'slider "treble"', "value": "80"})]),
        ("set the slider Bass to 20 and the slider Treble to 80", [("set", {"selector": 'slider "Bass"', "value": "20"}), ("set", {"selector": 'slider "Treble"', "value": "80"})]),
    ],
)  # fmt: skip
def test_a_field_is_set_whatever_it_is_made_of(sentence: str, goals: Goals):
    assert say(sentence) == goals


@pytest.mark.parametrize(
    ("sentence", "label", "owner", "value"),
    [
        ("set the score of Emma to 17", "score", "Emma", "17"),
        ("change the status of Order 7 to Sent", "status", "Order 7", "Sent"),
        ("set Price in the row of Green tea to 4.50", "Price", "Green tea", "4.50"),
        ("change the email in the row of Emma to emma@example.org", "email", "Emma", "emma@example.org"),
    ],
)
def test_what_is_set_of_one_of_several_like_parts_is_its_value(sentence: str, label: str, owner: str, value: str):
    assert say(sentence) == [("set", {"selector": f'value "{label}" in (record "{owner}")', "value": value})]


@pytest.mark.parametrize(
    ("sentence", "selector"),
    [
        ("read the total in the row of Emma", 'value "total" in (record "Emma")'),
        ("what is the score of Emma", 'value "score" in (record "Emma")'),
        ("read the message", 'value "message"'),
        ("tell me the total", 'value "total"'),
    ],
)
def test_a_value_is_read_where_it_is_said_to_be(sentence: str, selector: str):
    assert say(sentence) == [("read", {"target": "text", "selector": selector})]


@pytest.mark.parametrize(
    ("sentence", "boxes"),
    [
        ("tick Parking, Pool and Sauna", ['checkbox "Parking"', 'checkbox "Pool"', 'checkbox "Sauna"']),
        ("tick milk and sugar", ['checkbox "milk"', 'checkbox "sugar"']),
        ("tick Bed and Breakfast", ['checkbox "Bed and Breakfast"']),
        ("tick For sale", ['checkbox "For sale"']),
        ("tick I agree to the rules of the house", ['checkbox "I agree to the rules of the house"']),
        ("tick the boxes of Emma and Noah", ['checkbox in (record "Emma")', 'checkbox in (record "Noah")']),
        ("check Pool in the tree", ['checkbox "Pool" in (tree)']),
    ],
)
def test_boxes_are_ticked_one_by_one(sentence: str, boxes: list[str]):
    assert say(sentence) == [tick(each) for each in boxes]


@each_case(
    ("sentence", "goals"),
    [
        ("click By train", [click('control "By train"')]),
        ("click June 4, 2027", [click('control "June 4, 2027"')]),
        ("click Save as draft", [click('control "Save as draft"')]),
        ("click the Guests column header", [click('columnheader "Guests"')]),
        ("click the Delete button of Emma", [click('button "Delete" in (record "Emma")')]),
        ("open More options and click Save", [click('control "More options"'), click('control "Save"')]),
        ("open the Account menu and click Sign out", [click('control "Account"'), click('control "Sign out"')]),
        ("open Filters, tick Sauna and click Apply", [click('control "Filters"'), tick('checkbox "Sauna"'), click('control "Apply"')]),
        ("remove Noah and Emma", [click('control "remove" in (record "Noah")'), click('control "remove" in (record "Emma")')]),
        ("point at Rooms and click Suites", [("hover", {"selector": 'control "Rooms"'}), click('control "Suites"')]),
        ("scroll to Row 90 and click Edit next to it", [("reveal", {"selector": 'control "Edit" in (record "Row 90")', "by": "scroll"}), click('control "Edit" in (record "Row 90")')]),
    ],
)  # fmt: skip
def test_what_is_pressed_goes_by_its_whole_name(sentence: str, goals: Goals):
    assert say(sentence) == goals


@pytest.mark.parametrize(
    ("sentence", "side", "target"),
    [
        ("drag Wash below Iron", "after", 'record "Iron"'),
        ("move Wash above Iron", "before", 'record "Iron"'),
        ("drag Wash below Iron in the list Chores", "after", 'record "Iron" in "Chores"'),
    ],
)
def test_like_parts_are_put_in_order(sentence: str, side: str, target: str):
    assert say(sentence) == [("drag", {"selector": 'record "Wash"', "target": target, "side": side})]


@each_case(
    ("sentence", "goals"),
    [
        ("type Emma into Guest and Noah into Companion", [("type", {"selector": 'field "Guest"', "text": "Emma"}), ("type", {"selector": 'field "Companion"', "text": "Noah"})]),
        ('press tab and type "Emma"', [("press", {"key": "Tab"}), ("type", {"text": "Emma"})]),
        ("in the editor, write hello", [("type", {"selector": 'field "editor"', "text": "hello"})]),
        ("write hello to all into the editor", [("type", {"selector": 'field "editor"', "text": "hello to all"})]),
        ("clear the comments", [("type", {"selector": 'field "comments"', "text": ""})]),
        ("fill in city with Lisbon and seat with Window", [("fill", {"fields": {"city": "Lisbon", "seat": "Window"}})]),
        ("set the password to hunter2", [("type", {"selector": 'field "password"', "text": "hunter2"})]),
        ('mark "late" in Remarks', [("mark", {"selector": 'field "Remarks"', "text": "late"})]),
        ("add the tag summer", [("select", {"selector": 'field "tag"', "value": "summer"})]),
        ("add Noah to the guests", [("select", {"selector": 'field "guests"', "value": "Noah"})]),
        ("choose Oslo in Norway in Europe as the office", [("select", {"selector": 'field "office"', "value": "Europe > Norway > Oslo"})]),
        ('wait until Status is "Paid"', [("wait", {"selector": 'value "Status"', "value": "Paid"})]),
    ],
)  # fmt: skip
def test_texts_go_where_they_are_said_to_go(sentence: str, goals: Goals):
    assert say(sentence) == goals


@pytest.mark.parametrize(
    ("sentence", "selector", "path"),
    [
        ('upload map.png with "Choose a map"', 'control "Choose a map"', "map.png"),
        ("upload map.png by Choose a picture", 'control "Choose a picture"', "map.png"),
        ('drop map.png and plan.pdf on "Drop files here"', 'text "Drop files here"', ["map.png", "plan.pdf"]),
    ],
)
def test_files_go_by_what_is_pressed_or_onto_where_they_are_dropped(sentence: str, selector: str, path: object):
    assert say(sentence) == [("upload", {"selector": selector, "path": path})]


@pytest.mark.parametrize(
    ("sentence", "value"),
    [("turn on email alerts", "on"), ("turn email alerts on", "on"), ("switch off email alerts", "off")],
)
def test_what_is_switched_needs_no_quotes_without_an_article(sentence: str, value: str):
    assert say(sentence) == [("set", {"selector": 'control "email alerts"', "value": value})]


@each_case(
    "sentence",
    [
        # A name that holds another step, a negation or what it is chosen as.
        "choose Lisbon and click Save as the city",
        "click Lisbon as the city",
        "do not choose Lisbon as the city",
        "choose not Lisbon as the city",
        "set the seat to not Window",
        "set the seat to anything but Window",
        # What only tells which one is meant.
        "choose the second option as the city",
        "choose my city as the city",
        "choose any seat as the seat",
        "choose it as the city",
        # Conditions and orders that no verb has.
        "choose Lisbon as the city if it is free",
        "sort the table by Guests in descending order",
        # Sentences of which only the beginning would be a name.
        "tick I have read and accept the rules",
        # Things of the house.
        "turn on the coffee machine",
        "turn off the garden lights",
        "set the alarm to 7:00",
    ],
)
def test_what_may_mean_something_else_is_refused(sentence: str):
    assert say(sentence) == []


@pytest.mark.parametrize(
    "sentence", ["choose Lisbon as the city", "set the meal to Vegan", "turn on email alerts", "remove Noah", "add the tag summer"]
)  # fmt: skip
def test_without_a_page_none_of_it_is_about_one(sentence: str):
    assert say(sentence, page="") == []


def test_turning_something_bold_on_marks_no_text():
    assert say("turn on Bold") == [("set", {"selector": 'control "Bold"', "value": "on"})]
