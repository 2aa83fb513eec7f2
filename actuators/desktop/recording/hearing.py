"""HeardInput: a key or button, with what was known of the windows at the moment when it went down."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from actuators.desktop.ports.desktop import Window, WindowSystem
from actuators.desktop.ports.recordings import RawInput
from actuators.desktop.recording.sightings import Sightings, WindowSighting
from core.base.errors import DeviceError


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
