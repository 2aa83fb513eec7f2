"""German: a second language is a folder of data, held to its examples and to what holds for all languages."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.addresses.platforms import SEARCH_PLATFORMS
from core.goals.world import WorldState
from core.language.grammar import Phrase, VerbPhrases
from core.language.interpreter import GrammarInterpreter
from core.language.languages import load_language
from core.planner_rules import PLANNER_RULES
from core.rules.params import validate_params
from tests.cases import each_case

GERMAN = load_language("de")
INTERPRETER = GrammarInterpreter("de")
WORLD = WorldState(values={"platforms": tuple(SEARCH_PLATFORMS)})
EXAMPLES = [(verb, phrase, text) for verb in GERMAN.verbs for phrase in verb.phrases for text in phrase.examples]


def name_case(case: Any) -> str:
    return case if isinstance(case, str) else ""


@each_case(("verb", "phrase", "text"), EXAMPLES, ids=name_case)
def test_an_example_gives_exactly_its_goal_by_its_own_phrase(verb: VerbPhrases, phrase: Phrase, text: str) -> None:
    interpretation = INTERPRETER.interpret(text)
    assert interpretation.meta_goal is not None
    goal = interpretation.meta_goal.goals[-1]
    assert (goal.name, dict(goal.params)) == (verb.name, dict(phrase.examples[text]))
    assert interpretation.clauses[-1].pattern == f"{verb.name}: {phrase.template}"
    assert validate_params(PLANNER_RULES[verb.domain, verb.verb], goal.params, WORLD).problems == ()


@pytest.mark.parametrize(
    ("sentence", "goals"),
    [
        ("Öffne example.com, klick auf den Link Tassen und mach die Musik leiser.", 3),
        ("könntest du bitte den Ton stumm schalten", 1),
        ("öffne example.com und dann klicke auf Anmelden", 2),
        ('suche nach "Salz und Pfeffer"', 1),
    ],
)
def test_sentences_are_divided_and_fillers_left_out(sentence: str, goals: int) -> None:
    meta_goal = INTERPRETER.interpret(sentence).meta_goal
    assert meta_goal is not None
    assert len(meta_goal.goals) == goals


@pytest.mark.parametrize(
    "sentence",
    [
        "wenn der Akku leer ist, mach die Musik leiser",
        "mach die Musik morgen leiser",
        "klick nicht auf Speichern",
        "bestell mir eine Pizza",
        "stell den Wecker auf 7 Uhr",
        "mach das Licht im Wohnzimmer aus",
        "click the Save button",
    ],
)
def test_conditions_denials_and_other_things_are_refused_in_german(sentence: str) -> None:
    interpretation = INTERPRETER.interpret(sentence)
    assert interpretation.meta_goal is None
    assert interpretation.refusal is not None
    assert "wurde nichts getan" in interpretation.refusal.message


@given(st.text(st.characters(exclude_characters='"\\', exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_texts_in_quotes_come_out_byte_for_byte(text: str) -> None:
    meta_goal = INTERPRETER.interpret(f'gib "{text}" in das Feld Notiz ein').meta_goal
    if any("\ue000" <= mark <= "\ue00f" for mark in text):
        return
    assert meta_goal is not None
    assert meta_goal.goals[0].params == {"text": text, "selector": 'field "Notiz"'}


def test_what_a_language_does_not_say_matches_nothing() -> None:
    assert GERMAN.vocabulary.descriptions.exceptions == "(?!)"
    assert GERMAN.vocabulary.sites == load_language("en").vocabulary.sites
