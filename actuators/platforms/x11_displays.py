"""Whether there is an X display, found out without a library: where it listens, and whether it answers."""

import re
import socket
from importlib.util import find_spec
from pathlib import Path

from actuators.base import Availability, Environment

_DISPLAY = re.compile(r"(?:unix)?:(?P<number>\d+)(?:\.\d+)?")
_CONNECT_S = 0.5
_SOCKETS = Path("/", "tmp", ".X11-unix")
_INSTALL = "Install Surehand with its extra: surehand[desktop]."


def assess_display(environment: Environment, capability: str, libraries: tuple[str, ...] = ()) -> Availability:
    """Say whether the display can be reached, and these modules are installed."""
    missing = [name for name in libraries if find_spec(name) is None]
    if missing:
        return Availability(capability, available=False, reason=f"{', '.join(missing)} not installed", remedy=_INSTALL)
    display = environment.variables.get("DISPLAY", "")
    if not display:
        return _deny_without_display(environment, capability)
    if not answers(display):
        reason = f"The X server of DISPLAY={display} does not answer"
        return Availability(capability, available=False, reason=reason, remedy="Start it, or correct DISPLAY.")
    if capability == "input" and environment.variables.get("XDG_SESSION_TYPE") == "wayland":
        reason = "This is a Wayland session, in which X input reaches X windows only"
        return Availability(capability, available=False, reason=reason, remedy="Log in to an X11 session.")
    return Availability(capability, available=True, reason=f"X11 on DISPLAY={display}")


def _deny_without_display(environment: Environment, capability: str) -> Availability:
    if environment.variables.get("WAYLAND_DISPLAY"):
        reason, remedy = "Wayland without Xwayland: DISPLAY is not set", "Log in to an X11 session, or start Xwayland."
    else:
        reason, remedy = (
            "There is no display: DISPLAY is not set",
            "Log in to a desktop, or start Xvfb and set DISPLAY.",
        )
    return Availability(capability, available=False, reason=reason, remedy=remedy)


def answers(display: str) -> bool:
    """Tell whether a display on this machine can be connected to; one that is reached by TCP is believed."""
    found = _DISPLAY.fullmatch(display)
    if found is None:
        return True
    path = str(_SOCKETS / f"X{found['number']}")
    return any(_connects(address) for address in (path, f"\0{path}"))


def _connects(address: str) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(_CONNECT_S)
        try:
            client.connect(address)
        except OSError:
            return False
        return True
