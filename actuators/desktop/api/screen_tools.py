"""Tools that look at the screen."""

from abc import abstractmethod
from typing import Annotated, ClassVar, Literal

from actuators.desktop.api.toolset import DesktopToolset
from core.results.tool_results import ToolOutcome
from core.rules.param_types import (
    BOOLEAN,
    ELEMENT_TARGET,
    WORD,
    ElementWords,
    ImagePath,
    LongText,
    NewFilePath,
    ScreenPart,
    TimeLimit,
    WindowName,
)
from core.rules.type_makers import beside, integer, needing
from core.tools.ports import ActionContext


class ScreenTools(DesktopToolset):
    """Looking: text by OCR, elements by the accessibility tree, pictures by comparison.

    What is looked for is a ``text``, an element by ``role`` and ``name`` (either or both), or an ``image``.
    """

    intent: ClassVar[str] = "screen_perception"
    capability: ClassVar[str] = "screen"

    @abstractmethod
    async def find(
        self,
        context: ActionContext,
        text: Annotated[str, needing(WORD, ("screen", "vision"))] | None = None,
        role: ElementWords | None = None,
        name: ElementWords | None = None,
        image: ImagePath | None = None,
        region: ScreenPart | None = None,
        window: WindowName | None = None,
    ) -> ToolOutcome:
        """Find everything that matches.

        Args:
            text: Text on the screen.
            role: Kind of element, such as ``button``.
            name: Name of the element.
            image: Path of a picture; one without contrast is refused.
            region: Where to look.
            window: Where to look.

        Returns:
            Output ``matches`` (text or role and name, x, y, width, height, confidence), ``count`` and, for text and
            image, ``screenshot``: the id that points may name. None found is not an error.
        """

    @abstractmethod
    async def read(
        self,
        context: ActionContext,
        role: ElementWords | None = None,
        name: ElementWords | None = None,
        region: ScreenPart | None = None,
        window: WindowName | None = None,
    ) -> ToolOutcome:
        """Read text: that of an element where one is named, else all that can be seen.

        Args:
            role: Kind of element.
            name: Name of the element.
            region: Where to look.
            window: Where to look; the whole screen where absent.

        Returns:
            Output ``text`` and, of an element, ``value``; by OCR ``lines`` with bounds and confidence.

        Raises:
            TargetError: If the element isn't there or more than one is.
        """

    @abstractmethod
    async def wait(
        self,
        context: ActionContext,
        text: Annotated[str, needing(WORD, ("screen", "vision"))] | None = None,
        role: ElementWords | None = None,
        name: ElementWords | None = None,
        image: ImagePath | None = None,
        state: Literal["visible", "hidden"] = "visible",
        region: ScreenPart | None = None,
        window: WindowName | None = None,
        timeout: TimeLimit = 30.0,
    ) -> ToolOutcome:
        """Wait until something can be seen, or no longer.

        Args:
            text: Text on the screen.
            role: Kind of element.
            name: Name of the element.
            image: Path of a picture.
            state: Which of the two.
            region: Where to look.
            window: Where to look; ``window`` alone waits for the window itself.
            timeout: Seconds to wait at most.

        Returns:
            Output ``waited_s`` and the match.

        Raises:
            DeadlineError: If it doesn't come about; says what was seen last.
        """

    @abstractmethod
    async def snapshot(
        self,
        context: ActionContext,
        window: WindowName | None = None,
        scope: Annotated[str, beside(ELEMENT_TARGET)] | None = None,
        depth: Annotated[int, integer(1, 100)] | None = None,
        max_tokens: Annotated[int, integer(50, 200000)] = 2000,
        find: LongText | None = None,
        since: bool = False,
        picture: Annotated[bool, needing(BOOLEAN, ("screen",))] | None = None,
    ) -> ToolOutcome:
        """Outline a window: what a person sees in it and can act on, each thing by a selector of its own.

        Args:
            window: Which window; the active one where absent.
            scope: Only what is in this element, with what is hidden in it, such as the entries of a closed menu.
            depth: Levels at most.
            max_tokens: Most tokens of the outline; what has no room is folded, and each fold says how to open it.
            find: Words: the lines nearest to them are shown.
            since: Whether only what is new, gone or changed since the last look at this window is shown.
            picture: Whether a picture of the window is taken with the numbers of the lines on it; the window is brought to
                the front first if another covers it.

        Returns:
            Output ``text`` (the outline), ``truncated`` (whether anything is folded), ``tokens``, ``lines`` (each with its
            ``selector``, ``ref``, ``text`` and ``number``) and ``picture`` (its path).
        """

    @abstractmethod
    async def screenshot(
        self,
        context: ActionContext,
        window: WindowName | None = None,
        display: Annotated[int, integer(0, 63)] | None = None,
        region: ScreenPart | None = None,
        path: NewFilePath | None = None,
    ) -> ToolOutcome:
        """Take a picture of the screen.

        Args:
            window: Only this window; it is brought to the front first if another covers it.
            display: Only this display, by index.
            region: Only this part.
            path: PNG file to write; among the artifacts where absent.

        Returns:
            Output ``path``, ``width``, ``height``, ``screenshot`` (the id that points may name) and ``sha256``.
        """
