"""Windows that are the person's alone: the console, and the terminal in which Surehand itself asks. No hand presses or types there.

The console is known by its title, which ends with its name in every browser; a terminal by its process, where this one runs in it.
A console in a tab that isn't shown, one in a browser that hides titles, and terminals of other Surehand processes can't be known.
"""

import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from typing import Any, cast

import psutil

from actuators.desktop.ports.desktop import Accessibility, Element, Hands, WindowSystem
from core.base.errors import PolicyError

CONSOLE_TITLE = "– Surehand"
"""What the title of every view of the console ends with; a browser adds its own name."""

_POINTED = {"button_down", "wheel"}
"""What reaches the window under the pointer; all else reaches the one that has the focus."""

_HARMLESS_TO_HANDS = frozenset(
    ["assess", "position", "move_to", "button_up", "can_press", "is_slow_for", "release_all", "close"]
)
_HARMLESS_TO_ELEMENTS = frozenset(["assess", "elements", "refresh", "wait_for_change", "close"])


def refuse_persons(titles: Sequence[str], pid: int = 0) -> None:
    """Refuse by ``persons_window`` to act in a window of the person alone; its process is 0 where that isn't known."""
    is_console = any(CONSOLE_TITLE in title for title in titles)
    if not is_console and pid not in _find_terminals():
        return
    what = "the console of Surehand" if is_console else "the terminal in which Surehand asks you"
    text = f"Nothing was pressed: that window shows {what}, and what is answered there is answered by a person."
    hint = "Answer it yourself. Close it, or show another tab, if something else is meant."
    raise PolicyError(text, code="persons_window", hint=hint, evidence={"titles": list(titles)})


@cache
def _find_terminals() -> frozenset[int]:
    """Return the processes that this one runs in, where it asks at a terminal."""
    if not (sys.stdin and sys.stdin.isatty()):
        return frozenset()
    return frozenset(each.pid for each in psutil.Process().parents())


def guard_hands(hands: Hands, windows: WindowSystem) -> Hands:
    """Return hands that press and type nothing in windows of the person alone."""

    async def check(method: str, *_: object) -> None:
        if method in _POINTED:
            window = await windows.window_at(*await hands.position())
        else:
            window = next((each for each in await windows.windows() if each.active), None)
        if window is not None:
            refuse_persons((window.title,), window.pid)

    return cast("Hands", _GuardedPort(hands, _HARMLESS_TO_HANDS, check))


def guard_accessibility(accessibility: Accessibility) -> Accessibility:
    """Return accessibility that changes nothing in windows of the person alone."""

    async def check(_: str, element: Element, *__: object) -> None:
        refuse_persons([*(name for _, name in element.path), element.name])

    return cast("Accessibility", _GuardedPort(accessibility, _HARMLESS_TO_ELEMENTS, check))


class _GuardedPort:
    """A port that is checked before each of its methods but those that are known to do no harm."""

    def __init__(self, port: object, harmless: frozenset[str], check: Callable[..., Awaitable[None]]) -> None:
        self._port = port
        self._harmless = harmless
        self._check = check

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._port, name)
        if name in self._harmless:
            return method

        async def checked(*args: Any, **named: Any) -> Any:
            await self._check(name, *args)
            return await method(*args, **named)

        return checked
