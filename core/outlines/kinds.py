"""Kinds of things in an outline: what they are to a person, and how several of them are called."""

FIELDS = frozenset(
    {"field", "checkbox", "radio", "switch", "combobox", "textbox", "searchbox", "slider", "spinbutton", "listbox"}
)
TEXT = "text"
HIDDEN = "hidden"
FRAME = "frame"
CONTROL = "control"

# What stands around the part that a page is about, on each of its pages.
FURNITURE = frozenset({"navigation", "banner", "header", "footer", "sidebar", "menubar"})
# What asks to be looked at before anything else.
URGENT = frozenset({"dialog", "alert"})
# Like parts of something: what is written in one of them is one line.
ENTRIES = frozenset({"row", "listitem", "record", "option", "treeitem"})
# They say something by being there, also without a name.
_TELLING = frozenset({"dialog", "alert", "status", FRAME, "table", "tree", "menu", "listbox", "tooltip"})
# They hold others together, and are told if they have a name.
_HOLDING = frozenset(
    {"region", "form", "group", "list", "tablist", "tabpanel", "toolbar", "article", "search", "figure", "main"}
)
# With a name and nothing in them they are what is written there.
TEXTUAL = frozenset({TEXT, "cell", "rowheader", "columnheader", "paragraph", *ENTRIES})
# They can be shown closed: each holds what belongs together.
CLOSABLE = (_TELLING | _HOLDING | FURNITURE) - {"group", "article", "figure"}

_PLURALS = {"listitem": "entries", "radio": "radios", "search": "searches"}
_SINGULARS = {"listitem": "entry"}
_HISSING = ("x", "s", "ch", "sh")


def is_told(kind: str, *, has_name: bool) -> bool:
    """Tell whether a part has a line of its own when what is in it is shown."""
    return kind in _TELLING or (has_name and (kind in _HOLDING or kind in FURNITURE or kind in ENTRIES))


def tell_count(kind: str, number: int) -> str:
    """Return a number of things of a kind, such as ``2 fields`` or ``1 button``."""
    if number == 1:
        return f"1 {_SINGULARS.get(kind, kind)}"
    return f"{number} {_PLURALS.get(kind) or kind + ('es' if kind.endswith(_HISSING) else 's')}"
