"""Parts that a system doesn't have, each with the reason."""

from collections.abc import Callable, Sequence

from actuators.base import Availability
from actuators.system.ports.programs import AppWindow
from core.base.errors import UnsupportedError


class AbsentWindows:
    """No windows can be seen."""

    def __init__(self, reason: str) -> None:
        """Keep the reason."""
        self._reason = reason

    async def list(self) -> tuple[AppWindow, ...]:
        """Return none."""
        return ()

    async def wait_for(
        self, accepts: Callable[[Sequence[AppWindow]], AppWindow | None], timeout_s: float
    ) -> AppWindow | None:
        """Refuse.

        Raises:
            UnsupportedError: Always.
        """
        del accepts, timeout_s
        raise UnsupportedError(self._reason, hint="Wait for “started” instead.")

    async def close_windows(self, windows: Sequence[AppWindow]) -> None:
        """Close none."""

    async def close(self) -> None:
        """Do nothing."""


class AbsentBrightness:
    """The brightness can't be set."""

    def __init__(self, reason: str) -> None:
        """Keep the reason."""
        self._reason = reason

    def assess(self) -> Availability:
        """Say why."""
        remedy = "Set it by hand."
        return Availability("brightness", available=False, reason=self._reason, remedy=remedy)

    async def read(self) -> float:
        """Refuse.

        Raises:
            UnsupportedError: Always.
        """
        raise UnsupportedError(self._reason, hint="Look at the screen's own settings.")

    async def write(self, level_percent: float) -> None:
        """Refuse.

        Raises:
            UnsupportedError: Always.
        """
        del level_percent
        raise UnsupportedError(self._reason, hint="Set it by hand.")
