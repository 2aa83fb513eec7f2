"""Tools that go to pages and wait for them."""

from abc import abstractmethod
from typing import Literal

from actuators.browser.tools.toolset import BrowserToolset, WaitState, WaitUntil
from core.ports import ActionContext
from core.results import ToolOutcome


class NavigationTools(BrowserToolset):
    """Going to pages and waiting for them."""

    @abstractmethod
    async def navigate(self, context: ActionContext, url: str, wait_until: WaitUntil = "load") -> ToolOutcome:
        """Open an address in the current page, and a browser first if none is open.

        Args:
            context: About this action.
            url: Absolute http or https address, or about:blank.
            wait_until: How far the page must have loaded.

        Returns:
            Output ``url``, ``title`` and ``status`` (the HTTP status, or null); evidence the same, read from the page.

        Raises:
            NavigationError: If the page can't be reached, or answers with a status of 400 or more (``http_status``).
            PolicyError: If the address, or the one that it redirects to, is outside the policy.
        """

    @abstractmethod
    async def back(self, context: ActionContext) -> ToolOutcome:
        """Go back one page in the history.

        Args:
            context: About this action.

        Returns:
            Output ``url`` and ``title`` of the page arrived at.

        Raises:
            NavigationError: If there is no earlier page.
        """

    @abstractmethod
    async def forward(self, context: ActionContext) -> ToolOutcome:
        """Go forward one page in the history.

        Args:
            context: About this action.

        Returns:
            Output ``url`` and ``title`` of the page arrived at.

        Raises:
            NavigationError: If there is no later page.
        """

    @abstractmethod
    async def reload(self, context: ActionContext) -> ToolOutcome:
        """Load the current page again.

        Args:
            context: About this action.

        Returns:
            Output ``url``, ``title`` and ``status``.

        Raises:
            NavigationError: If the page can't be reached any more.
        """

    @abstractmethod
    async def stop(self, context: ActionContext) -> ToolOutcome:
        """Stop loading the current page.

        Args:
            context: About this action.

        Returns:
            Output ``url`` and ``title`` of the page as it is now.
        """

    @abstractmethod
    async def search(self, context: ActionContext, query: str, platform: str = "google") -> ToolOutcome:
        """Open the results page of a search platform.

        Args:
            context: About this action.
            query: What to search for, sent exactly as given.
            platform: Name of the search platform.

        Returns:
            Output ``url``, ``title`` and ``status`` of the results page.

        Raises:
            NavigationError: If the platform can't be reached.
            PolicyError: If the platform's host is outside the policy.
        """

    @abstractmethod
    async def wait(
        self,
        context: ActionContext,
        selector: str | None = None,
        state: WaitState = "visible",
        url: str | None = None,
        text: str | None = None,
        load_state: Literal["domcontentloaded", "load", "networkidle"] | None = None,
        timeout: float | None = None,
    ) -> ToolOutcome:
        """Wait until an element has a state, the address matches, a text shows, or the page has loaded.

        Args:
            context: About this action.
            selector: Element to wait for.
            state: State that the element must reach.
            url: Address to wait for: exact, a glob with ``*``, or a part of it.
            text: Text that must be visible somewhere on the page or in a frame; case is ignored.
            load_state: How far the page must have loaded.
            timeout: Seconds to wait at most, 0 to 3600.

        Returns:
            Output ``waited_s`` and, for an address, ``url``; evidence what was seen.

        Raises:
            DeadlineError: If it didn't come to pass in time; says what was there instead.
        """
