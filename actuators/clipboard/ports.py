"""Clipboard: what a back end does. It belongs to no family, since several use it."""

from typing import Protocol

from actuators.base import Availability
from core.base.errors import ActionError


def check_encodable(text: str) -> None:
    """Refuse halves of characters, which no clipboard can hold, by ``unsupported_text``."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ActionError(
            f"U+{ord(text[error.start]):04X} is half a character and can't be put on the clipboard.",
            code="unsupported_text",
            evidence={"position": error.start},
        ) from error


class Clipboard(Protocol):
    """The text clipboard. A text that was set stays there after this process has ended, where the system allows it."""

    def assess(self) -> Availability:
        """Say whether it can be used (capability ``clipboard``)."""
        ...

    async def read(self) -> str | None:
        """Return its text; None if it holds none. ``server_missing``, or ``not_settled`` if its owner is silent."""
        ...

    async def write(self, text: str) -> None:
        """Replace its content, and return once others would read it; ``unsupported_text`` for halves of characters."""
        ...

    async def close(self) -> None:
        """Let go of the system; calling it again does nothing."""
        ...


class PictureClipboard(Protocol):
    """The same clipboard for pictures."""

    def assess(self) -> Availability:
        """Say whether it can be used (capability ``clipboard``)."""
        ...

    async def read_picture(self) -> bytes | None:
        """Return its picture as a PNG; None if it holds none. ``server_missing`` or ``not_settled`` as for a text."""
        ...

    async def write_picture(self, png: bytes) -> None:
        """Replace its content by a picture, and return once others would read it, or ``not_settled``."""
        ...
