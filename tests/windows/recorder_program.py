"""A program of Windows that opens windows when it is told to, and tells what they receive. Windows only.

It reads one order a line, as JSON: ``open`` with a title, ``pop_up`` with a place, ``clear``. It writes one event a line, and
ends with its input.
"""

import json
import queue
import sys
import threading
from typing import Any

if sys.platform != "win32":
    raise ImportError("this is a program of Windows")

import win32api
import win32con
import win32gui

CLASS = "SurehandRecorder"
ORDER = win32con.WM_APP + 1
HORIZONTAL_WHEEL = 0x020E
NOTCH = 120
TO_CHARACTER = 2
PLACE = (100, 100, 402, 322)
STEP_PX = 40
BUTTONS = {
    win32con.WM_LBUTTONDOWN: "left",
    win32con.WM_MBUTTONDOWN: "middle",
    win32con.WM_RBUTTONDOWN: "right",
}
WHEELS = {win32con.WM_MOUSEWHEEL: ("up", "down"), HORIZONTAL_WHEEL: ("right", "left")}
MODIFIERS = {"Shift": win32con.VK_SHIFT, "Control": win32con.VK_CONTROL, "Alt": win32con.VK_MENU}


class Recorder:
    """The windows of this program."""

    def __init__(self) -> None:
        """Make the kind of window, and none of it."""
        self._asking: dict[int, str] = {}
        self._windows: list[int] = []
        kind: Any = win32gui.WNDCLASS()
        kind.lpszClassName = CLASS
        kind.hbrBackground = win32con.COLOR_WINDOW + 1
        kind.lpfnWndProc = self._receive
        win32gui.RegisterClass(kind)

    def obey(self, order: dict[str, Any]) -> None:
        """Do what a line says."""
        match order["order"]:
            case "open":
                window = self._open(order["title"])
                if order["asks"]:
                    self._asking[window] = order["title"]
            case "pop_up":
                style = win32con.WS_EX_TOPMOST | win32con.WS_EX_TOOLWINDOW | win32con.WS_EX_NOACTIVATE
                window = self._make(style, "", win32con.WS_POPUP, order["place"])
                win32gui.ShowWindow(window, win32con.SW_SHOWNOACTIVATE)
                tell(kind="opened", window=window)
            case _:
                for each in self._windows:
                    if win32gui.IsWindow(each):
                        win32gui.DestroyWindow(each)
                self._windows.clear()
                tell(kind="cleared", window=0)

    def _open(self, title: str) -> int:
        left, top, width, height = PLACE
        place = [left + STEP_PX * len(self._windows), top, width, height]
        window = self._make(0, title, win32con.WS_OVERLAPPEDWINDOW, place)
        win32gui.ShowWindow(window, win32con.SW_SHOW)
        win32gui.SetForegroundWindow(window)
        tell(kind="opened", window=window)
        return window

    def _make(self, extended: int, title: str, style: int, place: list[int]) -> int:
        left, top, width, height = place
        window = win32gui.CreateWindowEx(extended, CLASS, title, style, left, top, width, height, 0, 0, 0, None)
        self._windows.append(window)
        return window

    def _receive(self, window: int, message: int, word: int, rest: int) -> int:
        if message in BUTTONS:
            x, y = win32gui.ClientToScreen(window, (signed(rest), signed(rest >> 16)))
            tell(kind="click", window=window, button=BUTTONS[message], x=x, y=y)
        elif message in WHEELS:
            notches = signed(word >> 16) // NOTCH
            tell(kind="wheel", window=window, turns=[WHEELS[message][notches < 0]] * abs(notches))
        elif message in {win32con.WM_KEYDOWN, win32con.WM_SYSKEYDOWN}:
            held = [name for name, code in MODIFIERS.items() if win32api.GetKeyState(code) < 0]
            character = win32api.MapVirtualKey(word, TO_CHARACTER)
            if 0x20 < character < 0x7F:
                tell(kind="key", window=window, keys="+".join([*held, chr(character).lower()]))
        elif message == win32con.WM_CLOSE and window in self._asking:
            self._open(f"Save {self._asking.pop(window)}?")
            return 0
        return win32gui.DefWindowProc(window, message, word, rest)


def signed(value: int) -> int:
    """Return the lower half of a number as one that may be below zero."""
    low = value & 0xFFFF
    return low - 0x10000 if low & 0x8000 else low


def tell(**event: Any) -> None:
    """Write an event."""
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Serve until the input ends."""
    recorder = Recorder()
    orders: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    served = win32api.GetCurrentThreadId()
    win32gui.PeekMessage(0, 0, 0, 0)  # from now on, this thread has a queue for messages

    def listen() -> None:
        for line in sys.stdin:
            orders.put(json.loads(line))
            win32api.PostThreadMessage(served, ORDER, 0, 0)
        win32api.PostThreadMessage(served, win32con.WM_QUIT, 0, 0)

    threading.Thread(target=listen, daemon=True).start()
    tell(kind="ready", window=0)
    while True:
        going_on, message = win32gui.GetMessage(0, 0, 0)
        if not going_on:
            return
        if message[1] == ORDER:
            recorder.obey(orders.get())
            continue
        win32gui.TranslateMessage(message)
        win32gui.DispatchMessage(message)


if __name__ == "__main__":
    main()
