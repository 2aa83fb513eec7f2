"""What is folded can be reached: whoever opens folds as they say comes to everything."""

import re
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from core.outlines.items import Outline, OutlineItem
from core.outlines.trees import narrow_items
from tests.core.outlines.makers import Namer, Page, any_items, outline

_SCOPE = re.compile(r"\(scope: (.+)\)$")
_ROOM = re.compile(r"… .*\(max_tokens: (\d+)\)$")
_LONG = ' in "A region with a rather long name that nobody would have expected, and more of it"'


@dataclass(frozen=True)
class Opening:
    """What somebody looks at next.

    Attributes:
        ref: The part; empty for everything.
        room: Most tokens.
    """

    ref: str
    room: int


async def reach(items: list[OutlineItem], room: int, ending: str = "") -> set[str]:
    """Return the refs of all lines that opening folds leads to."""
    names = {item.ref: f"{item.kind} nth {item.ref.strip('e')}{ending}" for item in items}
    refs = {name: ref for ref, name in names.items()}
    waiting = [Opening("", room)]
    done: set[Opening] = set()
    reached: set[str] = set()
    while waiting:
        opening = waiting.pop()
        if opening in done:
            continue
        done.add(opening)
        part = narrow_items(items, opening.ref) if opening.ref else items
        made = await outline(part, opening.room, Namer(names))
        reached |= {line.ref for line in made.lines}
        waiting += list_openings(made, opening, refs, room)
    return reached


def list_openings(made: Outline, opening: Opening, refs: dict[str, str], room: int) -> list[Opening]:
    """Return what the folds of an outline say."""
    found: list[Opening] = []
    for line in made.lines:
        text = line.text.lstrip()
        if line.ref and line.selector and re.search(r" # .*\bfolded\b", text):
            found.append(Opening(refs[line.selector], room))
        elif not line.ref and (scope := _SCOPE.search(text)):
            found.append(Opening(refs[scope[1]], room))
        elif not line.ref and (more := _ROOM.fullmatch(text)):
            found.append(Opening(opening.ref, int(more[1])))
    return found


@given(any_items(), st.integers(60, 600), st.sampled_from(["", _LONG]))
async def test_opening_folds_as_they_say_reaches_all_that_can_be_acted_on(
    items: list[OutlineItem], room: int, ending: str
) -> None:
    reached = await reach(items, room, ending)
    assert [item for item in items if item.can_act and item.ref not in reached] == []


async def test_a_fold_asks_for_more_room_than_has_not_been_enough() -> None:
    page = Page()
    page.heading(0, "Methods")
    for _ in range(300):
        page.act(0, "link", "source")
    reached = await reach(page.items, 500, _LONG * 3)
    assert {item.ref for item in page.items} <= reached


async def test_a_part_that_is_all_there_is_asks_for_more_room_and_not_for_itself() -> None:
    page = Page()
    page.heading(0, "Methods")
    page.act(0, "link", "source", value="a value " * 20)
    made = await outline(
        page.items, 50, Namer({item.ref: f"{item.kind} nth {item.ref.strip('e')}" for item in page.items})
    )
    assert "max_tokens" in made.text
