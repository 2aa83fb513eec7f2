"""Several files in one sentence, and words that mean the file or folder of the step in front."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.language.interpreter import GrammarInterpreter
from core.rules.rule_types import list_destroyed
from tests.cases import each_case

INTERPRETER = GrammarInterpreter(destroyed=list_destroyed(PLANNER_RULES))
Step = tuple[str, dict[str, Any]]


def list_steps(utterance: str) -> list[Step] | None:
    meta_goal = INTERPRETER.interpret(utterance).meta_goal
    return [(goal.verb, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else None


def copy(source: Any, destination: str) -> Step:
    return "copy", {"source": source, "destination": destination}


def move(source: Any, destination: str) -> Step:
    return "move", {"source": source, "destination": destination}


def delete(name: str, kind: str = "file") -> Step:
    return "delete", {"object_type": kind, "name": name}


def create(name: str, kind: str = "file") -> Step:
    return "create", {"object_type": kind, "name": name}


def rename(source: str, target: str) -> Step:
    return "rename", {"source": source, "target": target}


@each_case(
    ("utterance", "steps"),
    [
        ("rename a.txt to b.txt and move it to Documents", [rename("a.txt", "b.txt"), move("b.txt", "documents:/")]),
        (
            "rename the file a.txt in Documents to b.txt and delete it",
            [rename("documents:/a.txt", "b.txt"), delete("documents:/b.txt")],
        ),
        (
            "move a.txt to Documents and rename it to b.txt",
            [move("a.txt", "documents:/"), rename("documents:/a.txt", "b.txt")],
        ),
        ("move a.txt to b.txt, then delete that file", [move("a.txt", "b.txt"), delete("b.txt")]),
        ("create a file a.txt and copy it to the desktop", [create("a.txt"), copy("a.txt", "desktop:/")]),
        (
            "create a.txt in Documents, mute the sound and delete it",
            [create("documents:/a.txt"), ("mute", {}), delete("documents:/a.txt")],
        ),
        ("read notes.txt and delete it", [("read", {"path": "notes.txt"}), delete("notes.txt")]),
        (
            'append "x" to notes.txt and move the file to Documents',
            [("append", {"content": "x", "path": "notes.txt"}), move("notes.txt", "documents:/")],
        ),
        (
            "zip a.txt into a.zip and move it to Documents",
            [
                ("zip", {"source": "a.txt", "destination": "a.zip"}),
                move("a.zip", "documents:/"),
            ],
        ),
        ("create a folder Mugs and rename it to Cups", [create("Mugs", "folder"), rename("Mugs", "Cups")]),
        ("create a folder Mugs and delete that folder", [create("Mugs", "folder"), delete("Mugs", "folder")]),
        # There.
        (
            "move a.txt to Documents and create a folder Mugs there",
            [move("a.txt", "documents:/"), create("documents:/Mugs", "folder")],
        ),
        ("copy a.txt to Documents and move b.txt there", [copy("a.txt", "documents:/"), move("b.txt", "documents:/")]),
        (
            "move a.txt to Documents and copy b.txt to the same folder",
            [move("a.txt", "documents:/"), copy("b.txt", "documents:/")],
        ),
        (
            "create a file a.txt in Documents and a file b.txt in the same folder",
            [create("documents:/a.txt"), create("documents:/b.txt")],
        ),
        (
            "create a folder Mugs in Documents and move all pdf files in my downloads there",
            [create("documents:/Mugs", "folder"), move("downloads:/*.pdf", "documents:/Mugs")],
        ),
        (
            "create a folder Mugs in Documents and move all pdf files in my downloads into it",
            [create("documents:/Mugs", "folder"), move("downloads:/*.pdf", "documents:/Mugs")],
        ),
        # The last one that was made or spoken of, not the first.
        (
            "create a folder Mugs, then a folder Cups and move a.txt into it",
            [create("Mugs", "folder"), create("Cups", "folder"), move("a.txt", "Cups")],
        ),
    ],
)
def test_it_and_there_are_what_the_step_in_front_was_about(utterance: str, steps: list[Step]) -> None:
    assert list_steps(utterance) == steps


@each_case(
    "utterance",
    [
        "delete it",
        "move it to Documents",
        "copy a.txt to Documents and delete it",  # the copy, or what was copied?
        "find *.txt in Documents and delete it",
        "delete a.txt and move it to Documents",
        "delete all tmp files and rename it to b.txt",
        "open example.com and delete it",
        "create a file a.txt, open example.com and delete it",
        "create a folder Mugs and delete the file",
        "create a file a.txt and delete the folder",
        "copy a.txt there",
        "open Documents and copy a.txt and b.txt to the desktop",
        "open Documents and delete all pdf files",
    ],
)
def test_where_nothing_was_spoken_of_it_means_nothing(utterance: str) -> None:
    assert list_steps(utterance) is None


@each_case(
    ("utterance", "steps"),
    [
        ("copy a.txt and b.txt to Documents", [copy(["a.txt", "b.txt"], "documents:/")]),
        ("move a.txt, b.txt and 'c d' to the folder Mugs", [move(["a.txt", "b.txt", "c d"], "Mugs")]),
        (
            "copy a.txt and b.txt from Downloads to Documents",
            [copy(["downloads:/a.txt", "downloads:/b.txt"], "documents:/")],
        ),
        ("zip a.txt and b.txt into c.zip", [("zip", {"source": ["a.txt", "b.txt"], "destination": "c.zip"})]),
        ("copy all the txt files from Downloads to Documents", [copy("downloads:/*.txt", "documents:/")]),
        ("copy all files in Downloads to Documents", [copy("downloads:/*", "documents:/")]),
        ("copies every file named 'a*' to 'b/c' directory", [copy("a*", "b/c")]),
        ("delete the files a.txt and b.txt", [delete("a.txt"), delete("b.txt")]),
        ("delete the folders 'a' and 'b'", [delete("a", "folder"), delete("b", "folder")]),
        ("create directories red, green and blue", [create(name, "folder") for name in ("red", "green", "blue")]),
        ("create the files a.txt and b.txt", [create("a.txt"), create("b.txt")]),
        (
            "create the folders mugs and cups and mute the sound",
            [create("mugs", "folder"), create("cups", "folder"), ("mute", {})],
        ),
    ],
)
def test_several_files_are_named_in_one_sentence(utterance: str, steps: list[Step]) -> None:
    assert list_steps(utterance) == steps


@each_case(
    "utterance",
    [
        "copy a.txt and b.txt in Documents to the desktop",  # is a.txt there too?
        "copy a.txt and notes to Documents",
        "copy a.txt or b.txt to Documents",
        "copy pdf files to Documents",
        "copy the pdf file to Documents",
        "move some of the pdf files to Documents",
        "move all pdf files except the first to Documents",
        "move all but the pdf files to Documents",
        "copy all files to b.txt",
        "create the folders a and b in Documents",
        "delete the folders a and b.txt",
    ],
)
def test_what_may_be_other_files_is_refused(utterance: str) -> None:
    assert list_steps(utterance) is None


@given(
    names=st.lists(
        st.text(st.characters(exclude_categories=["Cs", "Cc", "Co"], exclude_characters='"\\/*?:<>|'), min_size=1)
        .filter(str.strip)
        .map(lambda text: f"{text.strip()}.txt"),
        min_size=2,
        max_size=4,
    )
)
def test_names_in_a_list_come_out_byte_for_byte(names: list[str]) -> None:
    *most, last = (f'"{name}"' for name in names)
    assert list_steps(f"copy {', '.join(most)} and {last} to Documents") == [copy(names, "documents:/")]


@pytest.mark.parametrize(
    ("utterance", "steps"),
    [
        ("find files named `mug' in Documents", [("find", {"pattern": "mug", "path": "documents:/"})]),
        ("delete the file `a b.txt'", [delete("a b.txt")]),
        ("delete the file `a b.txt`", [delete("a b.txt")]),
        ("delete the file `a b.txt", None),
        ("delete the file `don't.txt", None),
    ],
)
def test_quotes_as_on_typewriters_are_quotes(utterance: str, steps: list[Step] | None) -> None:
    assert list_steps(utterance) == steps
