"""Outlines in files: only an outline is taken for one, and nothing else is overwritten."""

from pathlib import Path
from typing import Any

import pytest

from agent.cli.kept_outlines import check_place, check_same_look, read_outline, write_outline
from core.base.errors import InputError

LINES = [
    {"text": "# Basket"},
    {"text": '  checkbox "Milk" # not ticked', "selector": 'checkbox "Milk"'},
    {"text": '  button "Buy"', "selector": 'button "Buy"'},
    {"text": "- 2 things"},
]


def keep(path: Path, lines: list[dict[str, str]]) -> None:
    check_place(path)
    path.write_bytes(write_outline({"lines": lines, "scope": None}))


def test_an_outline_is_read_as_it_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "before.json"
    keep(path, LINES)
    assert read_outline(path) == {"surehand_outline": 1, "lines": LINES, "scope": None}


def test_an_outline_takes_the_place_of_an_earlier_one_and_of_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "before.json"
    keep(path, [])
    keep(path, LINES)
    assert read_outline(path)["lines"] == LINES
    path.write_text('{"lines": []}', encoding="utf-8")
    with pytest.raises(InputError, match=r"already exists and is not an outline\.") as caught:
        check_place(path)
    assert caught.value.code == "file_exists"


def test_an_outline_needs_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        check_place(tmp_path / "nowhere" / "before.json")


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
