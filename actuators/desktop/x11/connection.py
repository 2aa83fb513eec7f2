"""X11Connection: one connection to the X server, used on a thread of its own."""

from collections.abc import Callable
from typing import Any, TypeVar

from Xlib.display import Display
from Xlib.error import BadDrawable, BadWindow, ConnectionClosedError, DisplayConnectionError, DisplayError, XError

from actuators.base import Environment
from actuators.desktop.ports import Window
from actuators.device_thread import DeviceThread
from actuators.x11_displays import answers
from core.errors import DeviceError

Result = TypeVar("Result")
CALL_S = 5.0


class X11Connection:
    """A connection that opens with the first call, and again after the server has come back."""

    def __init__(self, environment: Environment, name: str) -> None:
        """Open nothing yet.

        Args:
            environment: Names the display.
            name: What its thread is called.
        """
        self.display_name = environment.variables.get("DISPLAY", "")
        self._thread = DeviceThread(name, end=self._disconnect)
        self._display: Any = None

    async def run(self, work: Callable[[Any], Result], *, timeout_s: float = CALL_S) -> Result:
        """Do something with the ``Xlib.display.Display`` on the connection's thread.

        Args:
            work: Takes the display.
            timeout_s: Until it is given up.

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
                hint="See whether it hangs, or another program has grabbed it.",
                evidence={"display": self.display_name},
            ) from None

    async def close(self) -> None:
        """Close the connection; calling it again does nothing."""
        await self._thread.close()

    def _attempt(self, work: Callable[[Any], Result]) -> Result:
        try:
            if self._display is None:
                self._display = connect(self.display_name)
            drain(self._display)
            return work(self._display)
        except (ConnectionClosedError, DisplayError, OSError) as error:
            self._disconnect()
            raise server_missing(self.display_name, str(error) or "the connection was closed") from error
        except (BadWindow, BadDrawable) as error:
            raise window_gone() from error
        except XError as error:
            raise DeviceError(
                f"The X server refused: {error}", hint="See whether another program interferes."
            ) from error

    def _disconnect(self) -> None:
        display, self._display = self._display, None
        if display is not None:
            close_quietly(display)


def connect(name: str) -> Any:
    """Return an ``Xlib.display.Display``.

    Raises:
        DeviceError: ``server_missing``.
    """
    if not name:
        raise server_missing(name, "DISPLAY is not set")
    if not answers(name):  # Xlib would leave a socket open
        raise server_missing(name, "it does not answer")
    try:
        return Display(name)
    except (DisplayError, DisplayConnectionError, ConnectionClosedError, OSError) as error:
        raise server_missing(name, str(error)) from error


def drain(display: Any) -> None:
    """Throw away events that the server sends unasked, such as changes of the keyboard map."""
    for _ in range(display.pending_events()):
        display.next_event()


def server_missing(name: str, why: str) -> DeviceError:
    """Return the error of a display that can't be reached."""
    return DeviceError(
        f"The X server {name!r} can't be reached: {why}.",
        code="server_missing",
        hint="Start it, or correct DISPLAY.",
        evidence={"display": name},
    )


def window_gone(window: Window | None = None) -> DeviceError:
    """Return the error of a window that has been closed."""
    which = f"The window {window.title!r}" if window else "A window"
    evidence = {"id": window.id, "title": window.title} if window else {}
    return DeviceError(
        f"{which} has been closed meanwhile.",
        code="window_missing",
        hint="Look which windows are open.",
        evidence=evidence,
    )


def close_quietly(display: Any) -> None:
    """Close a connection whose server may have gone already."""
    try:
        display.close()
    except (ConnectionClosedError, OSError):
        return
