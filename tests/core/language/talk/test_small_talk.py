"""Talk: what asks for no act is told from what does, and something is said back to all of it."""

import string
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Situation, TalkKind
from core.language.talk.control import load_controls
from core.language.talk.dialogue import Dialogue
from core.language.talk.languages import FOLDERS, load_language
from core.language.talk.small_talk import ABOUT_QUESTIONS, TalkReader, load_talk
from tests.cases import each_case

READERS = {tag: TalkReader(load_talk(tag), load_controls(tag)) for tag in FOLDERS}
INTERPRETERS = {tag: GrammarInterpreter(tag) for tag in FOLDERS}
EXAMPLES = [
    (tag, verb.verb, text)
    for tag in FOLDERS
    for verb in load_talk(tag).phrases
    for phrase in verb.phrases
    for text in phrase.examples
]
COMMANDS = [text for verb in load_language("en").verbs for phrase in verb.phrases for text in phrase.examples]


@each_case(("tag", "kind", "text"), EXAMPLES, ids=str)
def test_an_example_is_its_talk_and_no_request(tag: str, kind: str, text: str) -> None:
    assert READERS[tag].read(text) == kind
    assert INTERPRETERS[tag].interpret(text).meta_goal is None


@each_case(("tag", "kind", "text"), [each for each in EXAMPLES if each[1] in ABOUT_QUESTIONS], ids=str)
def test_what_is_said_about_a_question_is_no_yes_no_or_stop(tag: str, kind: str, text: str) -> None:
    del kind
    assert INTERPRETERS[tag].read_control(text, Situation.QUESTION) is None


@pytest.mark.parametrize("tag", FOLDERS)
def test_every_language_has_all_kinds_with_examples_and_all_replies(tag: str) -> None:
    talk, english = load_talk(tag), load_talk("en")
    assert {verb.verb for verb in talk.phrases} == set(get_args(TalkKind))
    assert all(phrase.examples for verb in talk.phrases for phrase in verb.phrases)
    assert {
        name: {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}
        for name, text in talk.replies.items()
    } == {
        name: {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}
        for name, text in english.replies.items()
    }


@pytest.mark.parametrize("tag", FOLDERS)
def test_what_is_offered_as_an_example_is_understood(tag: str) -> None:
    for text in load_talk(tag).examples:
        assert INTERPRETERS[tag].interpret(text).meta_goal is not None, text


def test_no_command_is_taken_for_talk_in_a_conversation() -> None:
    for text in COMMANDS:
        if Dialogue(INTERPRETERS["en"]).hear(text).interpretation.talk:
            assert INTERPRETERS["en"].interpret(text).meta_goal is None, text


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("hello, what can you do?", "ability"),
        ("ok, thanks", "thank"),
        ("hmm, why?", "why"),
        ("hi, how are you?", "feeling"),
        ("thanks, bye", "farewell"),
        ("well, what will it do", "explain"),
    ],
)
def test_of_two_things_in_one_breath_the_one_that_wants_an_answer_counts(said: str, kind: str) -> None:
    assert READERS["en"].read(said) == kind


@given(
    st.sampled_from([text for tag, _, text in EXAMPLES if tag == "en"]),
    st.sampled_from(["delete a.txt", "xyzzy", '"x"']),
)
def test_talk_with_anything_else_behind_it_is_none(text: str, tail: str) -> None:
    assert READERS["en"].read(f"{text} {tail}") is None


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    READERS["en"].read(text)
