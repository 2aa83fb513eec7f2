"""What "it" and the like stand for: the most recent thing of a fitting kind; and what destroys a thing asks where that isn't sure."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.language.interpreter import GrammarInterpreter
from core.language.talk.answers import Remark
from core.language.talk.dialogue import Dialogue
from core.rules.rule_types import list_destroyed
from tests.cases import each_case

DESTROYED = list_destroyed(PLANNER_RULES)
INTERPRETER = GrammarInterpreter(destroyed=DESTROYED)
GERMAN = GrammarInterpreter("de", destroyed=DESTROYED)
Goal = tuple[str, dict[str, Any]]


def talk(
    *utterances: str, interpreter: GrammarInterpreter = INTERPRETER, is_done: bool = True
) -> tuple[Dialogue, Remark]:
    """Return the dialogue behind these utterances, all goals of which were carried out, and the last remark."""
    dialogue = Dialogue(interpreter)
    remark = dialogue.hear(utterances[0])
    for utterance in utterances[1:]:
        dialogue.settle(remark.interpretation, is_done=is_done)
        remark = dialogue.hear(utterance)
    return dialogue, remark


def find_last(remark: Remark) -> Goal | None:
    meta_goal = remark.interpretation.meta_goal
    return (meta_goal.goals[-1].name, dict(meta_goal.goals[-1].params)) if meta_goal else None


def list_choices(remark: Remark) -> list[str]:
    refusal = remark.interpretation.refusal
    assert refusal is not None
    assert refusal.code == "ambiguous"
    assert refusal.question
    return [choice.name for choice in refusal.choices]


@each_case(
    ("utterance", "goal"),
    [
        ("open Firefox and close it", ("system.close", {"app": "Firefox"})),
        ("launch Foo and minimize it", ("desktop.minimize", {"window": "Foo"})),
        ("open Firefox and force quit it", ("system.kill", {"app": "Firefox"})),
        ("focus the editor and close it", ("desktop.close_window", {"window": "editor"})),
        ('focus the editor, type "x" and minimize it', ("desktop.minimize", {"window": "editor"})),
        ("click Save and click it again", ("browser.click", {"selector": 'control "Save"'})),
        ("hover over the File menu and click it", ("browser.click", {"selector": 'menu "File"'})),
        ("check the Terms box and uncheck it", ("browser.check", {"selector": 'checkbox "Terms"', "checked": False})),
        ('type "x" into the Name field and clear it', ("browser.type", {"selector": 'field "Name"', "text": ""})),
        ("mute Spotify and unmute it", ("audio.unmute", {"app": "Spotify"})),
        ("mute Firefox and turn it up", ("audio.volume_up", {"app": "Firefox"})),
        ("pause Spotify and turn it down", ("audio.volume_down", {"app": "Spotify"})),
        ("set the volume of the kitchen speaker to 20 and mute it", ("audio.mute", {"device": "kitchen"})),
        ("mute VLC and pause it", ("media.pause", {"player": "VLC"})),
        ("open a new tab and close it", ("browser.close_tab", {})),
        ("switch to the next tab and close it", ("browser.close_tab", {})),
        ("create a folder Mugs and open it", ("file.open", {"path": "Mugs"})),
        ("create a folder Mugs, create a file a.txt in it and open it", ("file.open", {"path": "Mugs/a.txt"})),
        ("rename the Mugs folder to Cups and delete it", ("file.delete", {"object_type": "folder", "name": "Cups"})),
        ("delete a.txt and restore it", ("file.restore", {"path": "a.txt"})),
        (
            "create a folder Mugs, create a file a.txt in it and delete that folder",
            ("file.delete", {"object_type": "folder", "name": "Mugs"}),
        ),
        (
            "create a folder Mugs, create a file a.txt in it and delete that file",
            ("file.delete", {"object_type": "file", "name": "Mugs/a.txt"}),
        ),
        (
            "move a.txt to the folder Mugs and delete that folder",
            ("file.delete", {"object_type": "folder", "name": "Mugs"}),
        ),
        (
            "zip a.txt into a.zip and move it to Documents",
            ("file.move", {"source": "a.zip", "destination": "documents:/"}),
        ),
        (
            "create the files a.txt and b.txt and move them to Documents",
            ("file.move", {"source": ["a.txt", "b.txt"], "destination": "documents:/"}),
        ),
        (
            "zip a.txt and b.txt into c.zip and move those files to Documents",
            ("file.move", {"source": ["a.txt", "b.txt"], "destination": "documents:/"}),
        ),
        (
            "zip notes.txt and move it to Documents",
            ("file.move", {"source": "notes.txt.zip", "destination": "documents:/"}),
        ),
        ("zip the Mugs folder and rename it to old.zip", ("file.rename", {"source": "Mugs.zip", "target": "old.zip"})),
        ("unzip a.zip into the folder Mugs and open it", ("file.open", {"path": "Mugs"})),
        (
            "unzip a.zip into the folder Mugs and move it to Documents",
            ("file.move", {"source": "Mugs", "destination": "documents:/"}),
        ),
        ("unzip a.zip and put it in Documents", ("file.unzip", {"source": "a.zip", "destination": "documents:/"})),
        (
            "unzip a.zip, then move the files to Documents",
            ("file.unzip", {"source": "a.zip", "destination": "documents:/"}),
        ),
        (
            "unzip a.zip and delete that file",
            ("file.delete", {"object_type": "file", "name": "a.zip"}),
        ),
        ("download the report to r.pdf and open it", ("file.open", {"path": "r.pdf"})),
        (
            "take a screenshot called s.png and move it to Documents",
            ("file.move", {"source": "s.png", "destination": "documents:/"}),
        ),
        ("open Firefox, take a screenshot and close it", ("system.close", {"app": "Firefox"})),
        ("copy a.txt and call it b.txt", ("file.copy", {"source": "a.txt", "destination": "b.txt"})),
        ("zip a.txt and save it as b.zip", ("file.zip", {"source": "a.txt", "destination": "b.zip"})),
    ],
)
def test_it_is_the_most_recent_thing_that_the_verb_fits(utterance: str, goal: Goal) -> None:
    assert find_last(talk(utterance)[1]) == goal


@each_case(
    ("utterance", "choices"),
    [
        (
            'create a folder called Mugs, create a file a.txt in it, write "tea" to it and delete it',
            ["the file a.txt", "the folder Mugs"],
        ),
        ("create a folder Mugs, create a folder Cups and delete it", ["the folder Cups", "the folder Mugs"]),
        ('write "x" to a.txt, write "y" to b.txt and write "z" to it', ["the file b.txt", "the file a.txt"]),
        ("zip a.txt into a.zip and permanently delete it", ["the file a.zip", "the file a.txt"]),
        ("copy a.txt to Documents and delete it", ["the file a.txt", "the file documents:/a.txt"]),
        ("copy a.txt to Documents and rename it to b.txt", ["the file a.txt", "the file documents:/a.txt"]),
        ("open a new tab, open Firefox and close it", ["the app Firefox", "the tab"]),
        ("focus the editor, focus the calculator and close it", ["the window calculator", "the window editor"]),
        ("create a file a.txt, open example.com and delete it", ["the file a.txt"]),
        ("create a file a.txt, mute Spotify and delete it", ["the file a.txt"]),
        ("zip a.txt and delete it", ["the file a.txt.zip", "the file a.txt"]),
    ],
)
def test_what_destroys_a_thing_asks_where_it_may_be_another(utterance: str, choices: list[str]) -> None:
    dialogue, remark = talk(utterance)
    assert list_choices(remark) == choices
    meant = find_last(dialogue.hear(choices[0]))
    assert meant is not None
    assert meant[0].split(".")[1] in {"delete", "write", "purge", "rename", "close", "close_tab", "close_window"}


@pytest.mark.parametrize(
    ("utterance", "choices"),
    [
        ("unzip a.zip and open it", ["the file a.zip"]),
        ("unzip a.zip into Documents and move it to Downloads", ["the file a.zip"]),
        ("unzip a.zip and delete it", ["the file a.zip"]),
        ("take a screenshot and move it to Documents", []),
        ("open a.txt, take a screenshot and move it to Documents", ["the file a.txt"]),
        ("open example.com, save the page as a PDF and rename it to p.pdf", []),
    ],
)
def test_what_is_made_without_a_name_is_never_taken_for_something_else(utterance: str, choices: list[str]) -> None:
    _, remark = talk(utterance)
    refusal = remark.interpretation.refusal
    assert refusal is not None
    assert refusal.code == "ambiguous"
    assert [choice.name for choice in refusal.choices] == choices
    assert "no name yet" in refusal.message


def test_files_and_their_copies_are_not_taken_together() -> None:
    assert find_last(talk("copy a.txt and b.txt to Documents and zip them into c.zip")[1]) is None
    _, remark = talk("move a.txt and b.txt to Documents and zip them into c.zip")
    assert find_last(remark) == (
        "file.zip",
        {"source": ["documents:/a.txt", "documents:/b.txt"], "destination": "c.zip"},
    )


@pytest.mark.parametrize(
    "between", [("mute",), ("open example.com", "mute", "what time is it"), ("blorp the zonk",), ("list my open tabs",)]
)
def test_a_thing_that_is_not_of_the_last_request_is_asked_about_before_it_is_destroyed(
    between: tuple[str, ...],
) -> None:
    dialogue, asked = talk("create a folder called Mugs", *between, "delete it")
    assert list_choices(asked) == ["the folder Mugs"]
    agreed = dialogue.hear("yes")
    assert agreed.is_answer
    assert find_last(agreed) == ("file.delete", {"object_type": "folder", "name": "Mugs"})


def test_a_no_to_the_one_thing_that_was_asked_about_ends_it() -> None:
    dialogue, _ = talk("create a folder called Mugs", "mute", "delete it")
    denied = dialogue.hear("no")
    assert denied.interpretation.control is not None
    assert dialogue.question is None


def test_what_takes_nothing_away_may_be_about_a_thing_of_long_ago() -> None:
    _, remark = talk("create a file called a.txt", "mute", "what time is it", "rename it to b.txt")
    assert find_last(remark) == ("file.rename", {"source": "a.txt", "target": "b.txt"})


def test_what_failed_was_spoken_of_and_is_asked_about() -> None:
    dialogue = Dialogue(INTERPRETER)
    dialogue.settle(dialogue.hear("create a folder called Mugs").interpretation)
    dialogue.settle(dialogue.hear("open the file b.txt").interpretation, is_done=False)
    assert list_choices(dialogue.hear("delete it")) == ["the file b.txt"]


def test_of_two_requests_only_the_last_one_counts() -> None:
    _, remark = talk("create a folder called Mugs", "create a file a.txt in it", "delete it")
    assert find_last(remark) == ("file.delete", {"object_type": "file", "name": "Mugs/a.txt"})


@pytest.mark.parametrize("said", ["delete it", "open it", "restore it", "rename it to b.txt"])
def test_what_was_taken_away_is_only_brought_back(said: str) -> None:
    _, remark = talk("create a file a.txt", "delete a.txt", said)
    expected = ("file.restore", {"path": "a.txt"}) if said == "restore it" else None
    assert find_last(remark) == expected


def test_what_lay_in_a_folder_is_gone_with_it() -> None:
    assert find_last(talk("create a file a.txt in the folder Mugs, delete the folder Mugs and open it")[1]) is None


@pytest.mark.parametrize(
    "utterance", ["delete it", "close it", "mute the sound and delete it", "click Save and fill it with x", "open it"]
)
def test_where_nothing_fitting_was_spoken_of_it_means_nothing(utterance: str) -> None:
    assert find_last(talk(utterance)[1]) is None


@pytest.mark.parametrize("path", ["Documents", "the desktop", "drive D", "the home folder"])
def test_a_known_folder_is_never_what_is_taken_away(path: str) -> None:
    assert find_last(talk(f"move a.txt to {path}", "delete that folder")[1]) is None


@pytest.mark.parametrize(
    ("utterances", "goal"),
    [
        (
            ("erstelle einen Ordner Tassen", "lösche ihn"),
            ("file.delete", {"object_type": "folder", "name": "Tassen"}),
        ),
        (
            ("erstelle einen Ordner Tassen", "erstelle eine Datei notiz.txt", "lösche sie"),
            ("file.delete", {"object_type": "file", "name": "notiz.txt"}),
        ),
        (("öffne Firefox und schließe es",), ("system.close", {"app": "Firefox"})),
    ],
)
def test_german_words_stand_for_what_their_gender_fits(utterances: tuple[str, ...], goal: Goal) -> None:
    assert find_last(talk(*utterances, interpreter=GERMAN)[1]) == goal


def test_german_asks_as_well() -> None:
    dialogue, asked = talk("erstelle einen Ordner Tassen", "minimiere das Fenster", "lösche ihn", interpreter=GERMAN)
    assert list_choices(asked) == ["den Ordner Tassen"]
    assert find_last(dialogue.hear("ja")) == ("file.delete", {"object_type": "folder", "name": "Tassen"})


def test_without_the_rules_every_verb_may_destroy() -> None:
    cautious = GrammarInterpreter()
    assert find_last(talk("zip a.txt into a.zip and move it to Documents", interpreter=cautious)[1]) is None


@given(
    st.lists(st.sampled_from(["folder Mugs", "folder Cups", "file a.txt", "file b.txt"]), min_size=1, max_size=4),
    st.lists(st.sampled_from(["mute", "open example.com", "what time is it"]), max_size=2),
)
def test_nothing_but_the_one_thing_of_the_last_request_is_deleted_unasked(made: list[str], between: list[str]) -> None:
    utterance = "; ".join(f"create a {each}" for each in made)
    dialogue, remark = talk(utterance, *between, "delete it")
    if len(set(made)) == 1 and not between:
        kind, name = made[0].split()
        assert find_last(remark) == ("file.delete", {"object_type": kind, "name": name})
    else:
        assert find_last(remark) is None
        names = {f"the {each}" for each in made}
        assert set(list_choices(remark)) == names
        assert dialogue.question is not None


@given(st.text(alphabet="ab \"'“”`{}.", min_size=1, max_size=8).filter(str.strip))
def test_a_name_is_asked_about_only_where_the_answer_means_exactly_it(name: str) -> None:
    quoted = next((f"{a}{name}{b}" for a, b in ("“”", "«»") if a not in name and b not in name), None)
    if quoted is None:
        return
    made = INTERPRETER.interpret(f"create a folder {quoted}").meta_goal
    dialogue, asked = talk(f"create a folder {quoted}", "mute", "delete it")
    if made is None or asked.interpretation.meta_goal is not None or not dialogue.question:
        return
    agreed = find_last(dialogue.hear("yes"))
    assert agreed is None or agreed == ("file.delete", {"object_type": "folder", "name": made.goals[0].params["name"]})
