"""How people ask for sound, players and programs every day: in front of a step, around it, and as it is misheard."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.interpreter import GrammarInterpreter
from tests.cases import each_case
from tests.core.language.sentences.test_spoken_numbers import spell

INTERPRETER = GrammarInterpreter()
UP: tuple[str, dict[str, Any]] = ("audio.volume_up", {})
DOWN: tuple[str, dict[str, Any]] = ("audio.volume_down", {})
MUTE: tuple[str, dict[str, Any]] = ("audio.mute", {})


def list_steps(utterance: str) -> list[tuple[str, dict[str, Any]]]:
    meta_goal = INTERPRETER.interpret(utterance).meta_goal
    return [(goal.name, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else []


@given(st.integers(0, 100), st.booleans())
def test_a_level_is_read_back_from_digits_and_words(level: int, is_spelt: bool) -> None:
    said = spell(level) if is_spelt else str(level)
    assert list_steps(f"set the volume to {said} percent") == [("audio.set_volume", {"level": level})]
    assert list_steps(f"set the volume to {said}") == [("audio.set_volume", {"level": level})]
    assert list_steps(f"turn the volume up by {said} percent") == [("audio.volume_up", {"amount": level})]


@given(st.integers(1, 59), st.sampled_from([("seconds", 1), ("minutes", 60), ("hours", 3600)]), st.booleans())
def test_a_length_of_time_is_read_back_from_digits_and_words(count: int, unit: tuple[str, int], is_spelt: bool) -> None:
    said = spell(count) if is_spelt else str(count)
    assert list_steps(f"mute for {said} {unit[0]}") == [("audio.mute", {"duration": count * unit[1]})]


@pytest.mark.parametrize(
    ("utterance", "step"),
    [
        ("in the kitchen, turn it up", ("audio.volume_up", {"device": "kitchen"})),
        ("on the kitchen speaker set the volume to 20", ("audio.set_volume", {"level": 20, "device": "kitchen"})),
        ("for the office tv, please mute the sound", ("audio.mute", {"device": "office"})),
        ("in the kitchen play the previous song", ("media.previous", {"player": "kitchen"})),
        ("on Spotify, skip this song", ("media.next", {"player": "Spotify"})),
        ("on my computer, turn the volume up", UP),
    ],
)
def test_what_is_heard_may_be_named_in_front(utterance: str, step: tuple[str, dict[str, Any]]) -> None:
    assert list_steps(utterance) == [step]


@pytest.mark.parametrize(
    "utterance",
    [
        "in the kitchen, click Save",
        "in the kitchen, open example.com",
        "on the tv, mute the kitchen",
        "in the mood, turn it up",
        "in the kitchen",
        "for Ada, mute the sound",
    ],
)
def test_what_stands_in_front_belongs_to_sound_only(utterance: str) -> None:
    assert list_steps(utterance) == []


@each_case(
    ("utterance", "step"),
    [
        ("it's much too loud in here, can you turn the music down", DOWN),
        ("i can't hear it, please raise the volume", UP),
        ("the music is so loud, turn it down", DOWN),
        ("hey surehand, could you mute the sound", MUTE),
        ("go ahead and mute the sound for us", MUTE),
        ("i was hoping you could mute the sound", MUTE),
        ("do me a favor and mute the sound", MUTE),
        ("do me a favour, mute the sound", MUTE),
        ("would it be possible to turn the volume up?", UP),
        ("can i have the volume at twenty five percent", ("audio.set_volume", {"level": 25})),
        (
            "the kitchen speaker volume should be up to 20 percent",
            ("audio.set_volume", {"level": 20, "device": "kitchen"}),
        ),
    ],
)
def test_what_is_said_around_a_step_changes_nothing(utterance: str, step: tuple[str, dict[str, Any]]) -> None:
    assert list_steps(utterance) == [step]


@pytest.mark.parametrize(
    ("utterance", "step"),
    [
        ("set the volume two 20", ("audio.set_volume", {"level": 20})),
        ("set the volume to for percent", ("audio.set_volume", {"level": 4})),
        ("turn the volume up buy ten", ("audio.volume_up", {"amount": 10})),
        ("mute four ten minutes", ("audio.mute", {"duration": 600})),
        ("mute for too minutes", ("audio.mute", {"duration": 120})),
        ("press control and shift and t", ("browser.press", {"key": "Control+Shift+t"})),
        ("press cntrl s", ("browser.press", {"key": "Control+s"})),
    ],
)
def test_what_is_misheard_is_understood_where_one_reading_remains(
    utterance: str, step: tuple[str, dict[str, Any]]
) -> None:
    assert list_steps(utterance) == [step]


@each_case(
    "utterance",
    [
        "set the volume to to",
        "set the volume for the kitchen",
        "mute for a few minutes",
        "turn the volume down by half",
        "it's loud",
        "the shop is too loud",
        "i can't hear you",
        "siri, mute the sound",
        "olly",
        "turn off the kitchen tv",
        "turn the kitchen tv off",
        "turn off Firefox",
        "turn the lights down",
        "can you turn up the heating",
        "firefox and chrome",
        "tick Firefox, chrome",
        "open stream",
        "open the discard",
    ],
)
def test_what_may_mean_something_else_is_refused(utterance: str) -> None:
    assert list_steps(utterance) == []


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("set the volume to 4", 4),
        ("volume 4 out of 10", 40),
        ("set the volume to four out of ten", 40),
        ("turn the volume down to 4.5 of 10", 45),
        ("set the volume to 7 on a scale of 10", 70),
        ("set the volume to 0 out of 10", 0),
        ("set Firefox to 3 out of 5", 60),
    ],
)
def test_a_level_may_be_a_step_of_a_scale(said: str, level: float) -> None:
    meta_goal = INTERPRETER.interpret(said).meta_goal
    assert meta_goal is not None
    assert [(goal.verb, goal.params["level"]) for goal in meta_goal.goals] == [("set_volume", level)]


@pytest.mark.parametrize(
    "said",
    [
        "set the volume to 11 out of 10",
        "set the volume to 4 out of 0",
        "turn it up by 2 out of 10",
        "volume 4 out of 10 out of 10",
    ],
)
def test_a_step_that_no_scale_has_is_refused(said: str) -> None:
    assert INTERPRETER.interpret(said).meta_goal is None
