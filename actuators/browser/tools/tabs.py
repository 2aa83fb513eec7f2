"""Tools for tabs, and how large a tab shows its page."""

from abc import abstractmethod
from typing import Literal

from actuators.browser.tools.toolset import BrowserToolset
from core.ports import ActionContext
from core.results import ToolOutcome

WhichTabs = Literal["all", "others", "left", "right"]
ZoomDirection = Literal["in", "out", "reset"]


class TabTools(BrowserToolset):
    """Tabs, and how large they show their pages."""

    @abstractmethod
    async def open_tab(self, context: ActionContext, url: str | None = None) -> ToolOutcome:
        """Open a new tab and make it the current one.

        Args:
            context: About this action.
            url: Address to open in it.

        Returns:
            Output ``index``, ``url`` and ``title``.

        Raises:
            NavigationError: If the address can't be reached.
        """

    @abstractmethod
    async def switch_tab(
        self, context: ActionContext, tab: str | int | None = None, contains: str | None = None
    ) -> ToolOutcome:
        """Make another tab the current one.

        Args:
            context: About this action.
            tab: Zero-based index; ``first``, ``last``, ``next``, ``previous``, ``new`` (the latest opened); or a part
                of the title or address that only one tab has.
            contains: Instead of ``tab``, a text that only one tab shows on its page; case and white space are ignored.

        Returns:
            Output ``index``, ``url`` and ``title``.

        Raises:
            TargetError: If no tab or more than one matches; lists the tabs.
        """

    @abstractmethod
    async def close_tab(
        self, context: ActionContext, tab: str | int | None = None, which: WhichTabs | None = None
    ) -> ToolOutcome:
        """Close a tab, or several. What another branch of the run is on stays open.

        Args:
            context: About this action.
            tab: As for ``switch_tab``; the current one where absent.
            which: Instead of ``tab``: ``all``, the ``others`` than the current one, or those to its ``left`` or
                ``right``, in the order of ``list_tabs``. That there are none is no error.

        Returns:
            Output ``closed`` (addresses of the closed tabs, a line each), ``count`` and ``remaining``.

        Raises:
            TargetError: If no tab or more than one matches ``tab``; lists the tabs.
        """

    @abstractmethod
    async def list_tabs(self, context: ActionContext) -> ToolOutcome:
        """List the open tabs.

        Args:
            context: About this action.

        Returns:
            Output ``tabs``: index, url, title and which is current; ``count``; ``text``: a line each.
        """

    @abstractmethod
    async def zoom(
        self, context: ActionContext, direction: ZoomDirection | None = None, level: float | None = None
    ) -> ToolOutcome:
        """Show the pages of the current tab larger or smaller, this one and those that it goes to.

        Args:
            context: About this action.
            direction: ``in`` or ``out`` to the next of the usual steps, or ``reset`` to 100 percent.
            level: Percent, 25 to 500, instead of a direction; 100 is the size that the page was made for.

        Returns:
            Output ``level_percent``; evidence ``before_percent`` and ``after_percent``, as the page shows it.

        Raises:
            ActionError: ``zoom_limit`` if it can't go further in this direction.
        """
