"""A third language by the recipe in CONTRIBUTING: the files that it shows are all that one has to write."""

import re
from pathlib import Path

import pytest

from core.base.errors import TableError
from core.language.grammars.grammar import Grammar
from core.language.interpreter import GrammarInterpreter
from core.language.talk.languages import read_language

ROOT = Path(__file__).parents[3]
FILE = re.compile(r"```\w+\n# (?P<name>dutch/[\w.]+)\n(?P<text>.*?)```", re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What the recipe shows, as files."""
    (tmp_path / "dutch").mkdir()
    for shown in FILE.finditer((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")):
        (tmp_path / shown["name"]).write_text(shown["text"], encoding="utf-8")
    return tmp_path


def read(folder: Path) -> Grammar:
    return read_language("dutch", lambda name: (folder / name).read_text(encoding="utf-8"))


def understand(grammar: Grammar, sentence: str) -> list[tuple[str, dict[str, object]]]:
    meta_goal = GrammarInterpreter(grammar).interpret(sentence).meta_goal
    return [(goal.name, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else []


def test_the_recipe_shows_the_two_files_to_begin_with(folder: Path) -> None:
    assert {each.name for each in (folder / "dutch").iterdir()} == {"words.toml", "sound.phrases"}


def test_every_example_of_the_recipe_is_understood_as_it_says(folder: Path) -> None:
    grammar = read(folder)
    examples = [
        (verb.name, phrase, text) for verb in grammar.verbs for phrase in verb.phrases for text in phrase.examples
    ]
    assert len(examples) > 2
    for name, phrase, text in examples:
        assert understand(grammar, text) == [(name, dict(phrase.examples[text]))]


def test_steps_fillers_and_the_verb_at_the_end_work_in_a_language_of_the_recipe(folder: Path) -> None:
    grammar = read(folder)
    assert [name for name, _ in understand(grammar, "zet het volume op tien en zet het geluid uit")] == [
        "audio.set_volume",
        "audio.mute",
    ]
    assert understand(grammar, "Het volume op 10 zetten, alsjeblieft.") == [("audio.set_volume", {"level": 10})]


@pytest.mark.parametrize(
    "sentence",
    ["zet het volume niet op 20", "zet het geluid morgen uit", "waarom het volume op 20 zetten", "turn the sound off"],
)
def test_what_the_recipe_bars_is_refused(folder: Path, sentence: str) -> None:
    assert understand(read(folder), sentence) == []


def test_a_mistake_in_a_file_is_named_with_its_file(folder: Path) -> None:
    (folder / "dutch/words.toml").write_text("language = ", encoding="utf-8")
    with pytest.raises(TableError, match=r"dutch/words\.toml"):
        read(folder)
