from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import SchemaValidator, ValidationError

from core.base.errors import TargetError
from core.rules.param_types import BOUNDS, ELEMENT_TARGET, REGION, SCREEN_TARGET
from core.rules.type_makers import ParamType
from core.selectors.screen_targets import (
    ElementTarget,
    PointTarget,
    Space,
    TextTarget,
    list_target_needs,
    parse_element_target,
    parse_screen_target,
)
from core.selectors.selectors import ROLE_WORDS, PlainSelector, Region, quote_name

names = st.text(min_size=1).filter(str.strip)
counts = st.none() | st.integers(1, 10**6)


def is_good(kind: ParamType, value: object) -> bool:
    try:
        SchemaValidator(kind.schema).validate_python(value)
    except ValidationError:
        return False
    return True


def write_nth(nth: int | None) -> str:
    return "" if nth is None else f" nth {nth}"


# --- elements and texts


@pytest.mark.parametrize(
    ("source", "selector"),
    [
        ('button "OK"', PlainSelector("role", "OK", "button")),
        ('field "Name" in dialog "Save"', PlainSelector("field", "Name", "", (Region("Save", "dialog"),))),
        ('control "More" nth 2', PlainSelector("control", "More", nth=2)),
        ('menu item "Save as…"', PlainSelector("role", "Save as…", "menuitem")),
        ('row in "Files" nth 3', PlainSelector("role", "", "row", (Region("Files"),), 3)),
        ("ref=e12", PlainSelector("ref", "e12")),
        ('checkbox "Tea" # ticked, disabled', PlainSelector("role", "Tea", "checkbox")),
        (
            'button "OK" in (row with text "Tea")',
            PlainSelector("role", "OK", "button", (Region("", "", PlainSelector("role", "", "row", texts=("Tea",))),)),
        ),
    ],
)
def test_an_element_is_named_as_on_pages(source: str, selector: PlainSelector) -> None:
    assert parse_screen_target(source) == ElementTarget(selector) == parse_element_target(source)
    assert list_target_needs(source) == ("accessibility",)


@given(st.sampled_from(sorted(ROLE_WORDS)), names, counts)
def test_every_role_and_name_is_an_element(word: str, name: str, nth: int | None) -> None:
    target = parse_screen_target(f"{word} {quote_name(name)}{write_nth(nth)}")
    assert target == ElementTarget(PlainSelector("role", name, word, (), nth))


@given(names, counts)
def test_every_text_is_read_on_the_screen(name: str, nth: int | None) -> None:
    source = f"text {quote_name(name)}{write_nth(nth)}"
    assert parse_screen_target(source) == TextTarget(name, nth)
    assert list_target_needs(source) == ("screen", "vision")


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("OK", 'Name an element, such as button "OK"'),
        ("#id", "Name an element"),
        ("//button", "Name an element"),
        ("css=button", "Name an element"),
        ('role=button[name="OK"]', "Name an element"),
        ('frame "Pay" >> button "OK"', "Name an element"),
        ('text "OK" in dialog "Save"', "A text on the screen has no regions"),
        ("label=Name", "label= is for pages only."),
        ('placeholder="Name"', "placeholder= is for pages only."),
        ("testid=a", "testid= is for pages only."),
        ('value "Total"', "value is for pages only."),
        ('buton "OK"', "Did you mean button?"),
        ('button "OK" nth 0', "The first match is nth 1."),
        ("", "Name an element"),
        ('every button "OK"', "name one element"),
        ('button "OK" near "Name"', "name one element"),
        ('button "OK" in (record "Ada")', "name one element"),
        ('button "OK" nth last', "name one element"),
        ('text ""', "Name the element"),
    ],
)
def test_what_names_nothing_on_the_screen_is_refused_with_what_to_write(source: str, hint: str) -> None:
    with pytest.raises(TargetError) as caught:
        parse_screen_target(source)
    assert caught.value.code == "bad_selector"
    assert hint in caught.value.hint
    assert not is_good(SCREEN_TARGET, source)
    assert not is_good(ELEMENT_TARGET, source)


