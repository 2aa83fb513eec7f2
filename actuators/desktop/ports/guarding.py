"""PointerGuard: stops for the fail-safe, and waits for a person who moves the pointer."""

import asyncio
import itertools
from collections.abc import Coroutine
from typing import Any

from actuators.deadlines import Deadline, pause
from actuators.desktop.ports.desktop import Display, Hands, WindowSystem, bound
from core.base.errors import ActionError, TargetError

REST_S = 1.0
_STEP_S = 0.05
_WATCH_S = 0.1


class PointerGuard:
    """Remembers where the pointer was left, so that a move by somebody else shows."""

    def __init__(self, hands: Hands, windows: WindowSystem) -> None:
        self._hands = hands
        self._windows = windows
        self._left: tuple[int, int] | None = None
        self._displays: tuple[Display, ...] = ()

    async def begin(self, deadline: Deadline) -> dict[str, Any]:
        """Wait until nobody moves the pointer; return ``paused_s`` as evidence if there was a wait.

        Raises:
            ActionError: ``fail_safe`` if the pointer is in a corner, ``person_active`` if it goes on moving.
        """
        # The displays stay as they are for the length of an action.
        self._displays, place = await asyncio.gather(self._windows.displays(), self._hands.position())
        self._check_corner(place)
        if self._left is None or place == self._left:
            return {}
        start_s = deadline.elapsed_s
        rest_since_s = start_s
        while deadline.elapsed_s - rest_since_s < REST_S:
            if deadline.is_over:
                raise _person_active(place, deadline.elapsed_s - start_s)
            await pause(_STEP_S)
            now = await self._look()
            if now != place:
                place, rest_since_s = now, deadline.elapsed_s
        self._left = place
        return {"paused_s": round(deadline.elapsed_s - start_s, 2)}

    async def move(self, x: int, y: int, deadline: Deadline) -> dict[str, Any]:
        """Move the pointer to a pixel and see that it is there; again, after a pause, if somebody moves it."""
        waits: list[float] = []
        while True:
            await self._hands.move_to(x, y)
            self._left = (x, y)
            if await self._hands.position() == (x, y):
                return {"paused_s": sum(waits)} if waits else {}
            waits.append((await self.begin(deadline)).get("paused_s", 0.0))
            if deadline.is_over:
                raise _person_active((x, y), sum(waits))

    async def end(self) -> tuple[int, int]:
        """Remember where the pointer was left, and return it."""
        self._left = await self._hands.position()
        return self._left

    async def guard(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that takes long, and stop it by ``fail_safe`` when the pointer comes into a corner."""
        task = asyncio.ensure_future(work)
        try:
            while not (await asyncio.wait({task}, timeout=_WATCH_S))[0]:
                await self._look()
            task.result()
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task})

    async def _look(self) -> tuple[int, int]:
        """Return where the pointer is, unless it is in a corner."""
        place = await self._hands.position()
        self._check_corner(place)
        return place

    def _check_corner(self, place: tuple[int, int]) -> None:
        if place in _list_corners(self._displays):
            raise fail_safe(*place)

    async def check_place(self, x: int, y: int) -> None:
        """Refuse a pixel on no display (``target_off_screen``), or in a corner, which is the fail-safe's."""
        displays = self._displays
        if not any(each.bounds.contains(x, y) for each in displays):
            sizes = ((each.bounds.list_sides(), each.name) for each in displays)
            parts = ", ".join(
                f"{width} × {height} at {left}, {upper} ({name})" for (left, upper, width, height), name in sizes
            )
            raise TargetError(
                f"The pixel {x}, {y} is on no display. Displays: {parts}.",
                code="target_off_screen",
                hint="Bring the window onto a display, or name another point.",
                evidence={"x": x, "y": y},
            )
        if (x, y) in _list_corners(displays):
            raise TargetError(
                f"The pixel {x}, {y} is a screen corner, which is reserved for the fail-safe.",
                code="target_unsuitable",
                hint="Name a pixel beside it.",
                evidence={"x": x, "y": y},
            )


def fail_safe(x: int, y: int) -> ActionError:
    """Return the error of a pointer in a corner."""
    return ActionError(
        f"The pointer is in a corner of the screen ({x}, {y}), which stops all use of pointer and keys.",
        code="fail_safe",
        hint="Move the pointer out of the corner and ask again.",
        evidence={"x": x, "y": y},
    )


def _list_corners(displays: tuple[Display, ...]) -> set[tuple[int, int]]:
    if not displays:
        return set()
    whole = bound(each.bounds for each in displays)
    return set(itertools.product((whole.x, whole.x + whole.width - 1), (whole.y, whole.y + whole.height - 1)))


def _person_active(place: tuple[int, int], waited_s: float) -> ActionError:
    return ActionError(
        f"Someone moved the pointer for {waited_s:.1f} s, so nothing was done.",
        code="person_active",
        hint="Let the pointer rest and ask again.",
        evidence={"x": place[0], "y": place[1], "waited_s": round(waited_s, 2)},
    )
