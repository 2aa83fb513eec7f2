"""Pointer: finding what is meant, judging what a click would reach, moving, pressing, and reading back."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from actuators.deadlines import Deadline, pause
from actuators.desktop.finding.window_finding import find_window, name_window, tell_window
from actuators.desktop.ports.desktop import Direction, MouseButton, Target, Window
from actuators.desktop.ports.guarding import PointerGuard
from actuators.desktop.ports.parts import DesktopParts, Locator, TargetSpot
from core.base.errors import TargetError
from core.base.late_dataclasses import dataclass
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext

_DRAG_STEPS = 12
_DRAG_STEP_S = 0.01  # applications merge moves that come at once, and then see no drag
_UNDO = "What a click caused can't be undone automatically."


@dataclass(frozen=True, slots=True)
class PointerTarget:
    """What shall be pointed at, as the tools are told."""

    target: Target | None = None
    image: str | None = None
    window: str | None = None


class Pointer:
    """Everything that is done with the pointer."""

    def __init__(self, parts: DesktopParts, locator: Locator, guard: PointerGuard) -> None:
        self._parts = parts
        self._locator = locator
        self._guard = guard

    async def click(
        self, context: ActionContext, aim: PointerTarget, button: MouseButton, modifiers: Sequence[str], count: int = 1
    ) -> ToolOutcome:
        """Click on something."""
        deadline = Deadline(context.timeout_s)
        evidence = await self._guard.begin(deadline)
        spot = await self._locate(aim, deadline)
        receiver = await self._judge(spot)
        evidence |= await self._guard.move(spot.x, spot.y, deadline)
        async with self._holding(modifiers):
            for _ in range(count):
                await self._parts.hands.button_down(button)
                await self._parts.hands.button_up(button)
        return await self._report(spot, receiver, evidence)

    async def move(self, context: ActionContext, aim: PointerTarget) -> ToolOutcome:
        """Move the pointer onto something."""
        deadline = Deadline(context.timeout_s)
        evidence = await self._guard.begin(deadline)
        spot = await self._locate(aim, deadline)
        await self._guard.check_place(spot.x, spot.y)
        evidence |= await self._guard.move(spot.x, spot.y, deadline)  # which has read back where the pointer is
        place = {"x": spot.x, "y": spot.y}
        return ToolOutcome({**place, "found": dict(spot.found)}, "confirmed", {**place, **evidence})

    async def drag(self, context: ActionContext, aim: PointerTarget, to: Target, button: MouseButton) -> ToolOutcome:
        """Drag something somewhere."""
        deadline = Deadline(context.timeout_s)
        evidence = await self._guard.begin(deadline)
        start = await self._locate(aim, deadline)
        end = await self._locate(PointerTarget(to, None, aim.window), deadline)
        receiver = await self._judge(start)
        await self._guard.check_place(end.x, end.y)
        evidence |= await self._guard.move(start.x, start.y, deadline)
        async with self._holding(()):
            await self._parts.hands.button_down(button)
            await self._pull(start, end, deadline)
            await self._parts.hands.button_up(button)
        outcome = await self._report(end, receiver, evidence)
        return ToolOutcome(
            {**outcome.output, "from": {"x": start.x, "y": start.y, **start.found}},
            outcome.effect,
            outcome.evidence,
            undo="Drag it back, if the target allows that.",
        )

    async def scroll(
        self, context: ActionContext, aim: PointerTarget, direction: Direction, notches: int
    ) -> ToolOutcome:
        """Turn the wheel over something, or where the pointer is."""
        deadline = Deadline(context.timeout_s)
        evidence = await self._guard.begin(deadline)
        if aim != PointerTarget():
            spot = await self._locate(aim, deadline)
            await self._judge(spot)
            evidence |= await self._guard.move(spot.x, spot.y, deadline)
        await self._parts.hands.wheel(direction, notches)
        x, y = await self._guard.end()
        opposite = {"up": "down", "down": "up", "left": "right", "right": "left"}[direction]
        undo = f"Scroll {opposite} as far, if it had not reached the end."
        return ToolOutcome({"x": x, "y": y}, "unverified", {"x": x, "y": y, **evidence}, undo=undo)

    async def click_spot(self, spot: TargetSpot, deadline: Deadline) -> dict[str, Any]:
        """Click on something that has been found, such as a field that is typed into; return evidence."""
        await self._judge(spot)
        evidence = await self._guard.move(spot.x, spot.y, deadline)
        async with self._holding(()):
            await self._parts.hands.button_down("left")
            await self._parts.hands.button_up("left")
        await self._guard.end()
        return evidence

    async def _locate(self, aim: PointerTarget, deadline: Deadline) -> TargetSpot:
        if aim.target is None and aim.image is None and aim.window is not None:
            window = find_window(aim.window, await self._parts.windows.windows())
            return TargetSpot(*window.bounds.center, {"window": window.title}, window)
        return await self._locator.locate(aim.target, aim.image, aim.window, timeout_s=deadline.remaining_s)

    async def _judge(self, spot: TargetSpot) -> Window | None:
        await self._guard.check_place(spot.x, spot.y)
        receiver = await self._parts.windows.window_at(spot.x, spot.y)
        wanted = spot.window
        if wanted is None or (receiver is not None and receiver.id == wanted.id):
            return receiver
        if receiver is not None and receiver.pid == wanted.pid != 0:
            listed = {each.id for each in await self._parts.windows.windows()}
            if receiver.id not in listed:  # its own menu
                return receiver
        above = name_window(receiver) if receiver else "the empty desktop"
        raise TargetError(
            f"At {spot.x}, {spot.y} you would hit {above}, not the window {name_window(wanted)}.",
            code="target_covered",
            hint="Focus the window, or move what covers it.",
            evidence={
                "x": spot.x,
                "y": spot.y,
                "window": wanted.title,
                "covered_by": tell_window(receiver),
                "found": dict(spot.found),
            },
        )

    async def _pull(self, start: TargetSpot, end: TargetSpot, deadline: Deadline) -> None:
        for step in range(1, _DRAG_STEPS):
            share = step / _DRAG_STEPS
            x, y = start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share
            await self._parts.hands.move_to(round(x), round(y))
            await pause(_DRAG_STEP_S)
        await self._guard.move(end.x, end.y, deadline)
        await pause(_DRAG_STEP_S)

    @asynccontextmanager
    async def _holding(self, modifiers: Sequence[str]) -> AsyncGenerator[None, None]:
        """Hold keys meanwhile, and let go of everything afterwards, whatever happens."""
        try:
            for key in modifiers:
                await self._parts.hands.key_down(key)
            yield
        finally:
            await self._parts.hands.release_all()

    async def _report(self, spot: TargetSpot, receiver: Window | None, evidence: dict[str, Any]) -> ToolOutcome:
        """Say where the pointer is, which window received what was done, and whether that one has the focus now."""
        (x, y), after = await asyncio.gather(self._guard.end(), self._parts.windows.window_at(spot.x, spot.y))
        window = tell_window(receiver)
        focused = after is not None and receiver is not None and after.id == receiver.id and after.active
        facts = {
            "x": x,
            "y": y,
            "window": window,
            "window_there_now": tell_window(after),
            "focused": focused,
            **evidence,
        }
        effect = "confirmed" if (x, y) == (spot.x, spot.y) and receiver is not None else "unverified"
        output = {"x": x, "y": y, "found": dict(spot.found), "window": window}
        return ToolOutcome(output, effect, facts, undo=_UNDO)
