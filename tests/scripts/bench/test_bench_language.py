"""What the benchmark of the language reports, of sentences of our own."""

import json
import random
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.language.interpreter import GrammarInterpreter
from scripts.benchmarks.language import Read as ReadSentence
from scripts.benchmarks.language import add_up, list_changes, print_changes, print_sets, write_details
from scripts.benchmarks.sentences.against import describe_differences, judge_with
from scripts.benchmarks.sentences.labels import Labelled, is_closed, judge, read_labelled
from scripts.benchmarks.sentences.perturbing import MAKERS, TALK, WORDS, ends_with_open_text, perturb

ROOT = Path(__file__).resolve().parents[3]
INTERPRETER = GrammarInterpreter()


def label(text: str, verb: str = "", **params: Any) -> Labelled:
    domain, _, name = verb.partition(".")
    goals = ({"domain": domain, "verb": name, "params": params},) if verb else ()
    return Labelled(text, goals, "ours", "ours")


LOWER = label("turn the volume in the kitchen down", "audio.volume_down", device="kitchen")
SENTENCES = (
    LOWER,
    label("delete the folder 'My, own'", "file.delete", path="My, own"),
    label("search for mugs", "browser.search", query="mugs"),
    label("no, that's wrong", "control.deny"),
    label("don't mute the sound, please", "audio.mute"),
    label("find all files named a.txt in the current folder", "file.find", pattern="a.txt"),
    label("what's the weather like"),
    label("mute the flowers"),
    *(label(f"set the volume to {level}", "audio.set_volume", level=level) for level in range(20, 40)),
)


def read_all(sentences: Sequence[Labelled] = SENTENCES) -> list[ReadSentence]:
    return [ReadSentence(sentence, judge(INTERPRETER, sentence)) for sentence in sentences]


def test_every_perturbation_has_something_to_change_and_does_it_the_same_way_each_time() -> None:
    for kind in MAKERS:
        made = [perturb(sentence, kind) for sentence in SENTENCES]
        assert any(made), kind
        random.seed(0)
        assert made == [perturb(sentence, kind) for sentence in SENTENCES]


@pytest.mark.parametrize("kind", MAKERS)
def test_what_is_meant_literally_stands_in_every_perturbed_sentence(kind: str) -> None:
    for sentence, literal in ((SENTENCES[1], "'My, own'"), (SENTENCES[5], "a.txt"), (SENTENCES[8], "20")):
        changed = perturb(sentence, kind)
        assert changed is None or literal in changed.text


def test_a_place_moves_to_the_front_and_a_particle_to_its_verb() -> None:
    changed = perturb(SENTENCES[5], "order")
    assert changed
    assert changed.text == "in the current folder, find all files named a.txt"
    changed = perturb(label("turn the volume down", "audio.volume_down"), "order")
    assert changed
    assert changed.text == "turn down the volume"


def test_nothing_is_said_behind_a_text_without_quotes_because_it_would_belong_to_it() -> None:
    assert ends_with_open_text(SENTENCES[2])
    assert perturb(SENTENCES[2], "talk behind") is None
    assert not ends_with_open_text(label('search for "mugs"', "browser.search", query="mugs"))
    assert not ends_with_open_text(LOWER)


def test_there_is_talk_enough_and_none_of_it_twice() -> None:
    talk = [*WORDS["front"], *WORDS["request"], *WORDS["behind"], *WORDS["hesitations"], *WORDS["asides"]]
    assert len(talk) >= 60
    assert all(
        len(WORDS[name]) == len(set(WORDS[name])) for name in ("front", "request", "behind", "hesitations", "asides")
    )


def test_a_perturbed_sentence_is_compared_with_its_reading_before() -> None:
    changes = list_changes(INTERPRETER, read_all())
    assert {change.kind for change in changes} == set(MAKERS)
    by_case = [change for change in changes if change.kind == "letter case" and change.before.sentence == LOWER]
    assert [change.is_changed for change in by_case] == [False]
    unmeant = {change.kind for change in changes if not change.before.sentence.goals}
    assert unmeant == {*TALK, "letter case"}
    assert not any(change.before.sentence.text == "don't mute the sound, please" for change in changes)


