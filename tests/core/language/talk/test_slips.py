"""Sentences with a slip: what was probably meant is asked about, and nothing is done by itself."""

import pytest

from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Refusal
from core.language.talk.dialogue import Dialogue
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()
MENDED = {
    "opne firefox": "open firefox",
    "mute the sond": "mute the sound",
    "delte notes.txt": "delete notes.txt",
    "turn the volumne up": "turn the volume up",
    "turnup the volume": "turn up the volume",
    "set thevolume to 20": "set the volume to 20",
    "set the volume too 20": "set the volume to 20",
    "right hello into the name field": "write hello into the name field",
    "clothes the window": "close the window",
    "trun teh volume up": "turn the volume up",
    "Opne firefox": "Open firefox",
    "hey um, could you opne firefox please thanks": "open firefox",
    "opne firefox and mute the sond": "open firefox and mute the sound",
    "clik the save button": "click the save button",
}
FOREIGN = (
    "who are you", "what's the weather in paris", "order a pizza", "tell me a joke", "nver open firefox", "dnot delete notes.txt",
    "wehn it rains opne firefox", "xqzt wvkj", "blorb the flarn",
)  # fmt: skip


def propose(utterance: str) -> Refusal:
    refused = INTERPRETER.interpret(utterance)
    assert refused.meta_goal is None
    proposed = INTERPRETER.propose(utterance, refused).refusal
    assert proposed is not None
    return proposed


@each_case(("said", "meant"), list(MENDED.items()))
def test_a_slip_is_asked_about_with_the_sentence_in_full(said: str, meant: str) -> None:
    refusal = propose(said)
    assert [choice.utterance for choice in refusal.choices] == [meant]
    assert refusal.question == f"Did you mean “{meant}”?"


@pytest.mark.parametrize("said", FOREIGN)
def test_what_is_foreign_or_turned_around_is_not_asked_about(said: str) -> None:
    assert not propose(said).choices


def test_what_is_written_and_named_stays_as_it_is() -> None:
    assert [each.utterance for each in propose('tpye "opne teh" into the Nmae field').choices] == [
        'type "opne teh" into the Nmae field'
    ]


@pytest.mark.parametrize("answer", ["yes", "yes please", "correct"])
def test_a_yes_means_exactly_the_mended_sentence(answer: str) -> None:
    dialogue = Dialogue(INTERPRETER)
    dialogue.hear("delte notes.txt")
    remark = dialogue.hear(answer)
    assert (remark.utterance, remark.is_answer) == ("delete notes.txt", True)
    assert remark.interpretation.meta_goal is not None


@pytest.mark.parametrize("answer", ["1", "the first one", "notes.txt", "delete", "!!!", "maybe"])
def test_nothing_but_a_yes_chooses_a_mended_sentence(answer: str) -> None:
    dialogue = Dialogue(INTERPRETER)
    dialogue.hear("delte notes.txt")
    assert not dialogue.hear(answer).interpretation.meta_goal


def test_a_second_answer_that_is_not_understood_ends_a_question() -> None:
    dialogue = Dialogue(INTERPRETER)
    dialogue.hear("set the volume to")
    dialogue.hear("flarb")
    assert dialogue.question is not None
    assert dialogue.hear("flarb").interpretation.refusal is not None
    assert dialogue.question is None


def test_one_word_that_is_a_verb_as_well_still_answers() -> None:
    dialogue = Dialogue(INTERPRETER)
    dialogue.hear("press")
    assert dialogue.hear("delete").interpretation.meta_goal is not None


def test_hints_share_meaning_or_are_left_out() -> None:
    for foreign in ("who are you", "order a pizza"):
        refusal = INTERPRETER.interpret(foreign).refusal
        assert refusal is not None
        assert refusal.nearest == ()
    refusal = INTERPRETER.interpret("how do i copy things").refusal
    assert refusal is not None
    assert all("copy" in each for each in refusal.nearest)
