"""Sentences about files, programs, windows, sound and players: what is meant, and what only sounds like it."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.addresses.platforms import SEARCH_PLATFORMS, SearchPlatform
from core.language.interpreter import GrammarInterpreter
from tests.cases import each_case

SHOP = SearchPlatform("shop", "http://localhost:8000/shop/", "http://localhost:8000/search?q={query}")
INTERPRETER = GrammarInterpreter(
    platforms={**SEARCH_PLATFORMS, "shop": SHOP}, list_programs=lambda: ["Frobnicator", "Help"]
)
UNTIMED = settings(deadline=None)

Step = tuple[str, dict[str, Any]]


def list_steps(utterance: str) -> list[Step] | None:
    goal = INTERPRETER.interpret(utterance).meta_goal
    return [(step.name, dict(step.params)) for step in goal.goals] if goal else None


@each_case(
    ("utterance", "step"),
    [
        ("set the volume to 30", ("audio.set_volume", {"level": 30})),
        ("turn the volume up to 30", ("audio.set_volume", {"level": 30})),
        ("turn the volume up by 30", ("audio.volume_up", {"amount": 30})),
        ("increase the volume by thirty-five percent", ("audio.volume_up", {"amount": 35})),
        ("set the volume to a hundred percent", ("audio.set_volume", {"level": 100})),
        ("turn the volume all the way up", ("audio.set_volume", {"level": 100})),
        ("set the volume to 150", ("audio.set_volume", {"level": 150})),
        ("turn the volume down a bit", ("audio.volume_down", {})),
        ("mute the microphone for half an hour", ("audio.mute", {"target": "input", "duration": 1800})),
        ("mute Spotify", ("audio.mute", {"app": "Spotify"})),
        ("mute the headphones", ("audio.mute", {"device": "headphones"})),
        ("turn down the volume of the Foo app by 5", ("audio.volume_down", {"app": "Foo", "amount": 5})),
        ("next song", ("media.next", {})),
        ("pause Spotify", ("media.pause", {"player": "Spotify"})),
    ],
)
def test_to_is_a_level_and_by_an_amount_of_whatever_is_named(utterance: str, step: Step) -> None:
    assert list_steps(utterance) == [step]


@each_case(
    "utterance",
    [
        "turn up the heat",
        "turn up the heating by 20",
        "turn it off",
        "turn off the lights",
        "set the volume of Foo to 20",
        "mute my phone",
        "don't mute",
        "mute the sound when the call starts",
        "mute at 5 pm",
        "turn the volume down every evening",
        "play despacito",
        "play some jazz",
        "skip the intro",
        "pause the timer",
        "replay",
    ],
)
def test_what_is_no_sound_of_this_machine_is_left_alone(utterance: str) -> None:
    assert list_steps(utterance) is None


@each_case(
    ("words", "path"),
    [
        ("notes.txt", "notes.txt"),
        ("the file notes.txt", "notes.txt"),
        ("the notes file", "notes"),
        ('the file "my notes"', "my notes"),
        ('"my notes.txt"', "my notes.txt"),
        ("/srv/a.txt", "/srv/a.txt"),
        (r"C:\Users\ada\a.txt", r"C:\Users\ada\a.txt"),
        (r'"C:\Users\ada\my notes.txt"', r"C:\Users\ada\my notes.txt"),
        ("documents:/a.txt", "documents:/a.txt"),
        ("notes.txt in Documents", "documents:/notes.txt"),
        ("notes.txt in my documents folder", "documents:/notes.txt"),
        ("notes.txt on the desktop", "desktop:/notes.txt"),
        ("notes.txt in the Downloads folder", "downloads:/notes.txt"),
        ("notes.txt in my home directory", "home:/notes.txt"),
        ("notes.txt in the folder Mugs", "Mugs/notes.txt"),
        ("notes.txt in the Mugs folder on the desktop", "desktop:/Mugs/notes.txt"),
        ('notes.txt in "Documents"', "Documents/notes.txt"),
        ("notes.txt here", ""),
        ("notes.txt in the current folder", "notes.txt"),
    ],
)
def test_words_choose_the_folder_and_literals_stay_as_they_are(words: str, path: str) -> None:
    assert list_steps(f"read {words}") == ([("file.read", {"path": path})] if path else None)


@UNTIMED
@given(
    path=st.text(
        alphabet=st.characters(codec="utf-8", exclude_characters='"\\', exclude_categories=["Cc", "Cs", "Co", "Z"]),
        min_size=1,
    ),
    content=st.text(
        alphabet=st.characters(codec="utf-8", exclude_characters='"\\', exclude_categories=["Cs", "Co"]), max_size=40
    ),
)
def test_a_quoted_path_and_content_come_out_byte_for_byte(path: str, content: str) -> None:
    assert list_steps(f'write "{content}" to "{path}.txt" and go back') == [
        ("file.write", {"content": content, "path": f"{path}.txt"}),
        ("browser.back", {}),
    ]


@each_case(
    ("utterance", "step"),
    [
        ("open youtube", ("browser.navigate", {"platform": "youtube", "url": "https://www.youtube.com/"})),
        ("open the shop", ("browser.navigate", {"platform": "shop", "url": "http://localhost:8000/shop/"})),
        ("open example.com", ("browser.navigate", {"url": "https://example.com"})),
        ("open report.pdf", ("file.open", {"path": "report.pdf"})),
        ("open the folder Mugs", ("file.open", {"path": "Mugs"})),
        ("open my downloads folder", ("file.open", {"path": "downloads:/"})),
        ("open Firefox", ("system.launch", {"app": "Firefox"})),
        ("open the Foo app", ("system.launch", {"app": "Foo"})),
        ("open the frobnicator", ("system.launch", {"app": "frobnicator"})),
        ("launch Foo", ("system.launch", {"app": "Foo"})),
        ("open the Help link", ("browser.click", {"selector": 'link "Help"'})),
        ("close the calculator", ("system.close", {"app": "calculator"})),
        ("close the Foo window", ("desktop.close_window", {"window": "Foo"})),
        ("close the tab", ("browser.close_tab", {})),
    ],
)
def test_what_is_opened_decides_how(utterance: str, step: Step) -> None:
    assert list_steps(utterance) == [step]


@pytest.mark.parametrize(
    "utterance",
    [
        "open foo",
        "open the garage",
        "start the car",
        "run the report",
        "close the door",
        "close the window",
        "open my inbox",
    ],
)
def test_what_could_be_anything_is_not_opened(utterance: str) -> None:
    assert list_steps(utterance) is None


@each_case(
    ("utterance", "verbs"),
    [
        ("click OK", ["browser.click"]),
        ("press enter", ["browser.press"]),
        ("press ctrl+s in the editor", ["desktop.press"]),
        ("click OK on the screen", ["desktop.click"]),
        ("click OK in the Foo window", ["desktop.click"]),
        ("in the editor, press ctrl+s", ["desktop.press"]),
        ("in the Foo window, type hello and press enter", ["desktop.type", "desktop.press"]),
        ("open the editor, press enter", ["system.launch", "desktop.press"]),
        (
            "open the editor, turn the volume down and press enter",
            ["system.launch", "audio.volume_down", "desktop.press"],
        ),
        ("open notes.txt and press ctrl+s", ["file.open", "desktop.press"]),
        ("focus the editor, type hello and press enter", ["desktop.focus_window", "desktop.type", "desktop.press"]),
        (
            "focus the editor, open example.com and press enter",
            ["desktop.focus_window", "browser.navigate", "browser.press"],
        ),
        ("open Firefox, go to example.com and click OK", ["system.launch", "browser.navigate", "browser.click"]),
        ("open the calculator and take a screenshot", ["system.launch", "desktop.screenshot"]),
        ("open example.com and take a screenshot", ["browser.navigate", "browser.screenshot"]),
        ("mute the sound and take a screenshot", ["audio.mute", "desktop.screenshot"]),
    ],
)
def test_keys_and_clicks_go_where_the_last_step_was(utterance: str, verbs: list[str]) -> None:
    steps = list_steps(utterance)
    assert steps is not None
    assert [name for name, _ in steps] == verbs


@each_case(
    "utterance",
    [
        # Several, everything, or none that is named.
        "delete everything on the desktop",
        "delete all files in Documents",
        "move everything from Downloads to the desktop",
        "delete the file",
        "delete pdf files",
        "delete the files in Documents",
        # Whose folder is the second one's?
        "delete a.txt and b.txt on the desktop",
        "create a folder Mugs on the desktop and a folder Cups",
        'delete "notes"',
        # Not on this machine.
        "delete my appointment",
        'add "milk" to my shopping list',
        "find my phone",
        "lock the door",
        "kill the lights",
        "restart the game",
        "what time is it in london",
        # A condition or schedule.
        "shut down the computer tomorrow",
        "if notes.txt exists, delete it",
        "delete notes.txt when the download is done",
        "don't delete notes.txt",
        "delete notes.txt, not b.txt",
    ],
)
def test_what_is_unclear_changes_nothing(utterance: str) -> None:
    assert list_steps(utterance) is None
