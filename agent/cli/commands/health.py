"""`surehand health`: how planners do, what is wrong, and who was told."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agent.cli.commands.health_text import describe_episodes, describe_health
from agent.cli.declaring import command
from agent.cli.exits import STEP_FAILED, SUCCEEDED
from agent.cli.options import HERE, AsJson, Option, Workspace
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


app = typer.Typer()


@command(app, "alerts", "surehand health alerts")
def list_alerts(as_json: AsJson = False, workspace: Workspace = HERE) -> int:
    """List the alerts that go on, and who was told; look at nothing again."""
    from agent.facts.planner_health import tell_episode

    async def work(parts: "HealthParts", _: HealthSettings) -> int:
        episodes: tuple[Episode, ...] = parts.vault.redact(await parts.desk.list_episodes())
        lines = list(describe_episodes(episodes)) or ["No alerts."]
        show([tell_episode(each) for each in episodes], lines, as_json=as_json)
        return SUCCEEDED

    return _run(workspace, work)


@command(app, "ack", "surehand health ack backlog.stuck")
def acknowledge(
    alert: Annotated[str, Option("ALERT_ID", "The id of an alert, or id:subject for one of several.")],
    workspace: Workspace = HERE,
) -> int:
    """Acknowledge an alert: nobody is told until it ends and begins again."""
    from agent.facts.planner_health import acknowledge_alert

    count = asyncio.run(acknowledge_alert(workspace, alert))
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
