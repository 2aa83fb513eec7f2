"""Every example of the English grammar, and what must hold of the grammar as data."""

import re
from dataclasses import replace
from typing import Any

import pytest

from actuators.verb_table import PLANNER_RULES
from core.addresses.platforms import SEARCH_PLATFORMS
from core.base.errors import TableError
from core.goals.references import has_reference
from core.goals.world import WorldState
from core.language.grammars.grammar import Phrase, VerbPhrases
from core.language.interpreter import GrammarInterpreter
from core.language.talk.languages import load_language
from core.rules.params import validate_params
from core.selectors.selectors import parse_selector
from tests.cases import each_case

ENGLISH = load_language("en")

INTERPRETER = GrammarInterpreter()
WORLD = WorldState(values={"platforms": tuple(SEARCH_PLATFORMS)})
EXAMPLES = [(verb, phrase, text) for verb in ENGLISH.verbs for phrase in verb.phrases for text in phrase.examples]
DONE = [case for case in EXAMPLES if case[1].refuses is None and not case[1].steps]
SEVERAL = [case for case in EXAMPLES if case[1].steps]
REFUSED = [case for case in EXAMPLES if case[1].refuses is not None]

# What is for flow files and programs: nobody says it.
UNSAID = {
    ("navigate", "wait_until"),
    ("snapshot", "depth"),
    ("snapshot", "max_tokens"),
    ("snapshot", "find"),
    ("snapshot", "since"),
    ("snapshot", "picture"),
    ("draw", "points"),
    ("read", "max_chars"),
    ("extract", "max_rows"),
}
# Commands are lists of words, never a sentence.
UNSPOKEN = {("system", "run")}


def name_case(case: Any) -> str:
    return case if isinstance(case, str) else ""


@each_case(("verb", "phrase", "text"), DONE, ids=name_case)
def test_an_example_gives_exactly_its_goal_by_its_own_phrase(verb: VerbPhrases, phrase: Phrase, text: str) -> None:
    interpretation = INTERPRETER.interpret(text)
    assert interpretation.refusal is None
    assert interpretation.meta_goal is not None
    goal = interpretation.meta_goal.goals[-1]
    assert (goal.name, dict(goal.params)) == (verb.name, dict(phrase.examples[text]))
    is_spoken_of = " and " in text and any(
        text[slot.start : slot.end] == "it" for slot in interpretation.clauses[-1].slots
    )
    refers = phrase.after or has_reference(goal.params) or is_spoken_of
    assert len(interpretation.meta_goal.goals) == (2 if refers else 1)
    patterns = [each.template for each in verb.phrases if each.is_frame] if phrase.is_frame else [phrase.template]
    assert interpretation.clauses[-1].pattern in [f"{verb.name}: {each}" for each in patterns]


@each_case(("verb", "phrase", "text"), SEVERAL, ids=name_case)
def test_an_example_of_several_goals_fills_its_slots_and_each_goal_passes_the_table(
    verb: VerbPhrases, phrase: Phrase, text: str
) -> None:
    interpretation = INTERPRETER.interpret(text)
    assert interpretation.refusal is None
    assert interpretation.meta_goal is not None
    assert {slot.name: slot.value for slot in interpretation.clauses[-1].slots} == dict(phrase.examples[text])
    assert interpretation.clauses[-1].pattern == f"{verb.name}: {phrase.template}"
    assert [goal.name for goal in interpretation.meta_goal.goals][-1] == phrase.steps[-1].name
    for goal in interpretation.meta_goal.goals:
        assert validate_params(PLANNER_RULES[goal.domain, goal.verb], goal.params, WORLD).problems == ()


@each_case(("verb", "phrase", "text"), DONE, ids=name_case)
def test_the_params_of_an_example_pass_the_table(verb: VerbPhrases, phrase: Phrase, text: str) -> None:
    params = phrase.examples[text]
    report = validate_params(PLANNER_RULES[verb.domain, verb.verb], params, WORLD)
    assert report.problems == ()
    for name in ("selector", "target", "scope", "rows"):
        if isinstance(params.get(name), str) and verb.domain in {"browser", "desktop"} and verb.verb != "read":
            parse_selector(params[name])


@each_case(("verb", "phrase", "text"), REFUSED, ids=name_case)
def test_an_example_of_a_refusing_phrase_is_refused_with_its_code(verb: VerbPhrases, phrase: Phrase, text: str) -> None:
    interpretation = INTERPRETER.interpret(text)
    assert interpretation.meta_goal is None
    assert interpretation.refusal is not None
    assert interpretation.refusal.code == phrase.refuses
    question = phrase.asks[:1].upper() + phrase.asks[1:]
    assert interpretation.refusal.question == (question if phrase.asks.endswith("?") else "")


def test_every_phrase_has_an_example() -> None:
    assert [phrase.template for verb in ENGLISH.verbs for phrase in verb.phrases if not phrase.examples] == []


def test_every_verb_can_be_said_in_several_ways() -> None:
    ways: dict[str, int] = {}
    for verb, phrase, _ in DONE:
        ways[verb.name] = ways.get(verb.name, 0) + 1 + phrase.template.count("|")
    wanted = {f"{domain}.{verb}" for domain, verb in PLANNER_RULES if (domain, verb) not in UNSPOKEN}
    assert {verb for verb in wanted if ways.get(verb, 0) < 3} == set()


def test_every_param_of_every_browser_verb_can_be_said() -> None:
    said = {
        (verb.verb, param) for verb, phrase, text in DONE for param in phrase.examples[text] if verb.domain == "browser"
    }
    declared = {
        (verb, param)
        for (domain, verb), rule in PLANNER_RULES.items()
        if domain == "browser"
        for param in rule.declared_params
    }
    assert declared - said == UNSAID
    assert said - declared == set()


@pytest.mark.parametrize(
    ("template", "complaint"),
    [
        ("click [on {selector:element}", "never closes"),
        ("click on] {selector:element}", "don't match"),
        ("click {selector:thingummy}", "thingummy"),
        ("click <nowhere>", "nowhere"),
    ],
)
def test_a_malformed_phrase_is_named_when_the_grammar_is_loaded(template: str, complaint: str) -> None:
    verbs = (VerbPhrases("browser", "click", (Phrase(template, {}),)),)
    grammar = replace(ENGLISH, verbs=verbs)
    with pytest.raises(TableError, match=re.escape(complaint)):
        GrammarInterpreter(grammar).interpret("click Save")
