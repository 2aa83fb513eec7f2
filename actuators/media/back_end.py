"""The back end of the media tools, over whatever players and keys a machine has."""

from collections.abc import Mapping

from actuators.base import Availability
from actuators.media.player_tools import PlayerTools
from actuators.media.ports import MediaKeys, Players
from actuators.media.tools import MediaTools
from actuators.seat.attending import Attendance
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext, Toolset


class MediaBackEnd:
    """Players first; media keys where none runs."""

    def __init__(self, players: Players, keys: MediaKeys | None = None, attendance: Attendance | None = None) -> None:
        """Use these players and keys, and hold what the attendance says while a key is pressed; start nothing."""
        self._players = players
        self._keys = keys
        self._tools = PlayerTools(players, keys, attendance)
        self.toolsets: Mapping[type[Toolset], Toolset] = {MediaTools: self._tools}

    def assess(self, capability: str) -> Availability:
        """Say whether players, or else the keys, can be reached."""
        del capability
        found = self._players.assess()
        if found.available or self._keys is None:
            return found
        keys = self._keys.assess()
        return keys if keys.available else found

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Let a player do what it did before, if it still does what it was told."""
        return await self._tools.take_back(context, record)

    async def close(self) -> None:
        """Let go of players and keys."""
        await self._players.close()
        if self._keys:
            await self._keys.close()
