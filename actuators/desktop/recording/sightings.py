"""Sightings: how the windows in use looked a moment ago, so that an element can be named as it was before an act."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property

from actuators.desktop.finding.element_index import ElementIndex
from actuators.desktop.finding.element_naming import ElementNaming
from actuators.desktop.finding.window_finding import find_window
from actuators.desktop.ports.desktop import Accessibility, Element, Window, WindowSystem
from actuators.desktop.ports.parts import identify
from actuators.desktop.ports.recordings import RawInput
from core.base.errors import DeviceError
from core.base.late_dataclasses import dataclass

_STEP_S = 0.25
_SHARE = 1.0
"""How long is rested after a look, in lengths of that look: programs need their time for themselves."""


@dataclass(frozen=True)
class WindowSighting:
    """A window as it looked at one moment."""

    window: Window
    elements: tuple[Element, ...]

    @cached_property
    def index(self) -> ElementIndex:
        """Its elements, to be found."""
        return ElementIndex(self.elements)

    @cached_property
    def naming(self) -> ElementNaming:
        """Its elements, by name."""
        return ElementNaming(self.index)

    def find_again(self, element: Element) -> Element | None:
        """Return what an element of another moment is here; None where it is not."""
        wanted = identify(element)
        return next((each for each in self.elements if identify(each) == wanted), None)

    def find_focused(self) -> int | None:
        """Return the place of the field that has the focus; None where none tells so."""
        focused = [place for place, each in enumerate(self.elements) if {"focused", "visible"} <= each.states]
        fields = [place for place in focused if self.elements[place].states & {"editable", "password"}]
        return fields[-1] if fields else None


class Sightings:
    """Looks at the windows that a person uses, the front one first, again and again, and keeps how each looked last."""

    def __init__(self, windows: WindowSystem, accessibility: Accessibility) -> None:
        self.windows: tuple[Window, ...] = ()
        self.last: Mapping[str, WindowSighting] = {}
        self._system = windows
        self._accessibility = accessibility
        self._round = asyncio.Event()

    async def list_windows(self) -> tuple[Window, ...]:
        """Return the windows that are there now."""
        self.windows = await self._system.windows()
        return self.windows

    async def look(self, window: Window) -> WindowSighting:
        """Return how a window looks now."""
        sighting = WindowSighting(window, await self._accessibility.elements(window))
        ids = {each.id for each in self.windows} | {window.id}
        self.last = {key: each for key, each in self.last.items() if key in ids} | {window.id: sighting}
        return sighting

    async def watch(self, is_wanted: Sequence[str] | frozenset[str]) -> None:
        """Go on looking at the active window, until this is cancelled; windows of these ids are never looked at."""
        while True:
            started_s = time.monotonic()
            with suppress(DeviceError):
                active = next((each for each in await self.list_windows() if each.active), None)
                if active is not None and active.id not in is_wanted:
                    await self.look(active)
            done, self._round = self._round, asyncio.Event()
            done.set()
            await asyncio.sleep((time.monotonic() - started_s) * _SHARE)
            with suppress(DeviceError):
                await self._accessibility.wait_for_change(_STEP_S)

    async def wait_for_looks(self) -> None:
        """Return once there was a look that began after this was asked for."""
        for _ in range(2):
            await self._round.wait()


def name_window(window: Window, windows: Sequence[Window]) -> str:
    """Return the steadiest name that means a window alone: its application's, else its title, else its id."""
    for name in (window.app, window.title):
        with suppress(DeviceError):
            if name and find_window(name, windows).id == window.id:
                return name
    return f"id={window.id}"


@dataclass(frozen=True, slots=True)
class HeardInput:
    """A key or button as it came, with the windows then, the front one first, what was under the pointer, and their last looks."""

    raw: RawInput
    listed: tuple[Window, ...]
    under: Window | None
    looks: Mapping[str, WindowSighting]

    @property
    def owner(self) -> Window | None:
        """The window that a press went to; that of a menu is the one that it lies over."""
        if self.under is None:
            return None
        own = [each for each in self.listed if each.id == self.under.id]
        kin = [each for each in self.listed if each.pid == self.under.pid and each.pid]
        return next(iter([*own, *(each for each in kin if each.active), *kin]), None)

    @property
    def is_over(self) -> bool:
        """Whether a press went to a menu or a list that lies over its window."""
        return self.under is not None and all(each.id != self.under.id for each in self.listed)

    @property
    def active(self) -> Window | None:
        """The window that keys went to."""
        return next((each for each in self.listed if each.active), None)


class InputHearing:
    """Puts what was heard into a queue, with what is known of the windows right then."""

    def __init__(self, windows: WindowSystem, sightings: Sightings) -> None:
        self._windows = windows
        self._sightings = sightings
        self._queue: asyncio.Queue[asyncio.Task[HeardInput]] = asyncio.Queue()

    def hear(self, raw: RawInput) -> None:
        """Take a key or button; what it went to is asked at once."""
        looks, before = self._sightings.last, self._sightings.windows
        self._queue.put_nowait(asyncio.create_task(self._ask(raw, looks, before)))

    @property
    def is_quiet(self) -> bool:
        """Whether all that was heard was taken."""
        return self._queue.empty()

    async def take(self, timeout_s: float) -> HeardInput | None:
        """Return the next that was heard; None where nothing comes for so long."""
        try:
            async with asyncio.timeout(timeout_s):  # wait_for would lose a stop that comes with a key
                coming = await self._queue.get()
        except TimeoutError:
            return None
        return await coming

    def done(self) -> None:
        """Say that what was taken is dealt with."""
        self._queue.task_done()

    async def wait(self) -> None:
        """Return once all that was heard is dealt with."""
        await self._queue.join()

    async def _ask(self, raw: RawInput, looks: Mapping[str, WindowSighting], before: tuple[Window, ...]) -> HeardInput:
        under = None
        try:
            if raw.kind == "press":
                under = await self._windows.window_at(raw.x, raw.y)
            listed = await self._sightings.list_windows()
        except DeviceError:
            listed = ()
        here = {each.id for each in listed}
        # A press may close its own window before it can be asked for: then it counts as it was.
        closed = tuple(each for each in before if under is not None and each.id == under.id and each.id not in here)
        return HeardInput(raw, (*listed, *closed), under, looks)
