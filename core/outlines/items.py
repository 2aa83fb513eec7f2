"""Items of an outline and their kinds: what is told of a page or window, and how several things of a kind are called."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from core.base.late_dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """One thing on a page or in a window. What it says is the word of its page or application.

    Attributes:
        ref: What finds it again for as long as it lives, such as ``e12``; unique in its outline.
        level: How deep it stands, from 0. It belongs to the nearest item before it that has a lower level.
        kind: What it is: a role word of selectors, ``field``, ``control``, ``icon``, ``frame``, ``text``, or ``hidden`` for a part
            that can't be seen as it is.
        name: What people call it; for ``text`` what is written there; may be empty.
        value: What it holds; None where it holds nothing or a secret.
        states: Such as ``ticked``, ``disabled``, ``expanded``, ``selected``, ``focused``, ``required``, ``secret``, in the order in which
            they are told.
        takes: What it takes: ``choose: Small | Large``, ``date``, ``number 1–10``; empty where its kind says it;
            for ``hidden`` ``hover`` where the mouse over something shows it.
        alike: The same for things that are built alike, such as the rows of a table; empty for what stands alone.
        holds: For ``hidden``, and for parts that were not looked into: how many things to act on there are in it, by kind.
        opened_by: Ref of what brings a hidden part into sight; empty where nothing is known to.
        level_of_heading: 1 to 6 for a heading, else 0.
    """

    ref: str
    level: int
    kind: str
    name: str = ""
    value: str | None = None
    states: tuple[str, ...] = ()
    takes: str = ""
    can_act: bool = False
    alike: str = ""
    holds: tuple[tuple[str, int], ...] = ()
    opened_by: str = ""
    level_of_heading: int = 0


@dataclass(frozen=True, slots=True)
class ItemName:
    """How the shortest selector names an item, and what covers it, as a selector or in words; empty where nothing does."""

    selector: str
    covered_by: str = ""


NameItems = Callable[[Sequence[OutlineItem]], Awaitable[Mapping[str, ItemName]]]
"""Names items by their refs; what has gone meanwhile is left out."""


@dataclass(frozen=True, slots=True)
class OutlineRequest:
    """What is wanted of an outline.

    Attributes:
        max_tokens: Most tokens (o200k) of its text.
        depth: Most levels; None for all.
        find: Words; the lines nearest to them are shown. Empty for all.
        numbered: Whether lines carry the numbers of a picture.
    """

    max_tokens: int
    depth: int | None = None
    find: str = ""
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class OutlineLine:
    """A line of an outline, indented, with its item (empty for a fold), its selector, and its number on a picture, or 0."""

    text: str
    ref: str = ""
    selector: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Outline:
    """An outline as it is shown, in the order of the page, with a bound of its tokens (o200k) and a last line beside it."""

    lines: tuple[OutlineLine, ...]
    folded: int
    tokens: int
    note: str = ""

    @property
    def has_folds(self) -> bool:
        """Whether a line stands for others that have none; what is hidden on the page is not folded."""
        return self.folded > 0 and any(not line.ref for line in self.lines)

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join([*(line.text for line in self.lines), *filter(None, [self.note])])
