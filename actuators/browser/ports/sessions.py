"""SessionPort: dialogs, downloads, stored sessions and what the browser pretends to be."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from actuators.browser.ports.pages import Done, PagePort
from core.rules.browser_choices import ColorScheme, DialogAnswer, RouteAction
from core.tools.ports import ActionContext


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What was read back from a file: its size in bytes and its SHA-256 in hexadecimal."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class DialogRequest:
    """How to answer a dialog: by an action, with a text for a prompt, or by the selector of a button to press."""

    action: DialogAnswer | None
    text: str | None
    press: str | None


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button was pressed in a dialog that is a part of the page, or in its pop-up window."""

    done: Done


@dataclass(frozen=True, slots=True)
class Answered:
    """JavaScript's dialog was answered: its kind and message, and what is known of it and of what came of that."""

    kind: str
    message: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Armed:
    """No dialog is open; the lane's next one will be answered so."""

    action: DialogAnswer


@dataclass(frozen=True, slots=True)
class Saved:
    """A file that was downloaded and read back.

    Attributes:
        meanwhile: What else happened on the lane's pages.
    """

    path: Path
    suggested_name: str
    url: str
    facts: FileFacts
    meanwhile: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EmulationRequest:
    """What to pretend from now on; None leaves a thing as it is."""

    device: str | None = None
    viewport: dict[str, int] | None = None
    locale: str | None = None
    timezone: str | None = None
    geolocation: dict[str, float] | None = None
    color_scheme: ColorScheme | None = None
    offline: bool | None = None

    def list_changes(self) -> dict[str, Any]:
        """Return what is asked for, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, slots=True)
class RoutePlan:
    """What to do with matching requests.

    Attributes:
        url: Glob of the addresses: ``*`` stands for anything but slashes, ``**`` for anything.
        action: ``fulfil``, ``abort``, ``delay``, or ``remove`` what was planned for this address.
        body: Body of the answer, for ``fulfil``.
        status: Status of the answer, for ``fulfil``.
        delay_s: Seconds to wait, for ``delay``.
    """

    url: str
    action: RouteAction
    body: str
    status: int
    delay_s: float


class SessionPort(PagePort, Protocol):
    """Acts on a session as a whole."""

    async def answer_dialog(self, context: ActionContext, request: DialogRequest) -> Pressed | Answered | Armed:
        """Answer the open dialog, press a button in whatever dialog is open, or be ready for the next one.

        Raises:
            ActionError: If the dialog can't be answered so.
        """
        ...

    async def download_from_element(self, context: ActionContext, path: Path, selector: str) -> Saved:
        """Click an element and keep the file that this downloads.

        Raises:
            TargetError: If the element is missing or starts no download.
            ActionError: If the download failed or the file exists already.
        """
        ...

    async def download_address(self, context: ActionContext, path: Path, url: str) -> Saved:
        """Download an address that policy allows.

        Raises:
            ActionError: If the download failed or the file exists already.
        """
        ...

    async def read_storage(self, context: ActionContext) -> Any:
        """Return cookies and storage of the lane's browser, JSON-compatible."""
        ...

    async def replace_storage(self, context: ActionContext, state: dict[str, Any], source: Path) -> dict[str, int]:
        """Replace cookies and storage; return how many cookies and origins there are then.

        Raises:
            ActionError: If the browser doesn't take them; names the file that they came from.
        """
        ...

    async def emulate(self, context: ActionContext, request: EmulationRequest) -> Done:
        """Change what the pages see; output what they see now.

        Raises:
            ActionError: If the device, locale or timezone is unknown.
        """
        ...

    async def route(self, context: ActionContext, plan: RoutePlan) -> Sequence[str]:
        """Follow a plan for matching requests; return the globs of all plans, oldest first.

        Raises:
            ActionError: If there is none to remove.
        """
        ...
