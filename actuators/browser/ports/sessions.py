"""What is said between tools and back ends of dialogs, downloads, stored sessions and what the browser pretends to be."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from actuators.browser.ports.pages import Done
from core.rules.browser_choices import ColorScheme, DialogAnswer, RouteAction


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
