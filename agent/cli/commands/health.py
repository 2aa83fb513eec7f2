"""`surehand health`: how planners do, what is wrong, and who was told."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from agent.assembly import locate_environment, locate_secrets
from agent.cli.commands.health_parts import HealthParts, HealthPlace, open_health
from agent.cli.commands.health_text import describe_episodes, describe_health
from agent.cli.exits import BAD_INPUT, STEP_FAILED, SUCCEEDED
from agent.cli.screen.output import write_error, write_json, write_notes, write_result
from agent.planners.catalog import list_shipped_planners
from agent.planners.health.checks import HealthCheck, check_health
from agent.planners.health.episodes import Episode
from agent.settings.health_settings import HealthSettings
from agent.settings.settings import load_settings
from core.base.errors import InputError, RefusedError, SurehandError
from core.planning.planners.alerts import MOMENTS
from core.results.records import to_data

Work = Callable[[HealthParts, HealthSettings], Awaitable[int]]


def show_health(workspace: Path, *, as_json: bool, dry: bool) -> int:
    """Print how planners do, and tell whoever has to be told.

    Args:
        workspace: Whose planners.
        as_json: Whether to write JSON.
        dry: Whether nobody is told, and nothing kept.

    Returns:
        The exit code: 0 if nothing is critical, 1 if something is or nobody could be told, 2 if the settings are wrong.
    """

    async def work(parts: HealthParts, settings: HealthSettings) -> int:
        check: HealthCheck = parts.vault.redact(await check_health(parts.sources, settings, parts.desk, tells=not dry))
        notes = parts.take_notes()
        if as_json:
            write_json({**_tell_check(check), "notes": list(notes)})
        else:
            write_result("".join(f"{line}\n" for line in describe_health(check)))
            write_notes(notes)
        if check.fault:
            write_error(check.fault)
        return SUCCEEDED if check.is_well else STEP_FAILED

    return _run(workspace, work)


def show_alerts(workspace: Path, *, as_json: bool) -> int:
    """Print the alerts that go on, who was told, and what was acknowledged; nothing is looked at anew, and nobody told."""

    async def work(parts: HealthParts, _: HealthSettings) -> int:
        episodes: tuple[Episode, ...] = parts.vault.redact(await parts.desk.list_episodes())
        if as_json:
            write_json([tell_episode(each) for each in episodes])
        else:
            write_result("".join(f"{line}\n" for line in describe_episodes(episodes)) or "No alerts.\n")
        return SUCCEEDED

    return _run(workspace, work)


def acknowledge_alert(workspace: Path, name: str) -> int:
    """Take note of alerts, so that nobody is told of them until they have ended and begin again.

    Args:
        workspace: Whose planners.
        name: Id of an alert, or id and subject.
    """

    async def work(parts: HealthParts, _: HealthSettings) -> int:
        count = await parts.desk.acknowledge(name)
        if not count:
            text = f"No alert “{name}” goes on here."
            raise InputError(text, code="alert_missing", hint="List them: surehand health alerts.")
        alerts = "1 alert" if count == 1 else f"{count} alerts"
        write_result(f"Acknowledged {alerts}. Nobody is told until it ends and begins again.\n")
        return SUCCEEDED

    return _run(workspace, work)


def locate_health(workspace: Path) -> HealthPlace:
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
    )


def _run(workspace: Path, work: Work) -> int:
    async def perform() -> int:
        place = locate_health(workspace)
        async with open_health(place) as parts:
            return await work(parts, place.settings.health)

    try:
        return asyncio.run(perform())
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT if isinstance(error, InputError | RefusedError) else STEP_FAILED


def _tell_check(check: HealthCheck) -> dict[str, Any]:
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
