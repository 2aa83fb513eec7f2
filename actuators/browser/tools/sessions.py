"""Tools for dialogs, downloads, stored sessions and emulation."""

from abc import abstractmethod
from typing import Literal

from actuators.browser.tools.toolset import BrowserToolset, RouteAction
from core.ports import ActionContext
from core.results import ToolOutcome


class SessionTools(BrowserToolset):
    """Dialogs, downloads, stored sessions and what the browser pretends to be."""

    @abstractmethod
    async def dialog(
        self,
        context: ActionContext,
        action: Literal["accept", "dismiss"] | None = None,
        text: str | None = None,
        press: str | None = None,
    ) -> ToolOutcome:
        """Answer JavaScript's open dialog, or its next one if none is open yet; or press a button in whatever dialog is open.

        Args:
            context: About this action.
            action: Whether to accept or to dismiss it.
            text: Answer to a prompt.
            press: Instead of an action, the button to press: in JavaScript's dialog where one is open, else in the dialog
                that the page shows of its own, or in its pop-up window.

        Returns:
            Output ``kind`` and ``message`` of the dialog that was answered, or ``armed`` for the next one; of a dialog of
            the page, the same as of a click.

        Raises:
            ActionError: ``dialog_of_page`` if the dialog to be accepted or dismissed is a part of the page,
                ``no_such_button`` if the open dialog has no such button, ``no_dialog`` if there is none,
                ``dialog_ambiguous`` if there are two.
        """

    @abstractmethod
    async def download(
        self, context: ActionContext, path: str, selector: str | None = None, url: str | None = None
    ) -> ToolOutcome:
        """Download a file: into quarantine first, then, when complete, to the path.

        Args:
            context: About this action.
            path: Absolute path of the new file; an existing folder takes the server's name if that is safe.
            selector: Element whose click starts the download.
            url: Address to download, instead of a selector.

        Returns:
            Output ``path``, ``suggested_name``; evidence size and sha256, read back from the file.

        Raises:
            TargetError: If the element is missing or starts no download.
            ActionError: If the download failed or the file exists already.
        """

    @abstractmethod
    async def save_session(self, context: ActionContext, path: str) -> ToolOutcome:
        """Save cookies and storage to a file that only its owner may read.

        Args:
            context: About this action.
            path: Absolute path of the new file.

        Returns:
            Output ``path``; evidence how many cookies and origins it holds, never their values.

        Raises:
            ActionError: If the file exists already or can't be written.
        """

    @abstractmethod
    async def load_session(self, context: ActionContext, path: str) -> ToolOutcome:
        """Replace cookies and storage by those of a file that ``save_session`` wrote.

        Args:
            context: About this action.
            path: Absolute path of the file.

        Returns:
            Evidence how many cookies and origins were loaded.

        Raises:
            ActionError: If the file doesn't exist or isn't a saved session.
        """

    @abstractmethod
    async def emulate(
        self,
        context: ActionContext,
        device: str | None = None,
        viewport: dict[str, int] | None = None,
        locale: str | None = None,
        timezone: str | None = None,
        geolocation: dict[str, float] | None = None,
        color_scheme: Literal["light", "dark", "no-preference"] | None = None,
        offline: bool | None = None,
    ) -> ToolOutcome:
        """Pretend to be another device, place, or kind of connection.

        Args:
            context: About this action.
            device: A device name that Playwright knows, such as ``iPhone 15``.
            viewport: ``{width, height}`` in CSS pixels.
            locale: Such as ``de-DE``.
            timezone: Such as ``Europe/Berlin``.
            geolocation: ``{latitude, longitude}`` in degrees, and ``accuracy`` in metres.
            color_scheme: Preferred colours.
            offline: Whether the network shall be cut off.

        Returns:
            Evidence: what the page now sees of it.

        Raises:
            ActionError: If the device, locale or timezone is unknown; names the nearest.
        """

    @abstractmethod
    async def route(
        self,
        context: ActionContext,
        url: str,
        action: RouteAction = "fulfil",
        body: str = "",
        status: int = 200,
        delay_s: float = 1.0,
    ) -> ToolOutcome:
        """Answer, abort or delay matching requests; for tests against fixture sites.

        Args:
            context: About this action.
            url: Glob of the addresses, such as ``**/api/*``.
            action: ``fulfil`` with body and status, ``abort``, ``delay``, or ``remove`` an earlier route.
            body: Body of the answer.
            status: Status of the answer, 100 to 599.
            delay_s: Seconds for ``delay``, 0 to 60.

        Returns:
            Output ``routes``: how many routes are set now.
        """
