"""Typing: keys that go into one place, one after the other, as what the field holds in the end; and shortcuts."""

from collections.abc import Callable

from actuators.desktop.finding.element_words import is_secret
from actuators.desktop.ports.desktop import Accessibility, Element, Window
from actuators.desktop.ports.parts import identify
from actuators.desktop.ports.recordings import UNKNOWN_CHARACTER, DesktopEvent, RawInput
from actuators.desktop.recording.sightings import HeardInput, Sightings
from core.base.late_dataclasses import dataclass, field

_MOVING = {"ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"}
ENTERING = {"Enter", "NumpadEnter"}
_CORRECTING = {"Backspace", "Delete"}
_IN_FIELD = {"a", "v", "z"}
"""What keys with Control do to a field alone: its value says what came of it."""


@dataclass(slots=True)
class TypingRun:
    """Keys that are merged into one act.

    Attributes:
        element: The field; None where none tells that it has the focus.
        was: What it held before; None where that isn't known.
        pending: What they wrote since the field was last read.
        ahead: What the field showed then beyond the keys that had been taken: theirs are still to be taken, and change nothing.
        is_plain: Whether they did nothing else since then but write at the end.
    """

    act: str
    window_id: str
    element: Element | None = None
    selector: str = ""
    was: str | None = None
    value: str | None = None
    typed: str = field(default="", repr=False)
    pending: str = field(default="", repr=False)
    ahead: str = field(default="", repr=False)
    is_plain: bool = True

    @property
    def is_secret(self) -> bool:
        """Whether nobody may learn what is typed."""
        return self.element is not None and is_secret(self.element)

    @property
    def can_be_read(self) -> bool:
        """Whether the field tells what it holds."""
        return self.element is not None and not self.is_secret and self.value is not None

    def take(self, raw: RawInput) -> None:
        """Take a key."""
        text = "\n" if raw.key in ENTERING else raw.text
        if "Control" in raw.modifiers:
            self.is_plain = False
        elif self.is_secret:
            self.typed = "x" if text else self.typed  # that there is something is all that is kept
        elif text and self.ahead.startswith(text):
            self.typed += text
            self.ahead = self.ahead[len(text) :]
        elif text:
            self.typed += text
            self.pending, self.ahead = self.pending + text, ""
        elif raw.key == "Backspace" and self.typed:
            self.is_plain = self.is_plain and len(self.pending) > 1
            self.typed, self.pending, self.ahead = self.typed[:-1], self.pending[:-1], ""
        else:
            self.is_plain = False

    def read(self, value: str | None) -> None:
        """Note what the field holds now; what it has not taken yet by then stays to come."""
        guessed = self.guess()
        lags = self.is_plain and value is not None and guessed is not None and guessed.startswith(value)
        lags = lags and len(value or "") >= len(self.value or "")
        self.pending = (guessed or "")[len(value or "") :] if lags else ""
        if value != self.value:
            leads = self.is_plain and value is not None and guessed is not None and value.startswith(guessed)
            self.ahead = self.ahead + (value or "")[len(guessed or "") :] if leads else ""
        self.value, self.is_plain = value, True

    def guess(self) -> str | None:
        """Return what the field held after the last key, where a later look would be too late."""
        if self.value is None or not self.is_plain or UNKNOWN_CHARACTER in self.pending:
            return self.value
        return f"{self.value}{self.pending}"

    @property
    def is_unknown(self) -> bool:
        """Whether a character is in it that nobody here can tell."""
        return UNKNOWN_CHARACTER in self.typed


def goes_on(run: TypingRun | None, raw: RawInput) -> bool:
    """Tell whether a key belongs to what is being typed, or begins it where nothing is."""
    if raw.modifiers & {"Alt", "Meta"}:
        return False
    if "Control" in raw.modifiers:
        return run is not None and run.can_be_read and raw.modifiers == frozenset({"Control"}) and raw.key in _IN_FIELD
    if raw.key in ENTERING:
        return run is not None and run.element is not None and "multi-line" in run.element.states
    if raw.key in _CORRECTING:
        return run is None or run.element is not None or (raw.key == "Backspace" and bool(run.typed))
    if raw.key in _MOVING:
        return run is not None and run.can_be_read
    return bool(raw.text)


_ORDER = ("Control", "Alt", "Shift", "Meta")
_WORDS = {"Control": "ctrl", "Alt": "alt", "Shift": "shift", "Meta": "meta"}
_LATER = {*ENTERING, "Tab", "Escape"}
"""Keys that mostly take the field away: what it held is known by what was typed."""

Report = Callable[[DesktopEvent, Window], None]


class Typing:
    """Makes acts of keys."""

    def __init__(self, sightings: Sightings, accessibility: Accessibility, report: Report) -> None:
        self._sightings = sightings
        self._accessibility = accessibility
        self._report = report
        self._run: TypingRun | None = None
        self._window: Window | None = None
        self._before: TypingRun | None = None
        self._count = 0

    async def take(self, heard: HeardInput, window: Window, *, is_last: bool) -> None:
        """Take a key that went to a window; if it is the last so far, there is time to read the field."""
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
        """Tell what was typed, as it is now; late, what came next may have taken the field away."""
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
