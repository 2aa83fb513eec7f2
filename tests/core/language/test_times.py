"""What is to be done at another time: nothing of it is done now, and the refusal says what keeps a schedule; files are waited for."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.interpreter import GrammarInterpreter
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()
GERMAN = GrammarInterpreter("de")
TIMES = (
    *("at eight", "at 8", "at 8 pm", "at half past ten", "at noon", "at midnight", "at quarter to nine", "by noon"),
    *("in ten minutes", "in 10 minutes", "in an hour", "in half an hour", "after ten minutes", "ten minutes from now"),
    *("every Monday", "every morning", "every 5 minutes", "each hour", "once a day", "daily", "hourly", "on weekdays"),
    *(
        "tomorrow",
        "tonight",
        "on Friday",
        "next week",
        "later",
        "in the evening",
        "this afternoon",
        "first thing tomorrow",
    ),
)
STEPS = (
    *("mute the sound", "open example.com", "delete notes.txt", "copy a.txt to Documents", "take a screenshot"),
    *("close the tab", "pause the music", "click Save", "open Firefox", "unmute", "set the volume to 20"),
)
Step = tuple[str, dict[str, Any]]


def list_steps(utterance: str) -> list[Step]:
    meta_goal = INTERPRETER.interpret(utterance).meta_goal
    return [(goal.name, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else []


@given(st.sampled_from(TIMES), st.sampled_from(STEPS), st.booleans(), st.booleans())
def test_nothing_is_done_now_of_what_is_to_be_done_then(
    time: str, step: str, is_in_front: bool, has_comma: bool
) -> None:
    said = f"{time}{',' * has_comma} {step}" if is_in_front else f"{step} {time}"
    refusal = INTERPRETER.interpret(said).refusal
    assert refusal is not None
    assert refusal.code in {"not_supported_here", "no_intent_match", "ambiguous", "missing_slot"}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("page", ["open example.com", "click Save", "close the tab"])
def test_what_is_put_off_on_a_page_is_no_field(page: str, step: str) -> None:
    assert list_steps(f"{page} and {step} at 8 pm") == []


@given(st.sampled_from(TIMES), st.sampled_from(STEPS), st.sampled_from(STEPS))
def test_no_step_beside_it_is_done_either(time: str, step: str, other: str) -> None:
    for said in (f"{step} {time} and {other}", f"{other} and {step} {time}", f"{time} {step} and {other}"):
        assert list_steps(said) == []


@each_case(
    "said",
    [
        *(
            "at eight mute the sound",
            "mute the sound at eight",
            "open example.com every Monday",
            "in ten minutes close the tab",
        ),
        *(
            "delete notes.txt at midnight",
            "remind me at six to mute the sound",
            "tomorrow open example.com",
            "mute at 8",
        ),
        *("on weekdays, open the calendar", "click Save in 5 minutes", "wait until 8 pm and mute the sound"),
    ],
)
def test_the_refusal_says_what_keeps_a_schedule(said: str) -> None:
    refusal = INTERPRETER.interpret(said).refusal
    assert refusal is not None
    assert refusal.code == "not_supported_here"
    assert "docs/guides/scheduling.md" in refusal.message


def test_so_does_the_german_one() -> None:
    for said in (
        "schalte den Ton um acht Uhr aus",
        "öffne example.com jeden Montag",
        "schließe den Tab in zehn Minuten",
    ):
        refusal = GERMAN.interpret(said).refusal
        assert refusal is not None
        assert "docs/guides/scheduling.md" in refusal.message


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        ("when report.pdf arrives, mute the sound", [("file.wait", {"path": "report.pdf"}), ("audio.mute", {})]),
        ("mute the sound when report.pdf arrives", [("file.wait", {"path": "report.pdf"}), ("audio.mute", {})]),
        (
            "as soon as report.pdf is in Downloads, open it",
            [("file.wait", {"path": "downloads:/report.pdf"}), ("file.open", {"path": "downloads:/report.pdf"})],
        ),
        (
            'set the volume to 20 once "my report.pdf" turns up',
            [("file.wait", {"path": "my report.pdf"}), ("audio.set_volume", {"level": 20})],
        ),
        ("mute the sound for ten minutes", [("audio.mute", {"duration": 600})]),
    ],
)
def test_a_file_is_waited_for_wherever_that_is_said(said: str, steps: list[Step]) -> None:
    assert list_steps(said) == steps


@pytest.mark.parametrize(
    "said",
    [
        *("open report.pdf when it arrives", "mute the sound when Bob arrives", "close the tab once the file is there"),
        *("when report.pdf arrives, don't mute the sound", "mute the sound unless report.pdf arrives"),
        *(
            "mute the sound when report.pdf doesn't arrive",
            "when is report.pdf there",
            "mute the sound if report.pdf arrives",
        ),
    ],
)
def test_what_cannot_be_waited_for_is_refused(said: str) -> None:
    assert list_steps(said) == []
