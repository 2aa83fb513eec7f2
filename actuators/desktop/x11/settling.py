"""Finding out when an application has taken the keys that were sent to it."""

import select
import time
from itertools import count
from typing import Any

from Xlib import X
from Xlib.error import BadDrawable, BadWindow
from Xlib.protocol.event import ClientMessage

_numbers = count(1)


def await_answer(display: Any, timeout_s: float) -> bool:
    """Ask the window with the focus, on the display's thread, to answer after all sent before; return whether it did."""
    root = display.screen().root
    ping, protocols = display.intern_atom("_NET_WM_PING"), display.intern_atom("WM_PROTOCOLS")
    active = root.get_full_property(display.intern_atom("_NET_ACTIVE_WINDOW"), X.AnyPropertyType)
    if active is None or not active.value:
        return False
    window = display.create_resource_object("window", int(active.value[0]))
    try:
        spoken = window.get_full_property(protocols, X.AnyPropertyType)
    except (BadWindow, BadDrawable):
        return False
    if spoken is None or ping not in spoken.value:
        return False
    number = next(_numbers)
    root.change_attributes(event_mask=X.SubstructureNotifyMask)
    try:
        question = ClientMessage(window=window, client_type=protocols, data=(32, [ping, number, window.id, 0, 0]))
        window.send_event(question, event_mask=0)
        return _hear(display, (ping, number), timeout_s)
    finally:
        root.change_attributes(event_mask=X.NoEventMask)
        display.sync()


def _hear(display: Any, wanted: tuple[int, int], timeout_s: float) -> bool:
    end = time.monotonic() + timeout_s
    while True:
        while display.pending_events():
            event = display.next_event()
            if event.type == X.ClientMessage and tuple(event.data[1])[:2] == wanted:
                return True
        left = end - time.monotonic()
        if left <= 0 or not select.select([display.fileno()], [], [], left)[0]:
            return False
