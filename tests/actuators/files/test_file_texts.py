"""Texts in files: whatever is read is written back as it was."""

import codecs
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.files.jobs.matches import compile_glob
from actuators.files.jobs.texts import (
    find_newline,
    find_style,
    fit_newlines,
    make_whole_lines,
    read_text,
    render_diff,
    split_lines,
    write_text,
)
from actuators.files.verbs.writing_plans import find_lines, replace_exactly
from core.base.errors import FileError

MARKS = {
    "utf-8": b"",
    "utf-8-sig": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
# NUL right behind the mark of UTF-16 is the mark of UTF-32: no reader can tell them apart.
CHARACTERS = st.characters(exclude_categories=("Cs",), exclude_characters="\x00\ufeff")
TEXTS = st.text(CHARACTERS)
LINES = st.lists(st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufeff")))


def encode(text: str, kind: str) -> bytes:
    return MARKS[kind] + text.encode("utf-8" if kind == "utf-8-sig" else kind)


@given(TEXTS, st.sampled_from(sorted(MARKS)))
def test_bytes_survive_reading_and_writing(text: str, kind: str):
    data = encode(text, kind)
    read = read_text(data, "a.txt")
    assert write_text(read.text, read.style, "a.txt") == data
    assert read.text == text


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(sorted(MARKS)))
def test_new_text_takes_on_newline_and_mark_of_the_file(lines: list[str], newline: str, kind: str):
    style = find_style(encode(f"a{newline}b{newline}", kind), "a.txt")
    written = write_text(fit_newlines("\n".join(lines), style.newline), style, "a.txt")
    assert written == encode(newline.join(lines), kind)


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]))
def test_fitting_newlines_twice_changes_nothing_more(lines: list[str], newline: str):
    once = fit_newlines("\n".join(lines), newline)
    assert fit_newlines(once, newline) == once


@given(TEXTS)
def test_lines_put_together_are_the_text(text: str):
    assert "".join(split_lines(text)) == text


@pytest.mark.parametrize(
    ("text", "newline"),
    [("", "\n"), ("a", "\n"), ("a\r\nb\nc\r\n", "\r\n"), ("a\rb", "\r"), ("a\nb\r\n", "\n"), ("\x0b\x0c\u2028", "\n")],
)
def test_the_newline_that_a_text_uses_most_is_its_own(text: str, newline: str):
    assert find_newline(text) == newline


@given(TEXTS, st.text(CHARACTERS, min_size=1), TEXTS, TEXTS)
def test_an_edit_is_undone_by_the_reverse_edit(before: str, find: str, after: str, replace: str):
    text = before + find + after
    count = len(find_lines(text, find))
    edit = replace_exactly(text, find, replace, count, "a.txt")
    assert edit.text == text.replace(find, replace)
    if replace and edit.text.count(replace) == count:
        assert replace_exactly(edit.text, replace, find, count, "a.txt").text == text


@given(
    lines=st.lists(st.sampled_from(["mug", "mugs", "a mug", "", "cup"])),
    newline=st.sampled_from(["\n", "\r\n", "\r"]),
    is_ended=st.booleans(),
)
def test_whole_lines_are_replaced_and_no_parts_of_others(lines: list[str], newline: str, *, is_ended: bool):
    text = newline.join(lines) + (newline if is_ended else "")
    edit = replace_exactly(text, "mug", "tea", lines.count("mug"), "a.txt", whole_lines=True)
    wanted = ["tea" if line == "mug" else line for line in lines]
    assert edit.text == newline.join(wanted) + (newline if is_ended else "")
    assert [split_lines(text)[line - 1].rstrip("\r\n") for line in edit.lines] == ["mug"] * lines.count("mug")


@given(st.text(), st.text(), st.sampled_from(["\n", "\r\n", "\r"]))
def test_what_stands_on_lines_of_its_own_shares_none(before: str, text: str, newline: str):
    added = make_whole_lines(text, newline, before)
    assert added.endswith(("\n", "\r"))
    ahead = split_lines(before)
    assert split_lines(before + added)[: max(0, len(ahead) - 1)] == ahead[:-1]
    assert text in added
    assert not before or before.endswith(("\n", "\r")) or added.startswith(newline)


@given(TEXTS, st.text(CHARACTERS, min_size=1), st.integers(1, 5))
def test_another_count_than_is_there_is_refused(text: str, find: str, count: int):
    if text.count(find) == count:
        return
    with pytest.raises(FileError) as caught:
        replace_exactly(text, find, "x", count, "a.txt")
    assert caught.value.code == "count_differs"
    assert caught.value.evidence["found"] == text.count(find)


@given(LINES, st.integers(0, 20))
def test_the_lines_of_an_edit_are_those_that_people_count(lines: list[str], place: int):
    lines = [line.replace("needle", "") for line in lines]
    lines.insert(min(place, len(lines)), "needle")
    assert find_lines("\n".join(lines), "needle") == (lines.index("needle") + 1,)


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [("utf-16", "\ufeffa".encode("utf-16-le")), ("utf-8-sig", b"\xef\xbb\xbfa"), ("latin-1", b"a")],
)
def test_an_encoding_with_a_mark_by_name_writes_its_mark(encoding: str, expected: bytes):
    style = find_style(b"", "a.txt", encoding)
    assert write_text("a", style, "a.txt") == expected


@pytest.mark.parametrize("encoding", ["hex", "rot13", "base64", "no such", "utf-8\0"])
def test_what_is_no_encoding_of_text_is_refused(encoding: str):
    with pytest.raises(FileError) as caught:
        read_text(b"a", "a.txt", encoding)
    assert caught.value.code == "bad_encoding"


def test_a_diff_says_where_a_newline_is_missing():
    diff = render_diff("a\nb", "a\nc\n", "a.txt")
    assert diff.splitlines()[-4:] == [" a", "-b", "\\ No newline at end of file", "+c"]
    assert render_diff(None, "a\n", "a.txt").startswith("--- /dev/null\n+++ a.txt\n")


def test_a_long_diff_is_cut_and_says_so():
    old = "".join(f"{number}\n" for number in range(100_000))
    assert render_diff(old, old.replace("500\n", "x\n", 1), "a.txt").count("\n") < 20
    assert "lines become" in render_diff(old, old[::-1], "a.txt")
    assert render_diff(None, old, "a.txt").endswith("more lines\n")


@given(st.text(st.sampled_from("ab.[]!*?-\\^/")), st.text(st.sampled_from("ab.[]-!^\\")))
def test_any_glob_can_be_used(pattern: str, name: str):
    expression, _ = compile_glob(pattern, any_case=False)
    expression.fullmatch(name)


@given(st.text(st.sampled_from("ab.-!^]")))
def test_a_glob_without_signs_matches_itself_alone(name: str):
    expression, whole = compile_glob(name, any_case=False)
    assert not whole
    assert expression.fullmatch(name)
    assert not expression.fullmatch(f"{name}x")
    assert isinstance(expression, re.Pattern)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_of_large_texts_only_what_differs_is_shown_with_its_line(newline: str):
    old = "".join(f"line {number}{newline}" for number in range(1, 200_001))
    added = render_diff(old, f"{old}more{newline}", "a.txt")
    assert "+more" in added
    assert added.endswith("\\ counted from line 200001 on\n")
    changed = render_diff(old, old.replace(f"line 150000{newline}", f"other{newline}"), "a.txt")
    assert "-line 150000" in changed
    assert "+other" in changed
    assert changed.endswith("\\ counted from line 150000 on\n")
