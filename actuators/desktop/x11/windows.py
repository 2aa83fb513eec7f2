"""X11Windows: windows by EWMH, displays by RandR."""

import asyncio
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from Xlib import X
from Xlib.error import ConnectionClosedError
from Xlib.protocol.event import ClientMessage

from actuators.base import Availability, Environment
from actuators.deadlines import pause
from actuators.desktop.ports.desktop import Display, Rect, Window
from actuators.desktop.x11.connection import X11Connection, window_gone
from actuators.desktop.x11.window_reading import GONE, WindowReader
from actuators.platforms.x11_connection import open_display
from actuators.platforms.x11_displays import assess_display
from core.base.errors import DeviceError, UnsupportedError

LONGEST_S = 0.25
"""How long one wait lasts at most: what changes without an event is seen then."""


class X11Watch:
    """A connection that only hears of windows that come, go, move and change their order, title, state or focus."""

    def __init__(self, display_name: str) -> None:
        self._display_name = display_name
        self._display: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._socket = -1
        self._heard: set[int] = set()
        self._changed = asyncio.Event()
        self._opening = asyncio.Lock()
        self.count = 0

    async def start(self) -> None:
        """Begin to listen, if it hasn't."""
        async with self._opening:
            if self._display is None:
                self._display = await asyncio.to_thread(self._open)
                self._loop = asyncio.get_running_loop()
                self._socket = self._display.fileno()  # a display whose server has gone doesn't tell it any more
                self._loop.add_reader(self._socket, self._take)

    def listen_to(self, windows: Collection[int]) -> None:
        """Hear of titles and states of windows, too."""
        if self._display is None:
            return
        new = set(windows) - self._heard
        for number in new:
            window = self._display.create_resource_object("window", number)
            window.change_attributes(event_mask=X.PropertyChangeMask, onerror=lambda *_: None)  # it may be gone
        if new:
            self._heard = set(windows)
            self._display.flush()

    async def wait(self, timeout_s: float, *, seen: int) -> None:
        """Return when more changes than those that were seen have been heard of, or the time is up."""
        if self.count != seen:
            return
        try:
            async with asyncio.timeout(
                min(timeout_s, LONGEST_S)
            ):  # wait_for would lose a stop that comes with a change
                await self._changed.wait()
        except TimeoutError:
            return

    def close(self) -> None:
        """Stop listening; calling it again does nothing."""
        display, self._display = self._display, None
        if display is None or self._loop is None:
            return
        if not self._loop.is_closed():
            self._loop.remove_reader(self._socket)
        try:
            display.close()
        except (ConnectionClosedError, OSError):
            return

    def _open(self) -> Any:
        display = open_display(self._display_name)
        display.screen().root.change_attributes(event_mask=X.PropertyChangeMask | X.SubstructureNotifyMask)
        display.sync()
        return display

    def _take(self) -> None:
        """Take what has come; the socket is readable, so this doesn't wait."""
        try:
            for _ in range(self._display.pending_events()):
                self._display.next_event()
        except (ConnectionClosedError, OSError):
            self.close()
        self.count += 1
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


Result = TypeVar("Result")

_CLOSING_LOOKS = 10
_CLOSING_STEP_S = 0.02
_PAGER = 2  # the source of a request: a tool that the person directs, which managers follow
_NORTH_WEST = 1  # the place is that of the frame's upper left corner
_PLACE_AND_SIZE = 0b1111 << 8
_REMOVE, _ADD = 0, 1
_ICONIC = 3
_TO_MANAGER = X.SubstructureRedirectMask | X.SubstructureNotifyMask


