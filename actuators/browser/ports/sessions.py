"""What is said between tools and back ends of dialogs, downloads and what the browser pretends to be."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.base.errors import InputError, RefusedError
from core.base.late_dataclasses import dataclass
from core.rules.browser_choices import ColorScheme, DialogAnswer, RouteAction

_LOOPBACK = re.compile(r"http://(?:127\.0\.0\.1|\[::1\]):([0-9]{1,5})/?")
_TARGET = re.compile(r"[0-9A-Fa-f]{1,64}")


@dataclass(frozen=True, slots=True)
class AttachedPage:
    """Where a page of another program is."""

    address: str
    target: str

    def __post_init__(self) -> None:
        found = _LOOPBACK.fullmatch(self.address)
        if found is None or not 0 < int(found[1]) < 65536:
            raise RefusedError(
                f"“{self.address}” is not the port of a browser on this machine.",
                code="attach_refused",
                hint="Write http://127.0.0.1:PORT; whoever reaches a browser's port has all that is in it.",
            )
        if not _TARGET.fullmatch(self.target):
            raise InputError(
                f"“{self.target}” does not name a page.",
                code="bad_target",
                hint="Name the page's target: Target.getTargetInfo of the DevTools protocol tells it.",
            )


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
    """What to do with requests whose address fits a glob: ``*`` is anything but slashes, ``**`` anything."""

    url: str
    action: RouteAction
    body: str
    status: int
    delay_s: float
