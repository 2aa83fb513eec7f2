"""What is told of a person who shows how something is done on the desktop, and what hears their hands."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

from core.base.errors import UnsupportedError
from core.base.late_dataclasses import dataclass, field

if TYPE_CHECKING:
    from actuators.base import Availability

RawKind = Literal["key", "press", "release"]
UNKNOWN_CHARACTER = "\ufffd"
"""Stands for a character that a key writes and nobody here can tell: only the field that takes it can."""

DesktopEventKind = Literal["click", "closed", "drag", "fault", "key", "typed"]


@dataclass(frozen=True, slots=True)
class RawInput:
    """A key or a button that somebody used, wherever it went; letting a key go is not told.

    Attributes:
        x: Where the pointer was, in pixels of the whole screen.
        at_s: When, in seconds that only go forward.
        button: ``left``, ``middle`` or ``right``; empty for another one.
        key: Name of the key, as core.selectors.keys has it; empty where it has no name.
    """

    kind: RawKind
    x: int = 0
    y: int = 0
    at_s: float = 0.0
    button: str = ""
    key: str = field(default="", repr=False)
    text: str = field(default="", repr=False)
    modifiers: frozenset[str] = frozenset()


HearInput = Callable[[RawInput], None]


class InputWatch(Protocol):
    """Hears keys and buttons of the whole desktop, and holds none of them up."""

    def assess(self) -> "Availability":
        """Say whether it can be used (capability ``input``)."""
        ...

    async def start(self, hear: HearInput) -> None:
        """Tell from now on what is pressed, in order, on the loop that runs.

        Raises:
            DeviceError: ``server_missing`` if there is no display.
            UnsupportedError: If the display lets nobody hear that.
        """
        ...

    async def close(self) -> None:
        """Hear nothing more; calling it again does nothing."""
        ...


@dataclass(frozen=True, slots=True)
class DesktopEvent:
    """Something that a person did to a program.

    Attributes:
        act: Name of the act that it is; a later event of the same name replaces the earlier one.
        selector: The element as a look printed it right before; empty where nothing names it.
        detail: All else, by kind.
        opened: Whether the window came up since the act before.
        gone: Windows of earlier acts that have gone since the act before, by their names.
    """

    kind: DesktopEventKind
    act: str = ""
    window: str = ""
    selector: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict[str, Any])
    opened: bool = False
    gone: tuple[str, ...] = ()
    shown: tuple[tuple[str, str], ...] = ()


TellDesktopEvent = Callable[[DesktopEvent], None]


def check_platform(platform: str) -> None:
    """Refuse by ``recording_not_supported`` a ``sys.platform`` on which nothing hears what a person does."""
    if platform != "linux":
        raise UnsupportedError(
            f"Programs can be recorded on Linux with X11 only, not on {platform}: nothing of ours hears keys and buttons "
            "there yet.",
            code="recording_not_supported",
            hint="Write the flow by hand; surehand look --window prints the selectors. Pages can be recorded everywhere.",
        )
