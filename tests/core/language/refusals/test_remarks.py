"""What is told beside what is asked for is left out; what may condition, quote, deny or belong to the request is no remark."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Situation
from tests.cases import each_case

INTERPRETER, GERMAN = GrammarInterpreter(), GrammarInterpreter("de")
ANY = Situation.QUESTION | Situation.RUN
FRONTS = [
    "the doorbell rang",
    "i'm on a call",
    "my phone's ringing",
    "we're leaving",
    "this ad is so long",
    "neighbours are complaining",
    "i've seen this twice",
]
BEHIND = ["i have to leave", "my head hurts", "we've got visitors", "this is my favourite part"]
STEPS = ["pause the film", "mute the sound", "close the tab", "go back", "delete a.txt", "lock the screen"]
DENIALS = [
    "if", "when", "unless", "in case", "provided", "assuming that", "the moment", "every time", "as soon as", "before", "he said", "she told me that", "they asked whether", "i dreamt that",
    "i think", "remind me when", "suppose", "tomorrow",
]  # fmt: skip


def list_goals(utterance: str) -> list[tuple[str, dict[str, Any]]]:
    found = INTERPRETER.interpret(utterance).meta_goal
    return [(goal.name, dict(goal.params)) for goal in found.goals] if found else []


@given(st.sampled_from(FRONTS), st.sampled_from([", ", ". ", "; ", " so ", ", so ", " - "]), st.sampled_from(STEPS))
def test_what_is_told_in_front_changes_nothing(told: str, joint: str, step: str) -> None:
    assert list_goals(f"{told}{joint}{step}") == list_goals(step) != []


@given(st.sampled_from(STEPS), st.sampled_from([", ", ". ", " because ", ", cause "]), st.sampled_from(BEHIND))
def test_what_is_told_behind_changes_nothing(step: str, joint: str, told: str) -> None:
    assert list_goals(f"{step}{joint}{told}") == list_goals(step) != []


@given(st.sampled_from(DENIALS), st.sampled_from(FRONTS), st.sampled_from(STEPS))
def test_what_conditions_or_quotes_is_no_remark(denial: str, told: str, step: str) -> None:
    assert list_goals(f"{denial} {told}, {step}") == []


@each_case(
    "utterance",
    [
        "i want the lights off, mute the tv",
        "my boss said mute it, close the tab",
        "i told him to close the tab, mute it",
        "close the tab, i was only joking",
        "delete a.txt, i don't want that",
        "delete a.txt, i never meant it",
        "close the tab, that was a mistake",
        "mute the sound, i changed my mind",
        "pause the film when my mum calls, she is late",
        "search for shoes, don't, i'm broke",
        "frobnicate the thing, close the tab",
        "turn it down so flibber i can sleep",
        "what is the time, mute the radio in paris",
        "my signal is bad, close it",
        "this is the last word, close it",
        "the teams are waiting, close it",
    ],
)
def test_what_may_change_what_is_meant_is_refused_whole(utterance: str) -> None:
    assert list_goals(utterance) == []


@each_case(
    ("utterance", "goals"),
    [
        ("i no longer need a.txt, delete it", [("file.delete", {"object_type": "file", "name": "a.txt"})]),
        (
            "i no longer need a.txt in Downloads, delete it",
            [("file.delete", {"object_type": "file", "name": "downloads:/a.txt"})],
        ),
        ("i got a zip called b.zip, unpack it", [("file.unzip", {"source": "b.zip"})]),
        (
            "take ~/Downloads/a.pdf and move it to ~/Documents/Manuals",
            [("file.move", {"source": "home:/Downloads/a.pdf", "destination": "home:/Documents/Manuals"})],
        ),
        ("i don't need slack anymore, close it", [("system.close", {"app": "slack"})]),
        ("i'm done with this tab, close it", [("browser.close_tab", {})]),
        ("this page is stuck, refresh it", [("browser.reload", {})]),
    ],
)
def test_it_may_be_what_a_remark_names(utterance: str, goals: list[tuple[str, dict[str, Any]]]) -> None:
    assert list_goals(utterance) == goals


def test_the_same_step_without_it_is_done_twice() -> None:
    assert [name for name, _ in list_goals("close the tab and close the tab")] == ["browser.close_tab"] * 2


@pytest.mark.parametrize(
    ("utterance", "kind"),
    [
        ("i checked it twice, so yes", "confirm"),
        ("the backup is done so go ahead", "confirm"),
        ("go for it, i have nothing to lose", "confirm"),
        ("nope, my sister still needs that", "deny"),
        ("i haven't saved my work yet, so no", "deny"),
        ("this takes too long, cancel it", "stop"),
        ("there was a noise outside, say that again", "repeat"),
        ("i just installed you, what can you do", "help"),
    ],
)
def test_answers_stand_beside_remarks_as_well(utterance: str, kind: str) -> None:
    control = INTERPRETER.read_control(utterance, ANY)
    assert control is not None
    assert control.kind == kind


@pytest.mark.parametrize(
    "utterance",
    [
        "i haven't saved my work, yes",
        "somebody interrupted me, yes",
        "that's right, no",
        "i already took a screenshot, it looks fine",
        "i lost my card, what do i do next",
        "right now, i need to know the meaning of life",
    ],
)
def test_a_yes_that_is_doubted_and_a_call_for_other_help_are_no_answers(utterance: str) -> None:
    assert INTERPRETER.read_control(utterance, ANY) is None


@each_case(
    ("utterance", "name"),
    [
        ("es hat geklingelt, halte die Musik an", "media.pause"),
        ("ich bin am Telefon, schalte den Ton stumm", "audio.mute"),
        ("schalte den Ton stumm, weil das Baby schläft", "audio.mute"),
        ("schließe den Tab, ich muss los", "browser.close_tab"),
    ],
)
def test_german_tells_remarks_as_well(utterance: str, name: str) -> None:
    found = GERMAN.interpret(utterance).meta_goal
    assert found is not None
    assert [(goal.name, dict(goal.params)) for goal in found.goals] == [(name, {})]


@each_case(
    "utterance",
    [
        "wenn es regnet, schließe den Tab",
        "er sagte ich bin müde, schließe den Tab",
        "ich will das nicht, schließe den Tab",
        "schließe den Tab, das war ein Scherz",
    ],
)
def test_german_refuses_what_is_no_remark(utterance: str) -> None:
    assert GERMAN.interpret(utterance).meta_goal is None


def test_something_may_be_told_on_both_sides() -> None:
    said = "the neighbours are complaining, so pause the film, i have a headache"
    assert list_goals(said) == [("media.pause", {})]