def test_shares_are_of_what_is_meant_and_of_what_is_not() -> None:
    figures = add_up(read_all([LOWER, SENTENCES[4], SENTENCES[6]]))
    assert figures == {
        "verb_accuracy": 0.5,
        "argument_accuracy": 1.0,
        "wrong_executions": 0.0,
        "false_executions": 0.0,
    }


def test_no_closed_sentence_is_printed_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    closed = [sentence for sentence in SENTENCES if is_closed(sentence.text)]
    assert closed
    assert len(closed) < len(SENTENCES)
    read = read_all()
    changes = list_changes(INTERPRETER, read)
    assert any(change.before.sentence.is_closed for change in changes)
    assert all(change.after.sentence.is_closed == change.before.sentence.is_closed for change in changes)
    print_sets(read)
    print_changes(changes)
    write_details(read, changes, tmp_path / "details.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "details.jsonl").read_text(encoding="utf-8").splitlines()]
    hidden = {sentence.text for sentence in closed} | {
        change.after.sentence.text for change in changes if change.before.sentence.is_closed
    }
    assert {line["text"] for line in lines}.isdisjoint(hidden)
    assert len([line for line in lines if line["perturbed"] == "as it stands"]) == len(SENTENCES) - len(closed)
    printed = capsys.readouterr().out
    assert not any(text in printed for text in hidden)


def test_a_file_of_labelled_sentences_is_read_and_a_missing_one_is_told(tmp_path: Path) -> None:
    line = {"id": "1", "text": "mute", "goals": [{"domain": "audio", "verb": "mute", "params": {}}], "set": "ours"}
    file = tmp_path / "mine.jsonl"
    file.write_text(json.dumps(line) + "\n\n", encoding="utf-8")
    assert [(each.text, each.verbs, each.file) for each in read_labelled(file)] == [("mute", ["audio.mute"], "mine")]
    with pytest.raises(SystemExit, match=r"missing\.jsonl"):
        read_labelled(tmp_path / "missing.jsonl")


def test_another_version_is_compared_and_of_closed_sentences_only_numbers_are_told() -> None:
    sentences = [("mute", False), ("go back", False), ("hush", False), ("secret", True), ("same", False)]
    before = [("right", "audio.mute"), ("refused", ""), ("right", ""), ("right", "x.y"), ("right", "a.b")]
    after = [("refused", ""), ("right", "browser.back"), ("false", "audio.mute"), ("refused", ""), ("right", "a.b")]
    assert describe_differences(sentences, before, after) == [
        "3 open sentences are read otherwise:",
        "  right → false        hush | refused → audio.mute",
        "  right → refused      mute | audio.mute → refused",
        "  refused → right      go back | refused → browser.back",
        "Of the closed ones, right → refused: 1.",
    ]


def test_the_language_of_another_version_is_asked_in_a_process_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "ours.jsonl"
    goals = [{"domain": "audio", "verb": "mute", "params": {}}]
    file.write_text(json.dumps({"text": "mute", "goals": goals}) + "\n", encoding="utf-8")
    repository = tmp_path / "checkout"
    shutil.copytree(ROOT / "core", repository / "core", ignore=shutil.ignore_patterns("__pycache__"))
    for words in (repository / "core" / "language" / "english").glob("*.phrases"):
        words.write_text(
            words.read_text(encoding="utf-8").replace("== audio.mute", "== audio.unmute"), encoding="utf-8"
        )
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *command], cwd=repository, check=True)
    assert judge_with("HEAD", [file], repository) == [("wrong", "audio.unmute")]
    with pytest.raises(SystemExit, match="no version nowhere"):
        judge_with("nowhere", [file], repository)
