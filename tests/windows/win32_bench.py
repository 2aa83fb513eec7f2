"""The bench on Windows: windows of a program that tells what they receive, and a notepad. Windows only."""

import asyncio
import ctypes
import json
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from typing import Any

if sys.platform != "win32":
    raise ImportError("this is a bench on Windows")

import win32api
import win32con
import win32gui

from actuators.deadlines import Deadline, pause, settle
from actuators.desktop.ports.desktop import Window
from actuators.desktop.ports.parts import DesktopParts
from tests.contracts.desktop.bench import DesktopBench

START = (640, 400)
PATIENCE_S = 15
RESTS = 25  # looks in a row at which a pointer that was moved must still be there
CAN_BE_HELD = (
    win32con.VK_SHIFT,
    win32con.VK_CONTROL,
    win32con.VK_MENU,
    win32con.VK_LBUTTON,
    win32con.VK_MBUTTON,
    win32con.VK_RBUTTON,
)
user32 = ctypes.WinDLL("user32")
user32.SendMessageW.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_size_t, ctypes.c_void_p]


class RecorderProcess:
    """The program that opens windows, and what it has told.

    Attributes:
        events: What its windows received.
    """

    def __init__(self) -> None:
        """Start it."""
        self.events: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        command = [sys.executable, "-m", "tests.windows.recorder_program"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        self._await("ready")

    def tell(self, answer: str, **order: Any) -> int:
        """Give an order, and return the window that its answer speaks of."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return self._await(answer)

    def list_events(self, kind: str, window: Window) -> list[dict[str, Any]]:
        """Return what a window received of a kind."""
        handle = int(window.id, 16)
        return [each for each in self.events.copy() if (each["kind"], each["window"]) == (kind, handle)]

    def close(self) -> None:
        """End it, with its windows."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        try:
            self._process.wait(PATIENCE_S)
        finally:
            self._process.kill()
            self._thread.join(PATIENCE_S)
            self._process.stdout.close()

    def _listen(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            with self._changed:
                self.events.append(json.loads(line))
                self._changed.notify_all()

    def _await(self, kind: str) -> int:
        """Wait for an answer, take it out and return its window."""

        def find() -> dict[str, Any] | None:
            return next((each for each in self.events if each["kind"] == kind), None)

        with self._changed:
            answer = self._changed.wait_for(find, PATIENCE_S)
            assert answer is not None, f"the recorder did not answer with {kind}"
            self.events.remove(answer)
        return answer["window"]


class Win32Bench(DesktopBench):
    """The desktop of a Windows that nobody uses."""

    def __init__(self, parts: DesktopParts, recorder: RecorderProcess) -> None:
        super().__init__(parts)
        self._recorder = recorder
        self._others: list[RecorderProcess] = []
        self._notepads: list[subprocess.Popen[bytes]] = []
        win32api.SetCursorPos(START)

    async def open_window(self, title: str, *, asks: bool = False) -> Window:
        await asyncio.to_thread(self._recorder.tell, "opened", order="open", title=title, asks=asks)
        return await self.see(title)

    async def open_field(self) -> Window:
        program = await asyncio.to_thread(subprocess.Popen[bytes], ["notepad.exe"])
        self._notepads.append(program)
        return await self._see(lambda window: window.pid == program.pid)

    async def read_field(self) -> str:
        field = win32gui.FindWindowEx(int((await self.now("notepad")).id, 16), 0, "Edit", None)
        return await asyncio.to_thread(read_text, field)

    async def pop_up(self, window: Window, *, own: bool) -> None:
        x, y = window.bounds.center
        program = self._recorder
        if not own:
            program = await asyncio.to_thread(RecorderProcess)
            self._others.append(program)
        await asyncio.to_thread(program.tell, "opened", order="pop_up", place=[x - 50, y - 50, 100, 100])

    def clicks(self, window: Window) -> list[tuple[str, int, int]]:
        return [(each["button"], each["x"], each["y"]) for each in self._recorder.list_events("click", window)]

    def wheel_turns(self, window: Window) -> list[str]:
        return [turn for each in self._recorder.list_events("wheel", window) for turn in each["turns"]]

    def keys(self, window: Window) -> list[str]:
        return [each["keys"] for each in self._recorder.list_events("key", window)]

    async def held(self) -> bool:
        return any(win32api.GetAsyncKeyState(code) & 0x8000 for code in CAN_BE_HELD)

    async def move_by_hand(self, *places: tuple[int, int]) -> None:
        async def move(x: int, y: int) -> None:
            win32api.SetCursorPos((x, y))

        if len(places) == 1:
            assert await put_pointer(*places[0], move)
        else:
            for place in places:
                win32api.SetCursorPos(place)
                await pause(0.02)

    async def close(self) -> None:
        """Close everything that was opened, and see that it is gone."""
        await asyncio.to_thread(self._recorder.tell, "cleared", order="clear")
        for other in self._others:
            await asyncio.to_thread(other.close)
        for program in self._notepads:
            program.kill()
            await asyncio.to_thread(program.wait)
        self._recorder.events.clear()
        windows = self.parts.windows

        async def is_empty() -> bool:
            return not await windows.windows()

        assert await settle(is_empty, windows.wait_for_change, Deadline(PATIENCE_S)), await windows.windows()
        for part in (self.parts.hands, windows, self.parts.screen, self.parts.clipboard, self.parts.accessibility):
            await part.close()

    async def _see(self, is_meant: Callable[[Window], bool]) -> Window:
        windows = self.parts.windows

        async def find() -> Window | None:
            return next((each for each in await windows.windows() if is_meant(each)), None)

        async def is_there() -> bool:
            found = await find()
            return found is not None and found.active

        assert await settle(is_there, windows.wait_for_change, Deadline(PATIENCE_S))
        found = await find()
        assert found is not None
        return found


async def put_pointer(x: int, y: int, move: Callable[[int, int], Awaitable[None]]) -> bool:
    """Move the pointer until it stays: wine's desktop may tell of the move before only now, and take it back."""
    deadline, rests = Deadline(PATIENCE_S), 0
    while rests < RESTS and not deadline.is_over:
        is_there = win32api.GetCursorPos() == (x, y)
        rests = rests + 1 if is_there else 0
        if not is_there:
            await move(x, y)
        await pause(0.02)
    return rests == RESTS


def read_text(field: int) -> str:
    """Return what a field of another program holds."""
    length = user32.SendMessageW(field, win32con.WM_GETTEXTLENGTH, 0, None)
    buffer = ctypes.create_unicode_buffer(length + 1)
    user32.SendMessageW(field, win32con.WM_GETTEXT, length + 1, ctypes.addressof(buffer))
    return buffer.value
