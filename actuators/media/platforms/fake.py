"""The fake back end of the media tools: players in memory, for dry runs, simulation and fault injection.

A typical use::

    world = FakeMedia([FakePlayer("Radio", tracks=(FakeTrack("One", 60.0), FakeTrack("Two", 90.0)))])
    back_end = make_fake_back_end(world)
"""

from collections.abc import Callable, Iterable
from typing import Literal

from actuators.base import Availability
from actuators.media.back_end import MediaBackEnd
from actuators.media.ports import X11_KEYS, Command, Player, PlayerOrder, PlayerStatus, refuse_key
from core.base.errors import DeviceError
from core.base.late_dataclasses import dataclass, field

PlayerFault = Literal["", "deaf", "hung", "vanishes"]


@dataclass(frozen=True, slots=True)
class FakeTrack:
    """A track; ``length_s`` is None where the player doesn't know it."""

    title: str
    length_s: float | None = 180.0
    artist: str = ""
    album: str = ""


@dataclass(slots=True, kw_only=True)
class FakePlayer:
    """A player in memory.

    Attributes:
        tracks: What it can play, in order.
        position_s: Where it is in the track; it stands still, since no time passes.
        refuses: Commands that it doesn't allow, beside those that its place in the tracks rules out.
        fault: ``deaf`` takes orders and doesn't follow, ``hung`` doesn't answer, ``vanishes`` ends at the first order.
    """

    name: str
    tracks: tuple[FakeTrack, ...] = (FakeTrack("Silence"),)
    status: PlayerStatus = "stopped"
    index: int = 0
    position_s: float = 0.0
    refuses: frozenset[str] = frozenset()
    fault: PlayerFault = ""
    played_at: float = 0.0
    orders: list[PlayerOrder] = field(default_factory=list[PlayerOrder])

    def look(self) -> Player:
        """Return it as the tools see it."""
        if self.fault == "hung":
            return Player(self.name, self.name, "unresponsive")
        track = self.tracks[self.index]
        allows = {"play", "pause", "play_pause", "stop", "seek"}
        allows |= {"next"} if self.index + 1 < len(self.tracks) else set()
        allows |= {"previous"} if self.index > 0 else set()
        return Player(
            id=self.name,
            name=self.name,
            status=self.status,
            title=track.title,
            artist=track.artist,
            album=track.album,
            track=f"/track/{self.index}",
            position_s=self.position_s,
            length_s=track.length_s,
            allows=frozenset(allows - self.refuses),
            played_at=self.played_at,
        )

    def follow(self, order: PlayerOrder) -> None:
        """Do as it is told."""
        self.orders.append(order)
        if self.fault == "deaf":
            return
        if order.command == "seek":
            self.position_s = order.position_s
        elif order.command in {"next", "previous"}:
            self.index += 1 if order.command == "next" else -1
            self.position_s = 0.0
        else:
            self._change(order.command)

    def _change(self, command: Command) -> None:
        if command == "play_pause":
            command = "pause" if self.status == "playing" else "play"
        if command == "pause" and self.status == "playing":
            self.status = "paused"
        elif command == "play":
            self.status = "playing"
        elif command == "stop":
            self.status, self.position_s = "stopped", 0.0


class FakeMedia:
    """All players of a machine that isn't there, and its media keys; nothing answers when it is down."""

    def __init__(self, players: Iterable[FakePlayer] = (), *, has_keys: bool = False) -> None:
        self.players = list(players)
        self.has_keys = has_keys
        self.pressed: list[str] = []
        self.down = False


class FakePlayers:
    """The players of a fake machine."""

    def __init__(self, world: FakeMedia) -> None:
        self._world = world
        self._clock = max((each.played_at for each in world.players), default=0.0)

    def assess(self) -> Availability:
        """Say that these are simulated."""
        if self._world.down:
            return Availability("media", available=False, reason="The simulated bus is down.", remedy="Start it.")
        return Availability("media", available=True, reason="Simulated players.")

    async def players(self) -> tuple[Player, ...]:
        """Return the players."""
        if self._world.down:
            raise DeviceError("The simulated bus is down.", code="server_missing", hint="Start it.")
        for each in self._world.players:
            self._remember(each)
        return tuple(sorted((each.look() for each in self._world.players), key=lambda each: each.name.casefold()))

    async def act(
        self, player: Player, order: PlayerOrder, settled: Callable[[Player], bool], timeout_s: float
    ) -> Player:
        """Give an order; no time passes."""
        del settled, timeout_s
        meant = next((each for each in self._world.players if each.name == player.id), None)
        if meant is not None and meant.fault == "vanishes":
            self._world.players.remove(meant)
            meant = None
        if meant is None:
            raise DeviceError(f"{player.name} is gone.", code="player_missing", hint="Start it again.")
        meant.follow(order)
        self._remember(meant)
        return meant.look()

    async def close(self) -> None:
        """Do nothing."""

    def _remember(self, player: FakePlayer) -> None:
        if player.status == "playing":
            self._clock += 1
            player.played_at = self._clock


class FakeMediaKeys:
    """Media keys that nobody hears."""

    def __init__(self, world: FakeMedia) -> None:
        self._world = world

    def assess(self) -> Availability:
        """Say whether the machine has them."""
        return Availability("media", available=self._world.has_keys, reason="Simulated media keys.")

    async def press(self, command: Command) -> str:
        """Note the key."""
        if command not in X11_KEYS:
            raise refuse_key(command)
        self._world.pressed.append(X11_KEYS[command])
        return X11_KEYS[command]

    async def close(self) -> None:
        """Do nothing."""


def make_fake_back_end(world: FakeMedia) -> MediaBackEnd:
    """Return the back end of a fake machine."""
    return MediaBackEnd(FakePlayers(world), FakeMediaKeys(world))
