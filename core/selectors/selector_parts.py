"""The parts of a plain selector: its words, its pieces as data, and how they are written. Pure."""

import re
from typing import Any, Literal

from core.base.late_dataclasses import dataclass, replace
from core.base.late_parts import compile_late

SelectorKind = Literal[
    "role",
    "control",
    "field",
    "text",
    "value",
    "icon",
    "look",
    "record",
    "frame",
    "label",
    "placeholder",
    "testid",
    "ref",
]
Quantity = Literal["one", "every"] | int
Order = Literal["lowest", "highest", "newest", "oldest"]
Relation = Literal["near", "above", "below", "left of", "right of"]

_ROLES: dict[str, tuple[str, ...]] = {
    "menuitem": ("menuitem", "menuitemcheckbox", "menuitemradio"),
    "image": ("img",),
    "cell": ("cell", "gridcell"),
    "dialog": ("dialog", "alertdialog"),
    "table": ("table", "grid", "treegrid"),
    "tree": ("tree", "treegrid"),
    "group": ("group", "radiogroup"),
    "header": ("banner",),
    "footer": ("contentinfo",),
    "sidebar": ("complementary",),
}
_WORDS = (
    *("button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "option", "heading", "image"),
    *("row", "cell", "columnheader", "rowheader", "list", "listitem", "listbox", "dialog", "alert", "status"),
    *("slider", "spinbutton", "combobox", "textbox", "searchbox", "menu", "menubar", "toolbar", "tabpanel", "tablist"),
    *("table", "tree", "treeitem", "group", "region", "form", "article", "navigation", "banner", "main", "search"),
    *("figure", "progressbar", "paragraph", "header", "footer", "sidebar", "tooltip"),
)
# What people call an element, and the ARIA roles that it may have: the word itself where no others are said.
ROLE_WORDS: dict[str, tuple[str, ...]] = {word: _ROLES.get(word, (word,)) for word in _WORDS}
ALIASES = {
    "check box": "checkbox",
    "tick box": "checkbox",
    "radio button": "radio",
    "toggle": "switch",
    "menu item": "menuitem",
    "drop-down": "combobox",
    "dropdown": "combobox",
    "combo box": "combobox",
    "text box": "textbox",
    "search box": "searchbox",
    "list box": "listbox",
    "list item": "listitem",
    "item": "listitem",
    "img": "image",
    "picture": "image",
    "column header": "columnheader",
    "row header": "rowheader",
    "progress bar": "progressbar",
    "section": "region",
    "input": "field",
}
OTHER_WORDS: tuple[SelectorKind, ...] = ("control", "field", "text", "value", "icon", "look", "record")
PREFIXES: tuple[SelectorKind, ...] = ("label", "placeholder", "testid", "ref")
# Kinds that are looked for in frames as well, where the main frame has none.
SEARCHES_FRAMES = frozenset({"control", "field", "value"})
# Kinds that need no name where a region, or something else, says which are meant.
NAMELESS: frozenset[SelectorKind] = frozenset({"role", "field", "record"})
# Role words that are not tags, so that one alone is never meant literally: the only slider of a page.
LONE_WORDS = frozenset(
    ["slider", "spinbutton", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "navigation", "banner", "toolbar", "tablist", "tabpanel", "menubar", "listitem", "treeitem", "columnheader", "rowheader", "paragraph"]
)  # fmt: skip
REVEALED = "revealed"
"""The ref of what was brought into sight last, until the page is another one."""
LAST = -1
"""What ``nth`` is for the last of several."""
_BARE_REF = compile_late(r"\w+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Region:
    """The part of a page that an element is in.

    Attributes:
        name: Its name: of a section, field set, dialog, row, list item, or of the heading above it; empty if a selector
            says which it is.
        word: Role word that it must have; empty for any.
        selector: What it is itself; None if it has a name.
    """

    name: str
    word: str = ""
    selector: "PlainSelector | None" = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Which of several elements is meant, by a value of each: ``lowest``, ``highest`` of amounts, ``newest``, ``oldest`` of dates."""

    order: Order
    label: str


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a grid, such as ``row 2 column 3``, counted from 1; from the last where negative, the middle where 0."""

    words: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Placement:
    """Where an element is beside another one, on a side or ``near``; that one has a name, or a selector says which it is."""

    relation: Relation
    name: str = ""
    selector: "PlainSelector | None" = None


@dataclass(frozen=True, slots=True)
class PlainSelector:
    """A plain form, taken to pieces.

    Attributes:
        kind: ``role`` for the words of ROLE_WORDS, otherwise the word or prefix itself.
        name: Name, text or value that was asked for; empty for whatever is of that role or kind and fits the rest.
        word: The role word, for kind ``role``.
        regions: What the element is in, innermost first.
        nth: Which of several matches is meant, from 1, or LAST; None where there must be only one.
        quantity: ``one``, ``every``, or how many from the first.
        exceptions: Names of those that are not meant.
        spot: Place in the grid that the matches are drawn in; None for any.
        likes: What its name is like, where ``*`` stands for anything.
    """

    kind: SelectorKind
    name: str
    word: str = ""
    regions: tuple[Region, ...] = ()
    nth: int | None = None
    quantity: Quantity = "one"
    exceptions: tuple[str, ...] = ()
    placements: tuple[Placement, ...] = ()
    ranking: Ranking | None = None
    texts: tuple[str, ...] = ()
    spot: Spot | None = None
    likes: tuple[str, ...] = ()

    @property
    def roles(self) -> tuple[str, ...]:
        """ARIA roles that the element may have; empty unless the kind is ``role``."""
        return ROLE_WORDS.get(self.word, ())

    @property
    def names_several(self) -> bool:
        """Whether several elements are meant, rather than one."""
        return self.quantity != "one"


def narrow_plain(plain: PlainSelector, number: int) -> PlainSelector | None:
    """Return the form that names one of several matches, from 1, alone; None where a number would count something else."""
    if plain.names_several or plain.placements or plain.ranking or plain.spot or plain.nth is not None:
        return None
    return replace(plain, nth=number)


def list_weaker(plain: PlainSelector) -> list[tuple[str, PlainSelector]]:
    """Return what a form would be without each of its modifiers, behind how that one is written; for messages."""
    weaker: list[tuple[str, PlainSelector]] = []
    for name in ("regions", "texts", "exceptions", "placements", "likes"):
        if name != "likes" or plain.name or plain.kind in NAMELESS:
            weaker += _leave_out_each(plain, name, getattr(plain, name))
    for name in ("ranking", "spot"):
        if getattr(plain, name):
            weaker.append((_render_modifiers(replace(plain, nth=None))[-1], replace(plain, **{name: None})))
    if plain.nth is not None:
        weaker.append((_render_modifiers(plain)[-1], replace(plain, nth=None)))
    return weaker


def render_plain(plain: PlainSelector) -> str:
    """Write a plain form in its canonical form."""
    quantity = {"one": "", "every": "every "}.get(str(plain.quantity), f"first {plain.quantity} ")
    head = f"{plain.kind}=" if plain.kind in PREFIXES else f"{plain.word or plain.kind} "
    is_bare = plain.kind == "ref" and _BARE_REF.fullmatch(plain.name)
    named = (quantity + head + (plain.name if is_bare else quote_name(plain.name) if plain.name else "")).rstrip()
    return named + "".join(f" {part}" for part in _render_modifiers(plain))


def quote_name(name: str) -> str:
    r"""Put a name in double quotes, with ``\"`` and ``\\`` where it has such characters itself."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _leave_out_each(plain: PlainSelector, attribute: str, parts: tuple[Any, ...]) -> list[tuple[str, PlainSelector]]:
    bare = PlainSelector(plain.kind, plain.name, plain.word)
    return [
        (
            _render_modifiers(replace(bare, **{attribute: (part,)}))[0],
            replace(plain, **{attribute: (*parts[:at], *parts[at + 1 :])}),
        )
        for at, part in enumerate(parts)
    ]


def _render_modifiers(plain: PlainSelector) -> list[str]:
    parts = [f"in {_render_part(each.name, each.selector, each.word)}" for each in plain.regions]
    parts += [f"like {quote_name(each)}" for each in plain.likes]
    parts += [f"with text {quote_name(each)}" for each in plain.texts]
    if plain.exceptions:
        parts.append(f"except {', '.join(map(quote_name, plain.exceptions))}")
    parts += [f"{each.relation} {_render_part(each.name, each.selector)}" for each in plain.placements]
    if plain.ranking:
        parts.append(f"with {plain.ranking.order} {quote_name(plain.ranking.label)}")
    if plain.spot:
        parts.append(f"at {quote_name(plain.spot.words)}")
    if plain.nth is not None:
        parts.append(f"nth {'last' if plain.nth == LAST else plain.nth}")
    return parts


def _render_part(name: str, selector: PlainSelector | None, word: str = "") -> str:
    if selector is not None:
        return f"({render_plain(selector)})"
    return f"{word} {quote_name(name)}".lstrip()
