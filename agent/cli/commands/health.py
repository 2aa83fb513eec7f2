"""`surehand health`: how planners do, what is wrong, and who was told."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from agent.cli.commands.health_text import describe_episodes, describe_health
from agent.cli.exits import STEP_FAILED, SUCCEEDED
from agent.cli.screen.output import show, write_error, write_lines
from agent.planners.health.checks import HealthCheck, check_health
from agent.planners.health.episodes import Episode
from agent.settings.health_settings import HealthSettings

if TYPE_CHECKING:
    from agent.facts.health_parts import HealthParts

Work = Callable[["HealthParts", HealthSettings], Awaitable[int]]


def show_health(workspace: Path, *, as_json: bool, dry: bool) -> int:
    """Print how planners do, and tell whoever has to be told.

    Args:
        as_json: Whether to write JSON.
        dry: Whether nobody is told, and nothing kept.

    Returns:
        The exit code: 0 if nothing is critical, 1 if something is or nobody could be told, 2 if the settings are wrong.
    """
    from agent.facts.planner_health import tell_check

    async def work(parts: "HealthParts", settings: HealthSettings) -> int:
        check: HealthCheck = parts.vault.redact(await check_health(parts.sources, settings, parts.desk, tells=not dry))
        notes = parts.take_notes()
        show({**tell_check(check), "notes": list(notes)}, describe_health(check), as_json=as_json, notes=notes)
        if check.fault:
            write_error(check.fault)
        return SUCCEEDED if check.is_well else STEP_FAILED

    return _run(workspace, work)


def show_alerts(workspace: Path, *, as_json: bool) -> int:
    """Print the alerts that go on, who was told, and what was acknowledged; nothing is looked at anew, and nobody told."""
    from agent.facts.planner_health import tell_episode

    async def work(parts: "HealthParts", _: HealthSettings) -> int:
        episodes: tuple[Episode, ...] = parts.vault.redact(await parts.desk.list_episodes())
        lines = list(describe_episodes(episodes)) or ["No alerts."]
        show([tell_episode(each) for each in episodes], lines, as_json=as_json)
        return SUCCEEDED

    return _run(workspace, work)


def acknowledge_alert(workspace: Path, name: str) -> int:
    """Take note of alerts, so that nobody is told of them until they have ended and begin again.

    Args:
        name: Id of an alert, or id and subject.
    """
    from agent.facts.planner_health import acknowledge_alert as acknowledge

    count = asyncio.run(acknowledge(workspace, name))
    alerts = "1 alert" if count == 1 else f"{count} alerts"
    write_lines([f"Acknowledged {alerts}. Nobody is told until it ends and begins again."])
    return SUCCEEDED


def _run(workspace: Path, work: Work) -> int:
    from agent.facts.health_parts import open_health
    from agent.facts.planner_health import locate_health

    async def perform() -> int:
        place = locate_health(workspace)
        async with open_health(place) as parts:
            return await work(parts, place.settings.health)

    return asyncio.run(perform())
