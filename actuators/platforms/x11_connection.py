"""Connections to an X display. Any family may use it."""

from typing import Any

from Xlib import xauth
from Xlib.display import Display
from Xlib.error import ConnectionClosedError, DisplayError

from actuators.platforms.x11_displays import answers
from core.base.errors import DeviceError


def _say_nothing(*_: object) -> None:
    """Stand in for what python-xlib writes by itself: ``print`` of an empty list of keys, and errors nobody waits for."""


xauth.__dict__["print"] = _say_nothing


def is_listening(name: str) -> bool:
    """Tell whether a display is named, as ``DISPLAY`` has it, and something listens there."""
    return bool(name) and answers(name)


def open_display(name: str) -> Any:
    """Return an ``Xlib.display.Display``, else ``server_missing``; for a thread that may wait. Close it."""
    check_listening(name)
    try:
        display = Display(name)
        display.set_error_handler(_say_nothing)  # what is wanted is read back; the library would write to stderr
        return display
    except (DisplayError, ConnectionClosedError, OSError) as error:
        raise display_missing(name, str(error)) from error


def check_listening(name: str) -> None:
    """Refuse by ``server_missing`` a display that can't be reached, before a library leaves a socket open to find that out."""
    if not is_listening(name):
        raise display_missing(name, "nothing listens there" if name else "DISPLAY is not set")


def display_missing(name: str, why: str) -> DeviceError:
    """Return the error of a display that can't be reached."""
    return DeviceError(
        f"X display “{name}” can't be reached: {why}.",
        code="server_missing",
        hint="Start Surehand within a desktop session, or set DISPLAY.",
        evidence={"display": name},
    )
