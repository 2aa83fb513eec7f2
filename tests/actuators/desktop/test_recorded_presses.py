"""What a press of the pointer is told to have gone to, above all where a menu lies over something else."""

from actuators.base import Environment
from actuators.desktop.fake.parts import make_fake_parts
from actuators.desktop.fake.state import FakeDesktop, FakeDesktopElement, FakeWindow
from actuators.desktop.finding.element_index import ElementIndex
from actuators.desktop.ports.desktop import Element, Rect, Window
from actuators.desktop.ports.recordings import DesktopEvent, RawInput
from actuators.desktop.recording.pressing import Pressing, find_hit
from actuators.desktop.recording.sightings import HeardInput, Sightings
from agent.recording.desktop_steps import list_desktop_steps

SHOWN = frozenset({"enabled", "visible"})
BAR = Element("bar", "menubar", "", None, Rect(0, 0, 300, 25), states=SHOWN, path=(("window", "Sums"),))
MENU = Element("edit", "menu", "Edit", None, Rect(40, 0, 40, 25), states=SHOWN, path=(*BAR.path, ("menubar", "")))
ENTRY = Element(
    "cut", "menuitem", "Cut", None, Rect(40, 100, 330, 25), states=SHOWN, path=(*MENU.path, ("menu", "Edit"))
)
BEHIND = Element("c", "button", "C", None, Rect(160, 95, 50, 34), states=SHOWN, path=BAR.path)


def test_an_entry_of_an_open_menu_is_hit_and_not_the_smaller_button_behind_it():
    index = ElementIndex([BAR, MENU, ENTRY, BEHIND])
    assert find_hit(index, 180, 110) == 2


def test_without_a_menu_the_button_is_hit():
    hidden = Element("cut", "menuitem", "Cut", None, ENTRY.bounds, states=frozenset({"enabled"}), path=ENTRY.path)
    assert find_hit(ElementIndex([BAR, MENU, hidden, BEHIND]), 180, 110) == 3


async def press(popup: str) -> list[DesktopEvent]:
    """Press on a button in a window, over which a popup lies that no look has seen; return what is told."""
    button = FakeDesktopElement("button", "C", Rect(10, 10, 50, 30), "", {"enabled", "visible"})
    desktop = FakeDesktop(FakeWindow("Sums", "Sums", Rect(100, 100, 400, 300), [button]))
    parts = make_fake_parts(desktop, Environment(platform="linux"))
    (window,) = await parts.windows.windows()
    under = Window(popup or window.id, "", "Sums", window.pid, Rect(100, 100, 200, 200))
    told: list[DesktopEvent] = []
    sightings = Sightings(parts.windows, parts.accessibility)
    look = await sightings.look(window)
    pressing = Pressing(sightings, parts.accessibility, lambda event, _: told.append(event))
    raw = RawInput("press", 120, 120, button="left")
    heard = HeardInput(raw, (window,), under, {window.id: look})
    await pressing.press(heard, window)
    await pressing.finish()
    return told


async def test_a_press_on_a_button_is_a_click_of_it():
    (event,) = {each.act: each for each in await press("")}.values()
    assert (event.kind, event.selector) == ("click", 'button "C"')


async def test_a_press_on_a_menu_that_was_never_seen_is_told_as_left_out_and_not_as_one_of_what_lies_behind():
    (event,) = {each.act: each for each in await press("a menu")}.values()
    assert event.selector == ""
    (step,) = list_desktop_steps([event])
    assert step.goal is None
    assert step.remark.startswith("Left out: a click")
