"""How planners do, as data: what `surehand health --json` prints, and what `/health/planners` answers."""

from pathlib import Path
from typing import Any

from agent.assembly import locate_environment
from agent.facts.health_parts import HealthPlace, open_health
from agent.planners.health.checks import HealthCheck, check_health
from agent.planners.health.episodes import Episode
from agent.planners.registry import list_shipped_planners
from agent.secrets.vaults import locate_secrets
from agent.settings.settings import load_settings
from core.base.errors import InputError
from core.planning.planners.alerts import MOMENTS
from core.results.records import to_data

_ADDRESSES = {"channels", "routes"}
"""What settings say of where alerts go: it may hold passwords."""


def locate_health(workspace: Path, principal: str = "") -> HealthPlace:
    """Return whose planners are looked at in a workspace, and with what.

    Raises:
        SurehandError: If the settings can't work, or the folder can't be used.
    """
    return HealthPlace(
        settings=load_settings(workspace),
        workspace=workspace,
        environment=locate_environment(workspace),
        secrets=locate_secrets(),
        planners=list_shipped_planners(),
        principal=principal,
    )


async def look_at_planners(workspace: Path, principal: str = "") -> dict[str, Any]:
    """Return how planners do, which alerts go on and who was told, and from when on something is wrong; nobody is told."""
    place = locate_health(workspace, principal)
    async with open_health(place) as parts:
        check: HealthCheck = await check_health(parts.sources, place.settings.health, parts.desk, tells=False)
        episodes = [tell_episode(each) for each in await parts.desk.list_episodes()]
        thresholds = place.settings.health.model_dump(mode="json", exclude=_ADDRESSES)
        told = {**tell_check(check), "episodes": episodes, "thresholds": thresholds, "notes": list(parts.take_notes())}
        return parts.vault.redact(told)


async def acknowledge_alert(workspace: Path, name: str, principal: str = "") -> int:
    """Take note of alerts, so that nobody is told of them until they have ended and begin again; return how many.

    Raises:
        InputError: ``alert_missing``.
        SurehandError: If the settings can't work, or the folder can't be used.
    """
    async with open_health(locate_health(workspace, principal)) as parts:
        count = await parts.desk.acknowledge(name)
    if not count:
        text = f"No alert “{name}” goes on here."
        raise InputError(text, code="alert_missing", hint="List them: surehand health alerts.")
    return count


def tell_check(check: HealthCheck) -> dict[str, Any]:
    """Return a look at planners as JSON has it."""
    told = check.told
    return {
        **to_data(check.report),
        "is_well": check.is_well,
        "sent": told.sent if told else 0,
        "failed_channels": dict(told.failures) if told else {},
        "episodes": [tell_episode(each) for each in told.episodes] if told else [],
        "fault": to_data(check.fault),
    }


def tell_episode(episode: Episode) -> dict[str, Any]:
    """Return an episode as JSON has it."""
    moments = {name: getattr(episode, name) for name in ("began_at", "seen_at", "ended_at", "acknowledged_at")}
    deliveries = {
        moment: {
            channel: {"is_sent": each.is_sent, "attempts": each.attempts, "error": each.error}
            for channel, each in episode.list_deliveries(moment).items()
        }
        for moment in MOMENTS
    }
    written = {name: moment.isoformat(timespec="seconds") if moment else None for name, moment in moments.items()}
    return {"episode": episode.episode_id, **to_data(episode.alert), **written, "told": deliveries}
