"""A planned name never holds the beginning of another step, unless it is in quotes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.language.interpreter import GrammarInterpreter
from core.rules.rule_types import list_destroyed

INTERPRETER = GrammarInterpreter(destroyed=list_destroyed(PLANNER_RULES))
NAMES = ("Mugs", "tea list", "Blue Mug", "archive 7")
SAID = (
    *("click {}", "launch {}", "delete the folder {}", "rename the folder Cups to {}", "create a folder called {}"),
    *("open example.com and click {}", "open example.com and tick {}", "copy a.txt to the folder {}", "hover over {}"),
    *("mute {}", "open the app {}", "restore the folder {}", "focus the window {}", "move a.txt into the folder {}"),
    *(
        "close the app {}",
        "upload a.txt to {}",
        "drag {} to Cups",
        "scroll to {}",
        "open {}",
        "choose {} as the colour",
    ),
)
JOINTS = (" and ", " then ", ", then ", ", ", " and then ", " & ", " plus ", " but ", "; ", ". ")
STEPS = (
    *(
        "delete the rest",
        "close it",
        "mute",
        "quit",
        "reload",
        "scroll down",
        "press Enter",
        "stop",
        "save",
        "pause",
        "print",
    ),
    *("don't delete it", "never close it", "no more", "turn it up", "open the door", "as the size"),
)


@given(st.sampled_from(SAID), st.sampled_from(NAMES), st.sampled_from(JOINTS), st.sampled_from(STEPS))
def test_no_name_without_quotes_holds_another_step(said: str, name: str, joint: str, step: str) -> None:
    meta_goal = INTERPRETER.interpret(said.format(f"{name}{joint}{step}")).meta_goal
    for goal in meta_goal.goals if meta_goal else ():
        told = json.dumps(dict(goal.params), ensure_ascii=False)
        assert f"{name}{joint}{step}".casefold() not in told.casefold()
        assert f"{joint}{step}" not in told


@pytest.mark.parametrize(
    "said",
    [
        *("launch Mugs & quit", "click Mugs then stop", "create a folder called Mugs & save", "launch Mugs then print"),
        *("open the Mugs then quit app", "click Mugs & no Cups"),
    ],
)
def test_a_name_that_may_hold_a_step_is_refused(said: str) -> None:
    assert INTERPRETER.interpret(said).meta_goal is None


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ('click "Mugs & quit"', "Mugs & quit"),
        ("click the Save & Close button", "Save & Close"),
        ("click Save and Reload", "Save and Reload"),
        ("click find and replace", "find and replace"),
        ('create a folder called "Mugs then stop"', "Mugs then stop"),
        ("click Terms & Conditions", "Terms & Conditions"),
    ],
)
def test_a_name_that_is_one_stays_whole(said: str, name: str) -> None:
    meta_goal = INTERPRETER.interpret(said).meta_goal
    assert meta_goal is not None
    assert [goal for goal in meta_goal.goals if name in str(dict(goal.params))]


def test_what_is_said_behind_plus_is_another_step() -> None:
    meta_goal = INTERPRETER.interpret("delete the folder Mugs plus mute the sound").meta_goal
    assert meta_goal is not None
    assert [goal.name for goal in meta_goal.goals] == ["file.delete", "audio.mute"]


@pytest.mark.parametrize("verb", ["open", "close", "save"])
def test_a_name_never_holds_a_verb_that_was_said_twice(verb: str) -> None:
    understood = INTERPRETER.interpret(f"click the {verb} {verb} button").meta_goal
    assert understood is not None
    assert understood.goals[0].params == {"selector": f'button "{verb}"'}


@pytest.mark.parametrize("name", ["Duran Duran", "Walla Walla", "New New York"])
def test_a_name_may_hold_another_word_twice(name: str) -> None:
    understood = INTERPRETER.interpret(f"click the {name} link").meta_goal
    assert understood is not None
    assert understood.goals[0].params == {"selector": f'link "{name}"'}
