"""Players on a system where none can be asked."""

from collections.abc import Callable

from actuators.base import Availability
from actuators.media.ports import Player, PlayerOrder
from core.base.errors import UnsupportedError


class AbsentPlayers:
    """No player, and the reason why."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def assess(self) -> Availability:
        """Say that there is none."""
        return Availability("media", available=False, reason=self._reason)

    async def players(self) -> tuple[Player, ...]:
        """Return none."""
        return ()

    async def act(
        self, player: Player, order: PlayerOrder, settled: Callable[[Player], bool], timeout_s: float
    ) -> Player:
        """Refuse by an UnsupportedError."""
        del player, order, settled, timeout_s
        raise UnsupportedError(self._reason)

    async def close(self) -> None:
        """Do nothing."""
