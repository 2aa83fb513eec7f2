"""Media on Windows: the media keys. Not tried on a real Windows yet."""

import asyncio
import ctypes
from collections.abc import Mapping

from actuators.base import Availability, Environment
from actuators.media.back_end import AbsentPlayers, MediaBackEnd
from actuators.media.ports import Command, refuse_key
from actuators.seat.attending import Attendance
from core.base.errors import UnsupportedError

_EXTENDED_KEY = 0x1
_KEY_UP = 0x2
_PLAY_PAUSE = ("VK_MEDIA_PLAY_PAUSE", 0xB3)
_KEYS: Mapping[Command, tuple[str, int]] = {
    "play": _PLAY_PAUSE,
    "pause": _PLAY_PAUSE,
    "play_pause": _PLAY_PAUSE,
    "stop": ("VK_MEDIA_STOP", 0xB2),
    "next": ("VK_MEDIA_NEXT_TRACK", 0xB0),
    "previous": ("VK_MEDIA_PREV_TRACK", 0xB1),
}
"""Windows has one key for playing and pausing, which switches between both."""


class WindowsMediaKeys:
    """The media keys as the system's own keyboard events."""

    def assess(self) -> Availability:
        """Say that they are there."""
        reason = "media keys; what they do can't be read back"
        return Availability("media", available=find_user_library() is not None, reason=reason)

    async def press(self, command: Command) -> str:
        """Press the key for a command and return its name."""
        if command not in _KEYS:
            raise refuse_key(command)
        name, code = _KEYS[command]
        await asyncio.to_thread(press_key, code)
        return name

    async def close(self) -> None:
        """Do nothing."""


def find_user_library() -> ctypes.CDLL | None:
    """Return the library of Windows that takes keyboard events; None elsewhere."""
    libraries = getattr(ctypes, "windll", None)
    return libraries.user32 if libraries else None


def press_key(code: int) -> None:
    """Press and release a key by its virtual code; an UnsupportedError if this is no Windows."""
    library = find_user_library()
    if library is None:
        raise UnsupportedError("Windows' media keys are on Windows only.")
    for flags in (_EXTENDED_KEY, _EXTENDED_KEY | _KEY_UP):
        library.keybd_event(code, 0, flags, 0)


def make_back_end(environment: Environment) -> MediaBackEnd:
    """Return the back end."""
    players = AbsentPlayers("Surehand can't yet ask players on Windows what they play.")
    return MediaBackEnd(players, WindowsMediaKeys(), Attendance(environment.find_lease()))
