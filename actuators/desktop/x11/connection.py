"""X11Connection: one connection to the X server, used on a thread of its own."""

import select
import time
from collections.abc import Callable
from itertools import count
from typing import Any, TypeVar

from Xlib import X
from Xlib.error import BadDrawable, BadWindow, ConnectionClosedError, DisplayError, XError
from Xlib.protocol.event import ClientMessage

from actuators.base import Environment
from actuators.desktop.ports.desktop import Window
from actuators.platforms.device_thread import DeviceThread
from actuators.platforms.x11_connection import display_missing, open_display
from core.base.errors import DeviceError

_numbers = count(1)


def await_answer(display: Any, timeout_s: float) -> bool:
    """Ask the window with the focus, on the display's thread, to answer after all sent before; return whether it did."""
    root = display.screen().root
    ping, protocols = display.intern_atom("_NET_WM_PING"), display.intern_atom("WM_PROTOCOLS")
    active = root.get_full_property(display.intern_atom("_NET_ACTIVE_WINDOW"), X.AnyPropertyType)
    if active is None or not active.value:
        return False
    window = display.create_resource_object("window", int(active.value[0]))
    try:
        spoken = window.get_full_property(protocols, X.AnyPropertyType)
    except (BadWindow, BadDrawable):
        return False
    if spoken is None or ping not in spoken.value:
        return False
    number = next(_numbers)
    root.change_attributes(event_mask=X.SubstructureNotifyMask)
    try:
        question = ClientMessage(window=window, client_type=protocols, data=(32, [ping, number, window.id, 0, 0]))
        window.send_event(question, event_mask=0)
        return _hear(display, (ping, number), timeout_s)
    finally:
        root.change_attributes(event_mask=X.NoEventMask)
        display.sync()


def _hear(display: Any, wanted: tuple[int, int], timeout_s: float) -> bool:
    end = time.monotonic() + timeout_s
    while True:
        while display.pending_events():
            event = display.next_event()
            if event.type == X.ClientMessage and tuple(event.data[1])[:2] == wanted:
                return True
        left = end - time.monotonic()
        if left <= 0 or not select.select([display.fileno()], [], [], left)[0]:
            return False


Result = TypeVar("Result")
CALL_S = 5.0


class X11Connection:
    """A connection that opens with the first call, and again after the server has come back."""

    def __init__(self, environment: Environment, name: str) -> None:
        self.display_name = environment.variables.get("DISPLAY", "")
        self._thread = DeviceThread(name, end=self._disconnect)
        self._display: Any = None
        self._has_new_map = False

    def take_map_change(self, display: Any) -> bool:
        """Tell whether the keyboard map has changed since this was last asked; on the connection's thread."""
        display.sync()  # what has happened by now has been told by its answer
        changed, self._has_new_map = drain(display) or self._has_new_map, False
        return changed

    async def run(self, work: Callable[[Any], Result], *, timeout_s: float = CALL_S) -> Result:
        """Do something with the ``Xlib.display.Display`` on the connection's thread.

        Raises:
            DeviceError: ``server_missing`` if the server can't be reached or has gone, ``window_missing`` if a window
                has gone meanwhile, ``not_settled`` if the server doesn't answer.
        """
        try:
            return await self._thread.run(lambda: self._attempt(work), timeout_s=timeout_s)
        except TimeoutError:
            self._display = None  # its thread has been given up, and the connection with it
            raise DeviceError(
                f"The X server {self.display_name} did not answer within {timeout_s:g} s.",
                code="not_settled",
                hint="Check whether it hangs, or another program has grabbed it.",
                evidence={"display": self.display_name},
            ) from None

    async def close(self) -> None:
        """Close the connection; calling it again does nothing."""
        await self._thread.close()

    def _attempt(self, work: Callable[[Any], Result]) -> Result:
        try:
            if self._display is None:
                self._display = open_display(self.display_name)
            self._has_new_map |= drain(self._display)
            return work(self._display)
        except (ConnectionClosedError, DisplayError, OSError) as error:
            self._disconnect()
            raise display_missing(self.display_name, str(error) or "the connection was closed") from error
        except (BadWindow, BadDrawable) as error:
            raise window_gone() from error
        except XError as error:
            raise DeviceError(
                f"The X server refused: {error}", hint="Check whether another program interferes."
            ) from error

    def _disconnect(self) -> None:
        display, self._display = self._display, None
        if display is not None:
            close_quietly(display)


def drain(display: Any) -> bool:
    """Throw away events that the server sends unasked; return whether the keyboard map has changed."""
    kinds = {display.next_event().type for _ in range(display.pending_events())}
    return X.MappingNotify in kinds


def window_gone(window: Window | None = None) -> DeviceError:
    """Return the error of a window that has been closed."""
    which = f"The window {window.title!r}" if window else "A window"
    evidence = {"id": window.id, "title": window.title} if window else {}
    return DeviceError(
        f"{which} was closed.",
        code="window_missing",
        hint="List the windows to see which are open.",
        evidence=evidence,
    )


def close_quietly(display: Any) -> None:
    """Close a connection whose server may have gone already."""
    try:
        display.close()
    except (ConnectionClosedError, OSError):
        return
