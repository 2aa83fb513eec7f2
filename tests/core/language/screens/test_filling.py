"""Forms that are filled in by what is said of them, and what is ordered from a list."""

import pytest

from core.language.interpreter import GrammarInterpreter
from core.language.talk.dialogue import Dialogue

INTERPRETER = GrammarInterpreter()


def say(sentence: str) -> list[tuple[str, dict[str, object]]]:
    """Return the goals of a sentence behind a page."""
    dialogue = Dialogue(INTERPRETER)
    dialogue.settle(dialogue.hear("open example.com").interpretation)
    meta_goal = dialogue.hear(sentence).interpretation.meta_goal
    return [(goal.name, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else []


@pytest.mark.parametrize(
    ("sentence", "fields"),
    [
        ("search for quiet novels written by Ada Lovelace from year 1840", {"novels": "quiet", "written by": "Ada Lovelace", "year": "1840"}),
        ("find all short films directed by Bob and released in 1999", {"films": "short", "directed by": "Bob", "released in": "1999"}),
        ('look for songs sung by "Salt and Pepper" in the language French', {"sung by": "Salt and Pepper", "language": "French"}),
    ],
)  # fmt: skip
def test_a_search_that_tells_several_things_fills_in_the_form_of_the_page(sentence: str, fields: dict[str, str]):
    assert say(sentence) == [("browser.fill", {"fields": fields, "submit": True})]


@pytest.mark.parametrize(
    "sentence",
    ["search for salt and pepper", "search for novels written by Ada", "search for the keeper from year 1974"],
)
def test_other_searches_stay_searches(sentence: str):
    assert [name for name, _ in say(sentence)] == ["browser.search"]


def test_such_a_search_is_one_of_the_web_where_no_page_was_spoken_of():
    meta_goal = INTERPRETER.interpret("search for quiet novels written by Ada from year 1840").meta_goal
    assert meta_goal is not None
    assert [goal.name for goal in meta_goal.goals] == ["browser.search"]


@pytest.mark.parametrize(
    ("sentence", "fields"),
    [
        ("fill in the form with name Ada, email ada@example.com and phone 555-1234", {"name": "Ada", "email": "ada@example.com", "phone": "555-1234"}),
        ("complete this form using first name: Ada, city = New York", {"first name": "Ada", "city": "New York"}),
        ('fill out the form: the subject is "a, b", the message is see you at noon', {"subject": "a, b", "message": "see you at noon"}),
    ],
)  # fmt: skip
def test_a_form_is_filled_in_by_names_and_values(sentence: str, fields: dict[str, str]):
    assert say(sentence) == [("browser.fill", {"fields": fields})]


@pytest.mark.parametrize(
    ("rank", "value"), [("cheapest", "price"), ("shortest", "duration"), ("fastest one-way", "duration")]
)
def test_a_journey_is_searched_for_and_the_best_one_booked(rank: str, value: str):
    fields = {"from": "Bergen", "to": "Oslo, Norway", "date": "12/24/2026"}
    assert say(f"book the {rank} flight from: Bergen to: Oslo, Norway on 12/24/2026") == [
        ("browser.fill", {"fields": fields, "submit": True}),
        ("browser.click", {"selector": f'button "book" in (record with lowest "{value}")'}),
    ]


def test_all_things_of_an_order_are_looked_for_before_the_first_is_added():
    assert [f"{name} {params['selector']}" for name, params in say("order one of each item: Tea, Fish and chips")] == [
        'browser.wait record "Tea"',
        'browser.wait record "Fish and chips"',
        'browser.click control "add" in (record "Tea")',
        'browser.click control "add" in (record "Fish and chips")',
        'browser.click button "order"',
    ]


@pytest.mark.parametrize("press", ["click Submit", 'press the "Register" button'])
def test_a_form_is_sent_once_where_its_button_is_said(press: str):
    (filled, params), (clicked, _) = say(f"sign up with the name Ada and the city Oslo and {press}")
    assert (filled, clicked, dict(params)) == (
        "browser.fill",
        "browser.click",
        {"fields": {"name": "Ada", "city": "Oslo"}},
    )


def test_what_comes_behind_a_form_does_not_keep_it_from_being_sent():
    (_, params), (name, _) = say("sign up with the name Ada and the city Oslo and go back")
    assert (params["submit"], name) == (True, "browser.back")


@pytest.mark.parametrize("film", ["the movie Alien", "the lost boys", "Fine Things"])
def test_a_thing_that_is_called_so_is_no_kind_of_things(film: str):
    assert [name for name, _ in say(f"search for {film} directed by Bob from year 1979")] == ["browser.search"]
