"""Controls: what is said to an open question or a run, and never otherwise."""

import cProfile
from typing import get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.language.grammars.templates import parse_template
from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import ControlKind, Situation
from core.language.talk.control import CLAIM, ControlReader, load_controls
from core.language.talk.languages import FOLDERS, load_language
from core.language.talk.several_languages import hear_control
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()
CONTROLS = load_controls("en")


def list_examples(language: str) -> list[tuple[str, bool, str]]:
    """Return the examples of a language, each with its kind and whether it is said in so many words."""
    found: list[tuple[str, bool, str]] = []
    for verb in load_controls(language).phrases:
        for phrase in verb.phrases:
            for text, said in phrase.examples.items():
                kind = said.get("is", verb.verb)
                is_loose = said.get("loose", phrase.sets.get("loose", False))
                found.append((kind, not is_loose or (verb.verb == CLAIM and kind == "deny"), text))
    return found


EXAMPLES = list_examples("en")
OPEN = [Situation.QUESTION, Situation.RUN, Situation.QUESTION | Situation.RUN]
COMMANDS = [text for verb in load_language("en").verbs for phrase in verb.phrases for text in phrase.examples]


def find_kind(utterance: str, situation: Situation = Situation.QUESTION) -> str:
    control = INTERPRETER.interpret(utterance, situation).control
    return control.kind if control else ""


@each_case(("kind", "is_plain", "text"), EXAMPLES, ids=str)
def test_an_example_is_its_control_while_something_is_open(kind: str, is_plain: bool, text: str) -> None:
    for situation in OPEN:
        control = INTERPRETER.interpret(text, situation).control
        assert control is not None
        assert (control.kind, control.is_plain) == (kind, is_plain)


@each_case(("kind", "is_plain", "text"), EXAMPLES, ids=str)
def test_no_example_is_a_control_where_nothing_is_open(kind: str, is_plain: bool, text: str) -> None:
    del kind, is_plain
    assert INTERPRETER.interpret(text).control is None


@pytest.mark.parametrize("language", FOLDERS)
def test_every_language_has_all_controls_and_their_examples(language: str) -> None:
    controls = load_controls(language)
    reader = ControlReader(controls)
    assert {verb.verb for verb in controls.phrases} - {CLAIM} == set(get_args(ControlKind))
    for kind, is_plain, text in list_examples(language):
        found = reader.read(text, Situation.QUESTION)
        assert found, text
        assert (found.kind, found.is_plain) == (kind, is_plain), text


def test_every_phrase_of_a_control_has_an_example_and_every_kind_has_phrases() -> None:
    assert [phrase.template for verb in CONTROLS.phrases for phrase in verb.phrases if not phrase.examples] == []
    assert {verb.verb for verb in CONTROLS.phrases} - {CLAIM} == set(get_args(ControlKind))


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("no, stop", "stop"),
        ("ok, stop it please", "stop"),
        ("stop, that's wrong", "deny"),
        ("sorry, I missed that, say it again", "repeat"),
        ("no wait, undo that", "undo"),
        ("yes, that's right", "confirm"),
        ("Um, yeah, go ahead, thanks.", "confirm"),
        ("Computer, please, could you just cancel it now!", "stop"),
    ],
)
def test_what_leads_up_to_a_control_is_left_out_and_the_last_one_counts(said: str, kind: str) -> None:
    assert find_kind(said) == kind


@pytest.mark.parametrize("said", ["yes no", "that's right, no", "yes?", "no?", "please", "um", "", '"yes"', "`stop`"])
def test_what_contradicts_itself_asks_back_or_says_nothing_is_no_control(said: str) -> None:
    assert find_kind(said) == ""


@each_case(
    "said",
    [
        "stop the music",
        "cancel my appointment on Monday",
        "click yes",
        "go back",
        "type no into the answer field",
        "undo the top button of my shirt",
        "say hello to Ada again",
        "help me find a doctor",
        "confirm my booking",
        "continue to the checkout",
        "yes and delete everything",
        "what is the status of my parcel",
    ],
)
def test_a_sentence_about_something_else_is_no_control(said: str) -> None:
    for situation in OPEN:
        assert INTERPRETER.interpret(said, situation).control is None


def test_praise_is_a_yes_but_no_approval() -> None:
    for said in ("well done", "what a wonderful answer", "that's amazing"):
        control = INTERPRETER.interpret(said, Situation.QUESTION).control
        assert control is not None
        assert (control.kind, control.is_plain) == ("confirm", False)


@pytest.mark.parametrize("said", ["don't stop", "please do not cancel", "never undo that", "you must not stop it"])
def test_a_control_that_is_denied_is_none(said: str) -> None:
    assert INTERPRETER.read_control(said, Situation.RUN) is None


def test_what_is_said_behind_a_pause_is_not_denied() -> None:
    control = INTERPRETER.read_control("no don't, stop it", Situation.RUN)
    assert control is not None
    assert control.kind == "stop"


@pytest.mark.parametrize("said", ["can i go ahead", "may i continue", "would you agree", "could we proceed"])
def test_a_yes_that_is_asked_about_is_none(said: str) -> None:
    assert INTERPRETER.read_control(said, Situation.QUESTION) is None


