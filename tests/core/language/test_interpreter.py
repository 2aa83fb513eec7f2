"""From whole utterances to goals or refusals."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.addresses.platforms import SEARCH_PLATFORMS, SearchPlatform
from core.goals.meta_goals import MetaGoal
from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Refusal
from core.language.talk.languages import load_language
from tests.cases import each_case

ENGLISH = load_language("en")

INTERPRETER = GrammarInterpreter()
# The first sentences compile patterns, which takes its time on a busy machine.
UNTIMED = settings(deadline=None)


def understand(utterance: str) -> MetaGoal:
    interpretation = INTERPRETER.interpret(utterance)
    assert interpretation.meta_goal is not None, interpretation.refusal
    assert interpretation.refusal is None
    return interpretation.meta_goal


def refuse(utterance: str) -> Refusal:
    interpretation = INTERPRETER.interpret(utterance)
    assert interpretation.refusal is not None, interpretation.meta_goal
    assert interpretation.meta_goal is None
    return interpretation.refusal


def list_steps(utterance: str) -> list[tuple[str, dict[str, Any]]]:
    return [(goal.verb, dict(goal.params)) for goal in understand(utterance).goals]


SIGN_IN = (
    'go to http://127.0.0.1:8123/shop/signin, type "ada@example.com" into the email field, '
    'type "s3cret: ok?" into the password field, click Sign in and wait for the dashboard'
)


def test_signing_in_is_five_goals_one_after_the_other() -> None:
    meta_goal = understand(SIGN_IN)
    assert [(g.goal_id, g.name, dict(g.params), g.scope, g.object) for g in meta_goal.goals] == [
        (
            "g0",
            "browser.navigate",
            {"url": "http://127.0.0.1:8123/shop/signin"},
            "root",
            "http://127.0.0.1:8123/shop/signin",
        ),
        (
            "g1",
            "browser.type",
            {"text": "ada@example.com", "selector": 'field "email"'},
            "after:g0",
            '"ada@example.com"',
        ),
        ("g2", "browser.type", {"text": "s3cret: ok?", "selector": 'field "password"'}, "after:g1", '"s3cret: ok?"'),
        ("g3", "browser.click", {"selector": 'control "Sign in"'}, "after:g2", "Sign in"),
        ("g4", "browser.wait", {"text": "dashboard"}, "after:g3", "dashboard"),
    ]
    assert meta_goal.meta_type == "dependent_multi"
    assert meta_goal.dependencies == {"g1": ("g0",), "g2": ("g1",), "g3": ("g2",), "g4": ("g3",)}
    assert meta_goal.source == SIGN_IN


def test_one_step_is_a_single_goal() -> None:
    meta_goal = understand("go back")
    assert (meta_goal.meta_type, meta_goal.dependencies) == ("single", {})


def test_clauses_say_where_they_are_and_what_they_matched() -> None:
    (first, second) = INTERPRETER.interpret("please go back, then click the Save button.").clauses
    assert (first.text, second.text) == ("go back", "click the Save button")
    assert second.slots[0].name == "selector"
    assert (
        "please go back, then click the Save button."[second.slots[0].start : second.slots[0].end] == "the Save button"
    )


SAVE = ("click", {"selector": 'control "Save"'})


@each_case(
    ("utterance", "steps"),
    [
        ("search for salt and pepper", [("search", {"query": "salt and pepper"})]),
        ("click Save and Continue", [("click", {"selector": 'control "Save and Continue"'})]),
        ("click Save and Reload", [("click", {"selector": 'control "Save and Reload"'})]),
        ("click Save and reload", [SAVE, ("reload", {})]),
        ("type a, b and c into the notes field", [("type", {"text": "a, b and c", "selector": 'field "notes"'})]),
        ("click Save, click Close", [SAVE, ("click", {"selector": 'control "Close"'})]),
        ("click Save; go back; reload", [SAVE, ("back", {}), ("reload", {})]),
        ("Click Save. Then go back. After that, reload.", [SAVE, ("back", {}), ("reload", {})]),
        ("click Save then go back", [SAVE, ("back", {})]),
        ("click Save and then go back", [SAVE, ("back", {})]),
        ("click Save\ngo back", [SAVE, ("back", {})]),
        ("first, click Save, and finally go back. Thank you!", [SAVE, ("back", {})]),
        (
            "search for romeo and juliet and click the first link",
            [("search", {"query": "romeo and juliet"}), ("click", {"selector": "link nth 1"})],
        ),
        (
            "type log in in the name field and press enter",
            [("type", {"text": "log in", "selector": 'field "name"'}), ("press", {"key": "Enter"})],
        ),
        ('click "Save, then go back"', [("click", {"selector": 'control "Save, then go back"'})]),
        ("click Mr. Smith", [("click", {"selector": 'control "Mr. Smith"'})]),
        ("set the geolocation to 52.5, 13.4", [("emulate", {"geolocation": {"latitude": 52.5, "longitude": 13.4}})]),
    ],
)
def test_a_sentence_is_split_only_where_a_step_follows(utterance: str, steps: list[tuple[str, dict[str, Any]]]) -> None:
    assert list_steps(utterance) == steps


@pytest.mark.parametrize(
    "utterance",
    [
        "click Save",
        "please click Save",
        "Could you please click Save for me?",
        "ok, now click Save please",
        "I'd like you to click Save.",
        "CLICK Save",
        "tap on Save",
        "  click   Save  ",
    ],
)
def test_politeness_and_case_change_nothing(utterance: str) -> None:
    assert list_steps(utterance) == [SAVE]


def test_fillers_within_literals_and_names_stay() -> None:
    assert list_steps('type "please, for me" into the notes field')[0][1]["text"] == "please, for me"
    assert list_steps("click Buy now")[0][1] == {"selector": 'control "Buy now"'}


@each_case(
    ("utterance", "selector"),
    [
        ("click The Guardian", 'control "The Guardian"'),
        ("click the Guardian link", 'link "Guardian"'),
        ("click Sign in", 'control "Sign in"'),
        ("click Don't save", 'control "Don\'t save"'),
        ("click the second Delete button", 'button "Delete" nth 2'),
        ("click the 3rd link", "link nth 3"),
        ("click the button", "role=button"),
        ('click the button "Save" in the "Billing" section', 'button "Save" in "Billing"'),
        ("click the Save button in the Billing section of the Pay frame", 'frame "Pay" >> button "Save" in "Billing"'),
        ("click the Save button on this page", 'button "Save"'),
        ("click the Edit menu item", 'menuitem "Edit"'),
        ("click Tab #3", 'control "Tab #3"'),
        ("click tab #3", 'tab "#3"'),
        ("click the button in the dialog labelled Yes", 'button "Yes" in (dialog)'),
        ("click Save in the sidebar", 'control "Save" in (sidebar)'),
        ("click Save in this form", 'control "Save" in (form)'),
        ("click #save", "#save"),
        ("click testid=save", "testid=save"),
        ('click the selector "div > a"', "div > a"),
        ("click `button:has-text('x, y')`", "button:has-text('x, y')"),
        ("click 取消", 'control "取消"'),
        ("click x", 'control "x"'),
    ],
)
def test_elements_become_selectors(utterance: str, selector: str) -> None:
    assert list_steps(utterance) == [("click", {"selector": selector})]


@each_case(
    ("utterance", "code", "clause"),
    [
        ("make me a sandwich", "no_intent_match", "make me a sandwich"),
        ("turn the thermostat down", "no_intent_match", "turn the thermostat down"),
        ("open the garage", "no_intent_match", "open the garage"),
        ("click Save and turn the lights down", "no_intent_match", "turn the lights down"),
        ("search for cats and mute the fridge", "no_intent_match", "mute the fridge"),
        ("set an alarm for six", "no_intent_match", "set an alarm for six"),
        ("check my calendar", "no_intent_match", "check my calendar"),
        ("search for files in my home folder", "no_intent_match", "search for files in my home folder"),
        ("don't click Save", "no_intent_match", "don't click Save"),
        ("click Save but don't click Close", "no_intent_match", "click Save but don't click Close"),
        ("click the first result", "no_intent_match", "click the first result"),
        ("click the Save button, the Close button and the Help button", "no_intent_match", ""),
        ("go to http://x.test/ and frobnicate it", "no_intent_match", "frobnicate it"),
        ("click Save and polish the widget", "no_intent_match", "polish the widget"),
        ("type hello", "missing_slot", "type hello"),
        ('type "hello" and click Save', "missing_slot", 'type "hello"'),
        ("click Save and type hello", "missing_slot", "type hello"),
        ("click it", "missing_slot", "click it"),
        ("wait 5 seconds", "not_supported_here", "wait 5 seconds"),
        ("if the button is red, click Save", "not_supported_here", "if the button is red"),
        ("when my battery is low, go to http://x.test/", "not_supported_here", "when my battery is low"),
        ("every morning open example.com", "not_supported_here", "every morning open example.com"),
        ("click Save if it is visible", "not_supported_here", "click Save if it is visible"),
        ("reload every 5 minutes", "not_supported_here", "reload every 5 minutes"),
        ("at 5 pm, reload", "not_supported_here", "at 5 pm"),
        ("drag Tea to Milk to Basket", "ambiguous", "drag Tea to Milk to Basket"),
        ("", "no_intent_match", ""),
        ("?!", "no_intent_match", "?!"),
        ("click " + "x " * 600, "not_supported_here", ""),
        ("click" + " " * 50 + "x", "not_supported_here", ""),
    ],
)
def test_what_is_not_understood_is_refused_whole(utterance: str, code: str, clause: str) -> None:
    refusal = refuse(utterance)
    assert refusal.code == code
    assert refusal.message
    if clause:
        assert refusal.clause == clause


def test_a_missing_slot_is_asked_for() -> None:
    assert refuse("type hello").question == "Which field shall I type it into?"
    assert refuse("fill in the email field").question == "What shall I type into it?"


def test_a_refusal_names_the_nearest_phrases() -> None:
    assert "reload this tab" in refuse("reload my tab gently").nearest
    assert refuse("xyzzy").nearest == ()
    assert refuse("scroll through the list").nearest[0].startswith("scroll ")


def test_steps_in_front_of_the_refused_one_are_told_but_not_done() -> None:
    interpretation = INTERPRETER.interpret("go back and frobnicate it")
    assert [clause.verb for clause in interpretation.clauses] == ["back"]
    assert interpretation.meta_goal is None


def test_platforms_can_be_added() -> None:
    shop = SearchPlatform("shop", "http://localhost:8000/", "http://localhost:8000/search?q={query}")
    goals = GrammarInterpreter(platforms={"shop": shop}).interpret("search shop for mugs").meta_goal
    assert goals is not None
    assert dict(goals.goals[0].params) == {"platform": "shop", "query": "mugs"}


WORDS = sorted(
    {
        word
        for verb in ENGLISH.verbs
        for phrase in verb.phrases
        for text in (*phrase.examples, phrase.template)
        for word in re.split(r"[\s|\[\](){}<>]+", text)
    }
)
SENTENCES = st.lists(
    st.one_of(st.sampled_from(WORDS), st.sampled_from([",", "and", "then", ";", '"', "'", "`"])), max_size=16
)


@UNTIMED
@given(st.one_of(st.text(max_size=200), SENTENCES.map(" ".join)))
def test_any_text_gives_goals_or_a_refusal(utterance: str) -> None:
    interpretation = INTERPRETER.interpret(utterance)
    assert (interpretation.meta_goal is None) != (interpretation.refusal is None)


# What the grammar itself may put into a param: schemes, words of selectors, names of keys and closed sets.
OWN_WORDS = re.compile(
    r"https?://|>> nth=\d+|role=\w+|\b(?:button|link|field|textarea|checkbox|radio|switch|control|text|tab|menuitem|menu|option|heading"
    r"|image|table|row|cell|listitem|dialog|alert|slider|progressbar|region|form|frame|in|nth \d+|nth last|every"
    r"|first \d+|record|look|icon|textbox|combobox|near|above|below|except|with (?:lowest|highest|newest|oldest))\b|>>"
)
# Known folders, the endings of kinds of files, and ages.
OWN_PATHS = re.compile(
    r"^(?:documents|desktop|downloads|home|temp|workspace|drive:[A-Z]):/(?:\*\.)?|^\*\.|^\d+[mhdw]$|^active$"
)
# A letter in any case.
ANY_CASE = re.compile(r"\[(\w)\w\]")
CHOSEN = {value for choice in ENGLISH.vocabulary.choices.values() for value in choice.values()}
SET = [value for verb in ENGLISH.verbs for phrase in verb.phrases for value in phrase.sets.values()]
SETTLING = {value for params in ENGLISH.traces.settling.values() for value in params.values()}
LABELS = {label for _, label in ENGLISH.vocabulary.descriptions.superlatives.values()}
# Sites go by name.
ADDRESSES = {*ENGLISH.vocabulary.sites.values(), *(platform.home_url for platform in SEARCH_PLATFORMS.values())}
OWN_VALUES = (
    ADDRESSES
    | LABELS
    | CHOSEN
    | SETTLING
    | ENGLISH.vocabulary.programs.known
    | {value for value in SET if isinstance(value, str)}
)


def find_foreign(params: dict[str, Any], utterance: str) -> list[str]:
    """Return the pieces of texts in params that the utterance doesn't hold."""
    found: list[str] = []
    for name, value in params.items():
        if not isinstance(value, str) or name in {"key", "keys", "platform"} or value in OWN_VALUES:
            continue
        said = ANY_CASE.sub(r"\1", OWN_PATHS.sub("", value))
        if said in utterance or (name == "text" and said.casefold() in utterance.casefold()):
            continue
        if params.get("platform") and name == "url":
            continue
        if name in {"name", "path"} and all(part in utterance for part in said.split("/")):
            continue  # folders that were named one by one, or all of the disk
        if name == "value" and all(part in utterance for part in said.split(" > ")):
            continue  # what lies below others, which were named one by one
        pieces = re.findall(r'"((?:[^"\\]|\\.)*)"', said) or OWN_WORDS.sub("\0", said).split("\0")
        plain = [re.sub(r"\\(.)", r"\1", piece).strip("*() ") for piece in pieces]
        found += [piece for piece in plain if piece and piece not in utterance and piece not in LABELS]
    return found


