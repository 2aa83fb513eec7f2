from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import GoalError
from core.goals.references import Reference, Template, bind_value, find_references, has_reference
from core.planning.plans import freeze

OUTPUTS: dict[str, dict[str, Any]] = {
    "g0": {"text": "hi", "count": 2, "rows": [{"price": 1.5, "tags": ("a", "b")}], "none": None, "yes": True},
    "g1": {},
}
HI = Reference("g0", "text")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("text", "hi"),
        ("count", 2),
        ("none", None),
        ("yes", True),
        ("rows", [{"price": 1.5, "tags": ("a", "b")}]),
        ("rows.0", {"price": 1.5, "tags": ("a", "b")}),
        ("rows.0.price", 1.5),
        ("rows.0.tags.1", "b"),
    ],
)
def test_a_reference_stands_for_an_output_with_its_type(key: str, value: object) -> None:
    bound = bind_value(Reference("g0", key), OUTPUTS)
    assert bound == value
    assert type(bound) is type(value)


@pytest.mark.parametrize(
    ("goal_id", "key", "missing", "given"),
    [
        ("g0", "txt", "txt", "g0 gave text, count, rows, none, yes."),
        ("g0", "rows.1", "1", "g0 gave text"),
        ("g0", "rows.-1", "-1", "g0 gave text"),
        ("g0", "rows.00000000000000000000", "00000000000000000000", "g0 gave text"),
        ("g0", "rows." + "9" * 5000, "9" * 5000, "g0 gave text"),
        ("g0", "text.0", "0", "g0 gave text"),
        ("g0", "rows.0.cost", "cost", "g0 gave text"),
        ("g0", "none.x", "x", "g0 gave text"),
        ("g0", "__class__", "__class__", "g0 gave text"),
        ("g0", "", "", "g0 gave text"),
        ("g1", "text", "text", "g1 gave nothing."),
        ("g9", "text", "text", "g9 gave nothing."),
    ],
)
def test_an_output_that_does_not_exist_is_told_with_those_that_do(
    goal_id: str, key: str, missing: str, given: str
) -> None:
    with pytest.raises(GoalError) as caught:
        bind_value(Reference(goal_id, key), OUTPUTS)
    assert caught.value.code == "reference_missing"
    assert f"“{missing}” was not found" in caught.value.message
    assert given in caught.value.hint


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("text", "hi"),
        ("count", "2"),
        ("yes", "true"),
        ("none", "null"),
        ("rows.0.price", "1.5"),
        ("rows", '[{"price": 1.5, "tags": ["a", "b"]}]'),
    ],
)
@pytest.mark.parametrize("outputs", [OUTPUTS, freeze(OUTPUTS)])
def test_within_a_text_an_output_is_written_as_text(key: str, text: str, outputs: Any) -> None:
    assert bind_value(Template(("<", Reference("g0", key), ">")), outputs) == f"<{text}>"


def test_references_are_bound_at_every_depth() -> None:
    value = {"a": [HI, Template((HI, "!"))], "b": {"c": (Reference("g0", "count"),)}, "d": "x"}
    assert bind_value(value, OUTPUTS) == {"a": ("hi", "hi!"), "b": {"c": (2,)}, "d": "x"}


def test_references_are_found_at_every_depth_in_order() -> None:
    other = Reference("g1", "url")
    assert list(find_references({"a": [HI, {"b": Template(("x", other))}], "c": (HI,)})) == [HI, other, HI]


@pytest.mark.parametrize(
    ("value", "has"),
    [
        (HI, True),
        (Template(("a",)), True),
        ([1, [HI]], True),
        ({"a": {"b": HI}}, True),
        ({"a": ["${g0.text}"]}, False),
        ("${g0.text}", False),
        (None, False),
        (5, False),
    ],
)
def test_a_value_tells_whether_it_waits_for_something(value: object, has: bool) -> None:
    assert has_reference(value) is has


@given(st.text())
def test_a_text_is_never_read_as_a_reference(text: str) -> None:
    for each in (text, f"${{g0.{text}}}", f"${{{text}}}", "${g0.text}"):
        assert bind_value(each, OUTPUTS) == each
        assert list(find_references(each)) == []


def test_an_output_is_not_searched_for_references() -> None:
    assert bind_value(Template((Reference("g0", "a"),)), {"g0": {"a": "${g0.text}", "text": "x"}}) == "${g0.text}"


def test_references_are_written_as_in_flow_files() -> None:
    assert str(HI) == "${g0.text}"
    assert str(Template(("Hello ", HI, "!"))) == "Hello ${g0.text}!"
