"""Changes: the last request said anew with something else in it, and never anything that wasn't said."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.language.interpreter import GrammarInterpreter
from core.language.talk.dialogue import Dialogue
from core.rules.rule_types import list_destroyed
from tests.cases import each_case

INTERPRETER = GrammarInterpreter(destroyed=list_destroyed(PLANNER_RULES))
GERMAN = GrammarInterpreter("de", destroyed=list_destroyed(PLANNER_RULES))
Goal = tuple[str, dict[str, Any]]


def talk(*utterances: str, interpreter: GrammarInterpreter = INTERPRETER, is_done: bool = True) -> list[Goal]:
    """Return the goals of the last of these utterances, all goals before which were carried out, or none of them."""
    dialogue = Dialogue(interpreter)
    remark = dialogue.hear(utterances[0])
    for utterance in utterances[1:]:
        dialogue.settle(remark.interpretation, is_done=is_done)
        remark = dialogue.hear(utterance)
    meta_goal = remark.interpretation.meta_goal
    return [(goal.name, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else []


def ask(*utterances: str) -> list[str]:
    """Return what there is to choose from behind these utterances."""
    dialogue = Dialogue(INTERPRETER)
    for utterance in utterances:
        remark = dialogue.hear(utterance)
        dialogue.settle(remark.interpretation)
    return [choice.name for choice in dialogue.question.choices] if dialogue.question else []


DELETE_B = ("file.delete", {"object_type": "file", "name": "b.txt"})


@each_case(
    "said",
    [
        "no, I meant b.txt",
        "I meant b.txt",
        "sorry, I wanted b.txt",
        "not a.txt but b.txt",
        "b.txt instead",
        "b.txt instead of a.txt",
        "I said b.txt, not a.txt",
        "no, b.txt",
        "oops, b.txt",
        "wrong one, I meant b.txt",
        "actually b.txt",
        "again but with b.txt",
        "the same for b.txt",
        "and b.txt",
        "b.txt too",
        "what about b.txt?",
        "now do the same with b.txt",
    ],
)
def test_one_slot_changes_and_the_rest_stays_as_it_was_said(said: str) -> None:
    assert talk("delete a.txt", said) == [DELETE_B]


@each_case(
    ("asked", "said", "goal"),
    [
        ("copy a.txt to Documents", "no, Downloads", ("file.copy", {"source": "a.txt", "destination": "downloads:/"})),
        (
            "copy a.txt to Documents",
            "no, to Downloads",
            ("file.copy", {"source": "a.txt", "destination": "downloads:/"}),
        ),
        ("copy a.txt to Documents", "no, b.txt", ("file.copy", {"source": "b.txt", "destination": "documents:/"})),
        ("copy a.txt to the Mugs folder", "and to Cups", ("file.copy", {"source": "a.txt", "destination": "Cups"})),
        ("set the volume to 30", "make it 40 instead", ("audio.set_volume", {"level": 40})),
        ("turn it up by 20 percent", "no, 5", ("audio.volume_up", {"amount": 5})),
        (
            'type "Ada" into the name field',
            "no, the email field",
            ("browser.type", {"text": "Ada", "selector": 'field "email"'}),
        ),
        ("mute", "and the microphone", ("audio.mute", {"target": "input"})),
        ("mute the kitchen speaker", "and the living room speaker", ("audio.mute", {"device": "living room"})),
        ("maximize the editor window", "and the inbox", ("desktop.maximize", {"window": "inbox"})),
        ("tick Terms", "and News", ("browser.check", {"selector": 'checkbox "News"'})),
        ("open example.com", "no, I wanted example.org", ("browser.navigate", {"url": "https://example.org"})),
        ("press enter", "no, escape", ("browser.press", {"key": "Escape"})),
        ("scroll down", "again", ("browser.scroll", {"direction": "down"})),
        ("delete a.txt and b.txt", "no, only b.txt", DELETE_B),
    ],
)
def test_what_is_new_takes_the_place_of_what_is_like_it(asked: str, said: str, goal: Goal) -> None:
    assert talk(asked, said) == [goal]


def test_the_place_that_was_said_with_a_name_stays() -> None:
    made = ("create a folder called Trips", "create a file called plan.txt in it", "and costs.txt")
    assert talk(*made) == [("file.create", {"object_type": "file", "name": "Trips/costs.txt"})]


def test_of_what_was_done_only_the_step_is_said_anew() -> None:
    assert talk("mute and read a.txt", "no, I meant b.txt") == [("file.read", {"path": "b.txt"})]


def test_what_was_not_done_is_said_anew_as_a_whole() -> None:
    goals = talk("mute and read a.txt", "no, I meant b.txt", is_done=False)
    assert goals == [("audio.mute", {}), ("file.read", {"path": "b.txt"})]


def test_where_two_slots_are_as_likely_it_is_asked_which() -> None:
    assert ask("rename a.txt to b.txt", "no, I meant c.txt") == ["rename c.txt to b.txt", "rename a.txt to c.txt"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("search google for tea", "no, coffee"),
        ('type "Ada" into the name field', "and you"),
        ("search google for tea", "and now you"),
    ],
)
def test_words_that_may_mean_nothing_are_asked_about_where_any_words_may_stand(asked: str, said: str) -> None:
    assert talk(asked, said) == []
    assert ask(asked, said) != []


@each_case(
    ("said", "goals"),
    [
        ("actually, mute the sound", [("audio.mute", {})]),
        ("no, mute", [("audio.mute", {})]),
        ("no, mute the sond", []),
        ("no, don't", []),
        ("no thanks", []),
        ("no, that's wrong", []),
        ("no, you idiot", []),
        ("and you", []),
        ("i want a coffee", []),
        ("I wanted to go home", []),
        ("wait, what", []),
        ("sorry", []),
        ("actually no", []),
    ],
)
def test_what_is_a_request_or_talk_is_never_the_name_of_a_thing(said: str, goals: list[Goal]) -> None:
    assert talk("delete a.txt", said) == goals


def test_without_a_request_there_is_nothing_to_change() -> None:
    for said in ("no, I meant b.txt", "again", "and b.txt", "the same with b.txt"):
        assert talk(said) == []


def test_a_sentence_is_put_right_while_its_question_is_open() -> None:
    dialogue = Dialogue(INTERPRETER)
    dialogue.hear("copy a.txt")
    assert dialogue.hear("no, I meant b.txt").interpretation.meta_goal is None
    meta_goal = dialogue.hear("to Documents").interpretation.meta_goal
    assert meta_goal is not None
    assert dict(meta_goal.goals[0].params) == {"source": "b.txt", "destination": "documents:/"}


@pytest.mark.parametrize(
    ("asked", "said", "goal"),
    [
        ("lösche a.txt", "nein, ich meinte b.txt", DELETE_B),
        ("lösche a.txt", "nicht a.txt sondern b.txt", DELETE_B),
        ("lösche a.txt", "und b.txt", DELETE_B),
        ("lösche a.txt", "noch einmal mit b.txt", DELETE_B),
        ("stelle die Lautstärke auf 30", "nein, 40", ("audio.set_volume", {"level": 40})),
    ],
)
def test_german_is_put_right_as_well(asked: str, said: str, goal: Goal) -> None:
    assert talk(asked, said, interpreter=GERMAN) == [goal]


@given(
    st.sampled_from(
        ["no, {}", "no, I meant {}", "and {}", "actually {}", "again but with {}", "{} instead", "not a.txt but {}"]
    ),
    st.text(max_size=20)
    | st.sampled_from(["b.txt", "the folder Mugs", "30", "it", "everything", "all files", "*.txt", "/"]),
)
def test_whatever_is_said_no_other_verb_comes_of_a_change_than_was_asked_for(shape: str, new: str) -> None:
    said = shape.format(new)
    alone = {name for text in (said, new) for name, _ in talk(text)}
    assert {name for name, _ in talk("delete a.txt", said)} <= {"file.delete", *alone}