@UNTIMED
@given(SENTENCES.map(" ".join))
def test_params_hold_nothing_that_was_not_said(utterance: str) -> None:
    meta_goal = INTERPRETER.interpret(utterance).meta_goal
    for goal in meta_goal.goals if meta_goal else ():
        assert find_foreign(dict(goal.params), utterance) == []


@each_case(("verb", "phrase"), [(v, p) for v in ENGLISH.verbs for p in v.phrases if p.refuses is None])
def test_examples_hold_nothing_that_was_not_said(verb: Any, phrase: Any) -> None:
    for text, params in phrase.examples.items():
        assert find_foreign(dict(params), text) == []


@pytest.mark.parametrize(
    "utterance",
    [
        "a, " * 300 + "b",
        "click a and " * 80,
        "type a into b and " * 55,
        "." * 60 + "x",
        ". " * 400 + "x",
        "type a" + " " * 39 + "b" + " " * 39 + "c into",
        "create a folder a" + " in b" * 150,
        "copy a.txt" + " in the folder b on c to d" * 30,
        "turn down the volume" + " of the volume" * 60,
        "find files" + " in b named c" * 60,
        "save it" + " to Documents as a.txt" * 40,
        "press a" + " in the window" * 60,
        '"' * 501,
        "*" * 990,
        "/" * 990,
        "a." * 490,
        "extract " + "a from `b` and " * 60,
        'type "' + "x, and click " * 10_000 + '" into the notes field',
    ],
    ids=lambda text: text[:20],
)
@pytest.mark.timeout(10)
def test_long_and_repetitive_utterances_are_answered_in_time(utterance: str) -> None:
    INTERPRETER.interpret(utterance)
