"""The back end of the media tools, over whatever players and keys a machine has."""

from collections.abc import Callable, Mapping

from actuators.base import Availability
from actuators.media.choosing import choose_player
from actuators.media.player_tools import MediaTools
from actuators.media.ports import MediaKeys, Player, PlayerOrder, Players
from actuators.seat.attending import Attendance
from actuators.undoing import UndoAct, check_guard, take_back_by
from core.base.errors import UnsupportedError
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext, Toolset


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


class MediaBackEnd:
    """Players first; media keys where none runs."""

    def __init__(self, players: Players, keys: MediaKeys | None = None, attendance: Attendance | None = None) -> None:
        """Use these players and keys, and hold what the attendance says while a key is pressed; start nothing."""
        self._players = players
        self._keys = keys
        self._tools = MediaTools(players, keys, attendance)
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
        """Let a player do what it did before; ``changed_since`` if it no longer does what it was told."""
        tools = self._tools
        ways: Mapping[str, UndoAct] = {
            "play": lambda context, record: tools.play(context, record.params["player"]),
            "pause": lambda context, record: tools.pause(context, record.params["player"]),
            "stop": lambda context, record: tools.stop(context, record.params["player"]),
            "seek": lambda context, record: tools.seek(context, **record.params),
        }
        name = record.params.get("player")
        if record.operation in ways and name:
            now = choose_player(await self._players.players(), name)
            check_guard(now.name, record.guard, {"status": now.status, "title": now.title})
        return await take_back_by(ways, tools.domain, context, record)

    async def close(self) -> None:
        """Let go of players and keys."""
        await self._players.close()
        if self._keys:
            await self._keys.close()
