"""What people say around and between what they ask for changes nothing of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.goals.meta_goals import Goal
from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Situation
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()
GERMAN = GrammarInterpreter("de")
REQUESTS = (
    "mute the sound", "turn the volume up by 20 percent", "copy a.txt to Documents", "open the downloads folder", "scroll down",
    "switch to the second tab", "delete notes.txt", "create a folder called Mugs in Documents", 'type "um, thanks" in the field "Name"',
    'go to example.com and click "Save"',
)  # fmt: skip
FRONT = (
    "hey there,", "good morning computer,", "right then,", "sorry to bother you,", "would you be so kind as to", "I'd be grateful if you could",
    "is there any chance you could", "first things first,", "well, um, could you please just", "be a dear and", "oh my god,",
)  # fmt: skip
BEHIND = (
    "thanks a million", ", my friend", "if it's not too much trouble", ", you're a star", "when you get a moment", "right away",
    "as soon as possible, thank you very much", ", that would be lovely", ", won't you?", "pretty please with sugar on top",
)  # fmt: skip
SOUNDS = ("um", "uh", "hmm", "er", "erm", ", uh,", "... um ...", "y'know")


def read(utterance: str, interpreter: GrammarInterpreter = INTERPRETER) -> list[tuple[str, dict[str, object]]]:
    meta_goal = interpreter.interpret(utterance).meta_goal
    return [(goal.name, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else []


def find_goal(utterance: str) -> Goal:
    meta_goal = INTERPRETER.interpret(utterance).meta_goal
    assert meta_goal is not None, utterance
    return meta_goal.goals[0]


@given(st.sampled_from(REQUESTS), st.sampled_from(FRONT))
def test_talk_in_front_changes_nothing(request: str, talk: str) -> None:
    assert read(f"{talk} {request}") == read(request) != []


@given(st.sampled_from(REQUESTS), st.sampled_from(BEHIND))
def test_talk_behind_changes_nothing(request: str, talk: str) -> None:
    assert read(f"{request}{'' if talk.startswith(',') else ' '}{talk}") == read(request) != []


@given(st.sampled_from(REQUESTS), st.sampled_from(SOUNDS), st.data())
def test_a_hesitation_between_two_words_changes_nothing(request: str, sound: str, data: st.DataObject) -> None:
    quote = request.find('"')
    gaps = [
        place for place, letter in enumerate(request) if letter == " " and not 0 <= quote < place < request.rfind('"')
    ]
    place = data.draw(st.sampled_from(gaps))
    joint = "" if sound.startswith(",") else " "
    assert read(f"{request[:place]}{joint}{sound}{request[place:]}") == read(request)


@each_case(
    "utterance",
    ["copy a.txt, please, to Documents", "copy a.txt right away to Documents", "copy copy a.txt to Documents", "copy a.txt to to Documents"],
)  # fmt: skip
def test_what_is_said_in_passing_or_twice_changes_nothing(utterance: str) -> None:
    assert read(utterance) == read("copy a.txt to Documents")


def test_what_was_left_out_stays_in_what_is_shown() -> None:
    interpretation = INTERPRETER.interpret("could you, um, open the, uh, downloads folder")
    assert interpretation.meta_goal is not None
    assert interpretation.meta_goal.source == "could you, um, open the, uh, downloads folder"
    assert interpretation.clauses[0].text == "open the, uh, downloads folder"


@pytest.mark.parametrize(
    ("utterance", "param", "value"),
    [
        ("create a folder called Many Thanks", "name", "Many Thanks"),
        ("create a folder called Holiday thanks", "name", "Holiday"),
        ("create a folder called um Holiday", "name", "Holiday"),
        ('create a folder called "um Holiday thanks"', "name", "um Holiday thanks"),
        ('type "um, thanks" in the field "Name"', "text", "um, thanks"),
        ("search for um", "query", "um"),
        ("close the tab Thanks", "tab", "Thanks"),
    ],
)
def test_a_name_keeps_its_words(utterance: str, param: str, value: str) -> None:
    assert find_goal(utterance).params[param] == value


def test_a_text_keeps_what_stands_within_it() -> None:
    assert find_goal("type well um hello in the field Name").params["text"] == "well um hello"


@each_case(
    "utterance",
    ["delete a.txt, wait, b.txt", "go to example.com, I mean, example.org", "mute the sound, um, not", "mute, uh, if it rains"],
)  # fmt: skip
def test_what_may_put_right_or_turn_around_is_no_talk(utterance: str) -> None:
    assert read(utterance) == []


def test_two_steps_stay_two_steps() -> None:
    assert [name for name, _ in read("mute the sound, um, close the tab")] == ["audio.mute", "browser.close_tab"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [("um, yes", "confirm"), ("hey computer, no", "deny"), ("er, uh, stop it, mate", "stop"), ("yes, dear", "confirm")],
)
def test_answers_are_heard_through_talk(answer: str, kind: str) -> None:
    control = INTERPRETER.read_control(answer, Situation.QUESTION | Situation.RUN)
    assert control is not None
    assert control.kind == kind


@each_case("answer", ["can you confirm", "yes, haha", "any news, mate, on my vacation"])
def test_talk_makes_no_approval_of_what_is_none(answer: str) -> None:
    control = INTERPRETER.read_control(answer, Situation.QUESTION)
    assert control is None or (control.kind == "confirm" and not control.is_plain)


@each_case(
    "utterance",
    ["ähm, schalte den Ton stumm", "schalte den Ton, äh, stumm", "hallo Computer, schalte den Ton stumm, vielen Dank", "wärst du so nett und schalte den Ton stumm"],
)  # fmt: skip
def test_german_is_heard_through_talk(utterance: str) -> None:
    assert read(utterance, GERMAN) == read("schalte den Ton stumm", GERMAN) != []


def test_long_talk_is_given_up() -> None:
    assert read("um " * 3000 + "mute the sound") == []
