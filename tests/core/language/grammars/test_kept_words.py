"""What is made of word files is kept while it holds, and made anew when a file or the code that reads it is another."""

import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

from core.language.grammars.grammar import Grammar
from core.language.grammars.kept_words import KeptWords, Reader, find_words
from core.language.talk.control import load_controls
from core.language.talk.languages import FOLDERS, load_file_clauses, load_language, read_language
from core.language.talk.small_talk import load_talk

CODE = ("reading.py",)


class Makers:
    """Makes a list of words of a file, and counts how often."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, read: Reader) -> list[str]:
        self.made += 1
        return read("words/animals.txt").split()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with words and the code that reads them, where bytecode is written."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "animals.txt").write_text("cat dog", encoding="utf-8")
    (tmp_path / "reading.py").write_text("reads\n", encoding="utf-8")
    return tmp_path


def make(folder: Path, makers: Makers) -> list[str]:
    words = KeptWords(f"{folder}/", SourceFileLoader("words", str(folder / "__init__.py")))
    return words.make("words/all", makers, CODE)


def list_kept(folder: Path) -> list[Path]:
    return [*folder.glob("**/__pycache__/*.json")]


def test_what_was_made_is_kept_beside_the_words_and_not_made_again(folder: Path) -> None:
    makers = Makers()
    assert make(folder, makers) == make(folder, makers) == ["cat", "dog"]
    assert makers.made == 1
    assert [kept.parent.parent for kept in list_kept(folder)] == [folder / "words"]


def test_a_changed_word_file_is_taken_though_its_size_and_time_are_the_same(folder: Path) -> None:
    makers = Makers()
    make(folder, makers)
    file = folder / "words" / "animals.txt"
    before = file.stat()
    file.write_text("cow pig", encoding="utf-8")
    assert file.stat().st_size == before.st_size
    assert make(folder, makers) == ["cow", "pig"]


def test_changed_code_reads_the_words_anew(folder: Path) -> None:
    makers = Makers()
    make(folder, makers)
    (folder / "reading.py").write_text("reads otherwise\n", encoding="utf-8")
    make(folder, makers)
    assert makers.made == 2


@pytest.mark.parametrize("damage", [b"", b"{", b"[1, 2]", b'{"made": ["mouse"]}', b"\xff"])
def test_what_is_damaged_is_made_anew(folder: Path, damage: bytes) -> None:
    makers = Makers()
    make(folder, makers)
    list_kept(folder)[0].write_bytes(damage)
    assert make(folder, makers) == make(folder, makers) == ["cat", "dog"]
    assert makers.made == 2


def test_a_word_file_that_is_gone_is_told_and_not_taken_from_what_was_kept(folder: Path) -> None:
    make(folder, Makers())
    (folder / "words" / "animals.txt").unlink()
    with pytest.raises(FileNotFoundError):
        make(folder, Makers())


def test_nothing_is_kept_where_python_writes_no_bytecode(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert make(folder, Makers()) == ["cat", "dog"]
    assert list_kept(folder) == []


def test_nothing_is_kept_where_the_code_that_reads_cannot_be_told(folder: Path) -> None:
    (folder / "reading.py").unlink()
    assert make(folder, Makers()) == ["cat", "dog"]
    assert list_kept(folder) == []


@pytest.mark.parametrize("tag", FOLDERS)
def test_a_language_is_the_same_out_of_its_files_and_out_of_what_was_kept(
    tag: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    loaders = [each.__wrapped__ for each in (load_language, load_controls, load_talk, load_file_clauses)]
    first, second = ([load(tag) for load in loaders] for _ in range(2))
    assert len([*tmp_path.glob("**/*.json")]) == sum(each is not None for each in first)
    assert first[1:] == second[1:]
    fresh = read_language(FOLDERS[tag], find_words().read)
    assert tell(first[0]) == tell(second[0]) == tell(fresh)


def tell(grammar: object) -> tuple[object, ...]:
    """Return all of a grammar; its spellings by what they write."""
    assert isinstance(grammar, Grammar)
    return (*(value for name, value in vars(grammar).items() if name != "spellings"), grammar.spellings.write("öäüß"))
