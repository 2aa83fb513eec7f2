"""Tools for windows and displays."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from actuators.desktop.api.toolset import DesktopToolset
from core.results.tool_results import ToolOutcome
from core.rules.param_types import BOUNDS, WindowName
from core.tools.ports import ActionContext


class WindowTools(DesktopToolset):
    """Windows and displays.

    A window is described by ``id``, ``title``, ``app``, ``pid``, ``x``, ``y``, ``width``, ``height`` (with its frame),
    ``active``, ``minimized``, ``maximized`` and ``display``.
    """

    intent: ClassVar[str] = "window_management"
    capability: ClassVar[str] = "windows"

    @abstractmethod
    async def list_windows(self, context: ActionContext, filter: str | None = None) -> ToolOutcome:
        """List the windows of applications, the front one first.

        Args:
            filter: Part of the title or application.

        Returns:
            Output ``windows``, ``count`` and ``text``.
        """

    @abstractmethod
    async def active_window(self, context: ActionContext) -> ToolOutcome:
        """Tell which window has the focus.

        Returns:
            The window's description, and ``text``, its title.

        Raises:
            DeviceError: ``window_missing`` if none has.
        """

    @abstractmethod
    async def displays(self, context: ActionContext) -> ToolOutcome:
        """List the displays.

        Returns:
            Output ``displays`` (index, name, x, y, width, height, scale, primary), ``count`` and ``text``.
        """

    @abstractmethod
    async def focus_window(self, context: ActionContext, window: WindowName) -> ToolOutcome:
        """Give a window the focus, and wait until it has it.

        Args:
            window: Which window; a minimized one is restored first.

        Returns:
            The window's description as read back.

        Raises:
            DeviceError: If there is no such window (lists those that are there) or more than one; ``not_settled`` if the
                window manager doesn't follow.
        """

    @abstractmethod
    async def move_window(
        self, context: ActionContext, window: WindowName, bounds: Annotated[Mapping[str, Any], BOUNDS]
    ) -> ToolOutcome:
        """Move a window, keeping its size unless the bounds say otherwise.

        Args:
            window: Which window.
            bounds: ``x`` and ``y`` of its upper left corner with its frame; ``width`` and ``height`` likewise.

        Returns:
            The window's description as read back, and ``before``.
        """

    @abstractmethod
    async def resize_window(
        self, context: ActionContext, window: WindowName, bounds: Annotated[Mapping[str, Any], BOUNDS]
    ) -> ToolOutcome:
        """Resize a window, keeping its place unless the bounds say otherwise.

        Args:
            window: Which window.
            bounds: As for ``move_window``.

        Returns:
            As for ``move_window``; an application may round its size to its own steps.
        """

    @abstractmethod
    async def minimize(self, context: ActionContext, window: WindowName) -> ToolOutcome:
        """Minimize a window.

        Args:
            window: Which window.

        Returns:
            As for ``move_window``.
        """

    @abstractmethod
    async def maximize(self, context: ActionContext, window: WindowName) -> ToolOutcome:
        """Maximize a window.

        Args:
            window: Which window.

        Returns:
            As for ``move_window``.
        """

    @abstractmethod
    async def restore(self, context: ActionContext, window: WindowName) -> ToolOutcome:
        """Bring a minimized or maximized window back to its size.

        Args:
            window: Which window.

        Returns:
            As for ``move_window``.
        """

    @abstractmethod
    async def close_window(self, context: ActionContext, window: WindowName) -> ToolOutcome:
        """Ask a window to close, and wait until it has.

        Args:
            window: Which window.

        Returns:
            Output ``closed`` (its description).

        Raises:
            DeviceError: ``not_settled`` if it stays open; names the dialog that it may be asking with.
        """
