"""What a press of a button goes to: the innermost element under the pointer that a person could act on. Pure."""

from actuators.desktop.finding.element_index import ElementIndex
from actuators.desktop.finding.element_tree import NOWHERE
from actuators.desktop.finding.element_words import can_be_used
from actuators.desktop.finding.visible_parts import find_visible_part
from actuators.desktop.ports.desktop import Element

MENU_ENTRIES = {"menuitem", "menuitemcheckbox", "menuitemradio", "option"}
_OF_MENUS = MENU_ENTRIES - {"option"}
_MENUS = {"menu"}
_OVER = {*_MENUS, "popup menu", "listbox", "list", "dialog"}


def find_hit(index: ElementIndex, x: int, y: int, *, is_popup: bool = False) -> int | None:
    """Return the place of what a press goes to; None where nothing is there.

    Args:
        x: Pixel of the screen.
        is_popup: Whether what is under the pointer is a menu or a list that lies over the window.
    """
    found = [place for place, each in enumerate(index.elements) if _is_under(index, place, each, x, y)]
    if is_popup:
        found = [place for place in found if _is_over(index.elements[place])]
    # A menu that is open lies over all else, and may be gone before anybody can ask which window was pressed.
    found = [place for place in found if index.elements[place].role in _OF_MENUS] or found
    if not found:
        return None
    inner = min(found, key=lambda place: (_measure(index, place), -len(index.elements[place].path), -place))
    return _find_usable(index, inner)


def list_menus(index: ElementIndex, place: int) -> list[int]:
    """Return the places of the menus that an entry is in, the outermost first."""
    above: list[int] = []
    at = index.tree.parents[place]
    while at != NOWHERE:
        element = index.elements[at]
        if element.role in _MENUS | MENU_ENTRIES and element.name:
            above.insert(0, at)
        at = index.tree.parents[at]
    return above


def is_usable(index: ElementIndex, place: int) -> bool:
    """Tell whether a person could act on an element."""
    return can_be_used(index.elements[place], holds_others=bool(index.tree.list_inside(place)))


def _is_under(index: ElementIndex, place: int, element: Element, x: int, y: int) -> bool:
    if "visible" not in element.states or element.bounds is None or not element.bounds.contains(x, y):
        return False
    seen = find_visible_part(index.tree, place)
    return seen is not None and seen.contains(x, y)


def _is_over(element: Element) -> bool:
    inside = any(role in _OVER for role, _ in element.path[1:]) or element.path[:1] == (("window", ""),)
    return element.role in MENU_ENTRIES or inside


def _measure(index: ElementIndex, place: int) -> int:
    seen = find_visible_part(index.tree, place)
    return seen.width * seen.height if seen else 0


def _find_usable(index: ElementIndex, place: int) -> int:
    """Return what a person acts on by pressing an element: itself, or what it is a part of."""
    at = place
    while at != NOWHERE:
        if is_usable(index, at):
            return at
        at = index.tree.parents[at]
    return place
