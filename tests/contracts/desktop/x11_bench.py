"""The bench on X11: a private desktop, windows that write down what they receive, and a real editor."""

import asyncio
import subprocess
from typing import Any

from Xlib import X
from Xlib.display import Display

from actuators.base import Environment
from actuators.clipboard.linux import make_clipboard
from actuators.deadlines import Deadline, pause, settle
from actuators.desktop.fake.parts import FakeAccessibility, FakeReader
from actuators.desktop.fake.state import FakeDesktop
from actuators.desktop.ports.desktop import Window
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.screenshot_store import ScreenshotStore
from actuators.desktop.x11.hands import X11Hands
from actuators.desktop.x11.screen import MssScreen
from actuators.desktop.x11.windows import X11Windows
from fixtures.machine.desktop import PrivateDesktop
from fixtures.machine.recorder import Recorder
from tests.contracts.desktop.bench import DesktopBench

HELD = X.ShiftMask | X.ControlMask | X.Mod1Mask | X.Button1Mask | X.Button2Mask | X.Button3Mask
BUTTONS = {1: "left", 2: "middle", 3: "right"}
WHEEL = {4: "up", 5: "down", 6: "left", 7: "right"}
START = (640, 400)
EDITOR = "Untitled 1 - Mousepad"


def make_parts(environment: Environment) -> DesktopParts:
    """Return the ports of X11, with nothing to read in elements and pictures."""
    windows, screen, nothing = X11Windows(environment), MssScreen(environment), FakeDesktop()
    return DesktopParts(
        environment=environment,
        windows=windows,
        hands=X11Hands(environment),
        screen=screen,
        accessibility=FakeAccessibility(nothing),
        vision=FakeReader(nothing),
        clipboard=make_clipboard(environment),
        screenshots=ScreenshotStore(screen, windows),
    )


class X11Bench(DesktopBench):
    """A private desktop with openbox."""

    def __init__(self, desk: PrivateDesktop, parts: DesktopParts) -> None:
        super().__init__(parts)
        self._desk = desk
        self._recorders: dict[str, Recorder] = {}
        self._programs: list[subprocess.Popen[bytes]] = []
        self._display: Any = Display(desk.environ["DISPLAY"])
        self._display.screen().root.warp_pointer(*START)
        self._display.sync()

    async def open_window(self, title: str, *, asks: bool = False) -> Window:
        recorder = Recorder(self._desk.environ["DISPLAY"], title, asks=asks)
        self._recorders[hex(recorder.window)] = recorder  # before it is looked for, so that it is closed in any case
        return await self.see(title)

    async def open_field(self) -> Window:
        self._programs.append(self._desk.open("mousepad", "--disable-server"))
        return await self.see(EDITOR)

    async def read_field(self) -> str:
        self._desk.ask("sh", "-c", "printf nothing | xclip -selection clipboard -in >/dev/null 2>&1")
        self._desk.ask("xdotool", "key", "--clearmodifiers", "ctrl+a", "ctrl+c", "ctrl+End")
        await pause(0.15)
        found = self._desk.ask("xclip", "-selection", "clipboard", "-target", "UTF8_STRING", "-out")
        return "" if found == "nothing" else found

    async def pop_up(self, window: Window, *, own: bool) -> None:
        x, y = window.bounds.center
        self._recorders[window.id].pop_up(x - 50, y - 50, 100, 100, pid=window.pid if own else 1)

    def clicks(self, window: Window) -> list[tuple[str, int, int]]:
        return [(BUTTONS[button], x, y) for button, x, y in self._recorders[window.id].clicks if button in BUTTONS]

    def wheel_turns(self, window: Window) -> list[str]:
        return [WHEEL[button] for button, _, _ in self._recorders[window.id].clicks if button in WHEEL]

    def keys(self, window: Window) -> list[str]:
        return ["+".join(keys) for keys in self._recorders[window.id].keys if len(keys[-1]) == 1]

    async def held(self) -> bool:
        return bool(self._display.screen().root.query_pointer().mask & HELD)

    async def move_by_hand(self, *places: tuple[int, int]) -> None:
        for place in places:
            self._display.screen().root.warp_pointer(*place)
            self._display.sync()
            if len(places) > 1:
                await pause(0.02)

    async def close(self) -> None:
        """Close everything that was opened, and see that it is gone."""
        for recorder in self._recorders.values():
            recorder.close()
        for program in self._programs:
            await asyncio.to_thread(self._desk.end, program)
        windows = self.parts.windows

        async def is_empty() -> bool:
            return not await windows.windows()

        assert await settle(is_empty, windows.wait_for_change, Deadline(5))
        self._display.screen().root.warp_pointer(*START)
        self._display.close()
        for part in (self.parts.hands, self.parts.windows, self.parts.screen, self.parts.clipboard):
            await part.close()
