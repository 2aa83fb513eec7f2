"""Which elements selectors name, and how they are outlined."""

from typing import Any

import pytest

from actuators.desktop.atspi.words import SYSTEM_ROLES, join_bits, name_role, name_states, to_aria
from actuators.desktop.finding.element_index import match_elements
from actuators.desktop.finding.element_naming import make_selector
from actuators.desktop.ports.desktop import Element, Rect, order_boxes
from core.selectors.screen_targets import parse_element_target

BOX = Rect(0, 0, 10, 10)
SHOWN = frozenset({"enabled", "visible"})
DIALOG = (("window", "Editor"), ("dialog", "Save"))


def element(role: str, name: str = "", **more: Any) -> Element:
    """A visible element of a dialog."""
    facts: dict[str, Any] = {"bounds": BOX, "states": SHOWN, "path": DIALOG} | more
    return Element(name, role, name, **facts)


LISTED = (
    element("button", "Save"),
    element("button", "Save all"),
    element("button", "Save", path=(("window", "Editor"),), states=frozenset({"enabled"}), bounds=None),
    element("menu", "File", actions=("Click",)),
    element("label", "First name:"),
    element("textbox", ""),
    element("button", "*", details={"description": "Multiply"}),
    element("textbox", "Key", states=SHOWN | {"password"}, value="1234"),
)


@pytest.mark.parametrize(
    ("target", "places"),
    [
        ('button "save"', [0]),
        ('button "Save" in dialog "Save"', [0]),
        ('button "all"', [1]),
        ('button "multiply"', [6]),
        ('menuitem "File"', [3]),
        ('field "First name"', [5]),
        ('control "File"', [3]),
        ('textbox "First name" in "Save"', [5]),
        ('button "Open"', []),
    ],
)
def test_selectors_name_elements(target: str, places: list[int]):
    found = match_elements(parse_element_target(target).selector, LISTED)
    assert [next(at for at, each in enumerate(LISTED) if each is one) for one in found] == places


def test_a_hidden_element_is_found_where_no_other_is_called_so():
    hidden = element("button", "Undo", states=frozenset({"enabled"}), bounds=None)
    assert match_elements(make_selector("button", "Undo"), (hidden,)) == [hidden]


def test_a_role_may_be_the_systems_own_word():
    odd = element("statusbar", "Ready", details={"role": "status bar"})
    assert match_elements(make_selector("status bar", None), (odd,)) == [odd]


def test_boxes_are_read_by_lines():
    right, left, below, none = Rect(50, 3, 10, 10), Rect(0, 0, 10, 10), Rect(0, 20, 10, 10), None
    assert order_boxes([right, none, below, left]) == [3, 0, 2, 1]


def test_roles_and_states_have_the_numbers_of_the_bus():
    assert {number: name_role(number) for number in (7, 11, 16, 35, 43, 62, 79, 91)} == {
        7: "check box",
        11: "combo box",
        16: "dialog",
        35: "menu item",
        43: "push button",
        62: "toggle button",
        79: "entry",
        91: "tree item",
    }
    assert (name_role(9999), name_role(-1), len(set(SYSTEM_ROLES))) == ("unknown", "unknown", len(SYSTEM_ROLES))
    assert [to_aria(role) for role in ("push button", "page tab", "ruler")] == ["button", "tab", "ruler"]
    bits = join_bits([1 << 24 | 1 << 25 | 1 << 30 | 1 << 4, 1 << 9])
    assert name_states(bits, "check box") == {"enabled", "visible", "checked", "checkable"}
    assert "password" in name_states(bits, "password text")
