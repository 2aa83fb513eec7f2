"""The desktop of X11 with real applications, and what goes wrong there."""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.prerequisites import require

pytest.importorskip("Xlib", reason="python-xlib is not installed")

from Xlib.display import Display

from actuators.base import Environment
from actuators.clipboard.linux import make_clipboard
from actuators.deadlines import Deadline, pause, settle
from actuators.desktop.finding.window_finding import find_window
from actuators.desktop.platforms.linux import make_back_end
from actuators.desktop.tools.input import InputTools
from actuators.desktop.x11.hands import X11Hands
from actuators.desktop.x11.screen import MssScreen
from actuators.desktop.x11.windows import X11Windows
from core.base.errors import ActionError, DeviceError, SurehandError
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from fixtures.machine.desktop import PrivateDesktop

TEXT = "żółć 日本 😀"
MOUSEPAD = "Mousepad"


class Seat:
    """The tools on a private desktop, as they are used."""

    def __init__(self, desk: PrivateDesktop, folder: Path) -> None:
        self.desk = desk
        self.back_end = make_back_end(Environment(platform="linux", variables=desk.environ, state_dir=folder))
        self.parts = self.back_end.parts
        self._programs: list[subprocess.Popen[bytes]] = []
        self._display: Any = Display(desk.environ["DISPLAY"])

    async def open(self, title: str, *argv: str) -> None:
        """Start a program, and return once its window has the focus."""
        self._programs.append(self.desk.open(*argv))
        windows = self.parts.windows

        async def is_there() -> bool:
            return any(title in each.title and each.active for each in await windows.windows())

        assert await settle(is_there, windows.wait_for_change, Deadline(15)), await windows.windows()

    async def open_editor(self) -> None:
        """Start an editor, and return once what is in it can be read."""
        await self.open(MOUSEPAD, "mousepad", "--disable-server")
        accessibility = self.parts.accessibility

        async def is_readable() -> bool:
            elements = await accessibility.elements(find_window("active", await self.parts.windows.windows()))
            return any({"focused", "editable"} <= each.states for each in elements)

        assert await settle(is_readable, accessibility.wait_for_change, Deadline(30))

    async def call(self, verb: str, **args: Any) -> ToolOutcome:
        """Call a verb of pointer or keys."""
        return await getattr(self.back_end.toolsets[InputTools], verb)(ActionContext("g0_a_1", timeout_s=20), **args)

    async def end_last(self) -> None:
        """End the program that was started last."""
        await asyncio.to_thread(self.desk.end, self._programs.pop())

    def read_map(self) -> list[tuple[int, ...]]:
        """Return the keyboard map as others see it."""
        info = self._display.display.info
        first, last = info.min_keycode, info.max_keycode
        return [tuple(row) for row in self._display.get_keyboard_mapping(first, last - first + 1)]

    def warp(self, x: int, y: int) -> None:
        """Move the pointer as a person does."""
        self._display.screen().root.warp_pointer(x, y)
        self._display.sync()

    async def close(self) -> None:
        """Close everything."""
        self.warp(640, 400)
        for program in self._programs:
            await asyncio.to_thread(self.desk.end, program)
        windows = self.parts.windows

        async def is_empty() -> bool:
            return not await windows.windows()

        assert await settle(is_empty, windows.wait_for_change, Deadline(10))
        self._display.close()
        await self.back_end.close()


@pytest.fixture
async def seat(desk: PrivateDesktop, tmp_path: Path) -> AsyncIterator[Seat]:
    require("mousepad", "xterm", "xclip")
    made = Seat(desk, tmp_path)
    made.warp(640, 400)
    yield made
    await made.close()


async def test_an_editor_holds_what_was_typed_and_that_is_read_back(seat: Seat):
    await seat.open_editor()
    before = seat.read_map()
    outcome = await seat.call("type", text=TEXT)
    assert (outcome.effect, outcome.output["way"], outcome.output["text"]) == ("confirmed", "keys", TEXT)
    assert outcome.evidence["read_back"] == TEXT
    assert seat.read_map() == before


