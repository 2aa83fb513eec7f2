import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from agent.requests.flows import parse_flow
from agent.requests.words.documents import parse_document
from agent.requests.words.flow_files import FilesOnDisk
from agent.requests.words.formatting import format_flow
from core.base.errors import FlowError

FLOWS = sorted((Path(__file__).parents[4] / "fixtures" / "flows").glob("*.yaml"))
MESSY = """\
# What it is for.
goals:
- expect: {text: 'done'}
  "browser.click": {selector: "css=a"}   # why
  id: first

- scope: root
  browser.type:
      text: "2"
      selector: 'field "Quantity"'
name: 'order'
"""
TIDY = """\
# What it is for.
goals:
  - expect: {text: done}
    browser.click: {selector: "css=a"}   # why
    id: first

  - browser.type:
      text: "2"
      selector: 'field "Quantity"'
    scope: root
name: order
"""


def test_a_flow_gets_one_form_and_keeps_its_comments() -> None:
    assert format_flow(MESSY, "f.yaml") == TIDY


def test_keys_get_their_order_where_no_comment_stands_among_them() -> None:
    text = "goals: [{retry: 2, browser.back: {}, id: x}]\nvars: {b: 1, a: 2}\nname: one\n"
    assert (
        format_flow(text, "f.yaml") == "name: one\nvars: {b: 1, a: 2}\ngoals: [{id: x, browser.back: {}, retry: 2}]\n"
    )


def test_json_stays_json() -> None:
    text = '{"goals": [{"retry": 2, "browser.back": {}}], "name": "ä"}'
    formatted = format_flow(text, "f.json")
    assert formatted.startswith('{\n  "name": "ä",\n  "goals": [')
    assert format_flow(formatted, "f.json") == formatted


@pytest.mark.parametrize("path", FLOWS, ids=lambda path: path.name)
def test_the_fixtures_mean_the_same_and_are_done_after_one_time(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    formatted = format_flow(text, path.name)
    files = FilesOnDisk(path.parent)
    assert parse_flow(formatted, files=files).goals == parse_flow(text, files=files).goals
    assert format_flow(formatted, path.name) == formatted
    assert formatted.count("#") == text.count("#")


_TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=20) | st.sampled_from(
    [
        "yes",
        "null",
        "2",
        "1e3",
        "${a.b}",
        "$${",
        "a: b",
        "- x",
        "#no",
        "a #b",
        "it's",
        '"',
        "2020-01-01",
        "~",
        "0x1f",
        "",
    ]
)
_VALUES = st.recursive(
    _TEXTS | st.integers(-9, 10**6) | st.booleans() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=8,
)


def find_form(text: str) -> str | None:
    """Return a flow in its form; None where it is refused, so that its file stays as it is."""
    try:
        return format_flow(text, "f.yaml")
    except FlowError:
        return None


@given(st.lists(st.dictionaries(st.sampled_from(["id", "a.b", "scope", "expect"]), _VALUES, min_size=1), min_size=1))
def test_any_flow_keeps_its_meaning_and_is_done_after_one_time(goals: list[object]) -> None:
    stream = io.StringIO()
    YAML(typ="safe", pure=True).dump({"goals": goals}, stream)
    formatted = find_form(stream.getvalue())
    if formatted is None:
        return
    assert parse_document(formatted, "f").data == parse_document(stream.getvalue(), "f").data
    assert format_flow(formatted, "f.yaml") == formatted


def test_what_is_no_document_is_refused_with_its_place() -> None:
    with pytest.raises(FlowError, match=r"f\.yaml:2:1: "):
        format_flow("goals: [\n", "f.yaml")
