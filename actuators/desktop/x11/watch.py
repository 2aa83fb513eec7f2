"""X11Watch: tells when something about windows may have changed."""

import asyncio
from collections.abc import Collection
from typing import Any

from Xlib import X
from Xlib.error import ConnectionClosedError

from actuators.platforms.x11_connection import open_display

LONGEST_S = 0.25
"""How long one wait lasts at most: what changes without an event is seen then."""


class X11Watch:
    """A connection that only listens.

    It hears of windows that come, go, move and change their order, title, state or focus.
    """

    def __init__(self, display_name: str) -> None:
        """Listen to nothing yet."""
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
            window.change_attributes(event_mask=X.PropertyChangeMask, onerror=_ignore)
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


def _ignore(error: Exception, request: object) -> None:
    """A window may be gone before it is listened to."""
    del error, request
