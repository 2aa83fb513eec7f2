"""What an act brought into sight in its window: a label, a heading, a notice that was not there before it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from actuators.desktop.ports.desktop import Window
from actuators.desktop.ports.recordings import DesktopEvent
from actuators.desktop.recording.sightings import WindowSighting

_KINDS = {"click", "drag", "key"}
_TELLING = ("alert", "alertdialog", "heading", "label", "static", "status")
"""Roles of what tells something. The rest, such as a button, comes and goes with what it is for."""


class EffectWatch:
    """Compares how a window looked before an act with how it looks later."""

    def __init__(self) -> None:
        """Follow nothing yet."""
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
