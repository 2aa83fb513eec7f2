"""What is done with a thing that stands in front of it, steps that run on, and what neither may be made of."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.interpreter import GrammarInterpreter
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()
PAGE = INTERPRETER.interpret("open example.com").behind
STEPS = ["mute the sound", "pause the film", "lock the screen", "close this tab", "reload the page"]
THINGS = [
    ("the kitchen speaker", "turn it up", "turn the kitchen speaker up"),
    ("the Save button", "click it", "click the Save button"),
    ("report.pdf", "open it", "open report.pdf"),
    ("vlc", "close it", "close vlc"),
    ("the folder Mugs", "move it to Documents", "move the folder Mugs to Documents"),
]


def list_goals(utterance: str, *, on_page: bool = False) -> list[tuple[str, dict[str, Any]]]:
    found = (INTERPRETER.interpret(utterance, context=PAGE) if on_page else INTERPRETER.interpret(utterance)).meta_goal
    return [(goal.name, dict(goal.params)) for goal in found.goals] if found else []


@given(st.sampled_from(THINGS), st.sampled_from([", ", ": ", ". ", " - "]), st.sampled_from(["", " please"]))
def test_a_thing_may_stand_in_front_of_what_is_done_with_it(
    said: tuple[str, str, str], joint: str, politeness: str
) -> None:
    thing, step, whole = said
    assert list_goals(f"{thing}{joint}{step}{politeness}") == list_goals(whole) != []


@pytest.mark.parametrize(
    ("sentence", "whole"),
    [
        ("Start free trial please, press it", "press Start free trial"),
        ("there's a Share button, press it", "press the Share button"),
        ("the Premium support box, untick it please", "untick the Premium support box"),
        ("my surname is Okafor, enter it in the Last name field", "enter Okafor in the Last name field"),
    ],
)
def test_on_a_page_any_name_may(sentence: str, whole: str) -> None:
    assert list_goals(sentence, on_page=True) == list_goals(whole, on_page=True) != []


@given(st.lists(st.sampled_from(STEPS), min_size=2, max_size=3, unique=True))
def test_steps_may_run_on(steps: list[str]) -> None:
    assert list_goals(" ".join(steps)) == [goal for step in steps for goal in list_goals(step)]


@each_case(
    "sentence",
    [
        "Bob, close it",
        "my brother, stop it",
        "the news, stop it",
        "the other day, i lost it",
        "if it rains, close it",
        "not the Save button, click it",
        "maybe the kitchen speaker, turn it up",
        "he said the kitchen speaker, turn it up",
        "do not open the tab close it",
        "never mute the sound open calculator",
        "if it rains mute the sound open calculator",
        "mute the sound delete a.txt",
        "undo that delete a.txt",
        "mute the sound and maximize minimize the window",
        "tell me to mute the sound open calculator",
        "how do i mute the sound open calculator",
        "mute the sound when the film starts",
        "mute the sound after dinner",
    ],
)
def test_what_is_denied_told_put_off_or_takes_away_is_made_into_neither(sentence: str) -> None:
    assert list_goals(sentence) == []


def test_every_word_of_a_goal_is_where_it_was_said() -> None:
    sentence = "the kitchen speaker, turn it up by 20"
    (clause,) = INTERPRETER.interpret(sentence).clauses
    assert {sentence[slot.start : slot.end] for slot in clause.slots} == {"kitchen speaker", "20"}


@pytest.mark.parametrize("sentence", ["play the music, then lower it", "open the shop, click it"])
def test_a_step_in_front_is_no_thing(sentence: str) -> None:
    assert list_goals(sentence) == []


@pytest.mark.parametrize("name", ["Order again", "Try again", "Safety first", "Lights on"])
def test_a_name_on_a_page_keeps_its_last_word(name: str) -> None:
    for sentence in (f"click {name}", f"press {name}", f"{name}, click it"):
        assert list_goals(sentence, on_page=True) == [("browser.click", {"selector": f'control "{name}"'})]


def test_thanks_may_be_a_name() -> None:
    for name in ("No thanks", "No thank you", "Thank you", "Many thanks"):
        assert list_goals(f"click {name}", on_page=True) == [("browser.click", {"selector": f'control "{name}"'})]


@pytest.mark.parametrize("name", ["Order again", "Safety first", "Try again"])
@pytest.mark.parametrize("wording", ["would you mind clicking {}", "give {} a click", "i'd like {} pressed"])
def test_a_frame_leaves_a_name_its_last_word(wording: str, name: str) -> None:
    sentence = wording.format(name)
    assert list_goals(sentence, on_page=True) == [("browser.click", {"selector": f'control "{name}"'})]


@pytest.mark.parametrize("wording", ["click Save {}", "would you mind clicking Save {}", "give Save a click {}"])
@pytest.mark.parametrize("talk", ["thanks", "thank you", "please", "for me"])
def test_what_no_name_ends_with_is_talk(wording: str, talk: str) -> None:
    sentence = wording.format(talk)
    assert list_goals(sentence, on_page=True) == [("browser.click", {"selector": 'control "Save"'})]


@pytest.mark.parametrize("talk", ["now", "thanks", "cheers", "thank you", "again", "too"])
@pytest.mark.parametrize("kind", ["window", "app", "program"])
def test_talk_is_no_name_of_a_program(kind: str, talk: str) -> None:
    assert list_goals(f"close the {kind} {talk}") == []


@pytest.mark.parametrize("query", ["america first", "who came first", "never again"])
def test_what_is_searched_for_keeps_its_last_word(query: str) -> None:
    assert list_goals(f"search for {query}") == [("browser.search", {"query": query})]
