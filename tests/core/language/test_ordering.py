"""Which step waits for which, what "it" is, and where "in there" is."""

from typing import Any

import pytest

from core.addresses.platforms import SEARCH_PLATFORMS, SearchPlatform
from core.goals.meta_goals import MetaGoal
from core.goals.references import Reference
from core.language.interpreter import GrammarInterpreter
from tests.cases import each_case

SHOP = SearchPlatform("shop", "http://localhost:8000/shop/", "http://localhost:8000/search?q={query}")
INTERPRETER = GrammarInterpreter(platforms={**SEARCH_PLATFORMS, "shop": SHOP})


def understand(utterance: str) -> MetaGoal:
    interpretation = INTERPRETER.interpret(utterance)
    assert interpretation.meta_goal is not None, interpretation.refusal
    return interpretation.meta_goal


def test_one_sentence_goes_over_all_domains() -> None:
    meta_goal = understand(
        "open the shop, read the total, save it to Documents as total.txt, "
        "turn the volume down to 20 and press ctrl+s in the editor"
    )
    assert [(goal.name, dict(goal.params), goal.scope) for goal in meta_goal.goals] == [
        ("browser.navigate", {"platform": "shop", "url": "http://localhost:8000/shop/"}, "root"),
        ("browser.read", {"target": "text", "selector": 'value "total"'}, "after:g0"),
        ("file.write", {"path": "documents:/total.txt", "content": Reference("g1", "text")}, "after:g1"),
        ("audio.set_volume", {"level": 20}, "root"),
        ("desktop.press", {"keys": "ctrl+s", "window": "editor"}, "after:g2"),
    ]
    assert meta_goal.dependencies == {"g1": ("g0",), "g2": ("g1",), "g4": ("g2",)}
    assert meta_goal.diagnostics == ()


@each_case(
    ("utterance", "dependencies"),
    [
        ("mute and open example.com", {}),
        ("open example.com and mute", {}),
        ("pause the music and set the volume to 20", {}),
        ("open example.com, mute, click Save", {"g2": ("g0",)}),
        ("open example.com and then mute", {"g1": ("g0",)}),
        ("mute. Then open example.com", {"g1": ("g0",)}),
        ("open example.com, then mute and click Save", {"g1": ("g0",), "g2": ("g0",)}),
        ("open example.com, mute, then click Save", {"g2": ("g1", "g0")}),
        ("1. mute 2. open example.com", {"g1": ("g0",)}),
        ("wait for report.pdf and mute", {"g1": ("g0",)}),
        ("when report.pdf arrives, open it and mute", {"g1": ("g0",), "g2": ("g0",)}),
        ("open example.com, wait for the dashboard and mute", {"g1": ("g0",), "g2": ("g1",)}),
        ("mute, open example.com and unmute", {"g2": ("g1", "g0")}),
        ("set the volume to 20 and mute", {"g1": ("g0",)}),
        ("copy a.txt to b.txt and press ctrl+s in the editor", {"g1": ("g0",)}),
        ("focus the editor, read notes.txt, go back", {"g1": ("g0",), "g2": ("g1",)}),
    ],
)
def test_sound_and_players_are_free_and_all_else_follows(
    utterance: str, dependencies: dict[str, tuple[str, ...]]
) -> None:
    assert dict(understand(utterance).dependencies) == dependencies


@each_case(
    ("utterance", "param", "value"),
    [
        ("read the page and save it as a.txt", "content", Reference("g0", "text")),
        ("read the page, mute and save it as a.txt", "content", Reference("g0", "text")),
        ("open example.com, read the total and append the total to a.txt", "content", Reference("g1", "text")),
        ("read the title, read the url and save it as a.txt", "content", Reference("g1", "text")),
        ("read the title, read the url and save the title as a.txt", "content", Reference("g0", "text")),
        ("read a.txt and write the text to b.txt", "content", Reference("g0", "text")),
        ("read the clipboard and save it to a.txt", "content", Reference("g0", "text")),
        ("read a.txt and copy it to the clipboard", "value", Reference("g0", "text")),
        ("read the page and type it into the editor", "text", Reference("g0", "text")),
        ("read the title and type it into the Name field", "text", Reference("g0", "text")),
        ("read a.txt and show a notification with it", "title", Reference("g0", "text")),
        ('read the page and save "it" as a.txt', "content", "it"),
        ('read the page and save "${g0.text}" as a.txt', "content", "${g0.text}"),
    ],
)
def test_it_is_the_text_that_was_read(utterance: str, param: str, value: Any) -> None:
    assert understand(utterance).goals[-1].params[param] == value


