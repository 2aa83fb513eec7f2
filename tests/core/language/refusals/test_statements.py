"""What is told with nothing between it and what is asked for."""

from typing import Any

import pytest

from core.language.interpreter import GrammarInterpreter
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()

UP: list[tuple[str, dict[str, Any]]] = [("audio.volume_up", {})]
DOWN: list[tuple[str, dict[str, Any]]] = [("audio.volume_down", {})]


def list_goals(utterance: str) -> list[tuple[str, dict[str, Any]]]:
    meta_goal = INTERPRETER.interpret(utterance).meta_goal
    return [(goal.name, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else []


@pytest.mark.parametrize(
    ("utterance", "goals"),
    [
        ("the washing machine is so noisy turn the volume up", UP),
        ("my uncle is snoring turn the volume up", UP),
        ("the article looks tiny zoom in", [("browser.zoom", {"direction": "in"})]),
        ("i can't read that zoom in a bit", [("browser.zoom", {"direction": "in"})]),
        ("this site is frozen can you reload the page", [("browser.reload", {})]),
        ("oops wrong page go back", [("browser.back", {})]),
        ("i scrolled too far go to the top", [("browser.scroll", {"to": "top"})]),
        ("the guests are here so pause the music", [("media.pause", {})]),
        ("there is too much noise in here turn the volume up", UP),
    ],
)
def test_a_request_behind_a_statement_is_understood(utterance: str, goals: list[tuple[str, dict[str, Any]]]) -> None:
    assert list_goals(utterance) == goals


@pytest.mark.parametrize(
    ("utterance", "goals"),
    [
        ("turn the volume down my head is spinning", DOWN),
        ("turn it down the doctor's on the phone", DOWN),
        ("turn the volume down, grandma is dozing", DOWN),
        ("reload the page it's empty", [("browser.reload", {})]),
        ("can you lock the screen because the boss is coming?", [("system.lock", {})]),
    ],
)
def test_a_request_in_front_of_a_statement_is_understood(
    utterance: str, goals: list[tuple[str, dict[str, Any]]]
) -> None:
    assert list_goals(utterance) == goals


@pytest.mark.parametrize(
    "utterance",
    [
        "it's way too loud, lower it",
        "the speakers are booming through the wall, lower it",
        "the song is blaring, turn it down",
    ],
)
def test_what_is_told_of_sounds_is_what_it_means(utterance: str) -> None:
    assert list_goals(utterance) == DOWN


@each_case(
    "utterance",
    [
        # Somebody else does it, or did, or says it.
        "we watched them turn the tv down",
        "my sister is shouting turn the music down",
        "my cousin will mute the tv",
        "someone is trying to close the tab",
        "he was told lock the screen",
        # What stands behind hangs on it.
        "i'm happy you lock the screen",
        "i'm worried the kids turn the tv up",
        "nobody is able to mute the tv",
        "my job is to close the tabs",
        "the game is called play the music",
        "we are unsure whether to lock the screen",
        "i hate when they turn the tv up",
        # It says when.
        "close the tab once the upload is done",
        "click Save before the session is over",
        # It says which one.
        "close the tab my boss is reading",
        "mute the app i was listening to yesterday",
        # A state, and no step.
        "the tv is on mute",
        "the window is at full screen",
        # Another thing than sound is turned.
        "the heating is on turn it down",
        "the oven is hot turn it off",
        "the lamp is too strong turn it down",
        # Taken away because of what is told and not asked for.
        "the file is empty delete a.txt",
    ],
)
def test_what_is_only_told_is_not_done(utterance: str) -> None:
    assert list_goals(utterance) == []