@pytest.mark.parametrize(
    "said",
    [
        "maybe yes",
        "i think yes",
        "can you confirm that",
        "copy that",
        "probably yes",
        "message received",
        "bingo",
        "every word of it",
        "i was hoping you'd say that",
    ],
)
def test_a_doubtful_yes_approves_nothing(said: str) -> None:
    control = INTERPRETER.read_control(said, Situation.QUESTION)
    assert control is not None
    assert not control.is_plain


def test_a_no_behind_a_but_takes_back_praise_and_no_plain_yes() -> None:
    assert find_kind("nice one, but it's not what I was after") == "deny"
    assert find_kind("yes, but") == ""


def test_a_reason_counts_only_beside_a_wish_to_hear_something_again() -> None:
    assert find_kind("the kids were screaming, say that again") == "repeat"
    assert find_kind("the kids were screaming") == ""
    assert find_kind("the kids were screaming, yes") == ""


@pytest.mark.parametrize(
    "said", ["tell me that again slowly", "once more, slowly, tell me that", "again, tell me that"]
)
def test_what_is_to_be_said_again_may_be_said_in_any_order(said: str) -> None:
    assert find_kind(said) == "repeat"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("that is, to be honest, wrong", "deny"),
        ("I, in my opinion, don't agree", "deny"),
        ("nobody can deny that", "confirm"),
        ("I have no reason to think otherwise", "confirm"),
        ("I don't think it is", "deny"),
        ("that can't be denied", "confirm"),
    ],
)
def test_a_claim_is_turned_around_by_all_that_turns_it_whatever_stands_between(said: str, kind: str) -> None:
    control = INTERPRETER.read_control(said, Situation.QUESTION)
    assert control is not None
    assert control.kind == kind
    assert kind == "deny" or not control.is_plain


def test_a_slip_of_the_keyboard_is_put_right_but_approves_nothing() -> None:
    control = INTERPRETER.interpret("certanly", Situation.QUESTION).control
    assert control is not None
    assert (control.kind, control.is_plain) == ("confirm", False)


def test_all_that_is_said_in_one_breath_is_kept() -> None:
    control = INTERPRETER.interpret("stop and say that again", Situation.RUN).control
    assert control is not None
    assert (control.kind, control.kinds) == ("repeat", ("stop", "repeat"))


def test_after_a_run_only_taking_back_and_asking_how_it_went_mean_something() -> None:
    assert find_kind("undo that", Situation.DONE) == "undo"
    assert find_kind("did it work", Situation.DONE) == "status"
    for said in ("yes", "no", "stop", "say that again", "help"):
        assert find_kind(said, Situation.DONE) == ""


def test_few_commands_are_controls_where_a_question_is_open() -> None:
    taken = [text for text in COMMANDS if INTERPRETER.read_control(text, Situation.QUESTION)]
    own = {"replay", "wait", "be quiet", "quiet please", "what are we working on?", "quit the program", "kill"}
    assert set(taken) <= own, taken


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    for situation in OPEN:
        INTERPRETER.interpret(text, situation)


@given(st.sampled_from(EXAMPLES), st.sampled_from(["mute", "click Save", "x", "and delete everything", "the music"]))
def test_a_control_with_anything_behind_it_is_none(example: tuple[str, bool, str], tail: str) -> None:
    # What is told beside an answer may go on, but not with one more request.
    assume("," not in example[2] or tail.startswith("and"))
    assert find_kind(f"{example[2]} {tail}") == ""


@pytest.mark.parametrize(
    ("utterance", "kind"),
    [
        ("I object, this is false", "deny"),
        ("I disagree. That is incorrect", "deny"),
        ("I don't believe that is wrong", "confirm"),
        ("that is not, in my opinion, wrong", "confirm"),
    ],
)
def test_what_turns_a_claim_around_ends_at_a_pause(utterance: str, kind: str) -> None:
    assert find_kind(utterance) == kind


@pytest.mark.parametrize("utterance", ["exactly so the music", "I don't think so the music"])
def test_a_thing_alone_is_no_reason(utterance: str) -> None:
    assert find_kind(utterance) == ""


@given(
    st.sampled_from(EXAMPLES), st.sampled_from(["{}", "{}.", " {} ", "please {}", "{}, please", "well, {}", "{} now"])
)
def test_politeness_and_case_change_no_control(example: tuple[str, bool, str], shape: str) -> None:
    kind, _, text = example
    assert find_kind(shape.format(text.rstrip("?")).upper()) in {kind, "repeat" if kind == "help" else kind}


def test_the_words_of_a_language_are_read_once_however_often_somebody_speaks() -> None:
    for text in ("stop", "halt an"):
        hear_control(text, Situation.RUN)
    hear_control("lies den Titel vor", Situation.RUN)
    with cProfile.Profile() as watched:
        heard = [hear_control(text, Situation.RUN) for text in ("stop", "read the title", "lies den Titel vor")]
    assert [control.kind if control else "" for control in heard] == ["stop", "", ""]
    assert parse_template.__code__ not in {entry.code for entry in watched.getstats()}
