"""What a person says that asks for no act, or for one that isn't to be done now: nothing of it is ever carried out."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Situation
from tests.cases import each_case

FILE = Path(__file__).resolve().parents[4] / "fixtures" / "sentences" / "must_not_act.toml"
KINDS: list[dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["kind"]
REFUSED = [sentence for kind in KINDS for sentence in kind["refused"]]
EVERYWHERE = [sentence for kind in KINDS if kind.get("everywhere") for sentence in kind["refused"]]
MAY = [(sentence, verbs) for kind in KINDS for sentence, verbs in kind.get("may", {}).items()]
OPEN = (Situation.QUESTION, Situation.RUN, Situation.QUESTION | Situation.RUN, Situation.DONE)

INTERPRETER = GrammarInterpreter()


def list_verbs(utterance: str) -> list[str]:
    meta_goal = INTERPRETER.interpret(utterance).meta_goal
    return [goal.name for goal in meta_goal.goals] if meta_goal else []


def list_controls(utterance: str) -> Iterator[str]:
    for situation in OPEN:
        if control := INTERPRETER.read_control(utterance, situation):
            yield f"control.{control.kind}"


@each_case("sentence", REFUSED)
def test_what_must_not_act_is_refused_with_a_reason(sentence: str) -> None:
    interpretation = INTERPRETER.interpret(sentence)
    assert interpretation.meta_goal is None
    assert interpretation.refusal is not None
    assert interpretation.refusal.message


@each_case("sentence", REFUSED)
def test_what_must_not_act_answers_no_question_and_says_nothing_to_a_run(sentence: str) -> None:
    assert list(list_controls(sentence)) == []


@each_case("sentence", REFUSED)
def test_what_must_not_act_stops_the_step_that_is_said_with_it(sentence: str) -> None:
    assert list_verbs(f"mute the sound and {sentence}") == []
    assert list_verbs(f"{sentence.rstrip('?!.')} and mute the sound") == []


@each_case("sentence", EVERYWHERE)
def test_what_is_denied_asked_told_or_put_off_is_refused_on_a_page_as_well(sentence: str) -> None:
    assert list_verbs(f"open example.com, then {sentence}") == []


@each_case("sentence", EVERYWHERE)
def test_what_is_denied_asked_told_or_put_off_is_refused_where_things_were_spoken_of(sentence: str) -> None:
    for spoken in ("open report.pdf and switch to the editor", "open example.com and click Save", "play the music"):
        behind = INTERPRETER.interpret(spoken).behind
        assert INTERPRETER.interpret(sentence, context=behind).meta_goal is None


@each_case(("sentence", "verbs"), MAY)
def test_what_has_a_harmless_reading_has_no_other(sentence: str, verbs: list[str]) -> None:
    assert list_verbs(sentence) in ([], verbs)
    assert set(list_controls(sentence)) <= set(verbs)


def test_an_agreement_by_the_way_approves_nothing() -> None:
    control = INTERPRETER.read_control("copy that", Situation.QUESTION)
    assert control is None or not control.is_plain


def test_each_kind_says_why_and_no_sentence_stands_there_twice() -> None:
    everything = [*REFUSED, *(sentence for sentence, _ in MAY)]
    assert len(everything) == len(set(everything))
    assert len(everything) >= 800
    assert all(kind["why"] for kind in KINDS)
