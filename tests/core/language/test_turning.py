"""Sentences whose steps aren't said in the order in which they happen."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.goals.meta_goals import MetaGoal
from core.language.interpreter import GrammarInterpreter

INTERPRETER = GrammarInterpreter()
UNTIMED = settings(deadline=None)
OPEN, MUGS = "browser.navigate", "browser.click"


def read_goals(sentence: str) -> MetaGoal:
    meta_goal = INTERPRETER.interpret(sentence).meta_goal
    assert meta_goal is not None
    return meta_goal


@pytest.mark.parametrize(
    ("sentence", "order"),
    [
        ("mute the sound before you open example.com", ["audio.mute", OPEN]),
        ("before opening example.com, mute the sound", ["audio.mute", OPEN]),
        ("Before you open example.com, please mute the sound.", ["audio.mute", OPEN]),
        ("after opening example.com, click the Mugs link", [OPEN, MUGS]),
        ("click the Mugs link after you open example.com", [OPEN, MUGS]),
        ("click the Mugs link once you've opened example.com", [OPEN, MUGS]),
        ("click the Mugs link right after opening example.com", [OPEN, MUGS]),
        ("save the page as a pdf before closing the tab", ["browser.pdf", "browser.close_tab"]),
    ],
)
def test_what_is_said_to_happen_first_comes_first_and_the_other_waits_for_it(sentence: str, order: list[str]) -> None:
    meta_goal = read_goals(sentence)
    assert [goal.name for goal in meta_goal.goals] == order
    assert dict(meta_goal.dependencies) == {"g1": ("g0",)}
    assert meta_goal.source == sentence


@pytest.mark.parametrize(
    ("sentence", "order"),
    [
        ("would you mind turning the volume down?", ["audio.volume_down"]),
        ("do you mind closing the tab", ["browser.close_tab"]),
        ("please, would you mind opening example.com and clicking Save", []),
        ("would you mind if i open example.com", []),
        ("how about lunch", []),
        ("would you mind typing hello!", []),
    ],
)
def test_a_request_may_begin_with_would_you_mind(sentence: str, order: list[str]) -> None:
    meta_goal = INTERPRETER.interpret(sentence).meta_goal
    assert [goal.name for goal in meta_goal.goals] == order if meta_goal else not order


def test_what_happens_meanwhile_waits_for_nothing() -> None:
    meta_goal = read_goals("play the music while you open example.com")
    assert sorted(goal.name for goal in meta_goal.goals) == [OPEN, "media.play"]
    assert dict(meta_goal.dependencies) == {}


@pytest.mark.parametrize(
    "sentence",
    [
        "mute the sound while you open example.com",
        "mute the sound before I leave",
        "open example.com before the shop closes",
        "mute the sound before you open example.com and after closing the tab",
        "type hello! before clicking Save",
        "before opening example.com mute the sound",
        "remind me before you open example.com",
        "after you",
    ],
)
def test_what_is_a_condition_or_unclear_is_refused_whole(sentence: str) -> None:
    interpretation = INTERPRETER.interpret(sentence)
    assert interpretation.meta_goal is None
    assert interpretation.refusal is not None


@given(st.text(st.characters(exclude_characters='"\\', exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_texts_come_out_byte_for_byte_and_spans_lie_where_they_were_said(text: str) -> None:
    sentence = f'after typing "{text}" into the Name field, click Save'
    interpretation = INTERPRETER.interpret(sentence)
    if interpretation.meta_goal is None:
        assert text.count(" " * 40) or any("\ue000" <= mark <= "\ue00f" for mark in text)
        return
    assert interpretation.meta_goal.goals[0].params["text"] == text
    for clause in interpretation.clauses:
        assert sentence[clause.start : clause.end] == clause.text
    slot = next(slot for slot in interpretation.clauses[0].slots if slot.name == "text")
    assert sentence[slot.start : slot.end] == f'"{text}"'


def test_what_was_dictated_is_still_an_address_in_a_turned_sentence() -> None:
    goals = read_goals("mute the sound before you open example dot com slash login").goals
    assert goals[1].params["url"] == "https://example.com/login"


def test_a_path_that_goes_upwards_keeps_its_dots_in_a_turned_sentence() -> None:
    goals = read_goals("mute the sound after opening ../..").goals
    assert goals[0].params["path"] == "../.."


@UNTIMED
@given(st.text(alphabet=st.characters(exclude_characters='"\\', codec="utf-8"), min_size=1, max_size=40))
def test_quoted_text_comes_out_of_a_turned_sentence_byte_for_byte(text: str) -> None:
    goals = read_goals(f'type "{text}" into the notes field before you close the tab').goals
    assert goals[0].params["text"] == text
    goals = read_goals(f'close the tab after typing "{text}" into the notes field').goals
    assert goals[0].params["text"] == text
