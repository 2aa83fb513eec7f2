"""Outlines in files: only an outline is taken for one, and nothing else is overwritten."""

import sys
from pathlib import Path
from typing import Any

import pytest

from agent.cli.kept_outlines import check_same_look, keep_outline, read_outline
from core.base.errors import InputError

LINES = [
    {"text": "# Basket"},
    {"text": '  checkbox "Milk" # not ticked', "selector": 'checkbox "Milk"'},
    {"text": '  button "Buy"', "selector": 'button "Buy"'},
    {"text": "- 2 things"},
]


def test_an_outline_is_read_as_it_was_kept_and_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "before.json"
    keep_outline(path, {"lines": LINES, "scope": None})
    assert read_outline(path) == {"surehand_outline": 1, "lines": LINES, "scope": None}
    assert sys.platform == "win32" or path.stat().st_mode & 0o777 == 0o600


def test_an_outline_takes_the_place_of_an_earlier_one_and_of_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "before.json"
    keep_outline(path, {"lines": []})
    keep_outline(path, {"lines": LINES})
    assert read_outline(path)["lines"] == LINES
    path.write_text('{"lines": []}', encoding="utf-8")
    with pytest.raises(InputError, match=r"already exists and is not an outline\.") as caught:
        keep_outline(path, {"lines": LINES})
    assert caught.value.code == "file_exists"
    assert path.read_text(encoding="utf-8") == '{"lines": []}'


def test_an_outline_needs_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        keep_outline(tmp_path / "nowhere" / "before.json", {"lines": []})


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is not JSON"),
        (b"\xff\xfe", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b"[]", "it lacks surehand_outline"),
        (b'{"lines": []}', "it lacks surehand_outline"),
        (b'{"surehand_outline": 2, "lines": []}', r"it is of another version \(2, not 1\)"),
        (b'{"surehand_outline": 1}', "it lacks the list of lines"),
        (b'{"surehand_outline": 1, "lines": ["a"]}', "it lacks the list of lines"),
        (b'{"surehand_outline": 1, "lines": [{"text": 1}]}', "it lacks the list of lines"),
    ],
)
def test_what_is_not_an_outline_is_told_with_the_reason(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"x.json is not an outline: {why}") as caught:
        read_outline(path)
    assert caught.value.code == "not_an_outline"


def test_a_missing_file_says_how_to_keep_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be read") as caught:
        read_outline(tmp_path / "x.json")
    assert (caught.value.code, "--output" in caught.value.hint) == ("file_unreadable", True)


def test_a_folder_is_not_an_outline(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_outline(tmp_path)


def test_outlines_of_different_parts_are_not_compared() -> None:
    before: dict[str, Any] = {"scope": 'table "Users"', "depth": None, "find": None}
    check_same_look(before, dict(before), Path("a.json"))
    with pytest.raises(InputError, match=r'a\.json was kept with --scope table "Users"\.'):
        check_same_look(before, {**before, "scope": None}, Path("a.json"))
    with pytest.raises(InputError, match=r"a\.json was kept with no --find\."):
        check_same_look(before, {**before, "find": "tea"}, Path("a.json"))
