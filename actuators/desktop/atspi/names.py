"""Names to people, where an application tells what only it can read."""

import re
from collections.abc import Iterator

from actuators.desktop.atspi.trees import AccessibleNode
from actuators.desktop.atspi.words import is_focusable

_TYPE = re.compile(r"(?:Gtk|Adw)[A-Z]\w*")
_OWN_TYPE = re.compile(r"(?:Gjs_)?(?:[A-Z][a-z0-9]+){2,}")  # of the program itself
_NAMED_BY_CONTENT = {"push button", "toggle button", "check box", "radio button", "link", "page tab", "switch"}
_BUTTONS = {"push button", "toggle button"}
_LABELS, _GROUPS = {"label", "static"}, {"panel", "filler", "grouping", "section"}
_ANYWHERE = re.compile(r"[a-z][a-z0-9-]*\.[A-Za-z][A-Za-z0-9.-]*")


def name_node(node: AccessibleNode, known: str | None = None) -> str:
    """Return an element's name: what it is called, else what is written on it; as it is known, where what is in it isn't."""
    told = "" if _is_type(node) else node.name
    labels = list(_list_labels(node)) if known is None else [known]
    for label in labels:  # GTK 4 counts a label twice that is also what the element is labelled by
        if label and told.endswith(f" {label}") and told[: -len(label) - 1].replace("_", "", 1) == label:
            return label
    if told or node.role not in _NAMED_BY_CONTENT:
        return told
    return " ".join(labels)


def _is_type(node: AccessibleNode) -> bool:
    """Tell whether an element is named after its type, as GTK 4 does where it has no name."""
    if node.role in _NAMED_BY_CONTENT | _LABELS:
        return bool(_TYPE.fullmatch(node.name))
    return bool(_TYPE.fullmatch(node.name) or (node.reveals and _OWN_TYPE.fullmatch(node.name)))


def name_kind(node: AccessibleNode) -> str:
    """Return the system's word for an element's role; that of a group for what only holds the button that can be pressed."""
    holds = any(child.role in _BUTTONS for child in node.children)
    return "grouping" if holds and node.role in _BUTTONS and not is_focusable(node.bits) else node.role


def is_own_action(name: str) -> bool:
    """Tell whether an action is an element's own, and not one of its window that GTK 4 lists with all that is in it."""
    return not _ANYWHERE.fullmatch(name)


def _list_labels(node: AccessibleNode) -> Iterator[str]:
    for child in node.children:
        if child.role in _LABELS and child.name:
            yield child.name
        elif child.role in _GROUPS:
            yield from _list_labels(child)
