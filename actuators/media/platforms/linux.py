"""Media on Linux: MPRIS over the session bus, and the media keys of an X display, as if a keyboard had sent them (XTEST)."""

from contextlib import closing

from Xlib import XK, X
from Xlib.ext import xtest

from actuators.base import Availability, Environment
from actuators.media.back_end import MediaBackEnd
from actuators.media.mpris import MprisPlayers
from actuators.media.ports import X11_KEYS, Command, refuse_key
from actuators.platforms.device_thread import DeviceThread
from actuators.platforms.session_bus import Bus, find_session_bus
from actuators.platforms.x11_connection import display_missing, is_listening, open_display
from actuators.seat.attending import Attendance
from core.base.errors import UnsupportedError

_PRESSING_S = 3.0


class X11MediaKeys:
    """The media keys of an X display. Each press has a connection of its own."""

    def __init__(self, display: str) -> None:
        self._display = display
        self._thread = DeviceThread("media-keys")

    def assess(self) -> Availability:
        """Say whether there is a display."""
        if is_listening(self._display):
            return Availability("media", available=True, reason="media keys; what they do can't be read back")
        reason = f"the display “{self._display}” doesn't answer" if self._display else "there is no display"
        remedy = "Start Surehand within a desktop session, or set DISPLAY."
        return Availability("media", available=False, reason=reason, remedy=remedy)

    async def press(self, command: Command) -> str:
        """Press the key for a command and return its name."""
        key = X11_KEYS.get(command)
        if key is None:
            raise refuse_key(command)
        try:
            await self._thread.run(lambda: press_key(self._display, key), timeout_s=_PRESSING_S)
        except TimeoutError:
            raise display_missing(self._display, f"it doesn't answer within {_PRESSING_S:g} s") from None
        return key

    async def close(self) -> None:
        """End the thread."""
        await self._thread.close()


def press_key(address: str, key: str) -> None:
    """Press and release a key on a display; ``server_missing``, or an UnsupportedError if it has no such key."""
    with closing(open_display(address)) as display:
        XK.load_keysym_group("xf86")
        code = display.keysym_to_keycode(XK.string_to_keysym(key.replace("XF86", "XF86_", 1)))
        if not code or not display.has_extension("XTEST"):
            raise UnsupportedError(f"The display {address} has no {key} key.", hint="Start a player that speaks MPRIS.")
        for kind in (X.KeyPress, X.KeyRelease):
            xtest.fake_input(display, kind, code)
        display.sync()


def make_back_end(environment: Environment) -> MediaBackEnd:
    """Return the back end; it connects to nothing before a tool is called."""
    players = MprisPlayers(Bus(find_session_bus(environment.variables)))
    keys = X11MediaKeys(environment.variables.get("DISPLAY", ""))
    return MediaBackEnd(players, keys, Attendance(environment.find_lease()))
