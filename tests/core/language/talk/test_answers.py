"""Answers in many words: what is yes, no, stop and once more however it is said, and what must never be taken for it.

The sentences are in the tables next to this: those of ``answers.txt`` mean what stands in front of them ("confirm+" is a yes
that approves), those of ``no_answers.txt`` never mean what stands there with a "!" in front ("!confirm+": no approval).
"""

from pathlib import Path

from hypothesis import assume, given
from hypothesis import strategies as st

from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Situation, SpokenControl
from core.language.talk.control import load_controls
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()
EITHER = Situation.QUESTION | Situation.RUN
HERE = Path(__file__).parent


def read_table(name: str) -> list[tuple[str, str]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [(kind, said) for kind, _, said in (line.partition(" | ") for line in lines)]


ANSWERS = read_table("answers.txt")
NO_ANSWERS = read_table("no_answers.txt")
JUDGED = [
    f"{subject} {verb} {{}}{judgement}"
    for subject, verb in (("that", "is"), ("your answer", "was"), ("what you said", "is"), ("the result", "would be"))
    for judgement in ("right", "correct", "wrong", "false", "the right answer", "a mistake", "what i asked for")
]
UNKNOWN = ["elephant", "tomorrow", "report.txt", "bob", "unless", "window", "monday", "twelve", "zzz"]


def read(said: str) -> SpokenControl | None:
    return INTERPRETER.read_control(said, EITHER)


def name(control: SpokenControl | None) -> str:
    if control is None:
        return ""
    return f"{control.kind}+" if control.kind == "confirm" and control.is_plain else control.kind


@each_case(("kind", "said"), ANSWERS, ids=str)
def test_an_answer_in_many_words_is_understood(kind: str, said: str) -> None:
    assert name(read(said)) == kind


@each_case(("kind", "said"), NO_ANSWERS, ids=str)
def test_what_must_not_be_taken_for_an_answer_never_is(kind: str, said: str) -> None:
    assert not name(read(said)).startswith(kind.removeprefix("!"))


def test_both_tables_hold_enough_of_every_kind() -> None:
    for kind in ("confirm", "deny", "stop", "repeat"):
        assert sum(each.startswith(kind) for each, _ in ANSWERS) >= 30
        assert sum(each.startswith(f"!{kind}") for each, _ in NO_ANSWERS) >= 20


@each_case("claim", JUDGED)
def test_a_not_turns_a_claim_around_and_never_approves(claim: str) -> None:
    said, turned = read(claim.format("")), read(claim.format("not "))
    assert said is not None
    assert turned is not None
    assert {said.kind, turned.kind} == {"confirm", "deny"}
    assert name(turned) != "confirm+"


@each_case("claim", JUDGED)
def test_a_claim_that_is_not_believed_is_turned_around(claim: str) -> None:
    said, turned = read(claim.format("")), read(f"I don't believe that {claim.format('')}")
    assert said is not None
    assert turned is not None
    assert {said.kind, turned.kind} == {"confirm", "deny"}


@given(st.sampled_from(ANSWERS), st.sampled_from(["do not", "don't you", "never"]))
def test_a_negation_in_front_never_keeps_what_was_said(answer: tuple[str, str], negation: str) -> None:
    kind, said = answer
    assume(kind != "deny" and not said.startswith("mind "))
    assert not name(read(f"{negation} {said}")).startswith(kind.removesuffix("+"))


@given(st.sampled_from(ANSWERS), st.sampled_from(UNKNOWN), st.data())
def test_a_word_that_is_of_no_control_refuses_all(answer: tuple[str, str], word: str, data: st.DataObject) -> None:
    words = answer[1].split()
    place = data.draw(st.integers(0, len(words)))
    found = read(" ".join([*words[:place], word, *words[place:]]))
    # What is only told beside an answer is told in any words, but never beside a yes.
    assert found is None or (found.kind != "confirm" and not set(",.;").isdisjoint(answer[1]))


@each_case("word", sorted(load_controls("en").talk))
def test_talk_in_the_middle_changes_no_answer(word: str) -> None:
    for said, kind in (
        ("that {} is not right", "deny"),
        ("i {} need you to stop it", "stop"),
        ("say {} that again", "repeat"),
    ):
        assert name(read(said.format(word))) == kind