@pytest.mark.parametrize("source", ['text "OK"', {"point": [1, 2]}])
def test_a_text_or_point_is_no_element(source: Any) -> None:
    with pytest.raises(TargetError, match="This needs an element"):
        parse_element_target(source)
    assert is_good(SCREEN_TARGET, source)
    assert not is_good(ELEMENT_TARGET, source)


@given(st.text())
def test_any_text_is_a_target_or_refused_with_a_code(source: str) -> None:
    try:
        found: object = parse_screen_target(source)
    except TargetError as error:
        found = error.code
    assert found == "bad_selector" or isinstance(found, ElementTarget | TextTarget)
    assert found == "bad_selector" or list_target_needs(source)


# --- points


@pytest.mark.parametrize(
    ("value", "target", "needs"),
    [
        ({"point": [1, 2]}, PointTarget(1, 2), ()),
        ({"point": [1, 2], "space": "screen"}, PointTarget(1, 2), ()),
        ({"point": [-5.5, 2], "space": "window"}, PointTarget(-5.5, 2, "window"), ("windows",)),
        ({"point": [1, 2], "screenshot": "s1"}, PointTarget(1, 2, "screenshot", "s1"), ("screen",)),
        (
            {"point": [1, 2], "space": "screenshot", "screenshot": "s1"},
            PointTarget(1, 2, "screenshot", "s1"),
            ("screen",),
        ),
    ],
)
def test_a_point_has_a_space(value: dict[str, Any], target: PointTarget, needs: tuple[str, ...]) -> None:
    assert parse_screen_target(value) == target
    assert list_target_needs(value) == needs
    assert is_good(SCREEN_TARGET, value)


@given(st.sampled_from(get_args(Space)), st.text(max_size=3))
def test_a_point_names_a_screenshot_where_it_was_read_from_one_and_only_there(space: str, screenshot: str) -> None:
    value = {"point": [1, 2], "space": space, "screenshot": screenshot}
    if (space == "screenshot") == bool(screenshot):
        assert isinstance(parse_screen_target(value), PointTarget)
    else:
        with pytest.raises(TargetError, match="can't be understood"):
            parse_screen_target(value)
        assert not is_good(SCREEN_TARGET, value)


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"point": [1]},
        {"point": [1, 2, 3]},
        {"point": ["1", 2]},
        {"point": [True, 2]},
        {"point": [float("nan"), 2]},
        {"point": [10**6, 2]},
        {"point": (2, 1, 0)},
        {"point": {1, 2}},
        {"point": [1, 2], "space": "page"},
        {"point": [1, 2], "space": "screenshot"},
        {"point": [1, 2], "colour": "red"},
        {"space": "screen"},
        [1, 2],
        5,
        None,
    ],
)
def test_what_is_no_point_is_refused(value: object) -> None:
    assert not is_good(SCREEN_TARGET, value)


# --- parts of the screen


@pytest.mark.parametrize(
    ("value", "good"),
    [
        ({"x": 1}, True),
        ({"x": -1, "y": 2, "width": 3, "height": 4}, True),
        ({}, False),
        ({"width": 0}, False),
        ({"x": 1.5}, False),
        ({"z": 1}, False),
    ],
)
def test_bounds_name_at_least_one_edge_or_size(value: dict[str, Any], good: bool) -> None:
    assert is_good(BOUNDS, value) is good


@pytest.mark.parametrize(
    ("value", "good"),
    [
        ({"x": 1, "y": 2, "width": 3, "height": 4}, True),
        ({"x": 1, "y": 2, "width": 3, "height": 4, "space": "window"}, True),
        ({"x": 1, "y": 2, "width": 3, "height": 4, "space": "screenshot"}, False),
        ({"x": 1, "y": 2, "width": 3}, False),
        ({"x": 1, "y": 2, "width": 3, "height": 0}, False),
    ],
)
def test_a_region_has_all_edges_and_a_size(value: dict[str, Any], good: bool) -> None:
    assert is_good(REGION, value) is good
