"""Connections to an X display, and whether there is one at all. Any family may use it."""

import re
import socket
from pathlib import Path
from typing import Any

from Xlib.display import Display
from Xlib.error import ConnectionClosedError, DisplayError

from core.errors import DeviceError

_NAME = re.compile(r"(?:unix)?:(?P<number>\d+)(?:\.\d+)?")
_SOCKETS = Path("/", "tmp", ".X11-unix")
_PROBE_S = 0.2


def is_listening(name: str) -> bool:
    """Tell whether something listens at a display's address; one of another machine isn't asked, and counts as there.

    Args:
        name: As ``DISPLAY`` has it.
    """
    local = _NAME.fullmatch(name)
    if local is None:
        return bool(name)
    path = str(_SOCKETS / f"X{local['number']}")
    addresses = [path] if Path(path).exists() else []
    return any(_connects(address) for address in [*addresses, f"\0{path}"])


def open_display(name: str) -> Any:
    """Return an ``Xlib.display.Display``; to be called on a thread that may wait, and closed by the caller.

    Raises:
        DeviceError: ``server_missing`` if it doesn't answer.
    """
    if not is_listening(name):
        raise display_missing(name, "nothing listens there" if name else "DISPLAY is not set")
    try:
        return Display(name)
    except (DisplayError, ConnectionClosedError, OSError) as error:
        raise display_missing(name, str(error)) from error


def display_missing(name: str, why: str) -> DeviceError:
    """Return the error of a display that can't be reached."""
    return DeviceError(
        f"The X display “{name}” can't be reached: {why}.",
        code="server_missing",
        hint="Start Surehand within a desktop session, or set DISPLAY.",
        evidence={"display": name},
    )


def _connects(address: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(_PROBE_S)
        try:
            probe.connect(address)
        except OSError:
            return False
        return True
