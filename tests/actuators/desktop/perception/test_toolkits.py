"""Programs of every toolkit that speaks to the accessibility bus: what each leaves out or can't bear."""

import asyncio
import json
import subprocess
from pathlib import Path

import pytest

from actuators.desktop.finding.locating import Locating
from actuators.desktop.finding.window_finding import find_window
from core.selectors.screen_targets import parse_element_target
from fixtures.machine.desktop import PrivateDesktop
from tests.actuators.desktop.perception.programs import Programs
from tests.prerequisites import miss

_QT = [("Untitled", "featherpad"), ("Qt6 Configuration Tool", "qt6ct")]
_ALL = [*_QT, ("Calculator", "gnome-calculator"), ("galculator", "galculator")]
_FIXTURES = Path(__file__).parents[4] / "fixtures" / "machine"
_ORACLE = _FIXTURES / "libatspi_tree.py"
_GTK_4 = pytest.mark.skipif(
    not Path("/usr/share/doc/gir1.2-gtk-4.0").exists(), reason="gir1.2-gtk-4.0 is not installed"
)
_PYTHON = "/usr/bin/python3"


@pytest.mark.parametrize(("title", "program"), _QT)
async def test_a_program_with_qt_outlives_being_looked_at(programs: Programs, title: str, program: str):
    process = await programs.open(title, program)
    await programs.call("wait", role="button", window=title)
    outcome = await programs.call("snapshot", window=title)
    assert sum(bool(line["selector"]) for line in outcome.output["lines"]) > 15
    tree = programs.back_end.parts.accessibility
    for element in await tree.elements(None):
        await tree.refresh(element)
    assert process.poll() is None


async def test_a_program_with_qt_is_typed_into_and_its_closed_menus_are_used(programs: Programs):
    process = await programs.open("Untitled", "featherpad")
    await programs.call("wait", role="button", name="New", window="Untitled")
    typed = await programs.call("type", text="Hello, Qt", window="Untitled")
    assert (typed.effect, typed.output["text"]) == ("confirmed", "Hello, Qt")
    await programs.call("invoke", target='menuitem "About"', window="Untitled")
    assert (await programs.call("wait", role="button", name="Close", timeout=5)).output["role"] == "button"
    assert process.poll() is None


async def test_numbers_ticks_and_closed_lists_of_qt_are_known(programs: Programs):
    await programs.open("Qt6 Configuration Tool", "qt6ct")
    await programs.call("wait", role="tab", name="Interface", window="Qt6")
    window = find_window("Qt6", await programs.back_end.parts.windows.windows())
    listed = await programs.back_end.parts.accessibility.elements(window)
    entries = [each for each in listed if each.role == "listitem" and each.name == "Windows"]
    assert [(each.bounds, "visible" in each.states) for each in entries] == [(None, False)] * len(entries) != []
    await programs.call("invoke", target='tab "Interface"', window="Qt6")
    await programs.call("wait", role="checkbox", name="Menus have icons", window="Qt6")
    number = await programs.call("set_value", target='field "Cursor flash time"', value=900, window="Qt6")
    assert (number.effect, number.output["value"]) == ("confirmed", "900")
    tick = await programs.call("set_value", target='checkbox "Menus have icons"', value="off", window="Qt6")
    assert (tick.effect, tick.output["value"]) == ("confirmed", "off")


async def test_a_program_with_gtk_4_is_seen_where_it_is_clicked_and_read(programs: Programs):
    await programs.open("Calculator", "gnome-calculator")
    await programs.call("wait", role="button", name="7", window="Calculator", timeout=20)
    for key in ("7", "×", "6"):
        clicked = await programs.call("click", target=f'button "{key}"', window="Calculator")
        assert (clicked.effect, clicked.output["window"]["title"]) == ("confirmed", "Calculator")
    pressed = await programs.call("invoke", target='button "="', window="Calculator")
    assert pressed.effect == "confirmed"
    await programs.wait_for_value("Calculator", "42")  # it calculates beside its window


async def test_a_field_of_gtk_4_is_set_typed_into_and_read_back(programs: Programs):
    await programs.open("Calculator", "gnome-calculator")
    await programs.call("wait", role="button", name="7", window="Calculator", timeout=20)
    assert (await programs.call("type", text="12", window="Calculator")).output["text"] == "12"
    outcome = await programs.call("set_value", target="textbox nth 1", value="5+3", window="Calculator")
    assert (outcome.effect, outcome.output["value"], outcome.output["before"]) == ("confirmed", "5+3", "12")


