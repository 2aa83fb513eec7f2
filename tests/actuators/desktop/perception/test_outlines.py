"""Outlines of windows on a desktop in memory: what is told, what is left to folds, and how long it may get."""

import time
from typing import Any

import pytest

from actuators.desktop.fake.state import FakeDesktop, FakeDesktopElement, FakeWindow
from actuators.desktop.platforms.fake import make_fake_back_end
from actuators.desktop.ports.desktop import Rect
from core.goals.secret_values import EmptyVault
from tests.contracts.desktop_perception.bench import ElementBench

BOX = Rect(0, 20, 40, 10)
WINDOW = "Editor"
FAKE = FakeDesktopElement


def grow(role: str, name: str = "", *children: FAKE, **more: Any) -> FAKE:
    """Return an element that can be seen, and that does something where it is a control."""
    facts: dict[str, Any] = {"bounds": BOX} | more
    return FAKE(role, name, **facts, children=list(children))


def open_window(*elements: FAKE) -> ElementBench:
    """Return a bench with a window."""
    return ElementBench(
        make_fake_back_end(FakeDesktop(FakeWindow(WINDOW, WINDOW, Rect(0, 0, 400, 300), list(elements))))
    )


async def outline(*elements: FAKE, **wish: Any) -> list[str]:
    """Return the lines below the title; each must name just what it was made for."""
    bench = open_window(*elements)
    await bench.count_lines(WINDOW, **wish)
    return (await bench.call("snapshot", window=WINDOW, **wish)).output["text"].splitlines()[1:]


async def test_boxes_that_say_nothing_are_left_out_and_what_is_in_them_is_kept():
    told = await outline(
        grow("group", "", grow("group", "", grow("button", "A")), grow("toolbar", "T", grow("button", "B"))),
        grow("group", "Named", grow("label", "in\nit"), grow("button", "C")),
        grow("scrollbar", "", value="3"),
    )
    assert told == ['button "A"', 'toolbar "T"', '  button "B"', 'group "Named"', "  - in it", '  button "C"']


async def test_a_password_is_never_told():
    states = {"enabled", "visible", "editable", "password"}
    assert await outline(grow("textbox", "Key", value="hunter2", states=states)) == ['field "Key" # secret']


class _KnowingVault(EmptyVault):
    def list_revealed(self) -> tuple[str, ...]:
        return ("hunter2",)

    def redact(self, value: Any) -> Any:
        return value.replace("hunter2", "•••") if isinstance(value, str) else value


async def test_what_was_revealed_is_taken_out_before_anything_is_cut_and_nothing_is_called_by_it():
    bench = open_window(
        grow("button", "Copy hunter2"),
        grow("textbox", "Log", value=f"{'x' * 116}hunter2", states={"visible", "enabled"}),
    )
    text = (await bench.call("snapshot", window=WINDOW, vault=_KnowingVault())).output["text"]
    assert "hunt" not in text
    assert "button nth 1" in text


async def test_values_states_and_what_is_taken_are_told():
    spinner = grow("spinbutton", "", value="4", states={"enabled", "visible", "editable"})
    spinner.lowest, spinner.highest = 1.0, 10.0
    entries = [FAKE("menuitem", name) for name in ("Small", "Large")]
    told = await outline(
        grow("checkbox", "Tea", states={"visible", "checked"}),
        grow("tab", "Names", states={"visible", "enabled", "selected"}),
        grow("label", "Width:"),
        spinner,
        grow("combobox", "Size", *entries, value="Large"),
        grow("button", "Bold", states={"visible", "enabled", "checked"}),
    )
    assert told == [
        'checkbox "Tea" # ticked, disabled',
        'tab "Names" # selected',
        'field "Width" # = "4", number 1–10',
        'field "Size" # = "Large", choose: Small | Large',
        'button "Bold" # pressed',
    ]


async def test_what_is_hidden_is_told_by_what_opens_it():
    told = await outline(
        grow("menu", "File", FAKE("menuitem", "Open"), FAKE("menu", "Recent", children=[FAKE("menuitem", "a.txt")])),
        grow("tab", "More", FAKE("checkbox", "Fast"), FAKE("textbox", "Name")),
        grow("group", "", FAKE("button", "Ghost")),
    )
    assert told == [
        'menu "File" # choose: Open | Recent',
        'tab "More" # opens: 1 checkbox, 1 field',
        "… 1 button, hidden",
    ]


