"""What the tools of the desktop family have in common, and the words that several of them share."""

from collections.abc import Mapping
from typing import Any, Literal

from actuators.seat.attending import AttendedToolset

MouseButton = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "Meta", "Shift"]
Direction = Literal["up", "down", "left", "right"]
Target = str | Mapping[str, Any]
"""``button "OK"``, ``text "OK"`` or ``{point: [x, y], …}``; see core.selectors.screen_targets."""
ScreenRegion = Mapping[str, Any]
"""``{x, y, width, height}`` in pixels, and ``space``: screen (default) or window."""


class DesktopToolset(AttendedToolset):
    """Tools on the screen, the pointer, the keyboard and the windows.

    ``target`` is an element of the accessibility tree, a text on the screen, or a point; ``image`` the path of a
    picture to find on the screen instead; ``window`` keeps the search to one window: a part of its title or
    application that only one has, ``active``, or ``id=…`` from list_windows.
    """

    domain = "desktop"
