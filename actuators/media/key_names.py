"""Which media key means which command, on X11 and on Windows."""

from collections.abc import Mapping

from actuators.media.ports import Command
from core.base.errors import UnsupportedError

X11_KEYS: Mapping[Command, str] = {
    "play": "XF86AudioPlay",
    "pause": "XF86AudioPause",
    "play_pause": "XF86AudioPlay",
    "stop": "XF86AudioStop",
    "next": "XF86AudioNext",
    "previous": "XF86AudioPrev",
}

WINDOWS_KEYS: Mapping[Command, tuple[str, int]] = {
    "play": ("VK_MEDIA_PLAY_PAUSE", 0xB3),
    "pause": ("VK_MEDIA_PLAY_PAUSE", 0xB3),
    "play_pause": ("VK_MEDIA_PLAY_PAUSE", 0xB3),
    "stop": ("VK_MEDIA_STOP", 0xB2),
    "next": ("VK_MEDIA_NEXT_TRACK", 0xB0),
    "previous": ("VK_MEDIA_PREV_TRACK", 0xB1),
}
"""Windows has one key for playing and pausing, which switches between both."""


def refuse(command: Command) -> UnsupportedError:
    """Return the error for a command that no media key means."""
    return UnsupportedError(
        f"No media player is running, and no media key means {command}.",
        hint="Start a player that can be controlled.",
    )
