"""Reading windows off an X server: EWMH properties, and where a window with its frame really is."""

from collections.abc import Iterable, Sequence
from typing import Any

from Xlib import X
from Xlib.error import BadDrawable, BadWindow
from Xlib.ext import randr

from actuators.desktop.ports import Display, Rect, Window

GONE = (BadWindow, BadDrawable)
_HIDDEN_TYPES = ("_NET_WM_WINDOW_TYPE_DESKTOP", "_NET_WM_WINDOW_TYPE_DOCK")
_MAXIMIZED = {"_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ"}
_MONITORS_SINCE = (1, 5)
_DEEPEST = 16


class WindowReader:
    """Reads windows through one connection, on its thread."""

    def __init__(self, display: Any) -> None:
        """Use a connection."""
        self.display = display
        self.root = display.screen().root
        self._atoms: dict[str, int] = {}
        self._names: dict[int, str] = {}

    def atom(self, name: str) -> int:
        """Return the number of an atom."""
        if name not in self._atoms:
            self._atoms[name] = self.display.intern_atom(name)
        return self._atoms[name]

    def atom_name(self, number: int) -> str:
        """Return the name of an atom."""
        if number not in self._names:
            self._names[number] = self.display.get_atom_name(number)
        return self._names[number]

    def window(self, number: int) -> Any:
        """Return a window of Xlib."""
        return self.display.create_resource_object("window", number)

    def numbers(self, window: Any, name: str) -> list[int]:
        """Return a property that is a list of numbers; empty where it is missing."""
        found = window.get_full_property(self.atom(name), X.AnyPropertyType)
        return [int(each) for each in found.value] if found is not None and found.format == 32 else []

    def text(self, window: Any, name: str) -> str:
        """Return a property that is text; empty where it is missing."""
        found = window.get_full_property(self.atom(name), X.AnyPropertyType)
        if found is None or found.format != 8:
            return ""
        raw = found.value if isinstance(found.value, bytes) else str(found.value).encode()
        latin = self.atom_name(found.property_type) == "STRING"
        return raw.decode("latin-1" if latin else "utf-8", "replace").rstrip("\0")

    def clients(self) -> list[int] | None:
        """Return the windows that the window manager looks after, the front one first; None without a manager."""
        for name in ("_NET_CLIENT_LIST_STACKING", "_NET_CLIENT_LIST"):
            found = self.root.get_full_property(self.atom(name), X.AnyPropertyType)
            if found is not None:
                return [int(each) for each in reversed(found.value)]
        return None

    def active(self) -> int:
        """Return the window that has the focus; 0 if none has."""
        return next(iter(self.numbers(self.root, "_NET_ACTIVE_WINDOW")), 0)

    def read_all(self, clients: Iterable[int]) -> tuple[Window, ...]:
        """Return the applications' windows of a list; without desktop, panels, and what is gone."""
        active = self.active()
        found = (self._read_client(number, active) for number in clients)
        return tuple(each for each in found if each is not None)

    def _read_client(self, number: int, active: int) -> Window | None:
        try:
            types = {self.atom_name(each) for each in self.numbers(self.window(number), "_NET_WM_WINDOW_TYPE")}
            return None if types.intersection(_HIDDEN_TYPES) else self.read(number, active)
        except GONE:
            return None

    def read(self, number: int, active: int) -> Window:
        """Return a window.

        Raises:
            BadWindow: If it is gone.
        """
        window = self.window(number)
        classes = window.get_wm_class() or ("", "")
        states = {self.atom_name(each) for each in self.numbers(window, "_NET_WM_STATE")}
        return Window(
            id=hex(number),
            title=self._read_title(window),
            app=classes[1] or classes[0],
            pid=next(iter(self.numbers(window, "_NET_WM_PID")), 0),
            bounds=self.bounds(window),
            active=number == active,
            minimized="_NET_WM_STATE_HIDDEN" in states,
            maximized=states >= _MAXIMIZED,
        )

    def _read_title(self, window: Any) -> str:
        if title := self.text(window, "_NET_WM_NAME"):
            return title
        plain = window.get_full_property(self.atom("WM_NAME"), X.AnyPropertyType)
        if plain is not None and self.atom_name(plain.property_type) == "COMPOUND_TEXT":
            # An encoding that nothing here reads; the manager has read it for its title bar.
            return self.text(window, "_NET_WM_VISIBLE_NAME") or self.text(window, "WM_NAME")
        return self.text(window, "WM_NAME")

    def bounds(self, window: Any) -> Rect:
        """Return where a window with its frame is on the screen."""
        inner = window.get_geometry()
        place = self.root.translate_coords(window, 0, 0)
        left, right, top, bottom = self.extents(window)
        return Rect(place.x - left, place.y - top, inner.width + left + right, inner.height + top + bottom)

    def extents(self, window: Any) -> tuple[int, int, int, int]:
        """Return what a frame adds on the left, right, top and bottom; negative where a window draws its own shadow."""
        frame = self.numbers(window, "_NET_FRAME_EXTENTS")
        shadow = self.numbers(window, "_GTK_FRAME_EXTENTS")
        one, other = frame if len(frame) == 4 else [0] * 4, shadow if len(shadow) == 4 else [0] * 4
        return one[0] - other[0], one[1] - other[1], one[2] - other[2], one[3] - other[3]

    def find_at(self, x: int, y: int) -> Window | None:
        """Return the window that a click reaches: an application's, or a menu, a tooltip, a notification above it."""
        top = self._child_at(self.root, x, y)
        if top is None:
            return None
        clients = self.clients() or []
        number = self._descend(top, x, y, set(clients)) or self._find_inside(top, clients) or top.id
        return self.read(number, self.active())

    def _child_at(self, window: Any, x: int, y: int) -> Any:
        child = window.translate_coords(self.root, x, y).child
        return None if isinstance(child, int) else child

    def _descend(self, window: Any, x: int, y: int, clients: set[int]) -> int:
        for _ in range(_DEEPEST):
            if window.id in clients:
                return window.id
            child = self._child_at(window, x, y)
            if child is None:
                return 0
            window = child
        return 0

    def _find_inside(self, frame: Any, clients: Sequence[int]) -> int:
        """Return the client whose frame this is: the pixel lies on the title bar or the border."""
        for number in clients:
            try:
                if any(above == frame.id for above in self._list_above(number)):
                    return number
            except GONE:
                continue
        return 0

    def _list_above(self, number: int) -> Iterable[int]:
        window = self.window(number)
        for _ in range(_DEEPEST):
            parent = window.query_tree().parent
            if isinstance(parent, int) or parent.id == self.root.id:
                return
            yield parent.id
            window = parent

    def read_displays(self) -> tuple[Display, ...]:
        """Return the displays by RandR; the whole screen as one where it has none."""
        version = self._randr_version()
        monitors = randr.get_monitors(self.root).monitors if version >= _MONITORS_SINCE else []
        found = tuple(
            Display(
                index=index,
                name=self.atom_name(each.name),
                bounds=Rect(each.x, each.y, each.width_in_pixels, each.height_in_pixels),
                primary=bool(each.primary),
            )
            for index, each in enumerate(monitors)
        )
        screen = self.display.screen()
        whole = Rect(0, 0, screen.width_in_pixels, screen.height_in_pixels)
        return found or (Display(0, self.display.get_display_name(), whole, primary=True),)

    def _randr_version(self) -> tuple[int, int]:
        if not self.display.has_extension("RANDR"):
            return (0, 0)
        answer = randr.query_version(self.root)
        return answer.major_version, answer.minor_version
