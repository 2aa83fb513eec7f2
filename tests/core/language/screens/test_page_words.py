"""Behind a step on a page words mean what is on it, where elsewhere they mean the machine."""

from typing import Any

import pytest

from core.language.interpreter import GrammarInterpreter

INTERPRETER = GrammarInterpreter()

Goals = list[tuple[str, dict[str, Any]]]


def list_steps(sentence: str) -> Goals:
    """Return the goals of a sentence without that of its page; none where it is refused."""
    meta_goal = INTERPRETER.interpret(f"go to example.com and {sentence}").meta_goal
    goals = meta_goal.goals[1:] if meta_goal else ()
    return [(goal.name.removeprefix("browser."), dict(goal.params)) for goal in goals]


def give(name: str, value: str) -> Goals:
    """Return the one goal that gives a field a value."""
    return [("set", {"selector": f'field "{name}"', "value": value})]


@pytest.mark.parametrize(
    ("sentence", "goals"),
    [
        ("set the brightness to 70", give("brightness", "70")),
        ("set the volume to 30", give("volume", "30")),
        ("set the temperature to 21", give("temperature", "21")),
        ("choose Music as the category", give("category", "Music")),
        ("choose Debian 13 as the image", give("image", "Debian 13")),
        ("set the link to Home", give("link", "Home")),
        ("set the default language to sv-SE", give("default language", "sv-SE")),
        ("choose EUR as the other currency", give("other currency", "EUR")),
        ("open the calendar", [("click", {"selector": 'control "calendar"'})]),
        ("open Files", [("click", {"selector": 'control "Files"'})]),
        ("open the Bills tab", [("switch_tab", {"tab": "Bills", "own": True})]),
        ("switch to my Bills tab", [("switch_tab", {"tab": "Bills"})]),
        ("open the second tab", [("switch_tab", {"tab": 1})]),
        ("upload b.png as the receipt", [("upload", {"selector": 'field "receipt"', "path": "b.png"})]),
        ("upload b.png as the image", [("upload", {"selector": 'field "image"', "path": "b.png"})]),
        ("accept the cookies", [("click", {"selector": 'control "accept cookies"'})]),
    ],
)
def test_words_behind_a_page_are_those_of_the_page(sentence: str, goals: Goals):
    assert list_steps(sentence) == goals


def test_without_a_page_they_mean_the_machine():
    found = INTERPRETER.interpret("set the brightness to 70").meta_goal
    assert found
    assert [goal.name for goal in found.goals] == ["system.set"]
    tab = INTERPRETER.interpret("open the Bills tab").meta_goal
    assert tab
    assert [dict(goal.params) for goal in tab.goals] == [{"tab": "Bills"}]


@pytest.mark.parametrize(
    "sentence",
    [
        "turn on the oven",
        "set the alarm to 7:00",
        "turn off my lights",
        "click the default button",
        "set the other to 5",
    ],
)
def test_things_of_the_house_and_words_that_name_nothing_stay_refused(sentence: str):
    assert list_steps(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("click Tools, then Archive", ["Tools", "Archive"]),
        ("click Tools and then Archive", ["Tools", "Archive"]),
        ("click Tools then Reload", ["Tools", "Reload"]),
        ('click File, then New, then "Empty folder"', ["File", "New", "Empty folder"]),
        ("right-click Tea, then Rename", ["Tea", "Rename"]),
        ("click Yes, I agree", ["Yes, I agree"]),
        ("click Terms of use and Privacy", ["Terms of use and Privacy"]),
    ],
)
def test_a_name_behind_then_is_pressed_next_and_any_other_joint_may_belong_to_the_name(sentence: str, names: list[str]):
    assert [goal["selector"] for _, goal in list_steps(sentence)] == [f'control "{name}"' for name in names]


@pytest.mark.parametrize("sentence", ["click Save. I could close the tab", "click Save, then wait"])
def test_a_remark_behind_a_click_is_not_pressed(sentence: str):
    assert list_steps(sentence) == []


def test_a_value_between_clicks_is_no_name_to_press():
    steps = list_steps("click Edit, set the name to Ada Allen, click Save")
    assert [name for name, _ in steps] == ["click", "set", "click"]