async def test_a_terminal_receives_every_character(seat: Seat, tmp_path: Path):
    heard = tmp_path / "heard.txt"
    await seat.open("listener", "xterm", "-T", "listener", "-e", "sh", "-c", f"cat > {heard}")
    outcome = await seat.call("type", text=f"{TEXT} a<b>c\n")
    assert outcome.effect == "unverified"
    assert await holds(heard, f"{TEXT} a<b>c\n")


async def test_more_characters_than_there_are_spare_keys_are_typed_in_passages(seat: Seat):
    await seat.open_editor()
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 50))) + "\n"
    outcome = await seat.call("type", text=text)
    assert (outcome.output["way"], outcome.effect) == ("keys", "confirmed")


async def test_a_cancelled_text_leaves_map_and_keys_as_they_were(seat: Seat):
    await seat.open_editor()
    before = seat.read_map()
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 200)))
    typing = asyncio.ensure_future(seat.call("type", text=text))
    while seat.read_map() == before:
        await pause(0.001)
    typing.cancel()
    await asyncio.wait({typing})
    assert typing.cancelled()
    assert seat.read_map() == before


async def test_a_pointer_that_is_moved_into_a_corner_stops_a_long_text(seat: Seat):
    await seat.open_editor()
    before = seat.read_map()
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 400)))
    typing = asyncio.ensure_future(seat.call("type", text=text))
    while seat.read_map() == before:
        await pause(0.001)
    seat.warp(0, 0)
    with pytest.raises(ActionError) as caught:
        await typing
    assert caught.value.code == "fail_safe"
    assert seat.read_map() == before


async def test_caps_lock_changes_nothing_and_stays_on(seat: Seat):
    await seat.open_editor()
    await seat.call("press", keys="CapsLock")
    outcome = await seat.call("type", text="abc ABC")
    await seat.call("press", keys="CapsLock")
    assert outcome.evidence["read_back"] == "abc ABC"


@pytest.mark.skipif(shutil.which("setxkbmap") is None, reason="setxkbmap is not installed")
@pytest.mark.parametrize("layout", [("de",), ("fr",), ("us", "-variant", "intl")], ids="-".join)
async def test_a_layout_that_is_chosen_meanwhile_is_typed_on(seat: Seat, layout: tuple[str, ...]):
    await seat.open_editor()
    assert (await seat.call("type", text="zy@<")).effect == "confirmed"
    try:
        seat.desk.ask("setxkbmap", *layout)
        await seat.call("press", keys="ctrl+a")
        text = "zyß@<>|~^`´ ü{}[]\\ Zz09\"'"
        assert (await seat.call("type", text=text)).evidence["read_back"] == text
    finally:
        seat.desk.ask("setxkbmap", "us")


async def test_copied_text_comes_from_the_window_that_was_pressed_in(seat: Seat):
    await seat.open_editor()
    await seat.call("type", text=TEXT)
    await seat.call("press", keys="ctrl+a", window=MOUSEPAD)
    await seat.call("press", keys="ctrl+c")
    for _ in range(50):
        if await seat.parts.clipboard.read() == TEXT:
            return
        await pause(0.02)
    pytest.fail("the text did not come to the clipboard")


async def test_a_window_that_dies_meanwhile_is_missing(seat: Seat):
    await seat.open("dying", "xterm", "-T", "dying", "-e", "cat")
    window = find_window("dying", await seat.parts.windows.windows())
    await seat.end_last()
    with pytest.raises(DeviceError) as caught:
        await repeat(lambda: seat.parts.windows.minimize(window))
    assert caught.value.code == "window_missing"


async def test_the_pointer_of_a_second_display_is_moved_there_and_nowhere_else(seat: Seat):
    await seat.parts.hands.move_to(600, 300)
    other = PrivateDesktop(seat.desk.home.parent / "other")
    other.start()
    hands = X11Hands(Environment(platform="linux", variables=other.environ))
    try:
        await hands.move_to(10, 20)
        assert (await hands.position(), await seat.parts.hands.position()) == ((10, 20), (600, 300))
    finally:
        await hands.close()
        other.stop()


