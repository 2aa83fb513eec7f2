"""What is said between tools and back ends of dialogs, downloads and what the browser pretends to be."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

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
class Saved:
    """A file that was downloaded and read back; and what else happened on the lane's pages."""

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
        body: Of the answer, as its status, for ``fulfil``.
    """

    url: str
    action: RouteAction
    body: str
    status: int
    delay_s: float
