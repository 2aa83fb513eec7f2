"""DesktopParts: the ports that the tools of the desktop are written over, put together."""

from collections import OrderedDict
from collections.abc import Hashable, Mapping
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
from actuators.desktop.ports.screenshot_store import ScreenshotStore
from actuators.desktop.ports.secret_fields import SecretFields
from core.base.late_dataclasses import dataclass, field

_KEPT = 200_000


class ElementRefs:
    """The elements that have been outlined, by number; the ones that were longest not seen are forgotten."""

    def __init__(self) -> None:
        self._refs: OrderedDict[Hashable, str] = OrderedDict()
        self._count = 0

    def refer(self, element: Element) -> str:
        """Return the number of an element, such as ``e12``; the same at every look."""
        identity = identify(element)
        if identity not in self._refs:
            self._count += 1
            self._refs[identity] = f"e{self._count}"
            if len(self._refs) > _KEPT:
                self._refs.popitem(last=False)
        self._refs.move_to_end(identity)
        return self._refs[identity]

    def is_called(self, element: Element, ref: str) -> bool:
        """Tell whether a number is that of an element."""
        return self._refs.get(identify(element)) == ref


def identify(element: Element) -> Hashable:
    """Return what is the same of an element at every look."""
    return element.details.get("identity", element.ref)


@dataclass(frozen=True, slots=True, kw_only=True)
class DesktopParts:
    """All ports of one desktop, and the pictures that points may name. Tools take nothing else of the machine."""

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
    """What a target turned out to be: the pixel to act on, what is there as data, and the window if it is known."""

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

        Raises:
            TargetError: If it isn't there (lists the nearest), more than one is, or it can't be reached by a pointer.
            DeviceError: If there is no such window.
        """
        ...
