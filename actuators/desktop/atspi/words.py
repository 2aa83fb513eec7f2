"""The numbers of the accessibility bus in words: roles and states."""

from collections.abc import Sequence

# In the order of their numbers (atspi-constants.h).
_ROLES = """
invalid|accelerator label|alert|animation|arrow|calendar|canvas|check box|check menu item|color chooser|column header|
combo box|date editor|desktop icon|desktop frame|dial|dialog|directory pane|drawing area|file chooser|filler|
focus traversable|font chooser|frame|glass pane|html container|icon|image|internal frame|label|layered pane|list|
list item|menu|menu bar|menu item|option pane|page tab|page tab list|panel|password text|popup menu|progress bar|
push button|radio button|radio menu item|root pane|row header|scroll bar|scroll pane|separator|slider|spin button|
split pane|status bar|table|table cell|table column header|table row header|tearoff menu item|terminal|text|
toggle button|tool bar|tool tip|tree|tree table|unknown|viewport|window|extended|header|footer|paragraph|ruler|
application|autocomplete|edit bar|embedded component|entry|chart|caption|document frame|heading|page|section|
redundant object|form|link|input method window|table row|tree item|document spreadsheet|document presentation|
document text|document web|document email|comment|list box|grouping|image map|notification|info bar|level bar|
title bar|block quote|audio|video|definition|article|landmark|log|marquee|math|rating|timer|static|math fraction|
math root|subscript|superscript|description list|description term|description value|footnote|content deletion|
content insertion|mark|suggestion|push button menu|switch
"""
SYSTEM_ROLES: tuple[str, ...] = tuple(role.strip() for role in _ROLES.split("|"))

# What differs in the words of core.selectors.selectors.ROLE_WORDS; every other role keeps the system's own word.
_JOINED = (
    *("check box", "column header", "combo box", "list box", "list item", "menu bar", "menu item"),
    *("progress bar", "row header", "scroll bar", "spin button", "tool bar", "tool tip", "tree item"),
)
"""The same words, written as one."""

_CALLED = {
    "alertdialog": ("alert",),
    "menuitemcheckbox": ("check menu item",),
    "dialog": ("color chooser", "file chooser", "font chooser"),
    "slider": ("dial",),
    "document": ("document frame", "document text", "document web"),
    "textbox": ("edit bar", "entry", "password text", "text"),
    "group": ("filler", "grouping", "panel", "section"),
    "window": ("frame",),
    "img": ("icon", "image"),
    "status": ("info bar", "status bar"),
    "region": ("landmark",),
    "progressbar": ("level bar",),
    "alert": ("notification",),
    "tab": ("page tab",),
    "tablist": ("page tab list",),
    "menu": ("popup menu",),
    "button": ("push button", "push button menu", "toggle button"),
    "radio": ("radio button",),
    "menuitemradio": ("radio menu item",),
    "cell": ("table cell",),
    "columnheader": ("table column header",),
    "row": ("table row",),
    "rowheader": ("table row header",),
    "menuitem": ("tearoff menu item",),
    "treegrid": ("tree table",),
}
_ARIA = {theirs: theirs.replace(" ", "") for theirs in _JOINED} | {
    theirs: ours for ours, called in _CALLED.items() for theirs in called
}

# Those that matter to people and to rules, by bit.
_STATES = {
    1: "active",
    3: "busy",
    4: "checked",
    5: "collapsed",
    7: "editable",
    9: "expandable",
    10: "expanded",
    11: "focusable",
    12: "focused",
    16: "modal",
    17: "multi-line",
    20: "pressed",
    22: "selectable",
    23: "selected",
    32: "mixed",
    33: "required",
    36: "invalid",
    39: "default",
    41: "checkable",
    43: "read-only",
}
_SENSITIVE, _SHOWING, _VISIBLE = 24, 25, 30
DEFUNCT, FOCUSABLE = 1 << 6, 1 << 11
MANAGES_DESCENDANTS = 1 << 31
"""Of an element that makes what is in it only when it is asked for it, such as the cells of a table."""
UNREADABLE = "password text"


def name_role(number: int) -> str:
    """Return the system's word for a role."""
    return SYSTEM_ROLES[number] if 0 <= number < len(SYSTEM_ROLES) else "unknown"


def to_aria(system_role: str) -> str:
    """Return a role in the words of core.selectors.selectors.ROLE_WORDS, else the system's own word."""
    return _ARIA.get(system_role, system_role)


def name_states(bits: int, system_role: str) -> frozenset[str]:
    """Return the states of an element in words; the first is the lowest bit."""
    words = {word for bit, word in _STATES.items() if bits >> bit & 1}
    if bits >> _SENSITIVE & 1:
        words.add("enabled")
    if is_showing(bits):
        words.add("visible")
    if system_role == UNREADABLE:
        words.add("password")
    return frozenset(words)


def join_bits(words: Sequence[int]) -> int:
    """Put the two halves of a set of states together."""
    return sum(word << 32 * index for index, word in enumerate(words))


def is_showing(bits: int) -> bool:
    """Tell whether an element can be seen."""
    return bool(bits >> _SHOWING & bits >> _VISIBLE & 1)


def show_visible(bits: int) -> int:
    """Return states in which what is visible is shown as well."""
    return bits | 1 << _SHOWING if bits >> _VISIBLE & 1 else bits


def hide(bits: int) -> int:
    """Return states without that of being shown."""
    return bits & ~(1 << _SHOWING)
