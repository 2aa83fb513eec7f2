"""Outlines in files: only an outline is taken for one, nothing else is overwritten, and what changed is told."""

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.cli.kept_outlines import check_same_look, compare_lines, keep_outline, read_outline
from core.base.errors import InputError

LINES = [
    {"text": "# Basket"},
    {"text": '  checkbox "Milk" # not ticked', "selector": 'checkbox "Milk"'},
    {"text": '  button "Buy"', "selector": 'button "Buy"'},
    {"text": "- 2 things"},
]
SOME_LINES = st.lists(
    st.builds(
        lambda selector, facts, spaces: {
            "text": f"{' ' * spaces}{selector}{f' # {facts}' if facts else ''}",
            "selector": selector,
        },
        st.from_regex(r'button "[a-z]{1,2}"', fullmatch=True),
        st.sampled_from(["", "ticked", 'disabled, = "a # b"']),
        st.integers(0, 4),
    ),
    max_size=8,
)


def tell(before: list[dict[str, str]], after: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(each["change"], each["text"]) for each in compare_lines(before, after)]


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


def test_what_is_new_gone_and_changed_is_told_as_lines() -> None:
    after = [
        {"text": "# Basket"},
        {"text": 'checkbox "Milk" # ticked', "selector": 'checkbox "Milk"'},
        {"text": 'button "Undo" # disabled', "selector": 'button "Undo"'},
        {"text": "- 3 things"},
        {"text": "… 180 more rows like this (scope: table)"},
    ]
    assert tell(LINES, after) == [
        ("changed", 'checkbox "Milk" # ticked, was: not ticked'),
        ("new", 'button "Undo" # disabled, new'),
        ("new", "- 3 things # new"),
        ("gone", 'button "Buy" # gone'),
        ("gone", "- 2 things # gone"),
    ]


def test_a_fact_that_was_not_there_before_was_nothing() -> None:
    after = [{"text": 'button "Buy" # disabled', "selector": 'button "Buy"'}]
    assert tell([LINES[2]], after) == [("changed", 'button "Buy" # disabled, was: nothing')]


def test_one_of_two_texts_that_are_alike_can_be_gone() -> None:
    assert tell([LINES[3], LINES[3]], [LINES[3]]) == [("gone", "- 2 things # gone")]


@given(SOME_LINES)
def test_nothing_has_changed_between_an_outline_and_itself_however_it_is_indented(lines: list[dict[str, str]]) -> None:
    assert tell(lines, [{**each, "text": f"  {each['text'].strip()}"} for each in lines]) == []


@given(SOME_LINES, SOME_LINES)
def test_what_is_new_one_way_is_gone_the_other_way(one: list[dict[str, str]], other: list[dict[str, str]]) -> None:
    def pick(change: str, lines: list[dict[str, str]]) -> list[str]:
        return sorted(each["selector"] for each in lines if each["change"] == change)

    there, back = list(compare_lines(one, other)), list(compare_lines(other, one))
    assert pick("new", there) == pick("gone", back)
    assert pick("changed", there) == pick("changed", back)