class X11Windows:
    """The window system of an X11 session."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._connection = X11Connection(environment, "x11-windows")
        self._watch = X11Watch(self._connection.display_name)
        self._reader: WindowReader | None = None
        self._seen = 0

    def assess(self) -> Availability:
        """Say whether the display answers."""
        return assess_display(self._environment, "windows", ("Xlib",))

    async def windows(self) -> tuple[Window, ...]:
        """Return the applications' windows, the front one first; ``server_missing`` without a window manager."""
        await self._watch.start()
        self._seen = self._watch.count
        found = await self._read(lambda reader: reader.read_all(_need_clients(reader)))
        self._watch.listen_to([int(each.id, 16) for each in found])
        return found

    async def displays(self) -> tuple[Display, ...]:
        """Return the displays."""
        return await self._read(WindowReader.read_displays)

    async def window_at(self, x: int, y: int) -> Window | None:
        """Return the window that a click at this pixel would reach; a menu or notification, too."""
        for _ in range(_CLOSING_LOOKS):
            try:
                return await self._read(lambda reader: reader.find_at(x, y))
            except DeviceError as error:
                if error.code != "window_missing":
                    raise
            await pause(_CLOSING_STEP_S)  # it was closed while they were gone through; its frame may outlive it
        return await self._read(lambda reader: reader.find_at(x, y))

    async def focus(self, window: Window) -> None:
        """Order that a window be raised and given the focus."""
        await self._order(window, "_NET_ACTIVE_WINDOW", lambda reader: [_PAGER, X.CurrentTime, reader.active(), 0, 0])

    async def place(self, window: Window, bounds: Rect) -> None:
        """Order a place and size, frame included."""

        def make(reader: WindowReader) -> list[int]:
            left, right, top, bottom = reader.extents(reader.window(int(window.id, 16)))
            width, height = max(1, bounds.width - left - right), max(1, bounds.height - top - bottom)
            # With a shadow of its own, a window begins before what can be seen of it, and has no frame to count.
            x, y = bounds.x + min(0, left), bounds.y + min(0, top)
            flags = _NORTH_WEST | _PLACE_AND_SIZE | _PAGER << 12
            return [flags, x & 0xFFFFFFFF, y & 0xFFFFFFFF, width, height]

        await self._order(window, "_NET_MOVERESIZE_WINDOW", make)

    async def minimize(self, window: Window) -> None:
        """Order that a window be minimized."""
        await self._order(window, "WM_CHANGE_STATE", lambda _: [_ICONIC, 0, 0, 0, 0])

    async def maximize(self, window: Window) -> None:
        """Order that a window be maximized; one that is minimized comes back for it."""
        if window.minimized:
            await self.focus(window)
        await self._set_maximized(window, _ADD)

    async def restore(self, window: Window) -> None:
        """Order that a window be neither minimized nor maximized."""
        if window.minimized:
            await self.focus(window)
        if window.maximized:
            await self._set_maximized(window, _REMOVE)

    async def close_window(self, window: Window) -> None:
        """Ask a window to close."""
        await self._order(window, "_NET_CLOSE_WINDOW", lambda _: [X.CurrentTime, _PAGER, 0, 0, 0])

    async def wait_for_change(self, timeout_s: float) -> None:
        """Return when something about windows may have changed since they were last read, or some time is up."""
        await self._watch.start()
        await self._watch.wait(timeout_s, seen=self._seen)

    async def close(self) -> None:
        """Let go of the connections; calling it again does nothing."""
        self._watch.close()
        await self._connection.close()

    async def _set_maximized(self, window: Window, action: int) -> None:
        def make(reader: WindowReader) -> list[int]:
            names = ("_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ")
            return [action, *map(reader.atom, names), _PAGER, 0]

        await self._order(window, "_NET_WM_STATE", make)

    async def _order(self, window: Window, message: str, make: Callable[[WindowReader], list[int]]) -> None:
        def send(reader: WindowReader) -> None:
            if message.startswith("_NET") and reader.atom(message) not in _need_supported(reader):
                raise UnsupportedError(
                    f"The window manager does not support {message}.",
                    hint="Use another window manager, or pointer and keys.",
                    evidence={"message": message},
                )
            target = reader.window(int(window.id, 16))
            try:
                target.get_attributes()
                data = make(reader)
            except GONE:
                raise window_gone(window) from None
            event = ClientMessage(window=target, client_type=reader.atom(message), data=(32, data))
            reader.root.send_event(event, event_mask=_TO_MANAGER)
            reader.display.sync()

        await self._read(send)

    async def _read(self, work: Callable[[WindowReader], Result]) -> Result:
        def apply(display: Any) -> Result:
            if self._reader is None or self._reader.display is not display:
                self._reader = WindowReader(display)
            return work(self._reader)

        return await self._connection.run(apply)


def _need_clients(reader: WindowReader) -> list[int]:
    clients = reader.clients()
    if clients is None:
        raise _no_manager()
    return clients


def _need_supported(reader: WindowReader) -> list[int]:
    supported = reader.numbers(reader.root, "_NET_SUPPORTED")
    if not supported:
        raise _no_manager()
    return supported


def _no_manager() -> DeviceError:
    return DeviceError(
        "No window manager that follows EWMH runs on this display, so windows can't be listed or controlled.",
        code="server_missing",
        hint="Start a window manager, such as openbox.",
    )
