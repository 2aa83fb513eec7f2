"""The media tools, written once over players and media keys."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any

from actuators.media.choosing import choose_player
from actuators.media.ports import Command, MediaKeys, Player, PlayerOrder, Players, refuse_key
from actuators.seat.attending import Attendance
from core.base.errors import DeviceError
from core.results.tool_results import Finding, ToolOutcome, UndoRecord
from core.rules.param_types import NameText
from core.rules.type_makers import number
from core.tools.ports import ActionContext, Toolset

_SETTLING_S = 3.0
_SEEK_TOLERANCE_S = 1.5
_RESTARTED_S = 1.0


class MediaTools(Toolset):
    """Media players.

    ``player`` is a player by name or a part of it that only one has; where absent, the one that plays, else the one that
    played last, else the only one.
    """

    domain = "media"
    intent = "media_control"
    capability = "media"

    def __init__(self, players: Players, keys: MediaKeys | None = None, attendance: Attendance | None = None) -> None:
        """Use these players and keys; what is held while a key is pressed is said by the attendance."""
        self._attendance = attendance or Attendance()
        self._players = players
        self._keys = keys

    async def play(self, context: ActionContext, player: NameText | None = None) -> ToolOutcome:
        """Let a player play; one that plays already goes on.

        Args:
            player: Which player.

        Returns:
            Output ``player``, ``status`` as read back (playing, paused, stopped) and ``before``.

        Raises:
            DeviceError: If there is no such player (lists those that are there), or it doesn't follow.
        """
        return await self._change(context, player, "play", lambda each: each.status == "playing")

    async def pause(self, context: ActionContext, player: NameText | None = None) -> ToolOutcome:
        """Let a player pause; one that is silent already stays so.

        Args:
            player: Which player.

        Returns:
            As for ``play``.
        """
        return await self._change(context, player, "pause", lambda each: each.status in {"paused", "stopped"})

    async def stop(self, context: ActionContext, player: NameText | None = None) -> ToolOutcome:
        """Let a player stop.

        Args:
            player: Which player.

        Returns:
            As for ``play``.
        """
        return await self._change(context, player, "stop", lambda each: each.status == "stopped")

    async def play_pause(self, context: ActionContext, player: NameText | None = None) -> ToolOutcome:
        """Let a player pause, or play if it doesn't.

        Args:
            player: Which player.

        Returns:
            As for ``play``.
        """
        meant = await self._find(player)
        if meant is None:
            return await self._press(context, "play_pause")
        was_playing = meant.status == "playing"
        after = await self._order(
            context, meant, PlayerOrder("play_pause"), lambda each: (each.status == "playing") != was_playing
        )
        return _tell_status(meant, after)

    async def next(self, context: ActionContext, player: NameText | None = None) -> ToolOutcome:
        """Go to the next track.

        Args:
            player: Which player.

        Returns:
            Output ``player``, ``status``, ``title``, ``artist`` and ``before`` (the title before).

        Raises:
            DeviceError: As for ``play``; also if the player has no next track.
        """
        return await self._skip(context, player, "next")

    async def previous(self, context: ActionContext, player: NameText | None = None) -> ToolOutcome:
        """Go to the previous track.

        Args:
            player: Which player.

        Returns:
            As for ``next``.
        """
        return await self._skip(context, player, "previous")

    async def seek(
        self, context: ActionContext, position: Annotated[float, number(0, 1000000)], player: NameText | None = None
    ) -> ToolOutcome:
        """Go to a place within the track.

        Args:
            position: Seconds from the beginning.
            player: Which player.

        Returns:
            Output ``player``, ``position`` as read back, ``before`` and ``length`` in seconds.

        Raises:
            DeviceError: As for ``play``; also if the track is shorter or can't be sought in.
        """
        meant = await self._find(player)
        if meant is None:
            raise refuse_key("seek")
        _check_length(meant, position)

        def is_there(each: Player) -> bool:
            return each.position_s is not None and abs(each.position_s - position) <= _SEEK_TOLERANCE_S

        after = await self._order(context, meant, PlayerOrder("seek", position), is_there)
        undo = None
        if meant.position_s is not None:
            params = {"position": meant.position_s, "player": meant.name}
            undo = UndoRecord("media", "seek", params, {"title": meant.title})
        return ToolOutcome(
            output={
                "player": after.name,
                "position": after.position_s,
                "before": meant.position_s,
                "length": after.length_s,
            },
            effect="confirmed",
            evidence={"position_s": after.position_s, "title": after.title, "status": after.status},
            undo="Seek back to where it was." if undo else "",
            undo_record=undo,
        )

    async def status(self, context: ActionContext, player: NameText | None = None) -> ToolOutcome:
        """Tell what plays.

        Args:
            player: Which player; all of them are listed where absent.

        Returns:
            Output ``players`` (name, status, title, artist, album, position, length), ``status``, ``title``,
            ``artist``, ``position`` and ``length`` of the one that is meant, and ``text``.
        """
        del context
        players = await self._players.players()
        meant = _choose_silently(players) if player is None else choose_player(players, player)
        output: dict[str, Any] = {"players": [describe_player(each) for each in players]}
        output |= dict.fromkeys(("player", "status", "title", "artist", "position", "length"))
        if meant:
            told = describe_player(meant)
            output |= {name: told[name] for name in ("status", "title", "artist", "position", "length")}
            output["player"] = meant.name
        return ToolOutcome(output=output | {"text": say_status(players, meant)})

    async def predict(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what the player does that is meant; nothing where only keys are pressed."""
        if verb != "play_pause":
            return await super().predict(verb, context, args)
        meant = await self._find(args.get("player"))
        return {"player": meant.id, "status": meant.status, "title": meant.title} if meant else {}

    async def reconcile(
        self, verb: str, context: ActionContext, args: Mapping[str, Any], facts: Mapping[str, Any]
    ) -> Finding:
        """Tell by what the player does whether it was switched."""
        del verb, context, args
        now = next((each for each in await self._players.players() if each.id == facts.get("player")), None)
        if now is None:
            return Finding("unknown", {"reason": "no player can be asked", **facts})
        evidence = {"player": now.id, "status": now.status, "title": now.title, "before": facts["status"]}
        if (now.status, now.title) == (facts["status"], facts["title"]):
            return Finding("not_done", evidence)
        wanted = "paused" if facts["status"] == "playing" else "playing"
        if (now.status, now.title) != (wanted, facts["title"]):
            return Finding("unknown", evidence)
        return Finding("done", evidence, _tell_status(replace(now, status=facts["status"]), now))

    async def _change(
        self, context: ActionContext, wanted: str | None, command: Command, settled: Callable[[Player], bool]
    ) -> ToolOutcome:
        meant = await self._find(wanted)
        if meant is None:
            return await self._press(context, command)
        if settled(meant):
            return _tell_status(meant, meant)
        return _tell_status(meant, await self._order(context, meant, PlayerOrder(command), settled))

    async def _skip(self, context: ActionContext, wanted: str | None, command: Command) -> ToolOutcome:
        meant = await self._find(wanted)
        if meant is None:
            return await self._press(context, command)
        after = await self._order(context, meant, PlayerOrder(command), lambda each: _has_skipped(meant, each))
        return ToolOutcome(
            output={
                "player": after.name,
                "status": after.status,
                "title": after.title,
                "artist": after.artist,
                "before": meant.title,
            },
            effect="confirmed",
            evidence={"title": after.title, "track": after.track, "status": after.status},
            undo="Skip in the other direction.",
        )

    async def _find(self, wanted: str | None) -> Player | None:
        """Return the player that is meant; None where none runs, none is named and there are keys."""
        if wanted is not None or self._keys is None or not (await asyncio.to_thread(self._keys.assess)).available:
            return choose_player(await self._players.players(), wanted)
        try:
            players = await self._players.players()
        except DeviceError as error:
            if error.code != "server_missing":
                raise
            return None
        return choose_player(players, None) if players else None

    async def _press(self, context: ActionContext, command: Command) -> ToolOutcome:
        assert self._keys is not None
        async with self._attendance.attend(context, holds=True) as notes:
            key = await self._keys.press(command)
        evidence = {"key": key, "read_back": False, "reason": "no player that can be asked is running", **notes}
        return ToolOutcome(output={"player": None, "status": None, "key": key}, effect="unverified", evidence=evidence)

    async def _order(
        self, context: ActionContext, player: Player, order: PlayerOrder, settled: Callable[[Player], bool]
    ) -> Player:
        if order.command not in player.allows:
            raise DeviceError(
                f"{player.name} can't do that now: {order.command}.",
                code="not_possible",
                hint="Check what it plays, and whether there is another track.",
                evidence=describe_player(player) | {"allows": sorted(player.allows)},
            )
        limit_s = min(_SETTLING_S, context.timeout_s * 0.8)
        after = await self._players.act(player, order, settled, limit_s)
        if settled(after):
            return after
        raise DeviceError(
            f"{player.name} accepted {order.command.replace('_', ' or ')}, but nothing changed within {limit_s:g} s.",
            code="not_settled",
            hint="Check the player; it may be asking something or still loading.",
            evidence={"before": describe_player(player), "after": describe_player(after)},
        )


