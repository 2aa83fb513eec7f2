"""DesktopRecorder: notices what a person does to programs, and tells it with the names that a look printed right before."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress

from actuators.deadlines import pause
from actuators.desktop.finding.window_finding import find_window
from actuators.desktop.ports.desktop import Window
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.recordings import DesktopEvent, InputWatch, TellDesktopEvent
from actuators.desktop.recording.pressing import Pressing
from actuators.desktop.recording.sightings import HeardInput, InputHearing, Sightings, WindowSighting, name_window
from actuators.desktop.recording.typing_acts import Typing
from core.base.errors import DeviceError, SurehandError
from core.base.late_dataclasses import dataclass, field, replace

_KINDS = {"click", "drag", "key"}
_TELLING = ("alert", "alertdialog", "heading", "label", "static", "status")
"""Roles of what tells something. The rest, such as a button, comes and goes with what it is for."""


class EffectWatch:
    """Compares how a window looked before an act with how it looks later."""

    def __init__(self) -> None:
        self._looks: Mapping[str, WindowSighting] = {}
        self._act: tuple[DesktopEvent, Window, WindowSighting] | None = None

    def begin(self, looks: Mapping[str, WindowSighting]) -> None:
        """Take the looks before the acts to come; what came of earlier ones is told by now."""
        self._looks, self._act = looks, None

    def follow(self, event: DesktopEvent, window: Window) -> None:
        """Take an act, or more of the same."""
        before = self._looks.get(window.id)
        self._act = (event, window, before) if event.kind in _KINDS and before is not None else None

    def find(self, looks: Mapping[str, WindowSighting]) -> tuple[DesktopEvent, Window] | None:
        """Return the last act with what it brought into sight; None where that is nothing, or known already."""
        if self._act is None:
            return None
        event, window, before = self._act
        now = looks.get(window.id)
        shown = tuple(_list_new(before, now)) if now is not None else ()
        if not shown or shown == event.shown:
            return None
        return replace(event, shown=shown), window


def _list_new(before: WindowSighting, now: WindowSighting) -> Iterator[tuple[str, str]]:
    known = Counter(_list_telling(before))
    for each in dict.fromkeys(_list_telling(now)):
        if not known[each]:
            yield each


def _list_telling(sighting: WindowSighting) -> Iterator[tuple[str, str]]:
    for each in sighting.elements:
        if each.role in _TELLING and each.name.strip() and "visible" in each.states:
            yield each.role, each.name.strip()


_STEP_S = 0.05
_END_S = 5.0
_QUIET_S = 0.4
"""Seconds without a key after which a field is read once more: programs take their keys some time after them."""


@dataclass(slots=True)
class Scope:
    """Whose windows are recorded: not those there before; which there were at the act before, and how often others were used."""

    foreign: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()
    used: dict[str, str] = field(default_factory=dict[str, str])
    ignored: int = 0
    owned: bool = False

    def list_own(self, windows: tuple[Window, ...]) -> list[Window]:
        """Return the windows that are recorded."""
        own = [each for each in windows if each.id not in self.foreign]
        self.owned = self.owned or bool(own)
        return own

    def take_gone(self, windows: tuple[Window, ...]) -> tuple[str, ...]:
        """Return the names of windows that were used and have gone, each once; none that another window has by now."""
        here = {each.id for each in windows}
        gone = [self.used.pop(key) for key in [key for key in self.used if key not in here]]
        return tuple(name for name in dict.fromkeys(gone) if not _is_taken(name, windows))


class DesktopRecorder:
    """A desktop in a person's hands. It acts on nothing itself."""

    def __init__(self, parts: DesktopParts, watch: InputWatch, tell: TellDesktopEvent) -> None:
        """Notice nothing yet; what the person does is told in order."""
        self.scope = Scope()
        self._parts = parts
        self._watch = watch
        self._tell = tell
        self._sightings = Sightings(parts.windows, parts.accessibility)
        self._hearing = InputHearing(parts.windows, self._sightings)
        self._pressing = Pressing(self._sightings, parts.accessibility, self._report)
        self._typing = Typing(self._sightings, parts.accessibility, self._report)
        self._showing = EffectWatch()
        self._told: dict[str, DesktopEvent] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self, title: str | None = None) -> None:
        """Take note of the windows there: recorded are the title's program, or the one that is started next."""
        windows = await self._sightings.list_windows()
        pid = find_window(title, windows).pid if title else -1
        self.scope.foreign = frozenset(each.id for each in windows if each.pid != pid)

    async def start(self) -> None:
        """Notice from now on what is done."""
        windows = await self._sightings.list_windows()
        self.scope.known = frozenset(each.id for each in windows)
        for each in self.scope.list_own(windows):
            await self._sightings.look(each)
        self._tasks = [
            asyncio.create_task(self._sightings.watch(self.scope.foreign)),
            asyncio.create_task(self._follow()),
        ]
        await self._watch.start(self._hearing.hear)

    async def settle(self) -> None:
        """Wait until all that was done has been told, and what came of it was looked at."""
        await self._hearing.wait()
        await self._sightings.wait_for_looks()
        await self._typing.end()
        await self._pressing.finish()
        self._tell_shown(self._sightings.last)

    @property
    def is_over(self) -> bool:
        """Whether there was a window to record, and none is left."""
        return not self.scope.list_own(self._sightings.windows) and self.scope.owned

    async def wait_until_over(self) -> None:
        """Return once the person has closed the last window that is recorded."""
        while not self.is_over:
            await pause(_STEP_S)

    async def ask_to_close(self) -> tuple[str, ...]:
        """Ask the windows that are recorded to close; return the titles of those that stay."""
        for each in self.scope.list_own(await self._sightings.list_windows()):
            with suppress(DeviceError):
                await self._parts.windows.close_window(each)
        return await self.wait_for_closing(_END_S)

    async def wait_for_closing(self, timeout_s: float) -> tuple[str, ...]:
        """Wait until no window is left that is recorded; return the titles of those that stay."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while self.scope.list_own(await self._sightings.list_windows()):
                    await pause(_STEP_S)
        return tuple(each.title for each in self.scope.list_own(await self._sightings.list_windows()))

    async def stop(self) -> None:
        """Notice nothing any more; calling it again does nothing."""
        await self._watch.close()
        tasks, self._tasks = self._tasks, []
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self) -> None:
        while True:
            heard = await self._hearing.take(_QUIET_S)
            try:
                await (self._take(heard) if heard else self._rest())
            except SurehandError as error:
                self._tell(DesktopEvent("fault", detail={"message": error.message}))
            finally:
                if heard:
                    self._hearing.done()

    async def _rest(self) -> None:
        """Look after a while in which nothing came what the last act has come to."""
        await self._typing.read_again()
        self._tell_shown(self._sightings.last)

    async def _take(self, heard: HeardInput) -> None:
        owner = heard.active if heard.raw.kind == "key" else heard.owner
        if heard.raw.kind != "release":
            await self._pressing.finish()
            self._tell_shown(heard.looks)
            self._showing.begin(heard.looks)
            if owner is None or owner.id in self.scope.foreign:
                await self._typing.end()
                self.scope.ignored += 1
                return
        if heard.raw.kind == "key" and owner is not None:
            await self._typing.take(heard, owner, is_last=self._hearing.is_quiet)
        elif heard.raw.kind == "press" and owner is not None:
            await self._typing.end()
            await self._pressing.press(heard, owner)
        elif heard.raw.kind == "release":
            await self._pressing.release(heard)

    def _tell_shown(self, looks: Mapping[str, WindowSighting]) -> None:
        if found := self._showing.find(looks):
            self._report(*found)

    def _report(self, event: DesktopEvent, window: Window) -> None:
        """Tell an act, or more of one that was told before."""
        before = self._told.get(event.act)
        if before is None:
            windows = self._sightings.windows
            gone = self.scope.take_gone(windows)
            opened = window.id not in self.scope.known
            self.scope.known = frozenset(each.id for each in windows)
            self.scope.list_own(windows)
            listed = windows if any(each.id == window.id for each in windows) else (*windows, window)
            event = replace(event, window=name_window(window, listed), opened=opened, gone=gone)
            self.scope.used[window.id] = event.window
        else:
            shown = event.shown or before.shown
            event = replace(event, window=before.window, opened=before.opened, gone=before.gone, shown=shown)
        self._showing.follow(event, window)
        if event != before:
            self._told[event.act] = event
            self._tell(event)


def _is_taken(name: str, windows: tuple[Window, ...]) -> bool:
    try:
        find_window(name, windows)
    except DeviceError as error:
        return error.code == "window_ambiguous"
    return True
