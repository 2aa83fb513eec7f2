"""What an act has changed among the elements of an application."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from actuators.desktop.ports.desktop import Element, Window

_LISTED = 8
_MOST_CHARS = 200
_Print = tuple[tuple[tuple[str, str], ...], str, str, str | None, frozenset[str]]


def list_changes(before: Sequence[Element], after: Sequence[Element]) -> list[dict[str, Any]]:
    """Return what is new or different, else what is gone; empty where nothing has changed. At most eight."""
    old, new = Counter(_print(each) for each in before), Counter(_print(each) for each in after)
    appeared, vanished = new - old, old - new
    if appeared:
        return [_describe(each) for each in appeared][:_LISTED]
    return [_describe(each) | {"gone": True} for each in vanished][:_LISTED]


def list_opened(before: Sequence[Window], after: Sequence[Window], pid: int) -> list[dict[str, Any]]:
    """Return the windows that a process has opened, such as dialogs. At most eight."""
    known = {each.id for each in before}
    opened = [each for each in after if each.id not in known and each.pid == pid]
    return [{"role": "window", "name": each.title, "id": each.id} for each in opened][:_LISTED]


def _print(element: Element) -> _Print:
    # The window's title is left out: it changes with what is in the window, and then everything would seem new.
    value = None if "password" in element.states else element.value
    return element.path[1:], element.role, element.name, value, element.states


def _describe(fingerprint: _Print) -> dict[str, Any]:
    _, role, name, value, states = fingerprint
    cut = value[:_MOST_CHARS] + "…" if value is not None and len(value) > _MOST_CHARS else value
    return {"role": role, "name": name, "value": cut, "states": sorted(states)}