def describe_player(player: Player) -> dict[str, Any]:
    """Return a player as tools tell of it; seconds for position and length."""
    return {
        "name": player.name,
        "status": player.status,
        "title": player.title,
        "artist": player.artist,
        "album": player.album,
        "position": player.position_s,
        "length": player.length_s,
    }


def say_status(players: tuple[Player, ...], meant: Player | None) -> str:
    """Return a sentence about what plays, fit to be spoken."""
    if meant is None:
        return (
            f"{len(players)} players run: {', '.join(each.name for each in players)}."
            if players
            else "Nothing is playing."
        )
    if meant.status == "unresponsive":
        return f"{meant.name} doesn't answer."
    track = f" “{meant.title}”" if meant.title else ""
    by = f" by {meant.artist}" if track and meant.artist else ""
    if meant.status == "playing":
        return f"{meant.name} plays{track}{by}."
    return f"{meant.name} has {meant.status}{track}{by}."


def _choose_silently(players: tuple[Player, ...]) -> Player | None:
    try:
        return choose_player(players, None)
    except DeviceError:
        return None


def _tell_status(before: Player, after: Player) -> ToolOutcome:
    undo = _find_inverse(before, after)
    return ToolOutcome(
        output={"player": after.name, "status": after.status, "before": before.status},
        effect="confirmed",
        evidence={"status": after.status, "title": after.title, "player": after.id},
        undo=f"{undo.operation.capitalize()} it." if undo else "",
        undo_record=undo,
    )


def _find_inverse(before: Player, after: Player) -> UndoRecord | None:
    verbs = {"playing": "play", "paused": "pause", "stopped": "stop"}
    if before.status == after.status or before.status not in verbs or after.status == "stopped":
        return None
    return UndoRecord("media", verbs[before.status], {"player": after.name}, {"status": after.status})


def _has_skipped(before: Player, after: Player) -> bool:
    if (before.track, before.title) != (after.track, after.title):
        return True
    if before.status == "playing" and after.status == "stopped":
        return True
    if before.position_s is None or after.position_s is None:
        return False
    return after.position_s < before.position_s - _RESTARTED_S  # the same track from its beginning


def _check_length(player: Player, position_s: float) -> None:
    if player.length_s is not None and position_s > player.length_s:
        raise DeviceError(
            f"“{player.title or 'The track'}” is {player.length_s:g} s long, so it has no second {position_s:g}.",
            code="not_possible",
            hint="Give an earlier second.",
            evidence={"length_s": player.length_s, "position_s": position_s},
        )
