"""Windows that are the person's alone: the console, and the terminal in which Surehand itself asks. No hand presses or types there.

The console is known by its title, which ends with its name in every browser; a terminal by its process, where this one runs in it.
A console in a tab that isn't shown, one in a browser that hides titles, and terminals of other Surehand processes can't be known.
"""

import sys
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import psutil

from actuators.desktop.ports.desktop import Accessibility, Element, Hands, Window, WindowSystem
from core.base.errors import PolicyError

if TYPE_CHECKING:
    from actuators.base import Availability
    from actuators.desktop.ports.desktop import Direction, MouseButton

CONSOLE_TITLE = "– Surehand"
"""What the title of every view of the console ends with; a browser adds its own name."""


def refuse_persons(titles: Sequence[str], pid: int = 0) -> None:
    """Refuse to act in a window of the person alone.

    Args:
        pid: Its process; 0 where it isn't known.

    Raises:
        PolicyError: ``persons_window``.
    """
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


class PersonsHands:
    """Hands that press and type nothing in windows of the person alone."""

    def __init__(self, hands: Hands, windows: WindowSystem) -> None:
        self._hands = hands
        self._windows = windows

    def assess(self) -> "Availability":
        """Say whether they can be used."""
        return self._hands.assess()

    async def position(self) -> tuple[int, int]:
        """Return where the pointer is."""
        return await self._hands.position()

    async def move_to(self, x: int, y: int) -> None:
        """Move the pointer."""
        await self._hands.move_to(x, y)

    async def button_down(self, button: "MouseButton") -> None:
        """Press a mouse button and hold it."""
        await self._check_pointed()
        await self._hands.button_down(button)

    async def button_up(self, button: "MouseButton") -> None:
        """Let a mouse button go."""
        await self._hands.button_up(button)

    async def wheel(self, direction: "Direction", notches: int) -> None:
        """Turn the wheel."""
        await self._check_pointed()
        await self._hands.wheel(direction, notches)

    async def can_press(self, key: str) -> bool:
        """Tell whether there is a key."""
        return await self._hands.can_press(key)

    async def key_down(self, key: str) -> None:
        """Press a key and hold it."""
        await self._check_focused()
        await self._hands.key_down(key)

    async def strike(self, keys: Sequence[str]) -> None:
        """Press keys together and let them go."""
        await self._check_focused()
        await self._hands.strike(keys)

    async def is_slow_for(self, text: str) -> bool:
        """Tell whether keys can type a text, but slowly."""
        return await self._hands.is_slow_for(text)

    async def type_text(self, text: str) -> None:
        """Type text as keys."""
        await self._check_focused()
        await self._hands.type_text(text)

    async def release_all(self) -> None:
        """Let go of every key and button."""
        await self._hands.release_all()

    async def close(self) -> None:
        """Let go of the system."""
        await self._hands.close()

    async def _check_pointed(self) -> None:
        _refuse_window(await self._windows.window_at(*await self._hands.position()))

    async def _check_focused(self) -> None:
        _refuse_window(next((each for each in await self._windows.windows() if each.active), None))


class PersonsAccessibility:
    """Accessibility that changes nothing in windows of the person alone."""

    def __init__(self, accessibility: Accessibility) -> None:
        self._accessibility = accessibility

    def assess(self) -> "Availability":
        """Say whether it can be used."""
        return self._accessibility.assess()

    async def elements(self, window: Window | None, *, depth: int | None = None) -> tuple[Element, ...]:
        """Return the elements of a window."""
        return await self._accessibility.elements(window, depth=depth)

    async def refresh(self, element: Element) -> Element | None:
        """Return an element as it is now."""
        return await self._accessibility.refresh(element)

    async def invoke(self, element: Element, action: str) -> None:
        """Let an element do one of its actions."""
        await self._accessibility.invoke(_admit(element), action)

    async def set_text(self, element: Element, text: str) -> None:
        """Set the text of an element."""
        await self._accessibility.set_text(_admit(element), text)

    async def set_number(self, element: Element, number: float) -> None:
        """Set the number of an element."""
        await self._accessibility.set_number(_admit(element), number)

    async def select(self, element: Element) -> None:
        """Select an element."""
        await self._accessibility.select(_admit(element))

    async def focus(self, element: Element) -> None:
        """Focus an element."""
        await self._accessibility.focus(_admit(element))

    async def wait_for_change(self, timeout_s: float) -> None:
        """Return when something changed."""
        await self._accessibility.wait_for_change(timeout_s)

    async def close(self) -> None:
        """Let go of the system."""
        await self._accessibility.close()


def _refuse_window(window: Window | None) -> None:
    if window is not None:
        refuse_persons((window.title,), window.pid)


def _admit(element: Element) -> Element:
    refuse_persons([*(name for _, name in element.path), element.name])
    return element
