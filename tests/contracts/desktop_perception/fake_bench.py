"""The benches on a desktop in memory: it declares what the real calculator shows."""

from pathlib import Path

from actuators.base import Environment
from actuators.desktop.fake.parts import FakeReader, FakeScreen
from actuators.desktop.fake.state import FakeDesktop, FakeDesktopElement, FakeWindow
from actuators.desktop.platforms.fake import make_fake_back_end
from actuators.desktop.ports.desktop import Rect
from tests.contracts.desktop_perception.bench import CALCULATOR, PREFERENCES, ElementBench, ReaderBench

KEYS = ("7", "8", "9", "*", "4", "5", "6", "C", "1", "2", "3", "=")


def make_fake_bench(folder: Path) -> ElementBench:
    """Return a bench with a calculator that calculates and preferences whose pages can be chosen; files go to a folder."""
    calculator = FakeWindow(CALCULATOR, "Galculator", Rect(20, 20, 300, 300), _make_calculator())
    preferences = FakeWindow(PREFERENCES, "Galculator", Rect(400, 20, 400, 300), _make_preferences())
    environment = Environment(platform="linux", state_dir=folder)
    return ElementBench(make_fake_back_end(FakeDesktop(preferences, calculator), environment))


async def make_fake_reader_bench(tmp_path: Path) -> ReaderBench:
    """Return a reader of what a window declares."""
    places = {"Total 128.50": Rect(10, 10, 120, 20), "Sign in": Rect(10, 60, 60, 20)}
    images = {"needle": tmp_path / "needle.png", "stranger": tmp_path / "stranger.png"}
    window = FakeWindow("paper", "Paper", Rect(0, 0, 200, 100), texts=places)
    window.images[str(images["needle"])] = places["Sign in"]
    desktop = FakeDesktop(window)
    return ReaderBench(FakeReader(desktop), await FakeScreen(desktop).grab(window.bounds), places, images)


def _make_calculator() -> list[FakeDesktopElement]:
    display = FakeDesktopElement("textbox", "", Rect(10, 40, 280, 40), "0")

    def make_key(place: int, key: str) -> FakeDesktopElement:
        bounds = Rect(10 + place % 4 * 70, 100 + place // 4 * 50, 60, 40)
        return FakeDesktopElement("button", key, bounds, actions=("Click",), on_act=lambda _: _press(display, key))

    keys = [make_key(place, key) for place, key in enumerate(KEYS)]
    keys.append(FakeDesktopElement("button", "MR", Rect(220, 250, 60, 40), states={"visible"}, actions=("Click",)))
    quit_item = FakeDesktopElement("menuitem", "Quit", actions=("Click",))
    menu = FakeDesktopElement("menu", "File", Rect(0, 20, 40, 20), actions=("Click",), children=[quit_item])
    return [FakeDesktopElement("menubar", "", Rect(0, 20, 300, 20), children=[menu]), display, *keys]


def _press(display: FakeDesktopElement, key: str) -> None:
    shown = "" if display.value == "0" else display.value or ""
    if key == "C":
        display.value = "0"
    elif key == "=":
        first, _, second = shown.partition("*")
        display.value = str(int(first) * int(second or "1"))
    else:
        display.value = shown + key


def _make_preferences() -> list[FakeDesktopElement]:
    combobox = FakeDesktopElement("combobox", "", Rect(150, 60, 200, 30), "Decimal")
    combobox.children = [_make_entry(combobox, name) for name in ("Octal", "Binary", "Decimal", "Hexadecimal")]
    pages = {
        "Buttons": [
            FakeDesktopElement("checkbox", "Use custom button font", Rect(10, 60, 200, 20), actions=("toggle",)),
            FakeDesktopElement("label", "Minimal button width:", Rect(10, 100, 130, 20)),
            _make_spinner(Rect(150, 100, 100, 20), "40"),
            FakeDesktopElement("label", "Minimal button height:", Rect(10, 140, 130, 20)),
            _make_spinner(Rect(150, 140, 100, 20), "25"),
        ],
        "Numbers": [FakeDesktopElement("label", "Configure number base:", Rect(10, 60, 130, 30)), combobox],
    }
    tabs = [FakeDesktopElement("tab", name, Rect(10 + place * 100, 30, 90, 20)) for place, name in enumerate(pages)]
    places = {id(each): each.bounds for page in pages.values() for each in page}
    for tab in tabs:
        tab.actions = ("select",)
        tab.children = pages[tab.name]
        tab.on_act = lambda _, chosen=tab: _show_page(chosen, tabs, places)
    _show_page(tabs[0], tabs, places)
    return [FakeDesktopElement("tablist", "", Rect(0, 20, 400, 280), children=tabs)]


def _show_page(chosen: FakeDesktopElement, tabs: list[FakeDesktopElement], places: dict[int, Rect | None]) -> None:
    for tab in tabs:
        tab.states = {"enabled", "visible"} | ({"selected"} if tab is chosen else set())
        for each in tab.children:
            each.bounds = places[id(each)] if tab is chosen else None


def _make_spinner(bounds: Rect, value: str) -> FakeDesktopElement:
    states = {"enabled", "visible", "editable"}
    return FakeDesktopElement("spinbutton", "", bounds, value, states, lowest=0.0, highest=100.0)


def _make_entry(combobox: FakeDesktopElement, name: str) -> FakeDesktopElement:
    def choose(_: str) -> None:
        combobox.value = name

    return FakeDesktopElement("menuitem", name, actions=("Click",), on_act=choose)
