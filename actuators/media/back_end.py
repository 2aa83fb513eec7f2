"""The back end of the media tools, over whatever players and keys a machine has."""

from collections.abc import Mapping

from actuators.base import Availability
from actuators.media.player_tools import PlayerTools
from actuators.media.ports import MediaKeys, Players
from actuators.media.tools import MediaTools
from core.ports import Toolset


class MediaBackEnd:
    """Players first; media keys where none runs."""

    def __init__(self, players: Players, keys: MediaKeys | None = None) -> None:
        """Use these players and keys; start nothing."""
        self._players = players
        self._keys = keys
        self.toolsets: Mapping[type[Toolset], Toolset] = {MediaTools: PlayerTools(players, keys)}

    def assess(self, capability: str) -> Availability:
        """Say whether players, or else the keys, can be reached."""
        del capability
        found = self._players.assess()
        if found.available or self._keys is None:
            return found
        keys = self._keys.assess()
        return keys if keys.available else found

    async def close(self) -> None:
        """Let go of players and keys."""
        await self._players.close()
        if self._keys:
            await self._keys.close()
