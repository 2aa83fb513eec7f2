"""Which window is meant by a text, and how a window is described."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from actuators.desktop.finding.element_words import fold
from core.base.errors import DeviceError

if TYPE_CHECKING:
    from actuators.desktop.ports.desktop import Display, Rect, Window

ACTIVE = "active"
_ID = "id="
_LISTED = 20


def find_window(text: str, windows: Sequence["Window"]) -> "Window":
    """Return the one window that a text names.

    Args:
        text: ``active``, ``id=…``, or, in this order and without regard to case: its title, a part of its title, the
            name of its application, a part of that.

    Raises:
        DeviceError: ``window_missing`` or ``window_ambiguous``; both list windows.
    """
    if text == ACTIVE:
        return _take_one(text, [each for each in windows if each.active], windows, "No window has the focus.")
    missing = f"No window is called {text!r}."
    if text.startswith(_ID):
        return _take_one(text, [each for each in windows if each.id == text.removeprefix(_ID)], windows, missing)
    wanted = fold(text)
    for matches in (
        [each for each in windows if each.title == text],
        [each for each in windows if fold(each.title) == wanted],
        [each for each in windows if wanted in fold(each.title)],
        [each for each in windows if fold(each.app) == wanted],
        [each for each in windows if wanted in fold(each.app)],
    ):
        if matches and wanted:
            return _take_one(text, matches, windows, missing)
    return _take_one(text, [], windows, missing)


def filter_windows(text: str | None, windows: Iterable["Window"]) -> list["Window"]:
    """Return the windows whose title or application has a text in it; all without one."""
    wanted = fold(text or "")
    return [each for each in windows if wanted in fold(each.title) or wanted in fold(each.app)]


def list_in_front(window: "Window", windows: Sequence["Window"]) -> list["Window"]:
    """Return the windows that are shown before one, among all, the front one first."""
    place = next((place for place, each in enumerate(windows) if each.id == window.id), 0)
    return [each for each in windows[:place] if not each.minimized]


def describe_window(window: "Window", displays: Sequence["Display"] = ()) -> dict[str, Any]:
    """Return a window as data; ``display`` is the index of the one that its middle is on, None if it is on none."""
    middle = window.bounds.center
    return {
        "id": window.id,
        "title": window.title,
        "app": window.app,
        "pid": window.pid,
        **window.bounds.describe(),
        "active": window.active,
        "minimized": window.minimized,
        "maximized": window.maximized,
        "display": next((each.index for each in displays if each.bounds.contains(*middle)), None),
    }


def describe_display(display: "Display") -> dict[str, Any]:
    """Return a display as data."""
    return {
        "index": display.index,
        "name": display.name,
        **display.bounds.describe(),
        "scale": display.scale,
        "primary": display.primary,
    }


def tell_window(window: "Window | None") -> dict[str, Any] | None:
    """Return as data which window it is; None for none."""
    return {"id": window.id, "title": window.title, "app": window.app} if window else None


def name_window(window: "Window") -> str:
    """Return a window's title, application and id, for messages."""
    return f"{window.title!r} ({window.app}, id={window.id})"


def same_place(one: "Rect", other: "Rect", tolerance_px: int = 0) -> bool:
    """Tell whether two rectangles are the same, give or take some pixels."""
    pairs = zip(one.list_sides(), other.list_sides(), strict=True)
    return all(abs(a - b) <= tolerance_px for a, b in pairs)


def _take_one(text: str, matches: Sequence["Window"], windows: Sequence["Window"], missing: str) -> "Window":
    if len(matches) == 1:
        return matches[0]
    shown = (matches or windows)[:_LISTED]
    listed = [name_window(each) for each in shown]
    code = "window_ambiguous" if matches else "window_missing"
    many = f"{len(matches)} windows are called {text!r}: {'; '.join(listed)}."
    here = f"{missing} {'Open windows: ' + '; '.join(listed) if listed else 'No window is open'}."
    raise DeviceError(
        many if matches else here,
        code=code,
        hint="Name more of its title, or its id." if matches else "Name one of them by a part of its title.",
        evidence={"window": text, "windows": [tell_window(each) for each in shown]},
    )
