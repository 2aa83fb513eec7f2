"""Reading windows off an X server: EWMH properties, and where a window with its frame really is."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from Xlib import X
from Xlib.error import BadDrawable, BadWindow
from Xlib.ext import randr
from Xlib.protocol import request

from actuators.desktop.ports.desktop import Display, Rect, Window

PROPERTIES = (
    *("_NET_WM_WINDOW_TYPE", "_NET_WM_STATE", "_NET_WM_PID", "_NET_WM_NAME", "WM_NAME", "WM_CLASS"),
    *("_NET_FRAME_EXTENTS", "_GTK_FRAME_EXTENTS"),
)
"""What is asked of every window."""

_LONGEST = 16_384  # quarters of bytes: what is beyond this is left out


class Property:
    """A property that has been asked for."""

    def __init__(self, display: Any, number: int, atom: int) -> None:
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
        """The atom of its type, 0 if the window has no such property; BadWindow if the window is gone."""
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
    """Everything that is asked of one window, by name; asking is done at once, waiting when an answer is first read."""

    def __init__(self, display: Any, number: int, atoms: Mapping[str, int]) -> None:
        """Ask for ``PROPERTIES``, on the display's thread."""
        self.number = number
        self.properties = {name: Property(display, number, atoms[name]) for name in PROPERTIES}
        plain, root = display.display, display.screen().root.id
        self._geometry: Any = request.GetGeometry(display=plain, defer=True, drawable=number)
        self._place: Any = request.TranslateCoords(
            display=plain, defer=True, src_wid=number, dst_wid=root, src_x=0, src_y=0
        )

    @property
    def inner(self) -> tuple[int, int, int, int]:
        """Where it is on the screen without its frame: x, y, width and height; raises one of ``GONE`` if it is."""
        self._place.reply()
        self._geometry.reply()
        return self._place.x, self._place.y, self._geometry.width, self._geometry.height


GONE = (BadWindow, BadDrawable)
_HIDDEN_TYPES = ("_NET_WM_WINDOW_TYPE_DESKTOP", "_NET_WM_WINDOW_TYPE_DOCK")
_MAXIMIZED = {"_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ"}
_STACKING = "_NET_CLIENT_LIST_STACKING"
_MONITORS_SINCE = (1, 5)
_DEEPEST = 16


class WindowReader:
    """Reads windows through one connection, on its thread."""

    def __init__(self, display: Any) -> None:
        self.display = display
        self.root = display.screen().root
        self._atoms: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._randr: tuple[int, int] | None = None

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
        return Property(self.display, window.id, self.atom(name)).numbers

    def clients(self) -> list[int] | None:
        """Return the windows that the window manager looks after, the front one first; None without a manager."""
        for name in (_STACKING, "_NET_CLIENT_LIST"):
            found = Property(self.display, self.root.id, self.atom(name))
            if found.type:
                return found.numbers[::-1]
        return None

    def active(self) -> int:
        """Return the window that has the focus; 0 if none has."""
        return next(iter(self.numbers(self.root, "_NET_ACTIVE_WINDOW")), 0)

    def read_all(self, clients: Iterable[int]) -> tuple[Window, ...]:
        """Return the applications' windows of a list; without desktop, panels, and what is gone."""
        active = Property(self.display, self.root.id, self.atom("_NET_ACTIVE_WINDOW"))
        asked = [self._ask(number) for number in clients]
        found = (self._answer_client(each, next(iter(active.numbers), 0)) for each in asked)
        return tuple(each for each in found if each is not None)

    def read(self, number: int) -> Window:
        """Return a window; BadWindow if it is gone."""
        active = Property(self.display, self.root.id, self.atom("_NET_ACTIVE_WINDOW"))
        return self._answer(self._ask(number), next(iter(active.numbers), 0))

    def _ask(self, number: int) -> WindowQuestions:
        return WindowQuestions(self.display, number, {name: self.atom(name) for name in PROPERTIES})

    def _answer_client(self, asked: WindowQuestions, active: int) -> Window | None:
        try:
            types = {self.atom_name(each) for each in asked.properties["_NET_WM_WINDOW_TYPE"].numbers}
            return None if types.intersection(_HIDDEN_TYPES) else self._answer(asked, active)
        except GONE:
            return None

    def _answer(self, asked: WindowQuestions, active: int) -> Window:
        found = asked.properties
        x, y, width, height = asked.inner
        left, right, top, bottom = _add_up(found["_NET_FRAME_EXTENTS"].numbers, found["_GTK_FRAME_EXTENTS"].numbers)
        instance, _, kind = self._text(found["WM_CLASS"]).partition("\0")
        states = {self.atom_name(each) for each in found["_NET_WM_STATE"].numbers}
        return Window(
            id=hex(asked.number),
            title=self._read_title(asked),
            app=kind or instance,
            pid=next(iter(found["_NET_WM_PID"].numbers), 0),
            bounds=Rect(x - left, y - top, width + left + right, height + top + bottom),
            active=asked.number == active,
            minimized="_NET_WM_STATE_HIDDEN" in states,
            maximized=states >= _MAXIMIZED,
        )

    def _read_title(self, asked: WindowQuestions) -> str:
        if title := self._text(asked.properties["_NET_WM_NAME"]):
            return title
        plain = asked.properties["WM_NAME"]
        if plain.type and self.atom_name(plain.type) == "COMPOUND_TEXT":
            # An encoding that nothing here reads; the manager has read it for its title bar.
            visible = Property(self.display, asked.number, self.atom("_NET_WM_VISIBLE_NAME"))
            return self._text(visible) or self._text(plain)
        return self._text(plain)

    def _text(self, found: Property) -> str:
        if not (raw := found.raw):
            return ""
        latin = self.atom_name(found.type) == "STRING"
        return raw.decode("latin-1" if latin else "utf-8", "replace").rstrip("\0")

    def extents(self, window: Any) -> tuple[int, int, int, int]:
        """Return what a frame adds on the left, right, top and bottom; negative where a window draws its own shadow."""
        return _add_up(self.numbers(window, "_NET_FRAME_EXTENTS"), self.numbers(window, "_GTK_FRAME_EXTENTS"))

    def find_at(self, x: int, y: int) -> Window | None:
        """Return the window that a click reaches: an application's, or a menu, a tooltip, a notification above it."""
        stacking = Property(self.display, self.root.id, self.atom(_STACKING))  # comes along with the next answer
        top = self._child_at(self.root, x, y)
        if top is None:
            return None
        clients = stacking.numbers[::-1] or self.clients() or []
        number = self._descend(top, x, y, set(clients)) or self._find_inside(top, clients) or top.id
        return self.read(number)

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
        if self._randr is None:
            self._randr = self._randr_version()
        monitors = randr.get_monitors(self.root).monitors if self._randr >= _MONITORS_SINCE else []
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


def _add_up(frame: Sequence[int], shadow: Sequence[int]) -> tuple[int, int, int, int]:
    """Return how far a window with its frame reaches beyond itself; less where it draws a shadow of its own."""
    one, other = frame if len(frame) == 4 else [0] * 4, shadow if len(shadow) == 4 else [0] * 4
    return one[0] - other[0], one[1] - other[1], one[2] - other[2], one[3] - other[3]
