"""Windows, keys, pointer and clipboard of Windows, on a notepad that the tests start."""

import asyncio
import ctypes
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ActionError, DeviceError, TargetError, UnsupportedError

if sys.platform != "win32":
    raise pytest.skip.Exception("needs Windows: python3 scripts/test.py --windows", allow_module_level=True)
if "SUREHAND_LANE_SCREEN" not in os.environ:
    raise pytest.skip.Exception("needs a screen that nobody uses: install xvfb", allow_module_level=True)

import win32api
import win32clipboard
import win32con
import win32gui

from actuators.clipboard.windows import WindowsClipboard
from actuators.deadlines import Deadline, settle
from actuators.desktop.ports.desktop import Rect, Window
from actuators.desktop.win32 import keyboard
from actuators.desktop.win32.hands import Win32Hands
from actuators.desktop.win32.screen import Win32Screen
from actuators.desktop.win32.uia import UiAutomation
from actuators.desktop.win32.windows import Win32Windows
from tests.windows.win32_bench import put_pointer

PATIENCE_S = 15
user32 = ctypes.WinDLL("user32")
user32.SendMessageW.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_size_t, ctypes.c_void_p]


@dataclass
class Desk:
    """A screen with a notepad in front."""

    windows: Win32Windows
    hands: Win32Hands
    clipboard: WindowsClipboard
    pid: int

    async def notepad(self) -> Window:
        """Return the notepad as it is now."""
        return next(window for window in await self.windows.windows() if window.pid == self.pid)

    async def until(self, is_so: Callable[[], Awaitable[bool]]) -> bool:
        """Wait until something is so."""
        return await settle(is_so, self.windows.wait_for_change, Deadline(PATIENCE_S))

    async def until_notepad(self, judge: Callable[[Window], bool]) -> bool:
        """Wait until something is so of the notepad."""

        async def is_so() -> bool:
            return judge(await self.notepad())

        return await self.until(is_so)

    async def content(self) -> str:
        """Return the notepad's text, asked of its field."""
        field = win32gui.FindWindowEx(int((await self.notepad()).id, 16), 0, "Edit", None)
        length = user32.SendMessageW(field, win32con.WM_GETTEXTLENGTH, 0, None)
        buffer = ctypes.create_unicode_buffer(length + 1)
        user32.SendMessageW(field, win32con.WM_GETTEXT, length + 1, ctypes.addressof(buffer))
        return buffer.value

    async def until_content(self, text: str) -> bool:
        """Wait until the notepad shows a text."""

        async def is_so() -> bool:
            return await self.content() == text

        return await self.until(is_so)

    async def point(self, x: int, y: int) -> bool:
        """Move the pointer until it stays."""
        return await put_pointer(x, y, self.hands.move_to)

    async def press(self, *keys: str) -> None:
        """Press keys together."""
        await self.hands.strike(keys)


@pytest.fixture
def notepad() -> Iterator[int]:
    with subprocess.Popen(["notepad.exe"]) as process:
        yield process.pid
        process.kill()


@pytest.fixture
async def desk(notepad: int) -> AsyncIterator[Desk]:
    made = Desk(Win32Windows(), Win32Hands(), WindowsClipboard(), notepad)

    async def is_open() -> bool:
        return any(window.pid == notepad for window in await made.windows.windows())

    assert await made.until(is_open)
    await made.windows.focus(await made.notepad())
    assert await made.until_notepad(lambda window: window.active)
    yield made
    for part in (made.windows, made.hands, made.clipboard):
        await part.close()


async def test_a_window_is_listed_with_its_program(desk: Desk) -> None:
    window = await desk.notepad()
    assert (window.app, window.active, window.minimized, window.maximized) == ("notepad", True, False, False)
    assert "Notepad" in window.title
    assert (await desk.windows.windows())[0] == window


async def test_a_window_is_placed(desk: Desk) -> None:
    wanted = Rect(100, 80, 500, 400)
    await desk.windows.place(await desk.notepad(), wanted)
    assert await desk.until_notepad(lambda window: window.bounds == wanted)
    found = await desk.windows.window_at(*wanted.center)
    assert found == await desk.notepad()


