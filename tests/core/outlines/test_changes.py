"""What a look says of what has changed since another one."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.outlines.changes import compare_outlines
from core.outlines.folding import make_changes_outline
from core.outlines.items import OutlineItem, OutlineRequest
from core.outlines.tokens import bound_tokens
from tests.core.outlines.makers import Namer, Page, any_items, changes, users


def _basket() -> Page:
    page = Page()
    page.heading(0, "Basket")
    page.add(0, "list")
    for name in ("Tea", "Milk", "Bread"):
        page.add(1, "listitem", alike="entry")
        page.act(2, "checkbox", name)
        page.add(2, "text", f"{name} from the shop")
        page.act(2, "button", "Remove")
    page.add(0, "text", "3 items left")
    return page


def _edit(items: list[OutlineItem], called: str, **facts: object) -> list[OutlineItem]:
    return [replace(item, **facts) if item.name == called else item for item in items]


def _remake(items: list[OutlineItem]) -> list[OutlineItem]:
    return [replace(item, ref=f"e{100 + index}") for index, item in enumerate(items)]


async def test_a_look_at_what_is_as_it_was_is_one_line() -> None:
    items = users().items
    assert await changes(items, items) == ["… nothing has changed since the last look"]
    assert await changes(items, _remake(items)) == ["… nothing has changed since the last look"]


async def test_changed_facts_are_told_with_what_they_were() -> None:
    items = _basket().items
    now = _edit(_edit(items, "Milk", states=("ticked",)), "3 items left", name="2 items left")
    told = ["# Basket", 'checkbox "Milk" # ticked, was: not ticked', '- 2 items left # was: "3 items left"']
    assert await changes(items, now) == told
    assert await changes(items, _remake(now)) == told


async def test_a_state_that_is_gone_is_told() -> None:
    items = _edit(_basket().items, "Tea", states=("ticked", "focused"))
    assert 'checkbox "Tea" # not ticked, was: ticked' in await changes(items, _edit(items, "Tea", states=()))


async def test_a_value_is_told_with_the_one_before() -> None:
    page = users(2)
    assert 'field "Filter" # = "b", was: "a"' in await changes(page.items, _edit(page.items, "Filter", value="b"))


async def test_what_was_added_is_new_and_what_was_taken_away_is_gone() -> None:
    items = _basket().items
    now = [*items[:2], *items[6:]]
    now.append(OutlineItem("e90", 0, "dialog", "Removed"))
    now.append(OutlineItem("e91", 1, "button", "Undo", can_act=True))
    told = ["# Basket", 'listitem "Tea from the shop" # gone', 'dialog "Removed" # new', '  button "Undo" # new']
    assert await changes(items, now) == told
    assert await changes(items, _remake(now)) == told


async def test_what_has_only_moved_has_not_changed() -> None:
    items = _basket().items
    now = [*items[:2], *items[6:10], *items[2:6], *items[10:]]
    assert await changes(items, now) == ["… nothing has changed since the last look"]
    assert await changes(items, _remake(now)) == ["… nothing has changed since the last look"]


async def test_another_page_is_told_whole_even_if_its_refs_begin_anew() -> None:
    lines = await changes(users().items, _basket().items)
    assert lines[0] == "# Basket"
    assert not any("# new" in line or "# gone" in line for line in lines)


async def test_changes_keep_to_the_budget_and_say_how_many_more_there_are() -> None:
    items = users(400).items
    now = [replace(item, states=("disabled",)) if item.kind == "button" else item for item in items]
    lines = await changes(items, now, 300)
    assert bound_tokens("\n".join(lines)) <= 300
    assert lines[-1].startswith("… ")
    assert " more (max_tokens: " in lines[-1]


@given(any_items(), any_items(), st.integers(50, 2000))
async def test_changes_of_any_items_keep_to_the_budget(
    before: list[OutlineItem], now: list[OutlineItem], room: int
) -> None:
    made = await make_changes_outline(before, now, OutlineRequest(room), Namer())
    assert bound_tokens(made.text) <= made.tokens <= room


@given(any_items())
def test_any_items_are_as_they_were_compared_with_themselves(items: list[OutlineItem]) -> None:
    assert not compare_outlines(items, items).picked


@given(any_items(), st.data())
def test_whatever_is_taken_away_is_gone_or_in_what_is_gone(items: list[OutlineItem], data: st.DataObject) -> None:
    unique = [replace(item, name=f"{item.name} {index}") for index, item in enumerate(items)]
    if not unique:
        return
    lost = data.draw(st.integers(0, len(unique) - 1))
    now = [item for index, item in enumerate(unique) if index != lost]
    found = compare_outlines(unique, now)
    gone = [ref for ref, mark in found.marks.items() if mark.is_gone]
    assert gone == ([] if unique[lost].kind == "hidden" else [f"{unique[lost].ref}:gone"])
