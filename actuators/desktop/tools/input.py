"""DesktopInput: the tools for pointer and keyboard, over any desktop."""

from collections.abc import Mapping
from typing import Any

from actuators.desktop.api.input_tools import InputTools
from actuators.desktop.api.toolset import Direction, Modifier, MouseButton, Target
from actuators.desktop.finding.aiming import describe_target
from actuators.desktop.finding.locating import Locating
from actuators.desktop.ports.guarding import PointerGuard
from actuators.desktop.ports.parts import DesktopParts, Locator
from actuators.desktop.tools.failure_snapshots import ScreenSnapshots
from actuators.desktop.tools.pointing import DesktopClick, Pointer, PointerTarget
from actuators.desktop.tools.typing_ways import Typist
from core.goals.secret_values import Secret
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext


class DesktopInput(ScreenSnapshots, InputTools):
    """Pointer and keyboard."""

    def __init__(self, parts: DesktopParts, locator: Locator) -> None:
        """Use a desktop."""
        guard = PointerGuard(parts.hands, parts.windows)
        self._parts = parts
        self._pointer = Pointer(parts, locator, guard)
        self._typist = Typist(parts, locator, guard, self._pointer)
        self._elements = Locating(parts)

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which element is acted on."""
        del verb
        return await describe_target(self._elements, context, args)

    async def click(
        self,
        context: ActionContext,
        target: Target | None = None,
        image: str | None = None,
        window: str | None = None,
        button: MouseButton = "left",
        modifiers: tuple[Modifier, ...] | None = None,
    ) -> ToolOutcome:
        """Click on something."""
        return await self._pointer.click(
            context, PointerTarget(target, image, window), DesktopClick(button, modifiers or ())
        )

    async def double_click(
        self,
        context: ActionContext,
        target: Target | None = None,
        image: str | None = None,
        window: str | None = None,
        button: MouseButton = "left",
        modifiers: tuple[Modifier, ...] | None = None,
    ) -> ToolOutcome:
        """Click twice on something."""
        return await self._pointer.click(
            context, PointerTarget(target, image, window), DesktopClick(button, modifiers or (), 2)
        )

    async def right_click(
        self,
        context: ActionContext,
        target: Target | None = None,
        image: str | None = None,
        window: str | None = None,
        modifiers: tuple[Modifier, ...] | None = None,
    ) -> ToolOutcome:
        """Click on something with the right button."""
        return await self._pointer.click(
            context, PointerTarget(target, image, window), DesktopClick("right", modifiers or ())
        )

    async def move(
        self,
        context: ActionContext,
        target: Target | None = None,
        image: str | None = None,
        window: str | None = None,
    ) -> ToolOutcome:
        """Move the pointer onto something."""
        return await self._pointer.move(context, PointerTarget(target, image, window))

    async def drag(
        self,
        context: ActionContext,
        to: Target,
        target: Target | None = None,
        image: str | None = None,
        window: str | None = None,
        button: MouseButton = "left",
    ) -> ToolOutcome:
        """Drag something somewhere."""
        return await self._pointer.drag(context, PointerTarget(target, image, window), to, button)

    async def scroll(
        self,
        context: ActionContext,
        direction: Direction = "down",
        amount: int = 3,
        target: Target | None = None,
        image: str | None = None,
        window: str | None = None,
    ) -> ToolOutcome:
        """Turn the mouse wheel."""
        return await self._pointer.scroll(context, PointerTarget(target, image, window), direction, amount)

    async def type(
        self, context: ActionContext, text: str | Secret, target: Target | None = None, window: str | None = None
    ) -> ToolOutcome:
        """Type text, every character of it or nothing."""
        return await self._typist.type(context, text, target, window)

    async def press(self, context: ActionContext, keys: str, window: str | None = None) -> ToolOutcome:
        """Press a key or a combination."""
        return await self._typist.press(context, keys, window)
