"""A window on an X display that writes down what it receives."""

import os
import select
import threading
from typing import Any

from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.error import ConnectionClosedError
from Xlib.protocol.event import ClientMessage

MODIFIERS = {X.ShiftMask: "Shift", X.ControlMask: "Control", X.Mod1Mask: "Alt"}


class Recorder:
    """A real window with a connection and a thread of its own.

    Attributes:
        clicks: Button number and place on the screen of every press.
        releases: Button numbers of every release.
        keys: Modifiers and keycode of every key that was pressed.
    """

    def __init__(self, display: str, title: str, *, asks: bool = False) -> None:
        """Open the window; with ``asks`` it opens another one when it shall close, and stays."""
        self.clicks: list[tuple[int, int, int]] = []
        self.releases: list[int] = []
        self.keys: list[tuple[str, ...]] = []
        self._asks = asks
        self._title = title
        self._display: Any = Display(display)
        self._windows: list[Any] = []
        self._reader, self._writer = os.pipe()
        self._open(title)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def window(self) -> int:
        """The number of its first window."""
        return self._windows[0].id

    def close(self) -> None:
        """Close the window and its connection."""
        if self._thread.is_alive():
            os.write(self._writer, b"x")
            self._thread.join(2)
        for handle in (self._reader, self._writer):
            os.close(handle)
        self._display.close()

    def pop_up(self, x: int, y: int, width: int, height: int, *, pid: int) -> None:
        """Open a window that no manager looks after, as menus and notifications are."""
        window = self._make(x, y, width, height, override_redirect=True)
        window.set_wm_class("popup", "PopUp")
        self._set_pid(window, pid)
        window.map()
        self._display.sync()

    def _open(self, title: str) -> None:
        window = self._make(100 + 40 * len(self._windows), 100, 400, 300)
        window.set_wm_name("window")
        window.change_property(self._atom("_NET_WM_NAME"), self._atom("UTF8_STRING"), 8, title.encode())
        window.set_wm_class("recorder", "Recorder")
        window.set_wm_protocols([self._atom("WM_DELETE_WINDOW")])
        window.set_wm_normal_hints(flags=0)
        self._set_pid(window, os.getpid())
        window.map()
        self._display.sync()
        self._windows.append(window)

    def _make(self, x: int, y: int, width: int, height: int, *, override_redirect: bool = False) -> Any:
        screen = self._display.screen()
        mask = X.ButtonPressMask | X.ButtonReleaseMask | X.KeyPressMask | X.StructureNotifyMask
        return screen.root.create_window(
            x,
            y,
            width,
            height,
            0,
            screen.root_depth,
            background_pixel=screen.white_pixel,
            event_mask=mask,
            override_redirect=override_redirect,
        )

    def _set_pid(self, window: Any, pid: int) -> None:
        window.change_property(self._atom("_NET_WM_PID"), Xatom.CARDINAL, 32, [pid])

    def _atom(self, name: str) -> int:
        return self._display.intern_atom(name)

    def _serve(self) -> None:
        try:
            while True:
                while self._display.pending_events():
                    self._take(self._display.next_event())
                ready, _, _ = select.select([self._display.fileno(), self._reader], [], [])
                if self._reader in ready:
                    return
        except ConnectionClosedError:
            return

    def _take(self, event: Any) -> None:
        if event.type == X.ButtonPress:
            self.clicks.append((event.detail, event.root_x, event.root_y))
        elif event.type == X.ButtonRelease:
            self.releases.append(event.detail)
        elif event.type == X.KeyPress:
            held = tuple(name for mask, name in MODIFIERS.items() if event.state & mask)
            symbol = self._display.keycode_to_keysym(event.detail, 0)
            self.keys.append((*held, chr(symbol) if 0x20 < symbol < 0x7F else hex(symbol)))
        elif isinstance(event, ClientMessage) and event.data[1][0] == self._atom("WM_DELETE_WINDOW"):
            self._be_closed(event.window)

    def _be_closed(self, window: Any) -> None:
        if self._asks and len(self._windows) == 1:
            self._open(f"Save {self._title}?")
            return
        window.destroy()
        self._display.sync()
