"""Installed programs: asked for only when a sentence needs to know, and never at the cost of a page."""

from collections.abc import Iterable
from typing import Any

import pytest

from core.language.interpreter import GrammarInterpreter

INSTALLED = ("Frobnicator", "Help", "Image Viewer", "Documents", "OK")


class ProgramList:
    """Names programs, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self) -> Iterable[str]:
        self.asked += 1
        return INSTALLED


def list_steps(utterance: str, programs: ProgramList | None = None) -> list[tuple[str, dict[str, Any]]] | None:
    meta_goal = GrammarInterpreter(list_programs=programs or ProgramList()).interpret(utterance).meta_goal
    return [(goal.name, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else None


@pytest.mark.parametrize(
    ("utterance", "step"),
    [
        ("open the frobnicator", ("system.launch", {"app": "frobnicator"})),
        ("start image viewer", ("system.launch", {"app": "image viewer"})),
        ("close Image Viewer", ("system.close", {"app": "Image Viewer"})),
        ("mute the frobnicator", ("audio.mute", {"app": "frobnicator"})),
        ("set Frobnicator to 20%", ("audio.set_volume", {"app": "Frobnicator", "level": 20})),
    ],
)
def test_an_installed_program_goes_by_its_name(utterance: str, step: tuple[str, dict[str, Any]]) -> None:
    assert list_steps(utterance) == [step]
    assert GrammarInterpreter().interpret(utterance).meta_goal is None


@pytest.mark.parametrize(
    ("utterance", "verb"),
    [
        ("open Documents", "file.open"),
        ("click OK", "browser.click"),
        ("click Save in Help", "browser.click"),
        ("click the Image Viewer link", "browser.click"),
    ],
)
def test_an_installed_program_takes_nothing_from_folders_and_pages(utterance: str, verb: str) -> None:
    installed, plain = list_steps(utterance), GrammarInterpreter().interpret(utterance).meta_goal
    assert [name for name, _ in installed or ()] == [verb] if plain else installed is None


def test_behind_a_step_on_a_page_a_name_is_no_installed_program() -> None:
    page = ("browser.navigate", {"url": "https://example.com"})
    assert list_steps("open example.com and open Help") == [page, ("browser.click", {"selector": 'control "Help"'})]
    assert list_steps("open Help") == [("system.launch", {"app": "Help"})]


@pytest.mark.parametrize(
    "utterance",
    [
        "open example.com, click Save and press enter",
        "open Firefox and type hello",
        "turn the volume down to 20",
        "louder",
        "scroll up",
        "delete notes.txt",
        "open my documents folder",
        "close the tab",
        "what time is it",
    ],
)
def test_programs_are_not_listed_for_a_sentence_that_says_all(utterance: str) -> None:
    programs = ProgramList()
    assert list_steps(utterance, programs) is not None
    assert programs.asked == 0


def test_programs_are_listed_once() -> None:
    programs = ProgramList()
    interpreter = GrammarInterpreter(list_programs=programs)
    for utterance in ("open foo", "open bar", "mute foo", "close the door"):
        assert interpreter.interpret(utterance).meta_goal is None
    assert programs.asked == 1
