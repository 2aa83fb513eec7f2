"""The desktop benchmark: verbs as whole tool calls, and the same by raw python-xlib and mss, in turn.

Both act on one private desktop. The raw calls only act; ours look who uses the pointer, judge what will receive the act,
act, and read back what came of it. Aim: 2 ms more at most.
"""

import os
import select
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import xtest
from Xlib.protocol.event import ClientMessage

from actuators.base import Environment
from actuators.desktop.platforms.linux import make_back_end
from actuators.desktop.tools.back_end import DesktopBackEnd
from actuators.verb_table import load_toolsets
from core.results.tool_results import ToolCall
from core.tools.ports import ActionContext, Toolset
from core.tools.registry import ToolRegistry
from fixtures.machine.desktop import PrivateDesktop

CALLS_PER_ROUND = 5
TITLE = "bench"
START_LIMIT_S = 15.0
CONTEXT = ActionContext("bench")
PROPERTIES = ("_NET_WM_NAME", "WM_NAME", "_NET_WM_PID", "_NET_WM_STATE", "_NET_WM_WINDOW_TYPE", "_NET_FRAME_EXTENTS")
Job = Callable[[int], Awaitable[object]]


class RawDesktop:
    """What a program would do that uses the libraries as they are."""

    def __init__(self, display: str) -> None:
        """Connect."""
        self.mss: Any = import_module("mss").MSS(display=display)
        self.display: Any = Display(display)
        self.root: Any = self.display.screen().root

    def move(self, x: int, y: int) -> None:
        """Move the pointer."""
        xtest.fake_input(self.display, X.MotionNotify, x=x, y=y)
        self.display.sync()

    def click(self, *numbers: int) -> None:
        """Press buttons of the pointer one after the other."""
        for number in numbers:
            xtest.fake_input(self.display, X.ButtonPress, number)
            xtest.fake_input(self.display, X.ButtonRelease, number)
        self.display.sync()

    def strike(self, *symbols: int) -> None:
        """Press keys together."""
        codes = [self.display.keysym_to_keycode(each) for each in symbols]
        for code in codes:
            xtest.fake_input(self.display, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self.display, X.KeyRelease, code)
        self.display.sync()

    def click_at(self, x: int, y: int) -> None:
        """Click at a place."""
        self.move(x, y)
        self.click(1)

    def list_windows(self, _: int) -> list[Any]:
        """Read the properties of every window."""
        return [self.read(number) for number in self.ask(self.root, "_NET_CLIENT_LIST_STACKING")]

    def read(self, number: int) -> tuple[Any, ...]:
        """Read what there is to know of a window."""
        window = self.display.create_resource_object("window", number)
        found = [self.ask(window, name) for name in PROPERTIES]
        return window.get_wm_class(), window.get_geometry(), self.root.translate_coords(window, 0, 0), *found

    def ask(self, window: Any, name: str) -> Any:
        """Read a property."""
        found = window.get_full_property(self.display.intern_atom(name), X.AnyPropertyType)
        return found.value if found else []

    def move_window(self, number: int) -> None:
        """Order a place, and wait until the window is there."""
        window = self.display.create_resource_object("window", self.ask(self.root, "_NET_CLIENT_LIST")[0])
        x = 200 + number % 40
        data = (32, [1 | 0b11 << 8 | 2 << 12, x, 150, 0, 0])
        message = self.display.intern_atom("_NET_MOVERESIZE_WINDOW")
        event = ClientMessage(window=window, client_type=message, data=data)
        self.root.send_event(event, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        left = self.ask(window, "_NET_FRAME_EXTENTS")[0]
        end_s = time.monotonic() + 1
        while self.root.translate_coords(window, 0, 0).x != x + left and time.monotonic() < end_s:
            select.select([], [], [], 0.0005)

    def take_picture(self, folder: Path, number: int) -> None:
        """Write the screen to a file."""
        shot = self.mss.grab(self.mss.monitors[0])
        tools = import_module("mss.tools")
        tools.to_png(shot.rgb, shot.size, level=3, output=str(folder / f"raw-{number}-{time.monotonic_ns()}.png"))

    def close(self) -> None:
        """Disconnect."""
        self.mss.close()
        self.display.close()


def list_pairs(
    raw: RawDesktop, folder: Path
) -> Mapping[str, tuple[Callable[[int], ToolCall], Callable[[int], object]]]:
    """Return our call and the raw one of every verb; the number makes each a little different."""
    return {
        "move": (
            lambda n: ToolCall("desktop_move", {"target": {"point": [400 + n % 50, 300]}}),
            lambda n: raw.move(400 + n % 50, 300),
        ),
        "click": (
            lambda n: ToolCall("desktop_click", {"target": {"point": [400 + n % 50, 300]}}),
            lambda n: raw.click_at(400 + n % 50, 300),
        ),
        "scroll": (lambda _: ToolCall("desktop_scroll", {"amount": 2}), lambda _: raw.click(5, 5)),
        "press": (
            lambda _: ToolCall("desktop_press", {"keys": "shift+a"}),
            lambda _: raw.strike(XK.XK_Shift_L, XK.XK_a),
        ),
        "list_windows": (lambda _: ToolCall("desktop_list_windows", {}), raw.list_windows),
        "active_window": (
            lambda _: ToolCall("desktop_active_window", {}),
            lambda _: raw.read(raw.ask(raw.root, "_NET_ACTIVE_WINDOW")[0]),
        ),
        "move_window": (
            lambda n: ToolCall("desktop_move_window", {"window": TITLE, "bounds": {"x": 200 + n % 40, "y": 150}}),
            raw.move_window,
        ),
        "screenshot": (lambda _: ToolCall("desktop_screenshot", {}), lambda n: raw.take_picture(folder, n)),
    }


@asynccontextmanager
async def give_desktop() -> AsyncGenerator[tuple[DesktopBackEnd, RawDesktop, Path]]:
    """Start a private desktop with one window; yield our tools, the raw libraries, and a folder."""
    with tempfile.TemporaryDirectory(prefix="sh-") as name:
        folder = Path(name)
        desktop = PrivateDesktop(folder / "desk")
        desktop.start()
        os.environ.update({each: desktop.environ[each] for each in ("DISPLAY", "XAUTHORITY")})
        back_end = make_back_end(Environment(platform="linux", variables=desktop.environ, state_dir=folder))
        try:
            desktop.open("xterm", "-T", TITLE, "-geometry", "100x30+200+150", "-e", "cat")
            windows, end_s = back_end.parts.windows, time.monotonic() + START_LIMIT_S
            while not any(each.active for each in await windows.windows()) and time.monotonic() < end_s:
                await windows.wait_for_change(1)
            await back_end.parts.hands.move_to(400, 300)
            raw = RawDesktop(desktop.environ["DISPLAY"])
            yield back_end, raw, folder
            raw.close()
        finally:
            await back_end.close()
            desktop.stop()


async def time_calls(job: Job, first: int) -> list[float]:
    """Return the milliseconds of each of some calls."""
    taken: list[float] = []
    for number in range(first, first + CALLS_PER_ROUND):
        began = time.perf_counter()
        await job(number)
        taken.append((time.perf_counter() - began) * 1000)
    return taken


async def compare(ours: Job, raw: Job, rounds: int) -> tuple[float, float]:
    """Return the median milliseconds of our calls and of the raw ones, made in turn.

    Our first call after raw ones isn't timed: it waits for whoever has moved the pointer meanwhile.
    """
    mine: list[float] = []
    theirs: list[float] = []
    await raw(0)
    for number in range(rounds):
        theirs += await time_calls(raw, number * CALLS_PER_ROUND)
        await ours(number)
        mine += await time_calls(ours, number * CALLS_PER_ROUND)
    return statistics.median(mine), statistics.median(theirs)


async def measure(rounds: int) -> dict[str, float]:
    """Return the figures: for each verb the median of whole tool calls, its ratio to the raw call, and what it adds.

    Args:
        rounds: How often some calls of each verb are made by either.
    """
    figures: dict[str, float] = {}
    async with give_desktop() as (back_end, raw, folder):
        registry = register(back_end)
        for verb, (call, act) in list_pairs(raw, folder).items():

            async def do_raw(number: int, act: Callable[[int], object] = act) -> None:
                act(number)

            async def do_ours(number: int, call: Callable[[int], ToolCall] = call) -> None:
                await registry.call(call(number), CONTEXT)

            ours_ms, raw_ms = await compare(do_ours, do_raw, rounds)
            figures[f"{verb}_p50_ms"] = ours_ms
            figures[f"{verb}_ratio"] = ours_ms / raw_ms
            figures[f"{verb}_overhead_ms"] = ours_ms - raw_ms
    figures["worst_overhead_ms"] = max(value for name, value in figures.items() if name.endswith("_overhead_ms"))
    return figures


def register(back_end: DesktopBackEnd) -> ToolRegistry:
    """Return the registry that a session would call the tools through."""
    registry = ToolRegistry()

    async def provide(toolset: type[Toolset]) -> Toolset:
        return back_end.toolsets[toolset]

    for toolset in load_toolsets("desktop"):
        registry.register(toolset, provide)
    return registry
