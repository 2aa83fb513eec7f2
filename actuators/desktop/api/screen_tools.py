"""Tools that look at the screen."""

from abc import abstractmethod
from typing import ClassVar, Literal

from actuators.desktop.api.toolset import DesktopToolset, ScreenRegion
from core.results.tool_results import ToolOutcome
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
        text: str | None = None,
        role: str | None = None,
        name: str | None = None,
        image: str | None = None,
        region: ScreenRegion | None = None,
        window: str | None = None,
    ) -> ToolOutcome:
        """Find everything that matches.

        Args:
            context: About this action.
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
        role: str | None = None,
        name: str | None = None,
        region: ScreenRegion | None = None,
        window: str | None = None,
    ) -> ToolOutcome:
        """Read text: that of an element where one is named, else all that can be seen.

        Args:
            context: About this action.
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
        text: str | None = None,
        role: str | None = None,
        name: str | None = None,
        image: str | None = None,
        state: Literal["visible", "hidden"] = "visible",
        region: ScreenRegion | None = None,
        window: str | None = None,
        timeout: float = 30.0,
    ) -> ToolOutcome:
        """Wait until something can be seen, or no longer.

        Args:
            context: About this action.
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
        self, context: ActionContext, window: str | None = None, depth: int | None = None, max_tokens: int = 8000
    ) -> ToolOutcome:
        """Outline what is accessible: windows, their elements, roles, names, values and states.

        Args:
            context: About this action.
            window: Which window; the active one where absent.
            depth: Levels at most.
            max_tokens: About how long it may be; what is left out is said.

        Returns:
            Output ``text`` (the outline), ``elements`` (how many) and ``truncated``.
        """

    @abstractmethod
    async def screenshot(
        self,
        context: ActionContext,
        window: str | None = None,
        display: int | None = None,
        region: ScreenRegion | None = None,
        path: str | None = None,
    ) -> ToolOutcome:
        """Take a picture of the screen.

        Args:
            context: About this action.
            window: Only this window; it is brought to the front first if another covers it.
            display: Only this display, by index.
            region: Only this part.
            path: PNG file to write; among the artifacts where absent.

        Returns:
            Output ``path``, ``width``, ``height``, ``screenshot`` (the id that points may name) and ``sha256``.
        """
