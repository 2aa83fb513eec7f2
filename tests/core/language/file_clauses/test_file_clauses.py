"""Clauses about files in whatever order and form they are said; the sentences are in `file_sentences.txt`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from actuators.verb_table import PLANNER_RULES
from core.language.grammars.phrase_files import read_params
from core.language.interpreter import GrammarInterpreter
from core.rules.rule_types import list_destroyed
from tests.cases import each_case
from tests.thoroughness import spread

INTERPRETER = GrammarInterpreter(destroyed=list_destroyed(PLANNER_RULES))
Step = tuple[str, dict[str, Any]]
Said = tuple[str, list[Step]]
ODD = "frobnicate"
MOST_GAPS = 200
NOT_ALL = ("not", "don't", "never", "unless", "except")
ACTS = (
    ("delete", "deleted", {"object_type": "file", "name": "a.txt"}),
    ("remove", "removed", {"object_type": "file", "name": "a.txt"}),
    ("discard", "discarded", {"object_type": "file", "name": "a.txt"}),
    ("zip", "zipped", {"source": "a.txt"}),
    ("compress", "compressed", {"source": "a.txt"}),
)


def read_sentences() -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    section: list[str] = []
    for line in Path(__file__).with_name("file_sentences.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            section = sections.setdefault(line.removeprefix("== "), [])
        elif line and not line.startswith("#"):
            section.append(line)
    return sections


def read_said(line: str) -> Said:
    sentence, _, goals = line.partition(" -> ")
    parts = [goal.partition(" ") for goal in goals.split("; ")]
    return sentence, [(verb, read_params(params)) for verb, _, params in parts]


SENTENCES = read_sentences()
REFUSED = SENTENCES["refused"]
UNDERSTOOD = [read_said(line) for name, lines in SENTENCES.items() if name != "refused" for line in lines]


def list_steps(utterance: str) -> list[Step] | None:
    meta_goal = INTERPRETER.interpret(utterance).meta_goal
    return [(goal.verb, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else None


def list_gaps(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield what stands in front of and behind each gap of a sentence outside of its quotes."""
    for number, char in enumerate(sentence):
        if char == " " and sentence[:number].count('"') % 2 == 0:
            yield sentence[:number], sentence[number:]


GAPS = [gap for sentence, _ in UNDERSTOOD for gap in list_gaps(sentence)]


@each_case(("utterance", "steps"), UNDERSTOOD)
def test_what_is_said_about_files_means_the_same_in_any_order_and_form(utterance: str, steps: list[Step]) -> None:
    assert list_steps(utterance) == steps


@each_case("utterance", REFUSED)
def test_what_is_not_wholly_understood_or_names_too_much_is_refused(utterance: str) -> None:
    assert list_steps(utterance) is None


@each_case(("front", "behind"), spread(GAPS, MOST_GAPS))
def test_an_unknown_word_never_goes_unnoticed(front: str, behind: str) -> None:
    found = list_steps(f"{front} {ODD}{behind}")
    assert found is None or ODD in str(found)


@pytest.mark.parametrize("word", NOT_ALL)
@each_case(("front", "behind"), spread(GAPS, MOST_GAPS))
def test_no_word_of_refusal_is_passed_over(word: str, front: str, behind: str) -> None:
    said = f"{front} {word}{behind}"
    goals = INTERPRETER.interpret(said).meta_goal
    is_left_out = word == "except" and goals is not None and all("!{" in str(goal.params) for goal in goals.goals)
    is_of_any_words = goals is not None and [goal.name for goal in goals.goals] == ["browser.search"]
    is_turned = goals is not None and "not older than" in said and all("newer" in goal.params for goal in goals.goals)
    assert goals is None or is_left_out or is_of_any_words or is_turned


@pytest.mark.parametrize(
    ("utterance", "words"),
    [
        ("delete all files in Downloads larger than 10 MB", "size"),
        ("which files in Documents are bigger than 1GB", "size"),
        ("move the biggest videos in Downloads to Documents", "size"),
        ("delete all pdf files older than 30 days", "find"),
        ("move all pdf files changed in the last 3 days to Documents", "find"),
        ('delete all files ending in .txt containing "draft"', "find"),
        ("delete the oldest files in Downloads", "newest"),
    ],
)
def test_what_a_verb_cannot_be_told_is_said(utterance: str, words: str) -> None:
    refusal = INTERPRETER.interpret(utterance).refusal
    assert refusal is not None
    assert refusal.code == "not_supported_here"
    assert words in refusal.message


@pytest.mark.parametrize(("verb", "done", "params"), ACTS)
@pytest.mark.parametrize(
    "frame",
    [
        *("{verb} a.txt", "please {verb} the file a.txt", "I want a.txt {done}", "I'd like the file a.txt {done}"),
        *("a.txt should be {done}", "a.txt needs to be {done}", "the file a.txt has to be {done}", "have a.txt {done}"),
        *("get a.txt {done}", "could you {verb} a.txt for me", "can you get a.txt {done}"),
    ],
)
def test_an_act_is_known_in_every_form_and_construction(
    verb: str, done: str, params: dict[str, Any], frame: str
) -> None:
    goals = list_steps(frame.format(verb=verb, done=done))
    assert [found for _, found in goals or ()] == [params]


@pytest.mark.parametrize(
    "utterance",
    [
        "a.txt was {}",
        "a.txt is {}",
        "a.txt has been {}",
        "I {} a.txt",
        "who {} a.txt",
        "a.txt should be {}?",
        "{} a.txt",
    ],
)
def test_what_was_done_is_no_wish(utterance: str) -> None:
    for done in ("deleted", "removed", "thrown away", "zipped", "moved to Documents"):
        assert list_steps(utterance.format(done)) is None, done
