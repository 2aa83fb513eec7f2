"""Typing: keys, as what a field holds in the end, and as shortcuts."""

from collections.abc import Callable

from actuators.desktop.ports.desktop import Accessibility, Window
from actuators.desktop.ports.element_refs import identify
from actuators.desktop.ports.recordings import DesktopEvent
from actuators.desktop.recording.hearing import HeardInput
from actuators.desktop.recording.sightings import Sightings
from actuators.desktop.recording.typing_runs import ENTERING, TypingRun, goes_on

_ORDER = ("Control", "Alt", "Shift", "Meta")
_WORDS = {"Control": "ctrl", "Alt": "alt", "Shift": "shift", "Meta": "meta"}
_LATER = {*ENTERING, "Tab", "Escape"}
"""Keys that mostly take the field away: what it held is known by what was typed."""

Report = Callable[[DesktopEvent, Window], None]


class Typing:
    """Makes acts of keys."""

    def __init__(self, sightings: Sightings, accessibility: Accessibility, report: Report) -> None:
        """Take nothing yet."""
        self._sightings = sightings
        self._accessibility = accessibility
        self._report = report
        self._run: TypingRun | None = None
        self._window: Window | None = None
        self._before: TypingRun | None = None
        self._count = 0

    async def take(self, heard: HeardInput, window: Window, *, is_last: bool) -> None:
        """Take a key that went to a window.

        Args:
            is_last: Whether no other key has come by now, so that there is time to read the field.
        """
        raw = heard.raw
        if self._run is not None and self._run.window_id != window.id:
            await self.end()
        if not goes_on(self._run, raw) or (raw.key in ENTERING and not await self._has_new_line()):
            await self.end(is_late=raw.key in _LATER or bool(raw.modifiers & {"Control", "Alt"}))
            self._count += 1
            event = DesktopEvent("key", f"key {self._count}", detail={"keys": _write_keys(heard)})
            if raw.key:
                self._report(event, window)
            return
        if self._run is None:
            self._run, self._window = await self._begin(heard, window), window
        self._run.take(raw)
        if is_last:
            await self._read(self._run)
            self._tell(self._run, window)

    async def end(self, *, is_late: bool = False) -> None:
        """Tell what was typed, as it is now.

        Args:
            is_late: Whether what came next may have taken the field away by now.
        """
        run, window = self._run, self._window
        self._run = None
        if run is None or window is None:
            return
        if is_late:
            run.read(run.guess())
        else:
            await self._read(run)
        self._before = run
        self._tell(run, window)

    async def read_again(self) -> None:
        """Read what is being typed once more, after a while in which nothing came."""
        if self._run is not None and self._window is not None:
            await self._read(self._run)
            self._tell(self._run, self._window)

    async def _has_new_line(self) -> bool:
        """Tell whether the field has taken Enter as a part of its text by now; else it does something."""
        run = self._run
        if run is None or run.element is None:
            return False
        now = await self._accessibility.refresh(run.element)
        return now is not None and (now.value or "").count("\n") > (run.guess() or "").count("\n")

    async def _begin(self, heard: HeardInput, window: Window) -> TypingRun:
        """Find out where keys go: only a look from now on tells whether that is a secret field."""
        self._count += 1
        sighting = await self._sightings.look(window)
        place, act = sighting.find_focused(), f"typed {self._count}"
        if place is None:
            return TypingRun(act, window.id)
        element, before = sighting.elements[place], heard.looks.get(window.id)
        known = before.find_again(element) if before else None
        was = known.value if known is not None else None
        last = self._before
        if last is not None and last.element is not None and identify(last.element) == identify(element):
            was = last.value if was == last.was else was  # that look was older than what was typed before
        return TypingRun(act, window.id, element, sighting.naming.name(place), was, was)

    async def _read(self, run: TypingRun) -> None:
        """Read the field; where it is gone, what was typed last counts."""
        if run.element is None or run.is_secret:
            return
        now = await self._accessibility.refresh(run.element)
        run.read(now.value if now is not None and now.value is not None else run.guess())

    def _tell(self, run: TypingRun, window: Window) -> None:
        detail = {"secret": run.is_secret, "is_empty": not run.typed, "was": None if run.is_secret else run.was}
        is_read = run.element is not None and run.value is not None and not run.is_secret
        value = None if run.is_secret else run.value if is_read else run.typed
        unknown = not is_read and not run.is_secret and run.is_unknown
        told = detail | {"value": value, "is_read": is_read, "is_unknown": unknown}
        self._report(DesktopEvent("typed", run.act, selector=run.selector, detail=told), window)


def _write_keys(heard: HeardInput) -> str:
    """Return a key with what was held, as verbs take it: a letter with Shift is the letter that it makes."""
    raw = heard.raw
    is_letter = bool(raw.text.strip())
    held = [
        _WORDS[each]
        for each in _ORDER
        if each in raw.modifiers and not (each == "Shift" and is_letter and not raw.key.isalpha())
    ]
    key = raw.key.lower() if is_letter else raw.key
    return "+".join([*held, key])
