"""The bench of the desktop in memory."""

from pathlib import Path

from actuators.base import Environment
from actuators.desktop.fake.parts import make_fake_parts
from actuators.desktop.fake.state import FakeDesktop, FakeDesktopElement, FakeWindow
from actuators.desktop.ports.desktop import Rect, Window
from tests.contracts.desktop.bench import DesktopBench

FIELD = Rect(10, 40, 380, 250)


class FakeBench(DesktopBench):
    """A desktop in memory."""

    def __init__(self, folder: Path) -> None:
        self.desktop = FakeDesktop()
        super().__init__(make_fake_parts(self.desktop, Environment(platform="linux", state_dir=folder)))

    async def open_window(self, title: str, *, asks: bool = False) -> Window:
        place = Rect(100 + 40 * len(self.desktop.windows), 100, 402, 322)
        self.desktop.open(FakeWindow(title, "Recorder", place, asks=f"Save {title}?" if asks else ""))
        return await self.see(title)

    async def open_field(self) -> Window:
        field = FakeDesktopElement("textbox", "text", FIELD, "", {"enabled", "visible", "editable"})
        self.desktop.open(FakeWindow("editor", "Editor", Rect(100, 100, 402, 322), [field]))
        self.desktop.focused = field
        return await self.see("editor")

    async def read_field(self) -> str:
        return self.desktop.windows[0].elements[0].value or ""

    async def pop_up(self, window: Window, *, own: bool) -> None:
        x, y = window.bounds.center
        pid = window.pid if own else 1
        self.desktop.popups.insert(0, FakeWindow("", "PopUp", Rect(x - 50, y - 50, 100, 100), pid=pid))

    def clicks(self, window: Window) -> list[tuple[str, int, int]]:
        found = [event[1:4] for event in self.desktop.events if event[0] == "click"]
        return [(button, x, y) for button, x, y in found if self._now(window).contains(x, y)]

    def wheel_turns(self, window: Window) -> list[str]:
        found = [event[1:] for event in self.desktop.events if event[0] == "wheel"]
        return [way for way, count, x, y in found if self._now(window).contains(x, y) for _ in range(count)]

    def keys(self, window: Window) -> list[str]:
        return [keys for kind, keys, title, *_ in self.desktop.events if kind == "key" and title == window.title]

    async def held(self) -> bool:
        return bool(self.desktop.held)

    async def move_by_hand(self, *places: tuple[int, int]) -> None:
        if len(places) == 1:
            self.desktop.pointer = places[0]
        else:
            self.desktop.person.extend(places)

    def _now(self, window: Window) -> Rect:
        return next(each.bounds for each in self.desktop.windows if each.id == window.id)
