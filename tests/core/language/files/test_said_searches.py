"""What is looked for among files, in whatever order that is said; and what is said beside an act on files."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.language.interpreter import GrammarInterpreter
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
Step = tuple[str, dict[str, Any]]


def list_steps(utterance: str) -> list[Step] | None:
    meta_goal = INTERPRETER.interpret(utterance).meta_goal
    return [(goal.verb, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else None


PLACES = {
    "in Documents": "documents:/",
    "under the folder Mugs": "Mugs",
    "below /srv/tea and its subdirectories": "/srv/tea",
    "in the current directory tree": ".",
    "on the system": "/",
    "located in the home directory of the current user": "home:/",
}
NAMES = {
    'named "tea*"': "tea*",
    "whose names begin with tea": "tea*",
    'ending in ".tea"': "*.tea",
    "that match the pattern *.tea": "*.tea",
    "with tea in their names": "*tea*",
    "with the extension .tea": "*.tea",
    "called `tea'": "tea",
}
REMARKS = ["", "recursively", "(recursively)", "(tea files)"]


@UNTIMED
@given(
    st.sampled_from(["find", "search for", "recursively find", "list", "print a list of", "look for"]),
    st.sampled_from(["all files", "every regular file", "the files and directories", "all ordinary files"]),
    st.sampled_from(sorted(PLACES)),
    st.sampled_from(sorted(NAMES)),
    st.sampled_from(REMARKS),
    st.permutations(range(3)),
)
def test_a_place_a_name_and_a_remark_stand_in_any_order(
    verb: str, files: str, place: str, name: str, remark: str, order: list[int]
) -> None:
    tail = " ".join(part for part in [[place, name, remark][index] for index in order] if part)
    assert list_steps(f"{verb} {files} {tail}") == [("find", {"path": PLACES[place], "pattern": NAMES[name]})]


@pytest.mark.parametrize(
    ("utterance", "params"),
    [
        ("find all *.tea files ignoring case", {"pattern": "*.[tT][eE][aA]"}),
        ("find the tea files (*.tea) in src/mugs", {"pattern": "*.tea", "path": "src/mugs"}),
        ("search the Mugs folder recursively for files matching *.tea", {"pattern": "*.tea", "path": "Mugs"}),
        ("find all *.tea files modified within the last 3 days", {"pattern": "*.tea", "newer": "3d"}),
        ("find all files on drive D with the extension tea", {"pattern": "*.tea", "path": "."}),
    ],
)
def test_searches_of_other_forms_are_understood(utterance: str, params: dict[str, Any]) -> None:
    assert list_steps(utterance) == [("find", params)]


@each_case(
    "utterance",
    [
        "find all files bigger than 10 MB in Documents",
        "find all empty files in Documents",
        "find all large tea files named *.tea in Documents",
        "find all files in Documents not ending in .tea",
        "find all files named *.tea except the first",
        "find all files owned by Ada named *.tea in Documents",
        "find all *.tea files (not the big ones) in Documents",
        "find the ten files named *.tea in Documents",
        "find all *.tea files and delete them",
        "find the file menu",
        "display the folder icon",
        "find all executable files in Documents",
        "find all *.tea files in Ada's home directory",
    ],
)
def test_what_leaves_some_of_the_files_out_is_refused(utterance: str) -> None:
    assert list_steps(utterance) is None


@pytest.mark.parametrize(
    "said",
    [
        "forcefully delete a.txt",
        "delete a.txt without prompting",
        "force delete a.txt",
        "verbosely delete a.txt without asking for confirmation",
        "delete a.txt forcefully",
    ],
)
def test_words_that_say_nothing_about_what_is_done_are_dropped(said: str) -> None:
    assert list_steps(said) == [("delete", {"object_type": "file", "name": "a.txt"})]


@pytest.mark.parametrize(
    ("utterance", "step"),
    [
        ("recursively delete the folder Mugs", ("delete", {"object_type": "folder", "name": "Mugs"})),
        ("delete the folder Mugs and everything in it", ("delete", {"object_type": "folder", "name": "Mugs"})),
        (
            "remove all empty folders named tea* in Documents",
            ("delete", {"object_type": "folder", "name": "documents:/tea*", "only_empty": True}),
        ),
        (
            "make directories a/b/c, creating parents as needed",
            ("create", {"object_type": "folder", "name": "a/b/c", "exist_ok": True}),
        ),
        (
            "create the folder a/b and do not fail if it already exists",
            ("create", {"object_type": "folder", "name": "a/b", "exist_ok": True}),
        ),
        (
            'create intermediate directories "a" and "b" as needed and directory "c"',
            ("create", {"object_type": "folder", "name": "a/b/c", "exist_ok": True}),
        ),
        ("compress notes.txt", ("zip", {"source": "notes.txt"})),
        ("unzip all files matching tea/*.zip", ("unzip", {"source": "tea/*.zip"})),
    ],
)
def test_what_is_said_beside_an_act_on_files_is_understood(utterance: str, step: Step) -> None:
    assert list_steps(utterance) == [step]


@each_case(
    "utterance",
    [
        "interactively delete a.txt",
        "delete a.txt without moving it to the trash",
        "recursively delete all *.tea files",
        "delete *.tea recursively",
        "delete the folder Mugs recursively but keep a.txt",
        "delete the folder Mugs without its contents",
        "recursively delete my documents folder",
        "delete the home folder and everything in it",
        "delete the current directory recursively",
        "remove all empty folders",
        "remove every empty folder named *",
        "copy a.txt to b.txt without asking Ada",
        "recursively copy all *.tea files to Documents",
        "copy a.txt to b.txt only if it is newer",
        "unzip a.zip in Documents",
    ],
)
def test_what_changes_the_act_on_files_is_refused(utterance: str) -> None:
    assert list_steps(utterance) is None