async def test_entries_out_of_view_are_counted_and_told_where_they_are_asked_for():
    entries = [grow("listitem", f"Row {number}", bounds=Rect(0, 20 * number, 40, 20)) for number in range(50)]
    pane = grow(
        "scroll pane", "", grow("list", "Rows", *entries, bounds=Rect(0, 0, 40, 100)), bounds=Rect(0, 0, 40, 100)
    )
    told = await outline(pane)
    assert told[:2] == ['list "Rows"', '  listitem "Row 0"']
    assert told[-1] == "  … scrolled out of view: 45 entries, hidden"
    bench = open_window(pane)
    inside = (await bench.call("snapshot", window=WINDOW, scope='list "Rows"')).output["text"]
    assert 'listitem "Row 49" # scrolled out of view' in inside


async def test_a_row_is_called_by_what_is_written_in_it_and_tells_the_rest():
    rows = [grow("row", "", grow("cell", "", grow("label", name)), grow("cell", "", grow("label", price)))
            for name, price in (("Tea", "£2"), ("Rum", "£9"))]  # fmt: skip
    assert await outline(grow("table", "Drinks", *rows)) == [
        'table "Drinks"',
        '  row "Tea" # = "£2"',
        '  row "Rum" # = "£9"',
    ]


async def test_a_box_to_tick_in_a_table_without_rows_goes_by_its_line():
    cells = [
        each
        for number, name in enumerate(("Tea", "Rum"))
        for each in (
            grow("cell", "", bounds=Rect(0, 20 * number, 10, 20), actions=("toggle",)),
            grow("cell", name, bounds=Rect(10, 20 * number, 30, 20), actions=("edit",)),
        )
    ]
    told = await outline(grow("table", "Drinks", *cells))
    assert told[1:] == ['  checkbox in "Tea"', '  cell "Tea"', '  checkbox in "Rum"', '  cell "Rum"']
    bench = open_window(grow("table", "Drinks", *cells))
    assert (await bench.call("set_value", target='checkbox in "Rum"', value="on")).output["value"] == "on"
    assert "checked" in cells[2].states


async def test_what_covers_an_element_is_told():
    front = FakeWindow("Front", "Front", Rect(0, 0, 30, 300))
    back = FakeWindow(
        WINDOW, WINDOW, Rect(0, 0, 400, 300), [grow("button", "A"), grow("button", "B", bounds=Rect(90, 0, 9, 9))]
    )
    bench = ElementBench(make_fake_back_end(FakeDesktop(front, back)))
    text = (await bench.call("snapshot", window=WINDOW)).output["text"]
    assert text.splitlines()[1:] == ['button "A" # covered by window "Front"', 'button "B"']


async def test_a_window_that_tells_nothing_says_so():
    assert await outline() == [
        "- The application reports nothing to the accessibility system. Read its text with read."
    ]


@pytest.mark.parametrize("tokens", [50, 2000])
async def test_an_outline_keeps_to_its_tokens_whatever_there_is(tokens: int):
    huge = [
        grow("label", "x" * 5_000_000),
        grow("button", "y " * 2_500_000),
        grow("textbox", "", value="z" * 5_000_000),
    ]
    many = [grow("button", f"Button {number}") for number in range(100_000)]
    bench = open_window(*huge, *many)
    start_s = time.monotonic()
    outcome = await bench.call("snapshot", window=WINDOW, max_tokens=tokens)
    assert time.monotonic() - start_s < 30
    assert outcome.output["tokens"] <= tokens
    assert len(outcome.output["text"]) < tokens * 12
    assert outcome.evidence["left_out"] > 90_000
    assert all(line["selector"] for line in outcome.output["lines"] if "Button" in line["text"])


async def test_a_tree_of_a_hundred_levels_is_told():
    inner = grow("button", "Deep")
    for number in range(100):
        inner = grow("group", f"Level {number}" if number % 10 == 0 else "", inner, grow("button", "Twin"))
    assert sum('"Deep"' in line for line in await outline(inner)) == 1
