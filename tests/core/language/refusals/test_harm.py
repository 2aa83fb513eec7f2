"""Sentences of which a wrong goal would do harm: they are refused, or mean exactly what they say."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.interpreter import GrammarInterpreter
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()


def list_steps(utterance: str) -> list[tuple[str, dict[str, Any]]] | None:
    meta_goal = INTERPRETER.interpret(utterance).meta_goal
    return [(goal.name, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else None


WHOLES = ["/", "~", "~/", ".", "./", "..", "../", "C:", "C:\\", "documents:/", "home:/", "/home/ada/..", "Mugs/../.."]
GLOBS = ["*", "*.txt", "Mugs/*", "documents:/*", "*/a.txt"]


WHOLE_GLOBS = ["*", "Mugs/*", "documents:/*", "*.*", "**/*"]


@pytest.mark.parametrize("path", [*WHOLES, *WHOLE_GLOBS])
@each_case(
    "template",
    [
        *("delete {}", "delete the file {}", "delete the folder {}", "delete all files like {}", "delete files {}"),
        *("permanently delete {}", "move {} to the trash", "delete all folders named {}", 'delete files "{}"'),
    ],
)
def test_what_may_be_all_there_is_is_never_taken_away(template: str, path: str) -> None:
    assert list_steps(template.format(path)) is None


@pytest.mark.parametrize("path", GLOBS)
@each_case(
    "template",
    [
        *("delete the file {}", "delete the folder {}", "permanently delete {}", 'delete the file "{}"'),
        *("delete {} for good", "rename {} to x", 'move the file "{}" to y', 'delete the files "a" and "{}"'),
    ],
)
def test_a_glob_is_never_taken_for_one_file(template: str, path: str) -> None:
    assert list_steps(template.format(path)) is None


@each_case(
    ("utterance", "name"),
    [
        ("delete *.txt", "*.txt"),
        ("delete files *.txt", "*.txt"),
        ("delete build/*.o", "build/*.o"),
        ("move *.txt to the trash", "*.txt"),
        ("remove all the log files in the temp folder", "temp:/*.log"),
        ('erase every file that matches "draft-*" in Documents', "documents:/draft-*"),
        ("delete all files ending in .bak in the folder Mugs", "Mugs/*.bak"),
        ("delete all files in Downloads that end with .part", "downloads:/*.part"),
        ("delete the files with the extension tmp", "*.tmp"),
        ("delete pdf files", None),
        ("delete some pdf files", None),
        ("delete the pdf file", None),
        ("delete all pdf files but a.pdf", "!{a.pdf}*.pdf"),
        ("delete all pdf files except the last", None),
        ("delete all old pdf files", None),
        ("delete all files", None),
        ("delete all empty folders", None),
    ],
)
def test_several_files_are_taken_away_where_it_is_said_which(utterance: str, name: str | None) -> None:
    steps = list_steps(utterance)
    assert steps == (None if name is None else [("file.delete", {"object_type": "file", "name": name})])


@each_case("path", WHOLES)
def test_no_whole_is_written_moved_or_renamed(path: str) -> None:
    assert list_steps(f'write "x" to {path}') is None
    assert list_steps(f"move {path} to /tmp/x") is None
    assert list_steps(f"rename {path} to x") is None


@each_case(
    "utterance",
    [
        # Words that tell which one, rather than naming it.
        "delete the pdf file",
        "delete the oldest file in Downloads",
        "delete the empty folder",
        "delete the last file",
        "delete Ada's file",
        "open the word document",
        "close the second window",
        "close the old window",
        "launch the second app",
        "switch to window 2",
        "set the volume of the left speaker to 20",
        # What may be all of the name, or only a part of it.
        "delete a song.mp3",
        "delete the new report.pdf",
        "delete the file salt and pepper.txt",
        "delete the folder Mugs permanently",
        "create a document about cats",
        # Which folder is it in?
        "open Documents and delete a.txt",
        "in the Mugs folder, create a file a.txt and delete b.txt",
        "unzip a.zip in Documents",
        "move a.txt in Documents",
        "copy a.txt in Documents",
        # What tells a text, rather than being it; and two steps that would become one text.
        "write a poem about cats to poem.txt",
        "write the weather to notes.txt",
        "write hello to a.txt and world to b.txt",
        'make a file in Documents that says "x"',
        # Several, all, or none.
        "delete everything",
        "empty the trash",
        "kill all processes",
        "kill processes",
        "kill process -1",
        "kill yourself",
        "shut down everything",
        "close everything",
        "mute everything but Firefox",
        "put the screen to sleep",
        # Amounts that may be meant in two ways.
        "turn the volume down by half",
        "turn the volume down a third",
        "set the volume to 0.5",
        "set the volume to minus ten",
        "set the volume to 20 or 30",
        # Other things of the same name.
        "move Firefox to the second monitor",
        "go back in Firefox",
        "right-click on the desktop",
        "drag notes.txt to the trash",
        # Questions, denials, corrections, conditions and schedules.
        "can you delete files?",
        "how do I delete notes.txt?",
        "should I shut down the computer?",
        "could you not mute the sound",
        "delete notes.txt... not",
        "delete notes.txt, just kidding",
        "pretend to delete notes.txt",
        "mute the sound at 17:30",
        "mute until noon",
        "create a folder Mugs after lunch",
        "minimise the window before dinner",
        "focus the editor and close the window later",
        "kill the process called foo later",
        "in the Foo window, click the OK button at 17:30",
        "close Firefox in 10 minutes",
        "turn off the pc after the download",
    ],
)
def test_what_may_be_meant_otherwise_is_refused(utterance: str) -> None:
    assert list_steps(utterance) is None


@each_case(
    ("utterance", "step"),
    [
        ("can you delete a.txt?", ("file.delete", {"object_type": "file", "name": "a.txt"})),
        ("delete play.txt", ("file.delete", {"object_type": "file", "name": "play.txt"})),
        ("open 'close the door.txt'", ("file.open", {"path": "close the door.txt"})),
        ("delete C:\\Users\\Ada\\a.txt.", ("file.delete", {"object_type": "file", "name": "C:\\Users\\Ada\\a.txt"})),
        ("delete Ünï.txt!", ("file.delete", {"object_type": "file", "name": "Ünï.txt"})),
        ("TURN THE VOLUME UP TO 40", ("audio.set_volume", {"level": 40})),
        ("turn the volume down to eleven percent", ("audio.set_volume", {"level": 11})),
        ("press control plus s in the editor", ("desktop.press", {"keys": "Control+s", "window": "editor"})),
        (
            'create a file with the content "x" called a.txt',
            ("file.create", {"object_type": "file", "name": "a.txt", "content": "x"}),
        ),
        ("kill 1234", ("system.kill", {"pid": 1234})),
        ("mute the office", ("audio.mute", {"device": "office"})),
        ("click 10 20 on the screen", ("desktop.click", {"target": {"point": [10, 20]}})),
        ('type "delete a.txt" into the editor', ("desktop.type", {"text": "delete a.txt", "window": "editor"})),
        ("close the Open File window", ("desktop.close_window", {"window": "Open File"})),
    ],
)
def test_what_is_clear_means_what_it_says(utterance: str, step: tuple[str, dict[str, Any]]) -> None:
    assert list_steps(utterance) == [step]


@pytest.mark.parametrize(
    "utterance",
    [
        # Does the text go on behind "and"?
        "fill Notes with delete a.txt and close the tab",
        "fill the Notes field with call mum and delete a.txt",
        "open the editor, type hello and shut down the computer",
        "create a folder called mute and unmute",
        "search for scroll and go back",
    ],
)
def test_a_text_that_may_go_on_behind_and_is_asked_about(utterance: str) -> None:
    refusal = INTERPRETER.interpret(utterance).refusal
    assert refusal is not None
    assert refusal.code == "ambiguous"


def test_quotes_and_full_stops_end_a_text() -> None:
    note = ("browser.type", {"selector": 'field "Notes"', "text": "call mum"})
    taken = ("file.delete", {"object_type": "file", "name": "a.txt"})
    assert list_steps('fill the Notes field with "call mum" and delete a.txt') == [note, taken]
    assert list_steps("fill the Notes field with call mum. Then delete a.txt") == [note, taken]


@pytest.mark.parametrize(
    "utterance",
    [
        "forward the email from bob to ada",
        "send mum the message from school",
        "reply to the message from ada with i am late",
        "ada needs the mail from the bank",
        "Nobody wants the email from Bob",
        "open example.com and nobody wants the email from Bob",
    ],
)
def test_a_letter_of_no_page_is_never_sent(utterance: str) -> None:
    assert list_steps(utterance) is None


PAGE = ("browser.navigate", {"url": "https://example.com"})


@pytest.mark.parametrize(
    "utterance",
    [
        "move my meeting to three pm",
        "move the files to documents",
        "turn off the vacuum cleaner",
        "turn on the oven",
        "check the fridge",
        "tick off eggs",
        "check whether the door is locked",
        "choose a colour for the wall",
        "pick a number between 1 and 10",
    ],
)
def test_what_is_outside_is_no_part_of_the_page_that_was_spoken_of(utterance: str) -> None:
    assert list_steps(f"open example.com and {utterance}") is None


@pytest.mark.parametrize(
    ("utterance", "step"),
    [
        ("turn off the computer", ("system.shutdown", {})),
        ("turn on silent mode", ("audio.mute", {})),
        ("move a.txt to Documents", ("file.move", {"source": "a.txt", "destination": "documents:/"})),
    ],
)
def test_behind_a_page_other_things_are_what_they_were(utterance: str, step: tuple[str, dict[str, Any]]) -> None:
    assert list_steps(f"open example.com and {utterance}") == [PAGE, step]


@each_case(
    "utterance",
    [
        "remember to close the tab",
        "is it possible to delete a.txt",
        "turn off the machine",
        "switch the system off",
        "delete the file i just created",
        "move all files to Documents",
        "set the appointment to 3 March 2026",
        "choose 3 March 2026 for the party",
        "do this task",
        "open the box",
    ],
)
def test_what_may_be_about_anything_else_is_refused(utterance: str) -> None:
    assert list_steps(utterance) is None


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("~/notes.txt", "home:/notes.txt"),
        ("~/Documents/a_b/", "home:/Documents/a_b/"),
        ("~", "home:/"),
        ("~/", "home:/"),
        ('"~/notes.txt"', "~/notes.txt"),
        ("./~/notes", "./~/notes"),
        ("~ada/notes.txt", None),
    ],
)
def test_a_tilde_is_the_home_folder_unless_it_is_quoted(words: str, path: str | None) -> None:
    steps = list_steps(f"copy a.txt to {words}")
    assert (steps[0][1]["destination"] if steps else None) == path


LITERALS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40).filter(
    lambda text: not {"“", "”"}.intersection(text) and text.strip()
)


@given(LITERALS)
def test_what_stands_between_quotes_reaches_every_domain_byte_for_byte(text: str) -> None:
    said = f"“{text}”"
    assert list_steps(f"write {said} to a.txt, mute and append {said} to b.txt") == [
        ("file.write", {"content": text, "path": "a.txt"}),
        ("audio.mute", {}),
        ("file.append", {"content": text, "path": "b.txt"}),
    ]
    assert list_steps(f"create a folder called “a {text}” in Documents") == [
        ("file.create", {"object_type": "folder", "name": f"documents:/a {text}"})
    ]
    assert list_steps(f"type {said} into the editor and show a notification {said}") == [
        ("desktop.type", {"text": text, "window": "editor"}),
        ("system.notify", {"title": text}),
    ]
    assert list_steps(f"copy {said} to the clipboard, then close the window {said}") == [
        ("system.set", {"target": "clipboard", "value": text}),
        ("desktop.close_window", {"window": text}),
    ]
