"""Questions about windows that are sent to an X server together, so that all answers cost one wait."""

from collections.abc import Mapping
from typing import Any

from Xlib import X
from Xlib.protocol import request

PROPERTIES = (
    *("_NET_WM_WINDOW_TYPE", "_NET_WM_STATE", "_NET_WM_PID", "_NET_WM_NAME", "WM_NAME", "WM_CLASS"),
    *("_NET_FRAME_EXTENTS", "_GTK_FRAME_EXTENTS"),
)
"""What is asked of every window."""

_LONGEST = 16_384  # quarters of bytes: what is beyond this is left out


class Property:
    """A property that has been asked for."""

    def __init__(self, display: Any, number: int, atom: int) -> None:
        """Ask.

        Args:
            display: An ``Xlib.display.Display``, on its thread.
        """
        self._asked: Any = request.GetProperty(
            display=display.display,
            defer=True,
            delete=False,
            window=number,
            property=atom,
            type=X.AnyPropertyType,
            long_offset=0,
            long_length=_LONGEST,
        )

    @property
    def type(self) -> int:
        """The atom of its type, 0 if the window has no such property.

        Raises:
            BadWindow: If the window is gone.
        """
        self._asked.reply()
        return self._asked.property_type

    @property
    def numbers(self) -> list[int]:
        """What it holds, if that is numbers; raises as ``type``."""
        if not self.type:
            return []
        size, value = self._asked.value
        return [int(each) for each in value] if size == 32 else []

    @property
    def raw(self) -> bytes:
        """What it holds, if that is text; raises as ``type``."""
        if not self.type:
            return b""
        size, value = self._asked.value
        if size != 8:
            return b""
        return value if isinstance(value, bytes) else str(value).encode()


class WindowQuestions:
    """Everything that is asked of one window; asking is done at once, waiting when an answer is first read.

    Attributes:
        properties: Those of ``PROPERTIES``, by name.
    """

    def __init__(self, display: Any, number: int, atoms: Mapping[str, int]) -> None:
        """Ask.

        Args:
            display: An ``Xlib.display.Display``, on its thread.
            atoms: Of ``PROPERTIES``.
        """
        self.number = number
        self.properties = {name: Property(display, number, atoms[name]) for name in PROPERTIES}
        plain, root = display.display, display.screen().root.id
        self._geometry: Any = request.GetGeometry(display=plain, defer=True, drawable=number)
        self._place: Any = request.TranslateCoords(
            display=plain, defer=True, src_wid=number, dst_wid=root, src_x=0, src_y=0
        )

    @property
    def inner(self) -> tuple[int, int, int, int]:
        """Where it is on the screen without its frame: x, y, width and height.

        Raises:
            BadWindow: If it is gone.
            BadDrawable: Likewise.
        """
        self._place.reply()
        self._geometry.reply()
        return self._place.x, self._place.y, self._geometry.width, self._geometry.height
