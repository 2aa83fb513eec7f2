"""A text of a file is replaced where it stands, and nothing else of the file changes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.requests.flow_mending import put_text
from agent.requests.words.documents import parse_document
from agent.suites.flow_updates import KeptError, find_text

FLOW = """\ufeff# by hand
goals:\r
  - browser.expect: {selector: 'testid=a', text: plain text}   # stays
  - browser.expect:
        text: "quoted \\u00e9"
        selector: testid=b
  - {browser.expect: {text: 'it''s', value: "1"}}
"""
PLACES = [
    ("goals", 0, "browser.expect", "text"),
    ("goals", 1, "browser.expect", "text"),
    ("goals", 2, "browser.expect", "text"),
]


def replace_text(text: str, place: tuple[str | int, ...], new: str) -> str:
    return put_text(text, find_text(text, place), new)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(st.sampled_from(PLACES), TEXTS)
def test_any_text_is_written_and_read_back(place: tuple[str | int, ...], new: str) -> None:
    changed = replace_text(FLOW, place, new)
    assert find_text(changed, place).value == new
    old = find_text(FLOW, place).value
    assert replace_text(replace_text(FLOW, place, old), place, new) == changed
    lines = list(zip(FLOW.split("\n"), changed.split("\n"), strict=True))
    assert sum(one != other for one, other in lines) <= 1


@given(TEXTS, TEXTS)
def test_json_stays_json(old: str, new: str) -> None:
    text = json.dumps({"goals": [{"browser.expect": {"text": old, "title": "t"}}]}, indent=1)
    place = ("goals", 0, "browser.expect", "text")
    changed = replace_text(text, place, new)
    assert json.loads(changed)["goals"][0]["browser.expect"] == {"text": new, "title": "t"}
    assert parse_document(changed, "flow").data == json.loads(changed)


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        ("goals: [{text: |\n   two\n   lines\n}]", ("goals", 0, "text"), "file can't be read"),
        ("text: |\n  two\n  lines\n", ("text",), "block of lines"),
        ("text: 12", ("text",), "as a text"),
        ("text: {a: b}", ("text",), "as a text"),
        ("text: a", ("title",), "as a text"),
        ("text: a", ("text", 0), "as a text"),
    ],
)
def test_what_can_not_be_replaced_alone_stays(text: str, place: tuple[str | int, ...], why: str) -> None:
    with pytest.raises(KeptError, match=why):
        replace_text(text, place, "new")
