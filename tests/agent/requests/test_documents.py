import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.requests.words.documents import MAX_BYTES, MAX_DEPTH, parse_document, read_document
from core.base.errors import FlowError


def find_fault(text: str) -> str:
    """Return the message of the flow error that a text gives, or only the name where it gives none."""
    try:
        parse_document(text, "some.yaml")
    except FlowError as error:
        return error.message
    return "some.yaml:"


def fail_to_parse(text: str) -> FlowError:
    with pytest.raises(FlowError) as caught:
        parse_document(text, "some.yaml")
    return caught.value


def fail_to_read(path: Path) -> FlowError:
    with pytest.raises(FlowError) as caught:
        read_document(path)
    return caught.value


def test_yaml_is_plain_data_with_the_line_and_column_of_every_key_and_item() -> None:
    document = parse_document("a: 1\nb:\n  - x\n  - {c: true, d: null}\n", "some.yaml")
    assert document.data == {"a": 1, "b": ["x", {"c": True, "d": None}]}
    assert document.marks[("b",)] == (2, 1)
    assert document.marks[("b", 0)] == (3, 5)
    assert document.marks[("b", 1, "d")] == (4, 15)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2),
        ("2.5", 2.5),
        ("true", True),
        ("yes", "yes"),
        ("2020-01-01", "2020-01-01"),
        ("null", None),
        ('"2"', "2"),
        ("1e3", 1000.0),
        ("|\n  two\n  lines\n", "two\nlines\n"),
        ('"\\x1b\\u00e9"', "\x1bé"),
    ],
)
def test_a_scalar_has_the_type_that_yaml_1_2_gives_it(text: str, value: object) -> None:
    found = parse_document(f"a: {text}", "some.yaml").data["a"]
    assert (found, type(found)) == (value, type(value))


def test_json_with_tabs_and_escaped_pairs_of_surrogates_is_read_exactly() -> None:
    assert parse_document('{\n\t"a":\t"\\ud83d\\ude00 \\/ \\u00e9"\n}', "some.json").data == {"a": "😀 / é"}


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda each: st.lists(each, max_size=4)))
def test_what_json_writes_is_read_back(value: object) -> None:
    assert parse_document(json.dumps({"value": value}), "some.json").data == {"value": value}


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])) | st.text(alphabet=" a\x85\u2028\u2029\ue000\ue001\n\t"))
def test_unescaped_text_of_json_is_read_back(text: str) -> None:
    written = (
        json.dumps([text, {text: 1}], ensure_ascii=False).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")
    )
    assert parse_document(written, "some.json").data == [text, {text: 1}]


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: [1", "1:6", "not valid YAML"),
        ("a: b: c", "1:5", "in quotes"),
        ("a:\n\tb: 1", "2:1", "spaces, not tabs"),
        ("a: *x", "1:4", "begins with * in quotes"),
        ("a: @x", "1:4", "in quotes"),
        ("a: 1\n---\nb: 2", "2:1", "another document"),
        ("a: 1\nb: 2\na: 3", "3:1", '"a" appears twice'),
        ("1: 2", "1:1", "a key must be text"),
        ("? [a]\n: 2", "1:3", "a list or mapping"),
        ("a: !!python/object:os.system x", "1:4", "tag"),
        ("a: !!str 5", "1:4", "tag"),
        ("a: !<tag:yaml.org,2002:bool> maybe", "1:4", "can't be read as bool"),
        ("a: !mine x", "1:4", "tag"),
        ("<<: {a: 1}", "1:1", "tag"),
        ("a: &x 1", "1:4", "anchors and aliases"),
        ("&x a: 1", "1:1", "anchors and aliases"),
        ("# first\n%YAML 1.1\n---\na: yes", "2:1", "directives"),
        ("a: 1\nb: \x00", "2:4", "U+0000"),
        ("a: " + "1" * 5000, "1:4", "can't be read as int"),
        ('a: "\\ud83d"', "1:4", "surrogate"),
    ],
)
def test_what_is_no_closed_document_is_refused_with_line_and_column(text: str, place: str, words: str) -> None:
    error = fail_to_parse(text)
    assert error.message.startswith(f"some.yaml:{place}: ")
    assert words in str(error)
    assert len(str(error)) < 400
    line, column = (int(part) for part in place.split(":"))
    assert error.evidence == {"file": "some.yaml", "line": line, "column": column}


def test_a_billion_laughs_are_refused_at_the_first() -> None:
    text = "a: &a [lol]\n" + "".join(
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert "some.yaml:1:4: anchors" in fail_to_parse(text).message


def test_nesting_is_read_up_to_the_limit_and_no_deeper() -> None:
    def nest(depth: int) -> str:
        return "[" * depth + "]" * depth

    parse_document(nest(MAX_DEPTH + 1), "some.yaml")
    assert f"1:{MAX_DEPTH + 2}: it is nested deeper" in fail_to_parse(nest(MAX_DEPTH + 2)).message
    assert "nested deeper" in fail_to_parse("[" * 500_000).message


@given(st.text())
def test_any_text_is_a_document_or_a_flow_error(text: str) -> None:
    assert find_fault(text).startswith("some.yaml:")


@given(st.text(alphabet="[]{}:,- \n\t#&*!|>'\"%@`ab1?~<=", max_size=60))
def test_any_punctuation_is_a_document_or_a_flow_error(text: str) -> None:
    assert find_fault(text).startswith("some.yaml:")


def test_a_byte_order_mark_is_not_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "some.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1")
    assert read_document(path).data == {"a": 1}


def test_a_file_of_a_mebibyte_is_read_and_one_of_a_byte_more_is_not(tmp_path: Path) -> None:
    path = tmp_path / "some.yaml"
    path.write_bytes(b"#".ljust(MAX_BYTES, b"x"))
    assert read_document(path).data is None
    path.write_bytes(b"#".ljust(MAX_BYTES + 1, b"x"))
    assert fail_to_read(path).message == f"{path}:1:1: the file has more than 1,048,576 bytes."


def test_a_file_that_never_ends_is_not_read_to_its_end() -> None:
    endless = Path("/dev/zero")
    if not endless.exists():
        pytest.skip("this system has no endless file")
    assert "more than 1,048,576 bytes" in fail_to_read(endless).message


def test_a_pipe_can_be_read(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"a: 1")
    os.close(writer)
    try:
        assert read_document(Path(f"/dev/fd/{reader}")).data == {"a": 1}
    finally:
        os.close(reader)


def test_bytes_that_are_not_utf_8_are_located(tmp_path: Path) -> None:
    path = tmp_path / "some.yaml"
    path.write_bytes("a: 1\nb: é".encode("latin-1"))
    assert fail_to_read(path).message == f"{path}:2:4: the file is not UTF-8: the byte 0xe9 can't be read."


def test_a_missing_file_suggests_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "order.yaml").touch()
    error = fail_to_read(tmp_path / "ordre.yaml")
    assert error.message == f"{tmp_path / 'ordre.yaml'}:1:1: the file can't be read: No such file or directory."
    assert error.hint == 'Did you mean "order.yaml"?'


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert "Is a directory" in fail_to_read(tmp_path).message
    assert "No such file" in fail_to_read(tmp_path / "none" / "order.yaml").message
