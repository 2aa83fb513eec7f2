"""InputTools: the tools for pointer and keyboard, over any desktop."""

from collections.abc import Mapping
from typing import Annotated, Any

from actuators.desktop.finding.locating import Locating
from actuators.desktop.ports.desktop import Direction, Modifier, MouseButton, Target
from actuators.desktop.ports.guarding import PointerGuard
from actuators.desktop.ports.parts import DesktopParts, Locator
from actuators.desktop.tools.pointing import Pointer, PointerTarget
from actuators.desktop.tools.toolset import DesktopToolset
from actuators.desktop.tools.typing_ways import Typist
from core.goals.secret_values import Secret
from core.results.tool_results import ToolOutcome
from core.rules.param_types import KEY, SCREEN_TARGET, TEXT, WORD, AimedTarget, ImagePath, WindowName
from core.rules.type_makers import beside, integer, listing, maybe_secret
from core.tools.ports import ActionContext


class InputTools(DesktopToolset):
    """Pointer and keyboard.

    A person who moves the pointer pauses the run until the pointer rests; the pointer in a corner of the screen stops
    it (the fail-safe).
    """

    intent = "input_control"
    capability = "input"

    def __init__(self, parts: DesktopParts, locator: Locator) -> None:
        guard = PointerGuard(parts.hands, parts.windows)
        self._parts = parts
        self._pointer = Pointer(parts, locator, guard)
        self._typist = Typist(parts, locator, guard, self._pointer)
        self._elements = Locating(parts)

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Say which element is acted on."""
        del verb
        return await self._elements.describe_target(context, args)

    async def click(
        self,
        context: ActionContext,
        target: AimedTarget | None = None,
        image: ImagePath | None = None,
        window: WindowName | None = None,
        button: MouseButton = "left",
        modifiers: Annotated[tuple[Modifier, ...], listing(WORD, 4)] | None = None,
    ) -> ToolOutcome:
        """Click on something.

        Args:
            target: What to click.
            image: Picture of it instead.
            window: Where to look for it.
            button: Mouse button.
            modifiers: Keys that are held meanwhile.

        Returns:
            Output ``x``, ``y`` (on the screen), ``found`` (what was there) and ``window`` (which received it).

        Raises:
            TargetError: If it isn't there (lists the nearest), more than one is, it is covered by another window, or a
                screenshot that the point was read from is stale.
            ActionError: ``fail_safe`` if the pointer is in a corner; ``person_active`` if a person goes on moving it.
        """
        return await self._pointer.click(context, PointerTarget(target, image, window), button, modifiers or ())

    async def double_click(
        self,
        context: ActionContext,
        target: AimedTarget | None = None,
        image: ImagePath | None = None,
        window: WindowName | None = None,
        button: MouseButton = "left",
        modifiers: Annotated[tuple[Modifier, ...], listing(WORD, 4)] | None = None,
    ) -> ToolOutcome:
        """Click twice on something.

        Args:
            target: What to click.
            image: Picture of it instead.
            window: Where to look for it.
            button: Mouse button.
            modifiers: Keys that are held meanwhile.

        Returns:
            As for ``click``.
        """
        return await self._pointer.click(context, PointerTarget(target, image, window), button, modifiers or (), 2)

    async def right_click(
        self,
        context: ActionContext,
        target: AimedTarget | None = None,
        image: ImagePath | None = None,
        window: WindowName | None = None,
        modifiers: Annotated[tuple[Modifier, ...], listing(WORD, 4)] | None = None,
    ) -> ToolOutcome:
        """Click on something with the right button.

        Args:
            target: What to click.
            image: Picture of it instead.
            window: Where to look for it.
            modifiers: Keys that are held meanwhile.

        Returns:
            As for ``click``.
        """
        return await self._pointer.click(context, PointerTarget(target, image, window), "right", modifiers or ())

    async def move(
        self,
        context: ActionContext,
        target: AimedTarget | None = None,
        image: ImagePath | None = None,
        window: WindowName | None = None,
    ) -> ToolOutcome:
        """Move the pointer onto something.

        Args:
            target: Where to.
            image: Picture of it instead.
            window: Where to look for it.

        Returns:
            Output ``x`` and ``y`` as read back.
        """
        return await self._pointer.move(context, PointerTarget(target, image, window))

    async def drag(
        self,
        context: ActionContext,
        to: Annotated[Target, beside(SCREEN_TARGET)],
        target: AimedTarget | None = None,
        image: ImagePath | None = None,
        window: WindowName | None = None,
        button: MouseButton = "left",
    ) -> ToolOutcome:
        """Drag something somewhere.

        Args:
            to: Where it is dropped.
            target: What to drag.
            image: Picture of it instead.
            window: Where to look for it.
            button: Mouse button that is held.

        Returns:
            Output ``x``, ``y`` (where it was dropped) and ``from``.
        """
        return await self._pointer.drag(context, PointerTarget(target, image, window), to, button)

    async def scroll(
        self,
        context: ActionContext,
        direction: Direction = "down",
        amount: Annotated[int, integer(1, 100)] = 3,
        target: AimedTarget | None = None,
        image: ImagePath | None = None,
        window: WindowName | None = None,
    ) -> ToolOutcome:
        """Turn the mouse wheel.

        Args:
            direction: Where to.
            amount: Notches, 1 to 100.
            target: What to point at first; where the pointer is, where absent.
            image: Picture of it instead.
            window: Where to look for it.

        Returns:
            Output ``x`` and ``y``.
        """
        return await self._pointer.scroll(context, PointerTarget(target, image, window), direction, amount)

    async def type(
        self,
        context: ActionContext,
        text: Annotated[str | Secret, maybe_secret(TEXT)],
        target: AimedTarget | None = None,
        window: WindowName | None = None,
    ) -> ToolOutcome:
        """Type text, every character of it or nothing.

        Args:
            text: The text, in which a newline is the Enter key; or a secret, which never comes on the clipboard.
            target: Element to type into; what has the focus, where absent.
            window: Window that must have the focus; it is given it.

        Returns:
            Output ``text`` as read back where that can be done (not for secrets), ``way`` (accessibility, keys or clipboard) and
            ``window``.

        Raises:
            ActionError: ``not_typed`` if the text read back is another one; ``unsupported_text`` if no way of typing
                here is lossless for it.
        """
        return await self._typist.type(context, text, target, window)

    async def press(
        self, context: ActionContext, keys: Annotated[str, KEY], window: WindowName | None = None
    ) -> ToolOutcome:
        """Press a key or a combination.

        Args:
            keys: Such as ``ctrl+s`` or ``Enter``.
            window: Window that must have the focus; it is given it.

        Returns:
            Output ``keys`` and ``window`` (which had the focus).
        """
        return await self._typist.press(context, keys, window)
