"""Players by MPRIS: what media players on a Linux desktop offer over the session bus."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from dbus_fast import Message

from actuators.base import Availability
from actuators.deadlines import finish_within
from actuators.media.ports import Command, Player, PlayerOrder, PlayerStatus
from actuators.platforms.session_bus import Bus, BusObject, BusRefusalError, ask_names
from core.base.errors import DeviceError

_PREFIX = "org.mpris.MediaPlayer2."
_PATH = "/org/mpris/MediaPlayer2"
_ROOT = "org.mpris.MediaPlayer2"
_PLAYER = "org.mpris.MediaPlayer2.Player"
_PROXIES = frozenset([f"{_PREFIX}playerctld"])
"""Programs that only pass on what other players say; they would count those twice."""

_ANSWER_S = 1.0
_STEP_S = 0.1
_MICROSECONDS = 1_000_000
_NO_TRACKS = frozenset(["", "/", "/org/mpris/MediaPlayer2/TrackList/NoTrack"])
_STATUSES: Mapping[str, PlayerStatus] = {"Playing": "playing", "Paused": "paused", "Stopped": "stopped"}
_METHODS: Mapping[Command, str] = {
    "play": "Play",
    "pause": "Pause",
    "play_pause": "PlayPause",
    "stop": "Stop",
    "next": "Next",
    "previous": "Previous",
}
_PERMISSIONS: Mapping[Command, str] = {
    "play": "CanPlay",
    "pause": "CanPause",
    "play_pause": "CanPause",
    "stop": "CanControl",
    "next": "CanGoNext",
    "previous": "CanGoPrevious",
    "seek": "CanSeek",
}
_GONE = ("ServiceUnknown", "NameHasNoOwner", "Disconnected")


class MprisPlayers:
    """The players on a session bus."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._played_at: dict[str, float] = {}

    def assess(self) -> Availability:
        """Say whether the session bus answers."""
        names = ask_names(self._bus.address)
        if names is None:
            reason = "no session bus answers" if self._bus.address else "there is no session bus"
            remedy = "Start Surehand within a desktop session, or set DBUS_SESSION_BUS_ADDRESS."
            return Availability("media", available=False, reason=reason, remedy=remedy)
        count = sum(1 for name in names if _is_player(name))
        return Availability("media", available=True, reason=f"MPRIS over the session bus; players now: {count}")

    async def players(self) -> tuple[Player, ...]:
        """Return the players on the bus; all are asked at once."""
        names = [name for name in await self._bus.list_names() if _is_player(name)]
        found = await asyncio.gather(*(self._look(name) for name in names))
        players = tell_apart([each for each in found if each])
        return tuple(sorted(players, key=lambda each: (each.name.casefold(), each.id)))

    async def act(
        self, player: Player, order: PlayerOrder, settled: Callable[[Player], bool], timeout_s: float
    ) -> Player:
        """Give an order, and read the player at each of its signals until it has settled."""
        changed = asyncio.Event()

        def notice(message: Message) -> None:
            if message.path == _PATH or message.member == "NameOwnerChanged":
                changed.set()

        end_s = time.monotonic() + timeout_s
        async with self._bus.listen(f"type='signal',path='{_PATH}',sender='{player.id}'", notice):
            await self._give(player, order, timeout_s)
            while True:
                changed.clear()
                after = await self._read(player, max(end_s - time.monotonic(), _STEP_S))
                left_s = end_s - time.monotonic()
                if settled(after) or left_s <= 0:
                    return after
                await _wait(changed, min(_STEP_S, left_s))  # the position changes without a signal

    async def close(self) -> None:
        """Let go of the bus."""
        await self._bus.close()

    async def _give(self, player: Player, order: PlayerOrder, timeout_s: float) -> None:
        target = BusObject(player.id, _PATH, _PLAYER)
        try:
            if order.command != "seek":
                await self._bus.call(target, _METHODS[order.command], timeout_s=timeout_s)
            elif player.track not in _NO_TRACKS:
                place = round(order.position_s * _MICROSECONDS)
                await self._bus.call(target, "SetPosition", "ox", player.track, place, timeout_s=timeout_s)
            else:
                offset = round((order.position_s - (player.position_s or 0.0)) * _MICROSECONDS)
                await self._bus.call(target, "Seek", "x", offset, timeout_s=timeout_s)
        except BusRefusalError as error:
            raise _explain(player, error) from error

    async def _read(self, player: Player, timeout_s: float) -> Player:
        try:
            return await self._describe(player.id, player.name, timeout_s)
        except BusRefusalError as error:
            raise _explain(player, error) from error

    async def _look(self, name: str) -> Player | None:
        """Return the player of a bus name; None if it is gone meanwhile."""
        try:
            title = await self._bus.get(BusObject(name, _PATH, _ROOT), "Identity", timeout_s=_ANSWER_S)
            return await self._describe(name, str(title) or name.removeprefix(_PREFIX), _ANSWER_S)
        except BusRefusalError as error:
            if _is_gone(error):
                return None
            return Player(name, name.removeprefix(_PREFIX), "unresponsive")
        except DeviceError as error:
            if error.code != "not_settled":
                raise
            return Player(name, name.removeprefix(_PREFIX), "unresponsive")

    async def _describe(self, name: str, title: str, timeout_s: float) -> Player:
        facts = await self._bus.get_all(BusObject(name, _PATH, _PLAYER), timeout_s=timeout_s)
        player = read_player(name, title, facts)
        if player.status == "playing":
            self._played_at[name] = time.monotonic()
        return replace(player, played_at=self._played_at.get(name, 0.0))


