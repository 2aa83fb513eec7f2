"""Programs of others under a robot's real pointer and keys: what was recorded replays, and does the same again elsewhere."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fixtures.machine.desktop import PrivateDesktop
from tests.e2e.recording.desktop_person import DesktopPerson, skip_without

_PYTHON = "/usr/bin/python3"
_PAGES = Path(__file__).parents[3] / "fixtures" / "machine" / "gtk4_pages.py"
_GTK_4 = pytest.mark.skipif(
    not Path("/usr/share/doc/gir1.2-gtk-4.0").exists(), reason="gir1.2-gtk-4.0 is not installed"
)


pytestmark = pytest.mark.timeout(240)


@pytest.fixture
async def person(desk: PrivateDesktop, tmp_path: Path) -> AsyncIterator[DesktopPerson]:
    """A person at a private desktop."""
    (tmp_path / "work").mkdir()
    found = DesktopPerson(desk, tmp_path / "work")
    yield found
    await found.close()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Another folder, in which the flow is carried out again."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


async def test_a_text_is_written_and_saved_by_a_shortcut_and_the_flow_writes_the_same_elsewhere(
    person: DesktopPerson, elsewhere: Path
):
    for folder in (person.folder, elsewhere):
        (folder / "notes.txt").write_text("")
    skip_without("mousepad")
    await person.record("mousepad --disable-server notes.txt")
    await person.click("textbox", "Mousepad")
    person.write("tea for two")
    person.see("Type “tea for two”")
    person.press("ctrl+s")
    person.see("Press ctrl+s")
    person.press("ctrl+q")
    code, told = person.end()
    assert code == 0, told
    assert "It came as recorded: 4 of 4 steps." in told
    assert person.flow.count("desktop.click") == 0
    assert (person.folder / "notes.txt").read_text().strip() == "tea for two"
    assert person.replay(elsewhere)[0] == 0
    assert (elsewhere / "notes.txt").read_text().strip() == "tea for two"


async def test_buttons_menus_boxes_and_dialogs_of_a_calculator_replay(person: DesktopPerson):
    skip_without("galculator")
    await person.record("galculator", "--expect", "all")
    for key in ("7", "+", "8", "="):
        await person.click(f'button "{key}"', "galculator")
        person.see(f'button "{key}"')
    await person.click('menu "Edit"', "galculator")
    await person.click('menuitem "Preferences..."', "galculator")
    await person.click('checkbox "Angle base units"', "galculator Preferences")
    person.see("Angle base units")
    await person.click('tab "Buttons"', "galculator Preferences")
    person.see('tab "Buttons"')
    await person.click('button "Close"', "galculator Preferences")
    person.see('button "Close"')
    person.stop()
    code, told = person.end()
    assert code == 0, told + person.flow
    assert "It came as recorded" in told
    assert 'window: "galculator Preferences"' in person.flow
    assert """target: 'menuitem "Preferences..."\'""" in person.flow, told
    assert 'role: "label"' in person.flow


async def test_keys_of_a_calculator_of_gtk_4_replay(person: DesktopPerson, elsewhere: Path):
    skip_without("gnome-calculator")
    await person.record("gnome-calculator")
    for key in ("7", "×", "6", "="):
        await person.click(f'button "{key}"', "Calculator")
        person.see(f'button "{key}"')
    person.stop()
    code, told = person.end()
    assert code == 0, told + person.flow
    code, told = person.replay(elsewhere)
    assert code == 0, told


async def test_menus_and_text_of_a_qt_program_replay(person: DesktopPerson, elsewhere: Path):
    skip_without("featherpad")
    for folder in (person.folder, elsewhere):
        (folder / "list.txt").write_text("")
    await person.record("featherpad --standalone list.txt")
    await person.click("textbox nth 1", "list.txt")
    person.write("two mugs")
    person.see("Type “two mugs”")
    await person.click('menuitem "File"', "list.txt")
    await person.click('menuitem "Save"', "list.txt")
    person.see("Save")
    person.press("ctrl+q")
    code, told = person.end()
    assert code == 0, told + person.flow
    assert (person.folder / "list.txt").read_text().strip() == "two mugs"
    code, told = person.replay(elsewhere)
    assert (code, (elsewhere / "list.txt").read_text().strip()) == (0, "two mugs"), told


@_GTK_4
async def test_a_password_is_in_no_file_and_a_window_that_was_open_is_not_tried(
    person: DesktopPerson, desk: PrivateDesktop
):
    desk.open(_PYTHON, str(_PAGES))
    await person.rest("textbox", "Pages")
    await person.record("Pages")
    await person.click("textbox", "Pages")
    person.write("s3cret-word")
    person.see("PASSWORD")
    await person.click('button "Sow"', "Pages")
    person.see('button "Sow"')
    person.stop()
    code, told = person.end()
    assert (code, "s3cret" in told) == (0, False), told
    assert "It was not tried" in told
    assert 'text: "secret:' in person.flow
    kept = [each for each in person.folder.parent.rglob("*") if each.is_file()]
    assert [each for each in kept if b"s3cret" in each.read_bytes()] == []


async def test_nothing_is_recorded_of_windows_that_were_there_before(person: DesktopPerson, desk: PrivateDesktop):
    skip_without("mousepad", "galculator")
    desk.open("mousepad", "--disable-server")
    await person.click("textbox", "Untitled 1 - Mousepad")
    await person.record("galculator")
    await person.click("textbox", "Untitled 1 - Mousepad")
    person.write("private words")
    await person.click('button "7"', "galculator")
    person.see('button "7"')
    person.stop()
    code, told = person.end()
    assert code == 0, told
    assert "Mousepad" not in person.flow
    assert "private" not in person.flow + told
