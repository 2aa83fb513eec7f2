"""Tools for the pointer, the keyboard and accessible elements."""

from abc import abstractmethod
from typing import Annotated, ClassVar

from actuators.desktop.api.toolset import DesktopToolset, Direction, Modifier, MouseButton, Target
from core.goals.secret_values import Secret
from core.results.tool_results import ToolOutcome
from core.rules.param_types import ELEMENT_TARGET, KEY, SCREEN_TARGET, TEXT, WORD, AimedTarget, ImagePath, WindowName
from core.rules.type_makers import beside, either, integer, listing, maybe_secret, number
from core.tools.ports import ActionContext


class InputTools(DesktopToolset):
    """Pointer and keyboard.

    A person who moves the pointer pauses the run until the pointer rests; the pointer in a corner of the screen stops
    it (the fail-safe).
    """

    intent: ClassVar[str] = "input_control"
    capability: ClassVar[str] = "input"

    @abstractmethod
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

    @abstractmethod
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

    @abstractmethod
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

    @abstractmethod
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

    @abstractmethod
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

    @abstractmethod
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

    @abstractmethod
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

    @abstractmethod
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


class ElementTools(DesktopToolset):
    """Accessible elements, without pointer and keyboard."""

    intent: ClassVar[str] = "input_control"
    capability: ClassVar[str] = "accessibility"

    @abstractmethod
    async def invoke(
        self, context: ActionContext, target: Annotated[Target, ELEMENT_TARGET], window: WindowName | None = None
    ) -> ToolOutcome:
        """Do what an element is for: press a button, open a menu, tick a box.

        Args:
            target: The element.
            window: Where to look for it.

        Returns:
            Output ``action`` (its name to the application), ``found`` and, where it has any, its states before and after.

        Raises:
            TargetError: If it isn't there, more than one is, it is disabled, or has no action.
        """

    @abstractmethod
    async def set_value(
        self,
        context: ActionContext,
        target: Annotated[Target, ELEMENT_TARGET],
        value: Annotated[str | float | Secret, maybe_secret(either(number(-1e15, 1e15), TEXT))],
        window: WindowName | None = None,
    ) -> ToolOutcome:
        """Set the text or the number of an element.

        Args:
            target: The element.
            value: The text of a field, the number of a slider, the entry of a list; or a secret, for a field.
            window: Where to look for it.

        Returns:
            Output ``value`` as read back and ``before``; neither for secrets.

        Raises:
            TargetError: As for ``invoke``; also if it can't be written to, or the number is out of its range.
        """