@pytest.fixture
def bare_display(machine_folder: Path) -> Iterator[dict[str, str]]:
    """A display without a window manager."""
    desktop = PrivateDesktop(machine_folder / "bare")
    desktop.start_bare()
    yield desktop.environ
    desktop.stop()


async def test_without_a_window_manager_windows_are_refused_and_pixels_are_not(
    desk: PrivateDesktop, bare_display: dict[str, str]
):
    environment = Environment(platform="linux", variables=bare_display)
    windows, screen = X11Windows(environment), MssScreen(environment)
    with pytest.raises(DeviceError, match="No window manager") as caught:
        await windows.windows()
    assert caught.value.code == "server_missing"
    assert len(await windows.displays()) == 1
    assert await windows.window_at(10, 10) is None
    assert (await screen.grab()).width == 1280
    await windows.close()
    await screen.close()


async def test_a_display_that_has_gone_is_said_to_be_missing(desk: PrivateDesktop, machine_folder: Path):
    folder = machine_folder / "gone"
    desktop = PrivateDesktop(folder)
    desktop.start()
    environment = Environment(platform="linux", variables=desktop.environ)
    windows, screen = X11Windows(environment), MssScreen(environment)
    assert await windows.windows() == ()
    desktop.stop()
    for attempt in (windows.windows, windows.displays, screen.grab):
        with pytest.raises(DeviceError) as caught:
            await attempt()
        assert caught.value.code == "server_missing"
    assert not windows.assess().available
    await windows.close()
    await screen.close()


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({}, "no display"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "Wayland"),
        ({"DISPLAY": ":4711"}, "does not answer"),
    ],
)
async def test_without_a_display_the_reason_and_a_remedy_are_said(variables: dict[str, str], words: str):
    back_end = make_back_end(Environment(platform="linux", variables=variables))
    for capability in ("input", "windows", "screen"):
        found = back_end.assess(capability)
        assert not found.available
        assert words in found.reason
        assert found.remedy
    for attempt in (back_end.parts.windows.windows, back_end.parts.hands.position, back_end.parts.screen.grab):
        with pytest.raises(SurehandError):
            await attempt()
    await back_end.close()
    await back_end.close()


def test_input_in_a_wayland_session_is_refused(desk: PrivateDesktop):
    variables = {"DISPLAY": desk.environ["DISPLAY"], "XDG_SESSION_TYPE": "wayland"}
    back_end = make_back_end(Environment(platform="linux", variables=variables))
    assert not back_end.assess("input").available
    assert back_end.assess("screen").available


def test_nothing_needs_a_display_to_be_imported():
    code = "import actuators.desktop.platforms.linux, actuators.clipboard.linux"
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, env={"PATH": "/usr/bin:/bin"}, cwd=Path(__file__).parents[3]
    )
    assert done.returncode == 0


async def test_the_clipboard_outlives_who_wrote_it(desk: PrivateDesktop):
    code = (
        "import asyncio, os\n"
        "from actuators.base import Environment\n"
        "from actuators.clipboard.linux import make_clipboard\n"
        "asyncio.run(make_clipboard(Environment(platform='linux', variables=os.environ)).write('stays'))\n"
    )
    root = Path(__file__).parents[3]
    argv = [sys.executable, "-c", code]
    await asyncio.to_thread(subprocess.run, argv, env=desk.environ, cwd=root, check=True, timeout=20)
    assert await make_clipboard(Environment(platform="linux", variables=desk.environ)).read() == "stays"


async def repeat(act: Callable[[], Awaitable[None]]) -> None:
    """Do something until it fails."""
    while True:
        await act()
        await pause(0.01)


async def holds(path: Path, text: str) -> bool:
    """Look until a file holds a text."""
    for _ in range(100):
        if await asyncio.to_thread(lambda: path.read_text() if path.exists() else "") == text:
            return True
        await pause(0.02)
    return False