async def test_an_element_of_gtk_4_keeps_its_place_when_its_window_is_moved(programs: Programs):
    await programs.open("Calculator", "gnome-calculator")
    await programs.call("wait", role="button", name="7", window="Calculator", timeout=20)
    parts = programs.back_end.parts
    key = next(each for each in await parts.accessibility.elements(None) if each.name == "7")
    await programs.call("move_window", window="Calculator", bounds={"x": 40, "y": 60})
    moved = await parts.accessibility.refresh(key)
    window = find_window("Calculator", await parts.windows.windows())
    assert moved is not None
    assert moved.bounds is not None
    assert moved.bounds != key.bounds
    assert window.bounds.contains(*moved.bounds.center)
    listed = await parts.accessibility.elements(window)
    assert moved.bounds == next(each for each in listed if each.name == "7" and each.role == "button").bounds
    assert (moved.name, moved.role) == ("7", "button")


@_GTK_4
async def test_a_page_of_gtk_4_that_is_no_longer_shown_is_not_seen(programs: Programs):
    await _open_pages(programs)
    await programs.call("click", target='button "Sow"', window="Pages")
    await programs.call("wait", role="button", name="Sow!", window="Pages", timeout=10)
    await programs.call("invoke", target='tab "Second"', window="Pages")
    await programs.call("wait", role="button", name="Sow!", window="Pages", state="hidden", timeout=10)
    await programs.call("click", target='button "Reap"', window="Pages")
    await programs.call("wait", role="button", name="Reap!", window="Pages", timeout=10)
    shown = (await programs.call("find", role="button", window="Pages")).output["matches"]
    assert [each["name"] for each in shown] == ["Reap!"]


@_GTK_4
async def test_a_password_field_of_gtk_4_is_typed_into_and_never_read(programs: Programs):
    await _open_pages(programs)
    typed = await programs.call("type", text="s3cret", target="textbox", window="Pages")
    assert (typed.effect, "text" in typed.output) == ("unverified", False)
    assert "s3cret" not in (await programs.call("snapshot", window="Pages")).output["text"]


async def _open_pages(programs: Programs) -> None:
    await programs.open("Pages", _PYTHON, str(_FIXTURES / "gtk4_pages.py"))
    await programs.call("wait", role="button", name="Sow", window="Pages", timeout=20)


@pytest.mark.parametrize(("title", "program"), _ALL)
async def test_what_libatspi_sees_is_seen(programs: Programs, desk: PrivateDesktop, title: str, program: str):
    process = await programs.open(title, program)
    await programs.call("wait", role="button", window=title, timeout=20)
    asked = [_PYTHON, str(_ORACLE), str(process.pid)]
    seen = await asyncio.to_thread(subprocess.run, asked, env=desk.environ, capture_output=True, text=True, check=False)
    if "No module named" in seen.stderr:
        miss("python3-pyatspi is not installed")
    theirs = {name for _, name, visible in json.loads(seen.stdout) if visible and name and len(name) > 1}
    window = find_window(title, await programs.back_end.parts.windows.windows())
    ours = await programs.back_end.parts.accessibility.elements(window)
    known = {each.name for each in ours} | {each.value for each in ours}
    missing = {each for each in theirs - known if not _is_told_otherwise(each, known)}
    assert missing <= {title, program}


_USED = {
    "button",
    "checkbox",
    "radio",
    "tab",
    "menu",
    "menuitem",
    "textbox",
    "combobox",
    "spinbutton",
    "slider",
    "link",
}


@pytest.mark.parametrize(("title", "program"), _ALL)
async def test_each_line_of_an_outline_names_just_what_it_was_made_for_and_nothing_to_act_on_is_missing(
    programs: Programs, title: str, program: str
):
    await programs.open(title, program)
    await programs.call("wait", role="button", window=title, timeout=20)
    lines = (await programs.call("snapshot", window=title, max_tokens=20_000)).output["lines"]
    parts = programs.back_end.parts
    window = find_window(title, await parts.windows.windows())
    listed, locating = await programs.list_answering(window), Locating(parts)
    named = {line["ref"]: line["text"].strip() for line in lines if line["selector"]}
    assert len(named) > 20
    for ref, line in named.items():
        found = locating.pick_among(listed, parse_element_target(line).selector, window)
        assert parts.refs.is_called(found.element, ref), line
    usable = [each for each in listed if each.role in _USED and "visible" in each.states]
    assert [each for each in usable if parts.refs.refer(each) not in named] == []


def _is_told_otherwise(name: str, known: set[str | None]) -> bool:
    """Tell whether a name is that of a type, or a label said twice, or differs in its white space only."""
    words = name.split()
    return (len(words) == 1 and name[0].isupper()) or " ".join(words) in known or words[-1] in known
