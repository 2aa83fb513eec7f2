"""A place that is said is used or refused: no word of it is dropped."""

from functools import cache
from typing import Any

import pytest

from core.language.interpreter import GrammarInterpreter
from core.language.talk.languages import load_language
from tests.thoroughness import spread

MOST_EXAMPLES = 60
PLACES = {
    "en": [" in the dialog", " in this form", " on the toolbar", " at the bottom", " behind the banner"],
    "de": [" im Dialog", " auf der Leiste", " unten", " in diesem Formular"],
}
INTERPRETERS = {tag: GrammarInterpreter(tag) for tag in PLACES}
EXAMPLES = {
    tag: [
        text
        for verb in load_language(tag).verbs
        for phrase in verb.phrases
        if phrase.refuses is None
        for text in phrase.examples
    ]
    for tag in PLACES
}


@cache
def list_goals(tag: str, utterance: str) -> list[tuple[str, dict[str, Any], str]] | None:
    meta_goal = INTERPRETERS[tag].interpret(utterance).meta_goal
    return [(goal.name, dict(goal.params), goal.scope) for goal in meta_goal.goals] if meta_goal else None


@pytest.mark.parametrize(("tag", "place"), [(tag, place) for tag, places in PLACES.items() for place in places])
def test_no_place_is_dropped(tag: str, place: str) -> None:
    said = {text: list_goals(tag, text + place) for text in spread(EXAMPLES[tag], MOST_EXAMPLES)}
    assert [text for text, goals in said.items() if goals is not None and goals == list_goals(tag, text)] == []


@pytest.mark.parametrize(
    ("utterance", "name", "params"),
    [
        ("click OK in the dialog", "browser.dialog", {"press": 'control "OK"'}),
        ("in the popup, click the Delete button", "browser.dialog", {"press": 'button "Delete"'}),
        ("click Delete and click Yes in the dialog", "browser.dialog", {"press": 'control "Yes"'}),
        ("click Delete and accept the dialog", "browser.dialog", {"action": "accept"}),
        (
            'type "Ada" into the name field in the dialog',
            "browser.type",
            {"text": "Ada", "selector": 'field "name" in (dialog)'},
        ),
        ("check the Terms box in the popup", "browser.check", {"selector": 'checkbox "Terms" in (dialog)'}),
    ],
)
def test_what_is_in_a_dialog_is_looked_for_there(utterance: str, name: str, params: dict[str, Any]) -> None:
    meta_goal = INTERPRETERS["en"].interpret(utterance).meta_goal
    assert meta_goal is not None
    goal = meta_goal.goals[-1]
    assert (goal.name, dict(goal.params)) == (name, params)