def tell_apart(players: Sequence[Player]) -> list[Player]:
    """Return players of which no two have one name: those that do are called by the end of their bus name as well."""
    counts = Counter(each.name.casefold() for each in players)
    return [
        replace(each, name=f"{each.name} ({each.id.removeprefix(_PREFIX)})")
        if counts[each.name.casefold()] > 1
        else each
        for each in players
    ]


def read_player(name: str, title: str, facts: Mapping[str, Any]) -> Player:
    """Return the player that properties describe; what is missing or of the wrong type counts as not told."""
    metadata: Mapping[str, Any] = facts["Metadata"] if isinstance(facts.get("Metadata"), dict) else {}
    length = metadata.get("mpris:length")
    position = facts.get("Position")
    track = str(metadata.get("mpris:trackid", ""))
    return Player(
        id=name,
        name=title,
        status=_STATUSES.get(str(facts.get("PlaybackStatus")), "stopped"),
        title=_read_text(metadata.get("xesam:title")),
        artist=_read_text(metadata.get("xesam:artist")),
        album=_read_text(metadata.get("xesam:album")),
        track=track,
        position_s=position / _MICROSECONDS if isinstance(position, int) else None,
        length_s=length / _MICROSECONDS if isinstance(length, int) and length > 0 else None,
        allows=_read_permissions(facts),
    )


def _read_permissions(facts: Mapping[str, Any]) -> frozenset[str]:
    """Return what the player takes now. CanControl false means that it takes nothing."""
    if not facts.get("CanControl", True):
        return frozenset()
    allowed: set[str] = {command for command, name in _PERMISSIONS.items() if facts.get(name, True)}
    if facts.get("CanPlay", True):
        allowed.add("play_pause")
    return frozenset(allowed)


def _read_text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(str(each) for each in value)
    return value if isinstance(value, str) else ""


def _is_player(name: str) -> bool:
    return name.startswith(_PREFIX) and name not in _PROXIES


def _is_gone(error: BusRefusalError) -> bool:
    return error.name.endswith(_GONE)


def _explain(player: Player, error: BusRefusalError) -> DeviceError:
    evidence = {"player": player.name, "id": player.id, "bus_error": error.name}
    code: Literal["player_missing", "device_failed", "not_settled"] = "device_failed"
    if _is_gone(error):
        message, hint = f"{player.name} is gone.", "Start it again."
        code = "player_missing"
    elif error.name.endswith("NoReply"):
        message, hint = f"{player.name} did not answer; it has ended or hangs.", "Check whether it is still running."
        code = "not_settled"
    else:
        message, hint = f"{player.name} refused: {error.message}", "Check what the player shows."
    return DeviceError(message, code=code, hint=hint, evidence=evidence)


async def _wait(event: asyncio.Event, limit_s: float) -> None:
    try:
        await finish_within(event.wait(), limit_s)
    except TimeoutError:
        return
