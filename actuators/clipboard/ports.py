"""Clipboard: what a back end does. It belongs to no family, since several use it."""

from typing import Protocol

from actuators.base import Availability


class Clipboard(Protocol):
    """The text clipboard. A text that was set stays there after this process has ended, where the system allows it."""

    def assess(self) -> Availability:
        """Say whether it can be used (capability ``clipboard``)."""
        ...

    async def read(self) -> str | None:
        """Return its text; None if it holds no text.

        Raises:
            DeviceError: ``server_missing`` or ``not_settled`` if its owner doesn't answer in time.
        """
        ...

    async def write(self, text: str) -> None:
        """Replace its content, and return once others would read it."""
        ...

    async def close(self) -> None:
        """Let go of the system; calling it again does nothing."""
        ...
