"""DesktopParts: the ports that the tools of the desktop are written over, put together."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from actuators.base import Environment
from actuators.clipboard.ports import Clipboard
from actuators.desktop.ports.desktop import (
    Accessibility,
    Element,
    Hands,
    Screen,
    Target,
    TextReader,
    Window,
    WindowSystem,
)
from actuators.desktop.ports.element_refs import ElementRefs
from actuators.desktop.ports.screenshot_store import ScreenshotStore
from actuators.desktop.ports.secret_fields import SecretFields


@dataclass(frozen=True, slots=True, kw_only=True)
class DesktopParts:
    """All ports of one desktop. Every tool takes this and nothing else of the machine.

    Attributes:
        environment: What may be known of the process.
        screen: Pixels.
        screenshots: The pictures that points may name.
    """

    environment: Environment
    windows: WindowSystem
    hands: Hands
    screen: Screen
    accessibility: Accessibility
    vision: TextReader
    clipboard: Clipboard
    screenshots: ScreenshotStore
    secrets: SecretFields = field(default_factory=SecretFields)
    refs: ElementRefs = field(default_factory=ElementRefs)


@dataclass(frozen=True, slots=True)
class TargetSpot:
    """What a target turned out to be.

    Attributes:
        x: Pixel on the screen to act on.
        found: What was there, JSON-compatible: role and name, text, image or point.
        window: The window that it is in; None where that isn't known.
    """

    x: int
    y: int
    found: Mapping[str, Any] = field(default_factory=dict[str, Any])
    window: Window | None = None
    element: Element | None = None


class Locator(Protocol):
    """Finds what a target names."""

    async def locate(
        self, target: Target | None, image: str | None, window: str | None, *, timeout_s: float
    ) -> TargetSpot:
        """Return where something is, in a window that is visible.

        Args:
            image: Absolute path of a picture of it instead.
            timeout_s: How long looking may take.

        Raises:
            TargetError: If it isn't there (lists the nearest), more than one is, or it can't be reached by a pointer.
            DeviceError: If there is no such window.
        """
        ...
