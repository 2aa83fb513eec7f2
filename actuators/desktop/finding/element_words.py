"""The words of selectors for what applications call by words of their own, and what people can act on."""

from typing import TYPE_CHECKING

from core.base.matching import fold_space
from core.selectors.selectors import ROLE_WORDS, PlainSelector

if TYPE_CHECKING:
    from actuators.desktop.ports.desktop import Element

FIELDS = {"textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox"}
CONTROLS = FIELDS | {
    *("button", "link", "checkbox", "radio", "switch", "tab", "menu", "menuitem", "menuitemcheckbox", "menuitemradio"),
    *("option", "listitem", "treeitem", "cell", "row"),
}
ENTRIES = {"row", "listitem", "option", "treeitem", "cell"}
"""They go by a text in them where they have no name."""

SILENT = "silent"
"""The state of an application that doesn't answer."""

UNNAMED_WORD = "group"
"""The word for every role that no other word stands for, so that each element can be named."""

# What applications call something, beside the roles that its word stands for: menus in a menu bar are entries of it.
_ALSO = {
    "menuitem": {"menu"},
    "option": {"listitem", "menuitem"},
    "listitem": {"option", "treeitem"},
    "list": {"listbox"},
    "listbox": {"list"},
    "textbox": {"searchbox", "document", "terminal"},
    "paragraph": {"label", "static"},
    "group": {"scroll pane"},
    "dialog": {"window"},
    "table": {"tree"},
    "tree": {"treegrid"},
}
# What people look at, or what is moved by what it belongs to; they may take the focus all the same.
_PASSIVE = {
    *("label", "static", "paragraph", "heading", "window", "application", "img", "status", "table", "treegrid", "tree"),
    *("list", "listbox", "scroll pane", "viewport", "tablist", "tabpanel", "toolbar", "menubar"),
}
_TRAILING = " :…*."
# What a program offers for each of its elements, or does itself: nothing that a person would press.
_IDLE_ACTIONS = {"setfocus", "clickancestor", "click ancestor", "showcontextmenu", "showmenu", ""}


def _list_words() -> dict[str, str]:
    words: dict[str, str] = {}
    for word, roles in (*ROLE_WORDS.items(), *_ALSO.items()):
        for role in sorted(roles):
            words.setdefault(role, word)
    return words


_WORDS = _list_words()


def choose_word(role: str) -> str:
    """Return the word by which selectors name a role; that of a group for a role that has none."""
    return _WORDS.get(role, UNNAMED_WORD)


def choose_element_word(element: "Element") -> str:
    """Return the word by which selectors name an element; a cell that is nothing but a box to tick is one."""
    return "checkbox" if is_ticked_cell(element) and not element.name else choose_word(element.role)


def is_ticked_cell(element: "Element") -> bool:
    """Tell whether a cell can be ticked."""
    return element.role == "cell" and any(fold(action) == "toggle" for action in element.actions)


def is_called(element: "Element", word: str) -> bool:
    """Tell whether an element is of a kind that a word names: a role word, or the system's own."""
    role = element.role
    if word == "checkbox" and is_ticked_cell(element):
        return True
    if role in ROLE_WORDS.get(word, (word,)) or role in _ALSO.get(word, ()) or element.details.get("role") == word:
        return True
    return word == UNNAMED_WORD and role not in _WORDS


def is_container_called(role: str, word: str) -> bool:
    """Tell whether a container is of the kind that a word names; any is without a word."""
    return not word or role == word or role in ROLE_WORDS.get(word, ()) or role in _ALSO.get(word, ())


def is_field(element: "Element") -> bool:
    """Tell whether something can be filled in or chosen from."""
    return element.role in FIELDS or "editable" in element.states


def is_control(element: "Element") -> bool:
    """Tell whether an element may be meant by ``control``."""
    return element.role in CONTROLS or bool(element.actions) or "focusable" in element.states


def is_secret(element: "Element") -> bool:
    """Tell whether what an element holds must not be told."""
    return "password" in element.states


def list_own_actions(element: "Element") -> list[str]:
    """Return what an element does when it is pressed, without what its program offers for all that it shows."""
    return [action for action in element.actions if fold(action) not in _IDLE_ACTIONS]


def can_be_used(element: "Element", *, holds_others: bool) -> bool:
    """Tell whether a person could act on an element, if it were enabled and in sight; focus alone tells nothing of what holds others."""
    if element.role in {"scrollbar", "separator"}:
        return False
    if element.role in CONTROLS - {"listbox"} or "editable" in element.states or list_own_actions(element):
        return True
    return "focusable" in element.states and not holds_others and element.role not in _PASSIVE


def fold(text: str) -> str:
    """Return a text without differences of case and white space."""
    return fold_space(text).casefold()


def strip_label(text: str) -> str:
    """Return a label without the colon, asterisk or dots at its end."""
    return text.rstrip(_TRAILING)


def is_of_kind(plain: PlainSelector, element: "Element") -> bool:
    """Tell whether an element is of the kind that a selector names, whatever it is called."""
    if plain.kind == "field":
        return is_field(element)
    if plain.kind == "control":
        return plain.word == "*" or is_control(element)
    return is_called(element, plain.word)