async def test_a_window_is_maximized_minimized_and_restored(desk: Desk) -> None:
    before = (await desk.notepad()).bounds
    await desk.windows.maximize(await desk.notepad())
    assert await desk.until_notepad(lambda window: window.maximized)
    await desk.windows.minimize(await desk.notepad())
    assert await desk.until_notepad(lambda window: window.minimized)
    await desk.windows.restore(await desk.notepad())
    assert await desk.until_notepad(
        lambda window: not window.minimized and not window.maximized and window.bounds == before
    )


async def test_a_minimized_window_comes_back_with_the_focus(desk: Desk) -> None:
    await desk.windows.minimize(await desk.notepad())
    assert await desk.until_notepad(lambda window: window.minimized)
    await desk.windows.focus(await desk.notepad())
    assert await desk.until_notepad(lambda window: window.active and not window.minimized)


async def test_a_window_that_was_closed_is_missing(desk: Desk) -> None:
    window = await desk.notepad()
    await desk.windows.close_window(window)

    async def is_gone() -> bool:
        return not win32gui.IsWindow(int(window.id, 16))

    assert await desk.until(is_gone)
    for order in (desk.windows.focus, desk.windows.minimize, desk.windows.restore, desk.windows.close_window):
        with pytest.raises(DeviceError) as caught:
            await order(window)
        assert caught.value.code == "window_missing"


async def test_the_empty_desktop_is_no_window(desk: Desk) -> None:
    await desk.windows.place(await desk.notepad(), Rect(600, 400, 300, 200))
    assert await desk.until_notepad(lambda window: window.bounds.x == 600)
    assert await desk.windows.window_at(50, 50) is None


async def test_the_display_is_the_lanes(desk: Desk) -> None:
    (display,) = await desk.windows.displays()
    assert (display.bounds, display.primary, display.scale) == (Rect(0, 0, 1280, 800), True, 1.0)


@pytest.mark.parametrize("text", ["żółć 日本 😀", "a < b > c & d\te", "MiXeD 'quotes' \"too\" @€~^`", "x" * 500])
async def test_text_is_typed_as_it_is(desk: Desk, text: str) -> None:
    await desk.hands.type_text(text)
    assert await desk.until_content(text), await desk.content()


async def test_lines_are_typed_as_lines(desk: Desk) -> None:
    await desk.hands.type_text("one\r\ntwo\nthree")
    assert await desk.until_content("one\r\ntwo\r\nthree"), await desk.content()


async def test_keys_reach_the_window_in_front(desk: Desk) -> None:
    await desk.hands.type_text("gone")
    await desk.press("Control", "a")
    await desk.press("Delete")
    for key in ("A", "b", "Digit1", "+", "Space", "KeyC", "ArrowLeft", "Backspace", "End", "!"):
        await desk.press(key)
    assert await desk.until_content("Ab1+c!"), await desk.content()


async def test_a_character_that_is_no_key_is_refused_before_anything_is_typed(desk: Desk) -> None:
    with pytest.raises(ActionError) as caught:
        await desk.hands.type_text("abc\x07")
    assert (caught.value.code, caught.value.evidence["characters"]) == ("unsupported_text", ["U+0007"])
    assert await desk.content() == ""


async def test_a_key_that_is_not_there_is_known_beforehand(desk: Desk) -> None:
    assert await desk.hands.can_press("Enter")
    assert not await desk.hands.can_press("日")
    with pytest.raises(ActionError) as caught:
        await desk.hands.key_down("日")
    assert caught.value.code == "unknown_key"


async def test_keys_that_are_held_are_let_go(desk: Desk) -> None:
    await desk.hands.key_down("Shift")
    assert win32api.GetAsyncKeyState(win32con.VK_SHIFT) & 0x8000
    await desk.hands.release_all()
    assert not win32api.GetAsyncKeyState(win32con.VK_SHIFT) & 0x8000


async def test_the_pointer_moves_to_the_pixel(desk: Desk) -> None:
    for place in ((10, 20), (1279, 799), (641, 401)):
        assert await desk.point(*place), (place, await desk.hands.position())


