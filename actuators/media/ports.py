"""Players and MediaKeys: what a back end of the media family does. The tools are written once, over these."""

from collections.abc import Callable, Mapping
from typing import Literal, Protocol

from actuators.base import Availability
from core.base.errors import UnsupportedError
from core.base.late_dataclasses import dataclass

PlayerStatus = Literal["playing", "paused", "stopped", "unresponsive"]
Command = Literal["play", "pause", "play_pause", "stop", "next", "previous", "seek"]

X11_KEYS: Mapping[Command, str] = {
    "play": "XF86AudioPlay",
    "pause": "XF86AudioPause",
    "play_pause": "XF86AudioPlay",
    "stop": "XF86AudioStop",
    "next": "XF86AudioNext",
    "previous": "XF86AudioPrev",
}


@dataclass(frozen=True, slots=True)
class Player:
    """A media player as it is now.

    Attributes:
        id: Its name to the system; stable while it is there.
        status: What it does; ``unresponsive`` where it doesn't answer.
        title: Of the track; empty where there is none.
        artist: Of the track; several are joined by commas.
        track: Id of the track to the player; empty where it has none.
        position_s: Where it is in the track; None where it doesn't say.
        length_s: Of the track; None where it doesn't say.
        played_at: When it was last seen playing, in seconds of a monotonic clock; 0 where that isn't known.
    """

    id: str
    name: str
    status: PlayerStatus
    title: str = ""
    artist: str = ""
    album: str = ""
    track: str = ""
    position_s: float | None = None
    length_s: float | None = None
    allows: frozenset[str] = frozenset()
    played_at: float = 0.0


@dataclass(frozen=True, slots=True)
class PlayerOrder:
    """What a player shall do, and where ``seek`` goes."""

    command: Command
    position_s: float = 0.0


class Players(Protocol):
    """The media players that run."""

    def assess(self) -> Availability:
        """Say whether players can be reached (capability ``media``); starts nothing."""
        ...

    async def players(self) -> tuple[Player, ...]:
        """Return the players that run, sorted by name; who is silent is ``unresponsive``. Else ``server_missing``."""
        ...

    async def act(
        self, player: Player, order: PlayerOrder, settled: Callable[[Player], bool], timeout_s: float
    ) -> Player:
        """Give an order, and return the player as it is once it has settled, or when the time is up.

        Raises:
            DeviceError: ``player_missing`` if it is gone, ``not_settled`` if it doesn't answer, ``device_failed`` if it
                answers with an error.
        """
        ...

    async def close(self) -> None:
        """Let go of the system; calling it again does nothing."""
        ...


class MediaKeys(Protocol):
    """The media keys of a keyboard; whoever listens to them acts, and nothing can be read back."""

    def assess(self) -> Availability:
        """Say whether they can be pressed (capability ``media``)."""
        ...

    async def press(self, command: Command) -> str:
        """Press the key for a command and return its name; ``server_missing`` if no display answers."""
        ...

    async def close(self) -> None:
        """Let go of the system; calling it again does nothing."""
        ...


def refuse_key(command: Command) -> UnsupportedError:
    """Return the error for a command that no media key means."""
    return UnsupportedError(
        f"No media player is running, and no media key means {command}.",
        hint="Start a player that can be controlled.",
    )
