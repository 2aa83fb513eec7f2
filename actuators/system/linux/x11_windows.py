"""The displays of a session, and the windows of other programs on them, as far as starting and ending programs needs them."""

import select
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

import mss
from mss.exception import ScreenShotError
from Xlib import X
from Xlib.error import BadWindow, ConnectionClosedError, XError
from Xlib.protocol.event import ClientMessage

from actuators.platforms.device_thread import DeviceThread
from actuators.platforms.x11_connection import display_missing, is_listening, open_display
from actuators.platforms.x11_displays import answers
from actuators.system.ports.facts import DisplayFacts
from actuators.system.ports.programs import AppWindow
from core.base.errors import DeviceError, UnsupportedError

_ANSWER_S = 3.0
_STEP_S = 0.25
_MOST_WORDS = 4096

Accepts = Callable[[Sequence[AppWindow]], AppWindow | None]


class X11WindowSystem:
    """The windows of a display. Each question has a connection of its own, on a thread."""

    def __init__(self, display: str) -> None:
        """Remember the display as ``DISPLAY`` has it, empty where there is none; connect to nothing."""
        self._display = display
        self._thread = DeviceThread("application-windows")

    async def list(self) -> tuple[AppWindow, ...]:
        """Return the windows; none where no display answers."""
        return tuple(await self._ask(list_windows)) if is_listening(self._display) else ()

    async def wait_for(self, accepts: Accepts, timeout_s: float) -> AppWindow | None:
        """Look at the windows at each change until one is accepted; None when the time is up."""
        if not is_listening(self._display):
            raise UnsupportedError(
                "No X display answers, so Surehand can't wait for a window.",
                hint="Wait for “started” instead, or start Surehand within a desktop session.",
            )
        given_up = threading.Event()
        try:
            return await self._ask(lambda display: _watch(display, accepts, timeout_s, given_up), timeout_s)
        finally:
            given_up.set()

    async def close_windows(self, windows: Sequence[AppWindow]) -> None:
        """Close windows as their close buttons would."""
        if windows:
            await self._ask(lambda display: [_ask_to_close(display, int(each.id)) for each in windows])

    async def close(self) -> None:
        """End the thread."""
        await self._thread.close()

    async def _ask(self, work: Callable[[Any], Any], longest_s: float = 0.0) -> Any:
        def attempt() -> Any:
            with closing(open_display(self._display)) as display:
                return work(display)

        try:
            return await self._thread.run(attempt, timeout_s=longest_s + _ANSWER_S)
        except TimeoutError:
            raise display_missing(self._display, "it doesn't answer in time") from None
        except (ConnectionClosedError, OSError) as error:
            raise display_missing(self._display, str(error) or "the connection was closed") from error


def list_windows(display: Any) -> list[AppWindow]:
    """Return the windows that the window manager lists; without one, those that are shown."""
    root = display.screen().root
    numbers = _read(display, root, "_NET_CLIENT_LIST")
    if numbers is None:
        shown = [each for each in root.query_tree().children if _is_shown(each)]
        numbers = [each.id for each in shown]
    found = [_describe(display, number) for number in numbers]
    return [each for each in found if each]


def _describe(display: Any, number: int) -> AppWindow | None:
    window = display.create_resource_object("window", number)
    try:
        title = _read(display, window, "_NET_WM_NAME")
        text = bytes(title).decode(errors="replace") if title is not None else str(window.get_wm_name() or "")
        pids = _read(display, window, "_NET_WM_PID")
    except BadWindow:  # it has been closed meanwhile
        return None
    return AppWindow(str(number), text, int(pids[0]) if pids else 0)


def _read(display: Any, window: Any, name: str) -> Any:
    found = window.get_full_property(display.intern_atom(name), X.AnyPropertyType, _MOST_WORDS)
    return found.value if found else None


def _is_shown(window: Any) -> bool:
    try:
        attributes = window.get_attributes()
    except BadWindow:
        return False
    return attributes.map_state == X.IsViewable and not attributes.override_redirect


def _watch(display: Any, accepts: Accepts, timeout_s: float, given_up: threading.Event) -> AppWindow | None:
    """Look at the windows at each event of the root window, and now and then without one."""
    display.screen().root.change_attributes(event_mask=X.PropertyChangeMask | X.SubstructureNotifyMask)
    end_s = time.monotonic() + timeout_s
    while not given_up.is_set():
        if found := accepts(list_windows(display)):
            return found
        left_s = end_s - time.monotonic()
        if left_s <= 0:
            return None
        select.select([display.fileno()], [], [], min(_STEP_S, left_s))
        for _ in range(display.pending_events()):
            display.next_event()
    return None


def _ask_to_close(display: Any, number: int) -> bool:
    """Tell a window to close; False if it has no close button that could be pressed, or is gone."""
    window = display.create_resource_object("window", number)
    protocols, delete = display.intern_atom("WM_PROTOCOLS"), display.intern_atom("WM_DELETE_WINDOW")
    try:
        if delete not in window.get_wm_protocols():
            return False
        data = (32, [delete, X.CurrentTime, 0, 0, 0])
        window.send_event(ClientMessage(window=window, client_type=protocols, data=data), event_mask=X.NoEventMask)
        display.sync()
    except XError:
        return False
    return True


class MssDisplays:
    """The displays of the session; each question has a connection of its own."""

    def __init__(self, display: str | None = None) -> None:
        """Connect to nothing yet; without a display on systems that have none."""
        self._display = display
        self._thread = DeviceThread("displays")

    async def list(self) -> tuple[DisplayFacts, ...]:
        """Return the displays; ``server_missing`` if they can't be asked."""
        try:
            return await self._thread.run(make_reader(self._display), timeout_s=_ANSWER_S)
        except TimeoutError:
            raise _missing(f"it doesn't answer within {_ANSWER_S:g} s") from None

    async def close(self) -> None:
        """End the thread."""
        await self._thread.close()


def make_reader(display: str | None) -> Callable[[], tuple[DisplayFacts, ...]]:
    """Return what reads the displays on a thread that may wait."""

    def read() -> tuple[DisplayFacts, ...]:
        if display is not None and not (display and answers(display)):
            raise _missing("no X display found")
        try:
            with mss.MSS() if display is None else mss.MSS(display=display) as screen:
                monitors = screen.monitors[1:]  # the first is all of them together
        except ScreenShotError as error:
            raise _missing(str(error)) from error
        return tuple(
            DisplayFacts(index, each["width"], each["height"], each["left"], each["top"])
            for index, each in enumerate(monitors)
        )

    return read


def _missing(why: str) -> DeviceError:
    return DeviceError(
        f"The displays can't be asked: {why}.", code="server_missing", hint="Start Surehand within a desktop session."
    )
