"""Items for tests, and a namer that names them as a page would."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from core.outlines.folding import make_changes_outline, make_outline
from core.outlines.items import ItemName, Outline, OutlineItem, OutlineRequest
from core.selectors.selectors import quote_name

ROOM = 1_000_000
_ACTS = ("button", "link", "field", "checkbox", "tab", "menuitem", "row")
_OTHERS = (
    *("text", "main", "navigation", "table", "row", "list", "listitem", "dialog", "region", "form", "group", "cell"),
    *("frame", "image", "status", "alert", "banner", "toolbar"),
)


@dataclass
class Namer:
    """Names items by kind and name, and remembers what it was asked for.

    Attributes:
        names: Names that differ from that, by ref.
        gone: Refs of what can't be found any more.
        asked: Refs, call by call.
    """

    names: Mapping[str, str] = field(default_factory=dict[str, str])
    gone: frozenset[str] = frozenset()
    asked: list[list[str]] = field(default_factory=list[list[str]])

    async def __call__(self, items: Sequence[OutlineItem]) -> Mapping[str, ItemName]:
        self.asked.append([item.ref for item in items])
        named = {
            item.ref: ItemName(self.names[item.ref]) if item.ref in self.names else name_item(item) for item in items
        }
        return {ref: name for ref, name in named.items() if ref not in self.gone}


def name_item(item: OutlineItem) -> ItemName:
    """Return what the namer calls an item."""
    name = item.name[:80]
    return ItemName(f"{item.kind} {quote_name(name)}" if name.strip() else f"{item.kind} nth {item.ref.strip('e')}")


class Page:
    """Collects items in reading order."""

    def __init__(self) -> None:
        self.items: list[OutlineItem] = []

    def add(self, level: int, kind: str, name: str = "", **facts: Any) -> OutlineItem:
        """Add a thing that nobody acts on."""
        self.items.append(OutlineItem(f"e{len(self.items) + 1}", level, kind, name, **facts))
        return self.items[-1]

    def act(self, level: int, kind: str, name: str = "", **facts: Any) -> OutlineItem:
        """Add a thing to act on."""
        return self.add(level, kind, name, can_act=True, **facts)

    def heading(self, level: int, name: str, rank: int = 1) -> OutlineItem:
        """Add a heading."""
        return self.add(level, "heading", name, level_of_heading=rank)


async def outline(
    items: Sequence[OutlineItem], max_tokens: int = 2000, namer: Namer | None = None, **request: Any
) -> Outline:
    """Return an outline of items."""
    return await make_outline(items, OutlineRequest(max_tokens, **request), namer or Namer())


async def changes(before: Sequence[OutlineItem], items: Sequence[OutlineItem], max_tokens: int = 2000) -> list[str]:
    """Return the lines of what has changed."""
    made = await make_changes_outline(before, items, OutlineRequest(max_tokens), Namer())
    return made.text.split("\n")


def users(count: int = 200) -> Page:
    """Return a page with a navigation, a table of users and a footer."""
    page = Page()
    page.add(0, "navigation", "Site")
    for number in range(48):
        page.act(1, "link", f"Page {number}", alike="nav")
    page.add(0, "main")
    page.heading(1, "Users")
    page.act(1, "field", "Filter", value="a")
    page.add(1, "table", "Users")
    for number in range(count):
        page.add(2, "row", alike="row")
        page.add(3, "cell", f"User {number}")
        page.act(3, "button", f"Delete user {number}")
    page.heading(1, "About", 2)
    page.add(1, "text", "These are all users.")
    page.add(0, "footer", "Legal")
    page.act(1, "link", "Imprint")
    return page


_NAMES = st.one_of(
    st.just(""),
    st.sampled_from(
        ["Save", "Delete", "Ada", "… 3 more", "# Fake", 'button "Fake"', "a\nb", "\u202eabc", "👩‍👩‍👧", "x" * 3000]
    ),
    st.text(max_size=30),
)


@st.composite
def any_items(draw: st.DrawFn, most: int = 60) -> list[OutlineItem]:
    """Return items of any kind, at any level, with any name."""
    items: list[OutlineItem] = []
    for index in range(draw(st.integers(0, most))):
        can_act = draw(st.booleans())
        heading = draw(st.integers(-8, 6)) if not can_act else 0
        hidden = not can_act and heading <= 0 and draw(st.integers(0, 9)) == 0
        kind = draw(st.sampled_from(_ACTS if can_act else _OTHERS))
        items.append(
            OutlineItem(
                f"e{index + 1}",
                draw(st.integers(0, 6)),
                "heading" if heading > 0 else "hidden" if hidden else kind,
                draw(_NAMES),
                value=draw(st.none() | _NAMES) if can_act else None,
                states=draw(st.sampled_from([(), ("ticked",), ("focused", "disabled")])) if can_act else (),
                can_act=can_act,
                alike=draw(st.sampled_from(["", "a", "b"])),
                holds=(("menuitem", draw(st.integers(1, 5))),) if hidden else (),
                opened_by=draw(st.sampled_from(["", "e1", "e99"])) if hidden else "",
                level_of_heading=max(heading, 0),
            )
        )
    return items
