"""Media keys on Windows. Not tried on a real Windows yet."""

import asyncio
import ctypes

from actuators.base import Availability
from actuators.media.key_names import WINDOWS_KEYS, refuse
from actuators.media.ports import Command
from core.base.errors import UnsupportedError

_EXTENDED_KEY = 0x1
_KEY_UP = 0x2


class WindowsMediaKeys:
    """The media keys as the system's own keyboard events."""

    def assess(self) -> Availability:
        """Say that they are there."""
        reason = "media keys; what they do can't be read back"
        return Availability("media", available=find_user_library() is not None, reason=reason)

    async def press(self, command: Command) -> str:
        """Press the key for a command and return its name."""
        if command not in WINDOWS_KEYS:
            raise refuse(command)
        name, code = WINDOWS_KEYS[command]
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
