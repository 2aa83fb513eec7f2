"""Sentences that nobody says are refused or understood in a bounded time, and never raise."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language.interpreter import GrammarInterpreter
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()
MOST_CHARACTERS = 1_000
# At most 160 ms on a quiet machine, twice that beside a busy one; what goes over white space again and again took a minute.
MOST_S = 0.6
BEGINNINGS = ("", "click ", "open ", "set the volume to ")
ROUNDS = (
    "and ", "and then ", "then ", ", ", "a, ", "a,", "A B,", "A B, ", "Xx and ", "- ", "— ", "-> ", ". ", "1. ", "; ", "\n- ",
    "the ", "please ", "in the ", "of the ", "in the row of ", "first ", "every ", "dot ", "slash ", "a dot ", "at ",
    "dash ", "before ", "while ", "if ", "until ", "all files in ", "and a ", "in the form: in the ", "a" * 9, "\u200b", "\u00a0",
    '"a" ', "'a' ", "`a`, ", "a.b ", "/x ", "x@y.z ", "one ", "hundred ", "5 ", "half ", "minutes ", "* ", "( ", "…", "! ",
)  # fmt: skip
LIKE_LETTERS = str.maketrans({"s": "ſ", "i": "ı", "k": "K"})


def fill(beginning: str, part: str, end: str) -> str:
    """Return a sentence of as many parts as there may be."""
    return beginning + part * ((MOST_CHARACTERS - len(beginning) - len(end)) // len(part)) + end


def measure(sentence: str) -> float:
    """Return how many seconds of processor time a sentence takes."""
    began = time.process_time()
    INTERPRETER.interpret(sentence)
    return time.process_time() - began


@each_case("part", ROUNDS)
def test_a_sentence_of_a_thousand_characters_that_says_nothing_takes_no_time(part: str) -> None:
    sentences = [fill(beginning, part, "into the name field!") for beginning in BEGINNINGS]
    for sentence in sentences:
        # Patterns are compiled at first use, so what takes long once may take no time the next.
        assert any(measure(sentence) < MOST_S for _ in range(2)), sentence[:60]


@pytest.mark.parametrize(
    "utterance",
    [
        "click " + "and " * 10_000,
        'type "a" ' * 1_000,
        "open " + "a, " * 5_000,
        "x" * 1_000_000,
        "type " + "word " * 200_000,
        '"' * 1_001,
    ],
)
def test_what_is_far_too_long_is_refused_at_once(utterance: str) -> None:
    began = time.process_time()
    assert INTERPRETER.interpret(utterance).refusal is not None
    assert time.process_time() - began < MOST_S


def test_a_long_list_of_texts_is_still_one_text() -> None:
    words = ", ".join(f"item{number}" for number in range(20))
    meta_goal = INTERPRETER.interpret(f"type {words} into the notes field").meta_goal
    assert meta_goal is not None
    assert meta_goal.goals[0].params["text"] == words


@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from([*BEGINNINGS, *ROUNDS]), max_size=30).map("".join))
def test_no_order_of_such_words_raises(utterance: str) -> None:
    interpretation = INTERPRETER.interpret(utterance)
    assert (interpretation.meta_goal is None) != (interpretation.refusal is None)


@pytest.mark.parametrize(
    "utterance",
    ["open example dot com slash login", "press shift and k", "scroll down six times", "wait for six seconds"],
)
def test_letters_that_are_like_others_raise_nothing(utterance: str) -> None:
    INTERPRETER.interpret(utterance.translate(LIKE_LETTERS))