async def test_a_click_puts_the_cursor_and_a_drag_selects(desk: Desk) -> None:
    await desk.windows.place(await desk.notepad(), Rect(0, 0, 600, 400))
    assert await desk.until_notepad(lambda window: window.bounds.width == 600)
    await desk.hands.type_text("hello")
    assert await desk.until_content("hello")
    field = win32gui.FindWindowEx(int((await desk.notepad()).id, 16), 0, "Edit", None)
    left, top, right, _ = win32gui.GetWindowRect(field)
    assert await desk.point(left + 3, top + 8)
    await desk.hands.button_down("left")
    assert await desk.point(right - 30, top + 8)
    await desk.hands.button_up("left")
    await desk.press("Control", "c")

    async def is_copied() -> bool:
        return await desk.clipboard.read() == "hello"

    assert await desk.until(is_copied)


@pytest.mark.parametrize("text", ["", "plain", "żółć 日本 😀", "two\r\nlines", "two\nlines", "x" * 200_000])
async def test_the_clipboard_gives_back_what_it_was_given(text: str) -> None:
    clipboard = WindowsClipboard()
    await clipboard.write(text)
    assert await clipboard.read() == text
    await clipboard.close()


async def test_a_clipboard_without_text_has_none() -> None:
    clipboard = WindowsClipboard()
    win32clipboard.OpenClipboard()
    win32clipboard.EmptyClipboard()
    win32clipboard.CloseClipboard()
    assert await clipboard.read() is None
    await clipboard.close()


HOLDER = """
import sys, win32clipboard, win32gui
window = win32gui.CreateWindow("STATIC", "", 0, 0, 0, 0, 0, 0, 0, 0, None)
win32clipboard.OpenClipboard(window)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HOLDER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


async def test_a_clipboard_that_somebody_holds_is_waited_for(holder: subprocess.Popen[str]) -> None:
    hasty, patient = WindowsClipboard(patience_s=0.3), WindowsClipboard(patience_s=20)
    with pytest.raises(DeviceError) as caught:
        await hasty.write("mine")
    assert caught.value.code == "not_settled"
    writing = asyncio.ensure_future(patient.write("mine"))
    await asyncio.wait({writing}, timeout=0.1)
    assert not writing.done()
    holder.kill()
    await writing
    assert await patient.read() == "mine"
    await hasty.close()
    await patient.close()


async def test_a_text_that_the_clipboard_would_cut_is_refused() -> None:
    with pytest.raises(ActionError) as caught:
        await WindowsClipboard().write("a\0b")
    assert caught.value.code == "unsupported_text"


@given(st.text(st.characters(exclude_categories=("Cc", "Cs"))))
def test_every_character_becomes_its_own_units(text: str) -> None:
    events = keyboard.make_text_events(text)
    downs = [event.content.key.scan for event in events if not event.content.key.flags & keyboard.UP]
    assert b"".join(unit.to_bytes(2, "little") for unit in downs).decode("utf-16-le") == text
    assert len(events) == 2 * len(downs)


async def test_the_screen_shows_the_window_in_front(desk: Desk) -> None:
    await desk.windows.place(await desk.notepad(), Rect(100, 100, 400, 300))
    assert await desk.until_notepad(lambda window: window.bounds == Rect(100, 100, 400, 300))
    screen = Win32Screen()
    whole = await screen.grab()
    assert (whole.bounds, len(whole.rgb)) == (Rect(0, 0, 1280, 800), 1280 * 800 * 3)

    async def is_drawn() -> bool:
        part = await screen.grab(Rect(250, 250, 20, 20))
        return part.rgb == b"\xff" * (20 * 20 * 3)

    assert await desk.until(is_drawn)
    with pytest.raises(TargetError):
        await screen.grab(Rect(5000, 5000, 10, 10))
    await screen.close()


async def test_where_there_is_no_ui_automation_that_is_said() -> None:
    tree = UiAutomation()
    assessed = tree.assess()
    assert (assessed.capability, assessed.available) == ("accessibility", False)
    assert "wine" in assessed.remedy
    with pytest.raises(UnsupportedError):
        await tree.elements(None)
    await tree.close()