@pytest.mark.parametrize(
    ("utterance", "params"),
    [
        ("open the editor", {"app": "editor"}),
        ("open the editor and press ctrl+s", {"app": "editor", "wait": "window"}),
        ("open the editor, mute and type hello", {"app": "editor", "wait": "window"}),
        ("open Firefox and go to example.com", {"app": "Firefox"}),
        ("open Firefox, go to example.com and focus the editor", {"app": "Firefox"}),
        ("open Firefox and open the editor", {"app": "Firefox"}),
    ],
)
def test_a_program_is_waited_for_where_the_next_step_is_about_the_desktop(
    utterance: str, params: dict[str, Any]
) -> None:
    assert dict(understand(utterance).goals[0].params) == params


@pytest.mark.parametrize(
    "utterance",
    [
        "open the editor and close the window",
        "save it as a.txt",
        "click Save and save it as a.txt",
        "open example.com, read the total and save the price as a.txt",
        "save it as a.txt and read the page",
        "create a.txt inside it",
        "create a file a.txt in that folder and create a folder Mugs",
    ],
)
def test_what_refers_to_nothing_is_refused(utterance: str) -> None:
    assert INTERPRETER.interpret(utterance).meta_goal is None


@pytest.mark.parametrize(
    ("utterance", "goals"),
    [
        (
            "create a folder Mugs on the desktop and a file a.txt inside it",
            [("desktop:/Mugs", "root"), ("a.txt", "inside:desktop:/Mugs")],
        ),
        (
            "create a folder Mugs, create a folder Cups in it and create a file a.txt in Cups",
            [("Mugs", "root"), ("Cups", "inside:Mugs"), ("a.txt", "inside:Cups")],
        ),
        (
            "create a folder Mugs on drive D and a file a.txt in there",
            [("Mugs", "drive:D"), ("a.txt", "inside:Mugs")],
        ),
        ("create a folder Mugs on D:", [("Mugs", "drive:D")]),
        (r"create a folder D:\Mugs", [(r"D:\Mugs", "root")]),
    ],
)
def test_a_folder_that_was_created_or_a_drive_is_a_scope(utterance: str, goals: list[tuple[str, str]]) -> None:
    meta_goal = understand(utterance)
    assert [(goal.params["name"], goal.scope) for goal in meta_goal.goals] == goals
    assert meta_goal.diagnostics == ()


def test_two_drives_in_one_step_are_written_out() -> None:
    (goal,) = understand("copy a.txt on drive D to drive E").goals
    assert (dict(goal.params), goal.scope) == ({"source": "drive:D:/a.txt", "destination": "drive:E:/"}, "root")
    (goal,) = understand("copy a.txt to drive E").goals
    assert (dict(goal.params), goal.scope) == ({"source": "a.txt", "destination": "drive:E:/"}, "root")


@pytest.mark.parametrize(
    ("utterance", "destination"),
    [
        ("create a folder Mugs and move a.txt into it", "Mugs"),
        ("create a folder Mugs on the desktop and move a.txt into it", "desktop:/Mugs"),
        ("create a folder Mugs on drive D and move a.txt into Mugs", "drive:D:/Mugs"),
        ("create a folder Mugs on D:, create a folder Cups in it and move a.txt into Cups", "drive:D:/Mugs/Cups"),
    ],
)
def test_what_is_moved_into_a_new_folder_goes_where_that_is(utterance: str, destination: str) -> None:
    goal = understand(utterance).goals[-1]
    assert dict(goal.params) == {"source": "a.txt", "destination": destination}
    assert goal.scope.startswith("after:")
