"""What an outline shows within a budget, and where all else lies."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.outlines.folding import make_outline
from core.outlines.items import Outline, OutlineItem, OutlineRequest
from core.outlines.tokens import bound_tokens
from core.outlines.trees import NOWHERE, make_tree, narrow_items
from core.outlines.writing import pick_selector
from tests.core.outlines.makers import ROOM, Namer, Page, any_items, name_item, outline, users

_SCOPED = re.compile(r"\(scope: (.+)\)$")


async def test_a_small_page_is_shown_whole_and_costs_next_to_nothing() -> None:
    page = Page()
    page.add(0, "main")
    page.add(1, "form", "Sign in")
    page.heading(2, "Sign in")
    page.act(2, "field", "Email")
    page.act(2, "field", "Password", states=("secret",))
    page.act(2, "button", "Sign in")
    page.act(1, "link", "Forgot your password?")
    made = await outline(page.items)
    assert made.text.split("\n") == [
        "# Sign in",
        'field "Email"',
        'field "Password" # secret',
        'button "Sign in"',
        'link "Forgot your password?"',
    ]
    assert made.folded == 0
    assert made.tokens <= 45  # of which 26 are true ones


async def test_long_runs_show_the_first_few_and_say_how_many_more_there_are() -> None:
    lines = (await outline(users().items, 150)).text.split("\n")
    assert lines[0] == 'navigation "Site" # 48 links folded'
    assert lines[1:4] == ["# Users", 'field "Filter" # = "a"', 'table "Users"']
    assert lines[4:6] == ["  - User 0", '    button "Delete user 0"']
    assert any(re.fullmatch(r'  … 19\d more rows like this \(scope: table "Users"\)', line) for line in lines)


async def test_more_of_a_run_is_shown_where_there_is_room() -> None:
    shown = [len((await outline(users().items, room)).lines) for room in (100, 300, 1000, 3000, ROOM)]
    assert shown == sorted(set(shown))


async def test_with_plenty_of_room_nothing_is_folded() -> None:
    made = await outline(users().items, ROOM)
    assert made.folded == 0
    assert "…" not in made.text
    assert sum(line.selector.startswith("button") for line in made.lines) == 200


async def test_an_open_dialog_and_the_focused_field_come_before_all_else() -> None:
    page = users()
    page.act(0, "field", "Deep down", states=("focused",))
    page.add(0, "dialog", "Cookies")
    page.act(1, "button", "Accept all")
    made = await outline(page.items, 80)
    assert 'button "Accept all"' in made.text
    assert 'field "Deep down" # focused' in made.text


async def test_a_part_that_comes_again_is_folded_the_second_time() -> None:
    page = Page()
    for name in ("Top", "Bottom"):
        page.add(0, "navigation", name)
        for number in range(20):
            page.act(1, "link", f"Page {number}")
        page.heading(0, "Content")
    made = await outline(page.items, 220)
    assert 'link "Page 1"' in made.text
    assert 'navigation "Bottom" # 20 links folded' in made.text


async def test_a_section_that_is_not_shown_is_told_at_its_heading() -> None:
    page = Page()
    for section in range(30):
        page.heading(0, f"Part {section}", 2)
        for number in range(40):
            page.act(0, "link", f"See {section} {number}")
    made = await outline(page.items, 400)
    assert 'heading "Part 5" # 40 links folded' in made.text
    inside = narrow_items(page.items, page.items[41 * 5].ref)
    assert [item.name for item in inside] == ["Part 5", *(f"See 5 {number}" for number in range(40))]
    assert 'link "See 5 39"' in (await outline(inside)).text


async def test_what_lies_in_no_part_is_told_with_the_tokens_that_show_it() -> None:
    page = Page()
    for number in range(300):
        page.act(0, "link", f"Link number {number}")
    made = await outline(page.items, 200)
    last = made.text.split("\n")[-1]
    found = re.fullmatch(r"… (\d+) links \(max_tokens: (\d+)\)", last)
    assert found
    assert int(found[1]) == made.folded
    assert (await outline(page.items, int(found[2]))).folded == 0


async def test_depth_folds_what_lies_deeper() -> None:
    page = Page()
    page.add(0, "region", "Billing")
    page.act(1, "button", "Pay")
    page.add(1, "region", "Address")
    page.act(2, "field", "Street")
    made = await outline(page.items, depth=2)
    assert made.text.split("\n") == ['region "Billing"', '  button "Pay"', '  region "Address" # 1 field folded']


async def test_a_hidden_part_says_what_opens_it() -> None:
    page = Page()
    opener = page.act(0, "button", "File")
    page.add(0, "hidden", 'menu "File"', holds=(("menuitem", 12),), opened_by=opener.ref)
    made = await outline(page.items)
    assert made.text.split("\n")[1] == '… menu "File": 12 menuitems, hidden (opens: button "File")'


async def test_lines_carry_numbers_where_they_are_asked_for() -> None:
    page = users(3)
    made = await outline(page.items, numbered=True)
    numbers = [line.number for line in made.lines if line.number]
    assert numbers == list(range(1, len(numbers) + 1))
    assert 'field "Filter" # 49, = "a"' in made.text


async def test_longer_selectors_than_expected_are_shown_whole_and_the_budget_holds() -> None:
    page = users()
    names = {item.ref: f'{item.kind} "{item.name}" in "A region with a rather long name"' for item in page.items}
    namer = Namer({ref: name for ref, name in names.items() if '""' not in name})
    made = await outline(page.items, 500, namer)
    assert made.tokens <= 500
    assert all(line.selector in line.text for line in made.lines)
    assert all(
        line.selector in namer.names.values() for line in made.lines if line.selector and line.ref in namer.names
    )
    assert len(namer.asked) <= 3


async def test_what_has_gone_meanwhile_is_left_out() -> None:
    page = users(3)
    gone = next(item for item in page.items if item.name == "Filter")
    made = await outline(page.items, namer=Namer(gone=frozenset({gone.ref})))
    assert "Filter" not in made.text
    assert made.folded == 0


async def test_names_are_asked_only_for_what_is_shown() -> None:
    namer = Namer()
    made = await outline(users(2000).items, 500, namer)
    assert len(namer.asked) <= 3
    assert sum(map(len, namer.asked)) <= 3 * len(made.lines)


@given(any_items(), st.integers(50, 3000), st.sampled_from([None, 1, 3]), st.booleans())
async def test_the_budget_holds_for_any_items(
    items: list[OutlineItem], room: int, depth: int | None, numbered: bool
) -> None:
    made = await make_outline(items, OutlineRequest(room, depth, numbered=numbered), Namer())
    assert bound_tokens(made.text) <= made.tokens <= room


@given(any_items(), st.integers(60, 600))
async def test_all_that_can_be_acted_on_has_a_line_or_lies_in_a_fold_that_says_how_to_open_it(
    items: list[OutlineItem], room: int
) -> None:
    made = await make_outline(items, OutlineRequest(room), Namer())
    tree = make_tree(items)
    shown = {line.ref for line in made.lines}
    folds = _list_folds(made, items)
    for index, item in enumerate(items):
        around = index
        while item.can_act and item.ref not in shown and around not in folds:
            assert around != NOWHERE, (item, made.text)
            around = tree.holders[around]


def _list_folds(made: Outline, items: list[OutlineItem]) -> set[int]:
    """Return the items that are scopes of folds; NOWHERE for the fold of the whole."""
    tree = make_tree(items)
    found = {tree.find(line.ref) for line in made.lines if line.text.endswith(" folded")}
    for line in made.lines:
        if (scope := _SCOPED.search(line.text)) and line.text.lstrip().startswith("…"):
            names = {item.ref: index for index, item in enumerate(items)}
            found |= {names[ref] for ref, name in _name_all(items).items() if name == scope[1]}
        elif re.match(r"… .*\((max_tokens: \d+|find: .*)\)$", line.text):
            found.add(NOWHERE)
    return found


def _name_all(items: list[OutlineItem]) -> dict[str, str]:
    return {item.ref: pick_selector(item, name_item(item)) for item in items}


@given(any_items())
async def test_every_line_is_one_line_and_begins_with_its_selector(items: list[OutlineItem]) -> None:
    made = await make_outline(items, OutlineRequest(ROOM), Namer())
    assert made.folded == sum(number for item in items for _, number in item.holds)
    for line in made.lines:
        assert re.fullmatch(r"[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\ufeff]*", line.text)
        assert line.text.lstrip().startswith(line.selector or ("-", "#", "…", "button", "link"))


@pytest.mark.parametrize("room", [50, 2000])
async def test_a_page_without_measure_keeps_to_the_budget(room: int) -> None:
    page = Page()
    for number in range(100_000):
        page.act(number % 50, "link", f"Link {number}")
    page.act(0, "button", "A name " * 700_000)
    made = await outline(page.items, room)
    assert made.tokens <= room
    assert made.folded > 99_000


async def test_a_heading_that_is_a_link_is_one_line() -> None:
    page = Page()
    page.heading(0, "News", 2)
    page.act(1, "link", "News")
    page.add(0, "text", "It rains.")
    assert (await outline(page.items)).text == 'link "News" # h2\n- It rains.'


async def test_what_stands_in_a_heading_that_has_a_line_is_told_without_its_rank() -> None:
    page = Page()
    page.heading(0, "Editor", 1)
    page.act(1, "menu", "File")
    assert (await outline(page.items)).text.splitlines()[-1].strip() == 'menu "File"'


async def test_a_field_has_a_line_before_many_buttons() -> None:
    page = Page()
    for number in range(100):
        page.act(0, "button", f"Press {number}")
    page.act(0, "field", "Search")
    assert 'field "Search"' in (await outline(page.items, 150)).text


async def test_an_entry_that_is_called_like_what_is_pressed_in_it_has_no_line_of_its_own() -> None:
    page = Page()
    for name in ("Milk", "Tea"):
        page.add(0, "listitem", name)
        page.act(1, "checkbox", f"Done with {name}")
        page.act(1, "link", name)
    lines = (await outline(page.items)).text.split("\n")
    assert lines == ['checkbox "Done with Milk"', 'link "Milk"', 'checkbox "Done with Tea"', 'link "Tea"']


async def test_an_entry_says_what_belongs_to_it_though_it_is_called_like_what_is_pressed_in_it() -> None:
    page = Page()
    page.add(0, "listitem", "Sort")
    page.act(1, "button", "Sort", states=("expanded",))
    page.act(1, "link", "By name")
    lines = (await outline(page.items)).text.split("\n")
    assert lines == ['listitem "Sort"', '  button "Sort" # expanded', '  link "By name"']


@pytest.mark.parametrize(("links", "has_line"), [(1, False), (3, False), (4, True)])
async def test_only_a_navigation_of_more_than_three_links_has_a_line_of_its_own(links: int, has_line: bool) -> None:
    page = Page()
    page.add(0, "navigation", "Site")
    for number in range(links):
        page.act(1, "link", f"Page {number}")
    lines = (await outline(page.items)).text.split("\n")
    assert (lines[0] == 'navigation "Site"') == has_line
    assert len(lines) == links + has_line
