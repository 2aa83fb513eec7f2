"""Globs: what they match, and that no pattern makes them take long."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from actuators.files.jobs.matches import compile_glob

NAMES = st.text("ab.", min_size=1, max_size=5)
PATHS = st.lists(NAMES, min_size=1, max_size=5).map("/".join)
PATTERNS = st.lists(st.one_of(st.just("**"), st.text("ab.*?", min_size=1, max_size=5)), min_size=1, max_size=5)


def match_names(names: list[str], parts: list[str]) -> bool:
    """Tell whether names match, by trying everything: what the expression has to agree with."""
    if not parts:
        return not names
    if parts[0] == "**":
        if len(parts) == 1:
            return True
        return any(match_names(names[start:], parts[1:]) for start in range(len(names) + 1))
    return bool(names) and match_name(names[0], parts[0]) and match_names(names[1:], parts[1:])


def match_name(name: str, part: str) -> bool:
    if not part:
        return not name
    if part[0] == "*":
        return any(match_name(name[start:], part[1:]) for start in range(len(name) + 1))
    return bool(name) and part[0] in {"?", name[0]} and match_name(name[1:], part[1:])


@given(PATHS, PATTERNS)
@example("a/b/a/b", ["**", "a", "**", "b"])
@example("a/b", ["a", "b", "**", "b"])
@example("abab", ["*ab"])
def test_a_glob_matches_what_trying_every_way_finds(path: str, parts: list[str]) -> None:
    while parts[:-1] and parts[-2:] == ["**", "**"]:
        parts = parts[:-1]
    names = path.split("/")
    expression, _ = compile_glob("/".join(parts), any_case=False)
    wanted = match_names(names, parts)
    if parts[-1] == "**" and len(parts) > 1 and match_names(names, parts[:-1]):
        return  # whether a folder is among what lies below it is for who walks to say
    assert bool(expression.fullmatch(path)) is wanted


@pytest.mark.parametrize(
    "pattern", ["*a" * 60 + "b", "**/a/" * 60 + "b", "*" * 250 + "b", "?*" * 100 + "b", "**/" * 300 + "b"]
)
def test_no_pattern_is_tried_in_more_ways_than_the_name_has_characters(pattern: str) -> None:
    path = "/".join(["a" * 250] + ["a"] * 200)
    expression, whole = compile_glob(pattern, any_case=False)
    # Without atomic groups each of these would take longer than the universe is old.
    assert not expression.fullmatch(path if whole else "a" * 250)
    assert isinstance(expression, re.Pattern)


def test_a_name_may_have_line_ends() -> None:
    expression, _ = compile_glob("a/**", any_case=False)
    assert expression.fullmatch("a/b\nc/d")


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("*.{jpg,JPG,png}", ["a.jpg", "a.JPG", "b.png"], ["a.gif", "a.jpgx", "jpg"]),
        ("{a,b}/*.{c,d}", ["a/x.c", "b/x.d"], ["c/x.c", "a/x.e", "x.c"]),
        ("a{b}c*", ["a{b}cd"], ["abc"]),
        ("!{a.pdf,b*}*.pdf", ["c.pdf", "aa.pdf"], ["a.pdf", "b.pdf", "b1.pdf", "c.txt"]),
        ("!{*.[pP][nN][gG]}*", ["a.txt", "a.png.txt"], ["a.png", "b.PNG"]),
        ("x/!{a}*/y", ["x/b/y", "x/ab/y"], ["x/a/y"]),
        ("**/!{a.txt}*.txt", ["b.txt", "q/b.txt"], ["a.txt", "q/a.txt"]),
        ("{x,y}" * 9, ["{x,y}" * 9], ["x" * 9]),
    ],
)
def test_braces_are_one_of_several_texts_or_what_is_left_out(
    pattern: str, matching: list[str], others: list[str]
) -> None:
    expression, _ = compile_glob(pattern, any_case=False)
    assert [path for path in matching if not expression.fullmatch(path)] == []
    assert [path for path in others if expression.fullmatch(path)] == []


def test_leaving_names_out_takes_no_longer_than_the_name_is() -> None:
    expression, _ = compile_glob("!{" + "*a" * 60 + "b," + "?*" * 100 + "b}" + "*a" * 60 + "b", any_case=False)
    assert not expression.fullmatch("a" * 250)
