"""How elements are named, so that the name finds them and nothing else."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.desktop.finding.element_index import ElementIndex, match_elements
from actuators.desktop.finding.element_naming import (
    ElementNaming,
    list_nearest,
    list_with_numbers,
    make_selector,
    write_selector,
)
from actuators.desktop.finding.element_tree import ElementTree
from actuators.desktop.ports.desktop import Element, Rect
from core.selectors.screen_targets import parse_element_target

SHOWN = frozenset({"enabled", "visible"})
WINDOW = (("window", "Editor"),)
Part = tuple[str, str, list["Part"]] | tuple[str, str]


def grow(*parts: Any, path: tuple[tuple[str, str], ...] = WINDOW, **more: Any) -> list[Element]:
    """Return the elements of a tree that is written as (role, name, what is in it)."""
    listed: list[Element] = []
    for role, name, *inside in parts:
        place = Rect(0, 10 * len(listed), 10, 10)
        listed.append(Element((path, len(listed), role), role, name, bounds=place, states=SHOWN, path=path, **more))
        listed += grow(*(inside[0] if inside else ()), path=(*path, (role, name)))
    return listed


def name_all(listed: list[Element]) -> list[str]:
    """Return the selector of each element."""
    naming = ElementNaming(ElementIndex(listed))
    return [naming.name(place) for place in range(len(listed))]


def resolve(selector: str, listed: list[Element]) -> list[Element]:
    """Return what a selector names, by its own parser and the search of the locator."""
    plain = parse_element_target(selector).selector
    found = match_elements(plain, listed)
    return found if plain.nth is None else found[plain.nth - 1 : plain.nth]


@pytest.mark.parametrize(
    ("parts", "place", "selector"),
    [
        ([("button", "Save")], 0, 'button "Save"'),
        ([("button", "Save"), ("dialog", "Save As", [("button", "Save")])], 2, 'button "Save" in "Save As"'),
        ([("group", "A", [("button", "X")]), ("group", "B", [("button", "X")])], 3, 'button "X" in "B"'),
        ([("dialog", "Up", [("checkbox", "")]), ("group", "Up", [("checkbox", "")])], 1, 'checkbox in dialog "Up"'),
        ([("label", "First name:"), ("textbox", "")], 1, 'field "First name"'),
        ([("textbox", "Name *"), ("button", "Name")], 0, 'field "Name"'),
        (
            [("list", "", [("row", "", [("label", "Tea"), ("link", "2"), ("checkbox", "")])]), ("checkbox", "")],
            4,
            'checkbox in "Tea"',
        ),
        ([("list", "", [("row", "", [("label", "Tea")]), ("row", "", [("label", "Rum")])])], 3, 'row "Rum"'),
        ([("button", "+"), ("button", "+")], 1, 'button "+" nth 2'),
        ([("textbox", "")], 0, "textbox"),
        ([("textbox", ""), ("textbox", "")], 1, "textbox nth 2"),
        ([("button", "")], 0, "button nth 1"),
        ([("img", "Logo")], 0, 'image "Logo"'),
        ([("drawing area", "")], 0, "group nth 1"),
        ([("drawing area", "Canvas")], 0, 'group "Canvas"'),
        ([("menuitemcheckbox", "Toolbar")], 0, 'menuitem "Toolbar"'),
    ],
)
def test_the_shortest_form_comes_first(parts: list[Any], place: int, selector: str):
    assert name_all(grow(*parts))[place] == selector


def test_a_button_without_a_name_goes_by_its_description():
    listed = grow(("button", ""), details={"description": "Multiply"})
    assert name_all(listed) == ['button "Multiply"']


def test_a_hidden_namesake_of_what_is_seen_is_named_by_what_it_is_in():
    listed = [
        *grow(("button", "Copy")),
        *(Element(n, "button", "Copy", states=frozenset({"enabled"}), path=(*WINDOW, ("menu", "Edit"))) for n in (1,)),
    ]
    assert name_all(listed) == ['button "Copy"', 'button "Copy" in "Edit"']


def test_a_long_name_is_cut_and_still_finds_its_element():
    first, second = (f"{'word ' * 30}{end}" for end in ("one", "two"))
    listed = grow(("button", first), ("group", "B", [("button", second)]))
    names = name_all(listed)
    assert all(len(name) < 120 for name in names)
    assert [resolve(name, listed) for name in names] == [[each] for each in listed]


def test_nothing_is_called_by_a_secret():
    naming = ElementNaming(ElementIndex(grow(("button", "hunter2"))), lambda text: "hunter2" in text)
    assert (naming.call(0), naming.name(0)) == ("", "button nth 1")


TEXTS = st.one_of(
    st.sampled_from(["", "Save", "save", "Save as", "Tea", "7", "Name:", "Name", "×", 'a "b" c', "x\\", " \n ", "%"]),
    st.text(max_size=12),
)
ROLES = st.sampled_from(
    [
        *("button", "textbox", "checkbox", "label", "group", "row", "cell", "listitem", "img", "menu", "menuitem"),
        *("dialog", "drawing area", "terminal", "scroll pane", "treegrid", "unknown", "slider", "heading", "link"),
    ]
)
LEAVES = st.tuples(ROLES, TEXTS)
TREES = st.recursive(st.lists(LEAVES, max_size=6), lambda inside: st.lists(st.tuples(ROLES, TEXTS, inside), max_size=6))


@given(TREES, st.randoms(use_true_random=False))
def test_each_name_finds_exactly_the_element_that_it_was_made_for(parts: list[Any], random: Any):
    listed = [
        Element(
            place,
            each.role,
            each.name,
            each.value,
            each.bounds,
            random.choice([SHOWN, SHOWN, each.states]),
            path=each.path,
        )
        for place, each in enumerate(grow(*parts))
    ]
    for element, name in zip(listed, name_all(listed), strict=True):
        assert resolve(name, listed) == [element]


@given(TREES)
def test_what_is_in_what_is_recovered_from_paths(parts: list[Any]):
    listed = grow(*parts)
    tree = ElementTree(listed)
    for place, each in enumerate(listed):
        inside = [within for within in range(place + 1, len(listed)) if _is_below(listed, place, within)]
        assert list(tree.list_inside(place)) == inside
        parent = tree.parents[place]
        assert parent == -1 or each.path == (*listed[parent].path, (listed[parent].role, listed[parent].name))


def _is_below(listed: list[Element], place: int, within: int) -> bool:
    return all(len(each.path) > len(listed[place].path) for each in listed[place + 1 : within + 1])


def test_misses_name_what_is_nearest_by_selectors_that_find_it():
    listed = grow(("group", "A", [("button", "Save")]), ("group", "B", [("button", "Save")]), ("button", "Quit"))
    nearest = list_nearest(make_selector("button", "Sav"), listed)
    assert nearest[:2] == ['button "Save" in "A"', 'button "Save" in "B"']
    assert all(len(resolve(name, listed)) == 1 for name in nearest)


def test_what_can_not_be_told_apart_is_listed_by_selectors_that_do():
    listed = grow(("group", "A", [("button", "Save")]), ("group", "B", [("button", "Save")]))
    told = list_with_numbers(match_elements(make_selector("button", "Save"), listed), listed)
    assert [each["selector"] for each in told] == ['button "Save" in "A"', 'button "Save" in "B"']


def test_an_element_alone_is_written_in_the_same_words():
    assert [write_selector(each) for each in grow(("img", "Logo"), ("textbox", "Name"), ("drawing area", ""))] == [
        'image "Logo"',
        'field "Name"',
        "group",
    ]


@pytest.mark.parametrize("name", ["", "Delete", "x" * 5_000_000])
def test_names_among_a_hundred_thousand_elements_are_found_soon(name: str):
    rows = grow(*(("button", f"{number}") for number in range(500)))
    listed = [*rows, *(Element(n, "button", name, states=SHOWN, path=WINDOW) for n in range(100_000 - len(rows)))]
    start_s = time.monotonic()
    naming = ElementNaming(ElementIndex(listed if len(name) < 100 else listed[: len(rows) + 3]))
    names = [naming.name(place) for place in range(len(rows) - 100, len(rows) + 3)]
    assert time.monotonic() - start_s < 10
    assert names[:100] == [f'button "{number}"' for number in range(400, 500)]
    assert all(len(each) < 200 for each in names)
