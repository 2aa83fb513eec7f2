"""Which player is meant."""

from collections.abc import Sequence

from actuators.media.ports import Player
from core.base.errors import DeviceError


def choose_player(players: Sequence[Player], wanted: str | None) -> Player:
    """Return the player that is meant.

    Args:
        wanted: A name or a part of it that only one has; where absent, the one that plays, else the one that played
            last, else the only one that pauses, else the only one.

    Raises:
        DeviceError: ``player_missing`` or ``player_ambiguous``, which list the players; ``not_settled`` if the one that
            is named doesn't answer.
    """
    if not wanted:
        return _choose_by_state(players)
    found = _match(players, wanted.casefold())
    if not found:
        raise _missing(players, f"No player “{wanted}” is running.")
    if len(found) > 1:
        raise _ambiguous(found, f"“{wanted}” may be one of {len(found)} players")
    if found[0].status == "unresponsive":
        raise DeviceError(
            f"{found[0].name} doesn't answer.",
            code="not_settled",
            hint="Check whether it hangs; closing and reopening it may help.",
            evidence={"player": found[0].name},
        )
    return found[0]


def list_players(players: Sequence[Player]) -> list[dict[str, str]]:
    """Return the players as evidence."""
    return [{"name": each.name, "id": each.id, "status": each.status, "title": each.title} for each in players]


def _match(players: Sequence[Player], wanted: str) -> list[Player]:
    exact = [each for each in players if wanted in {each.name.casefold(), each.id.casefold()}]
    return exact or [each for each in players if wanted in each.name.casefold() or wanted in each.id.casefold()]


def _choose_by_state(players: Sequence[Player]) -> Player:
    answering = [each for each in players if each.status != "unresponsive"]
    if not answering:
        raise _missing(players, "No running media player answers." if players else "No media player is running.")
    playing = [each for each in answering if each.status == "playing"]
    if len(playing) > 1:
        raise _ambiguous(playing, f"{len(playing)} players are playing")
    remembered = max(answering, key=lambda each: each.played_at)
    paused = [each for each in answering if each.status == "paused"]
    if playing:
        return playing[0]
    if remembered.played_at > 0:
        return remembered
    for group in (paused, answering):
        if len(group) == 1:
            return group[0]
    raise _ambiguous(answering, "None is playing, and which played last is unknown")


def _missing(players: Sequence[Player], message: str) -> DeviceError:
    names = ", ".join(each.name for each in players)
    return DeviceError(
        f"{message} Running: {names}." if names else message,
        code="player_missing",
        hint="Name one of the running players." if names else "Start a player first.",
        evidence={"players": list_players(players)},
    )


def _ambiguous(players: Sequence[Player], message: str) -> DeviceError:
    return DeviceError(
        f"{message}: {', '.join(each.name for each in players)}.",
        code="player_ambiguous",
        hint="Say which one.",
        evidence={"players": list_players(players)},
    )
