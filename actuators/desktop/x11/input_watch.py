"""X11InputWatch: hears keys and buttons by the server's RECORD extension, which holds none of them up."""

import asyncio
import threading
import time
from contextlib import suppress
from importlib import import_module
from typing import Any

from Xlib import XK, X
from Xlib.error import ConnectionClosedError, XError
from Xlib.protocol import rq

from actuators.base import Availability, Environment
from actuators.desktop.ports.recordings import UNKNOWN_CHARACTER, HearInput, RawInput
from actuators.desktop.x11.connection import close_quietly
from actuators.desktop.x11.keymap import find_key_symbol
from actuators.platforms.x11_connection import open_display
from actuators.platforms.x11_displays import assess_display
from core.base.errors import UnsupportedError
from core.selectors.keys import KEYS

_EXTENSION = "RECORD"
_FROM_SERVER = 0
_END_S = 2.0
_BUTTONS = {1: "left", 2: "middle", 3: "right"}
_WHEEL = range(4, 8)
_HELD = {"Shift": X.ShiftMask, "Control": X.ControlMask, "Alt": X.Mod1Mask, "Meta": X.Mod4Mask}
_NUM_LOCK, _LEVEL_3 = X.Mod2Mask, X.Mod5Mask
_KEYPAD = range(0xFF80, 0xFFBE)
_UNICODE = 0x01000000
_FUNCTIONS = 0xFE00  # from here on nothing is written
_ALIASES = {"KP_Home": "Home", "KP_End": "End", "KP_Delete": "Delete", "ISO_Left_Tab": "Tab", "Linefeed": "Enter"}
_NAMES = {symbol: name for name in (*KEYS.values(), "Space") if (symbol := find_key_symbol(name))} | {
    XK.string_to_keysym(theirs): ours for theirs, ours in _ALIASES.items()
}
_KEYPAD_TEXT = dict(zip(range(0xFFAA, 0xFFBA), "*+,-./0123456789", strict=True))


class X11InputWatch:
    """Hears the keyboard and the pointer of an X11 session, on a thread of its own."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._asking: Any = None
        self._hearing: Any = None
        self._context = 0
        self._thread: threading.Thread | None = None

    def assess(self) -> Availability:
        """Say whether the display answers, and is the one that a person's keys go to."""
        return assess_display(self._environment, "input", ("Xlib",))

    async def start(self, hear: HearInput) -> None:
        """Tell from now on what is pressed, in order, on the loop that runs."""
        await asyncio.to_thread(self._open)
        reading = _RecordReading(self._asking, hear, asyncio.get_running_loop())
        self._thread = threading.Thread(target=self._listen, args=(reading,), name="x11-input-watch", daemon=True)
        self._thread.start()
        await reading.begun.wait()

    async def close(self) -> None:
        """Hear nothing more; calling it again does nothing."""
        thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.to_thread(self._end, thread)

    def _open(self) -> None:
        name = self._environment.variables.get("DISPLAY", "")
        self._asking, self._hearing = open_display(name), open_display(name)
        if not self._asking.has_extension(_EXTENSION):
            close_quietly(self._asking)
            close_quietly(self._hearing)
            raise UnsupportedError(
                f"The display {name} lets nobody hear keys and buttons: it lacks the extension RECORD.",
                hint="Start the X server with RECORD, which most have, or write the flow by hand.",
            )
        events = {"core_requests": (0, 0), "core_replies": (0, 0), "delivered_events": (0, 0), "errors": (0, 0)}
        extensions = {"ext_requests": (0, 0, 0, 0), "ext_replies": (0, 0, 0, 0)}
        range_ = events | extensions | {
            "device_events": (X.KeyPress, X.ButtonRelease), "client_started": False, "client_died": False,
        }  # fmt: skip
        record = import_module("Xlib.ext.record")
        self._context = self._asking.record_create_context(0, [record.AllClients], [range_])
        self._asking.sync()

    def _listen(self, reading: "_RecordReading") -> None:
        with suppress(ConnectionClosedError, OSError, XError):
            self._hearing.record_enable_context(self._context, reading.take)

    def _end(self, thread: threading.Thread) -> None:
        with suppress(ConnectionClosedError, OSError, XError):
            self._asking.record_disable_context(self._context)
            self._asking.sync()
            thread.join(_END_S)
            self._asking.record_free_context(self._context)
        close_quietly(self._asking)
        close_quietly(self._hearing)


class _RecordReading:
    """Turns what the server tells into what was pressed; on the thread that listens, but for the hearing itself."""

    def __init__(self, display: Any, hear: HearInput, loop: asyncio.AbstractEventLoop) -> None:
        self.begun = asyncio.Event()
        self._display = display
        self._hear = hear
        self._loop = loop
        self._event = rq.EventField("event")

    def take(self, reply: Any) -> None:
        """Take one answer of the server, which may hold several events."""
        if reply.category != _FROM_SERVER:
            self._loop.call_soon_threadsafe(self.begun.set)
            return
        data: Any = reply.data
        while len(data):
            event: Any
            event, data = self._event.parse_binary_value(data, self._display.display, None, None)
            if (raw := self._read(event)) is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._hear, raw)

    def _read(self, event: Any) -> RawInput | None:
        held = frozenset(name for name, mask in _HELD.items() if event.state & mask)
        place = (event.root_x, event.root_y, time.monotonic())
        if event.type == X.KeyPress:
            symbol = self._find_symbol(event.detail, event.state)
            # A key that only changes what others mean.
            if 0xFFE1 <= symbol <= 0xFFEE or 0xFE01 <= symbol <= 0xFE0F or symbol in {0xFF7E, 0xFF7F}:
                return None
            return RawInput("key", *place, "", _name(symbol), _write(symbol), held)
        if event.type in {X.ButtonPress, X.ButtonRelease} and event.detail not in _WHEEL:
            kind = "press" if event.type == X.ButtonPress else "release"
            return RawInput(kind, *place, _BUTTONS.get(event.detail, ""), modifiers=held)
        return None

    def _find_symbol(self, keycode: int, state: int) -> int:
        for _ in range(self._display.pending_events()):
            told = self._display.next_event()
            if told.type == X.MappingNotify:
                self._display.refresh_keyboard_mapping(told)
        plain, shifted = (self._display.keycode_to_keysym(keycode, level) for level in (0, 1))
        if state & _LEVEL_3:
            level = 4 + bool(state & X.ShiftMask)
            return self._display.keycode_to_keysym(keycode, level) or plain
        if shifted in _KEYPAD:
            return shifted if bool(state & _NUM_LOCK) != bool(state & X.ShiftMask) else plain
        is_letter = _write(plain).isalpha()
        upper = bool(state & X.ShiftMask) != (is_letter and bool(state & X.LockMask))
        return (shifted or plain) if upper else plain


def _write(symbol: int) -> str:
    """Return the character that a symbol writes; empty for none."""
    if symbol in _KEYPAD_TEXT:
        return _KEYPAD_TEXT[symbol]
    if 0x20 <= symbol <= 0x7E or 0xA0 <= symbol <= 0xFF:
        return chr(symbol)
    if symbol > _UNICODE + 0xFF:
        return chr(symbol - _UNICODE)
    return "" if symbol in _NAMES or symbol > _FUNCTIONS else UNKNOWN_CHARACTER


def _name(symbol: int) -> str:
    """Return the name of a key; the character itself where it writes one."""
    return _NAMES.get(symbol, "") if not _write(symbol) or symbol == 0x20 else _write(symbol)
