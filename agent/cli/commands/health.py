"""`surehand health`: how planners do, what is wrong, and who was told."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.declaring import command, make_group, take_options
from agent.cli.exits import STEP_FAILED, SUCCEEDED
from agent.cli.options import HERE, TRYING, AsJson, Option, Workspace
from agent.cli.screen.output import show, write_error, write_lines
from agent.facts.health_parts import HealthParts, open_health
from agent.facts.planner_health import acknowledge_alert, locate_health, tell_check, tell_episode
from agent.planners.health.alert_desk import AlertCheck
from agent.planners.health.checks import HealthCheck, check_health, tell_age
from agent.planners.health.episodes import Episode
from agent.planners.health.report import FailedRun, HealthReport, PlannerHealth
from agent.settings.health_settings import HealthSettings
from core.base.phrases import cut_text, escape_text
from core.planning.planners.alerts import SEVERITIES

_WIDTH = 160

Work = Callable[[HealthParts, HealthSettings], Awaitable[int]]


app = make_group(
    "See how planners do, and tell whoever has to be told.",
    "surehand health",
    "surehand health --json",
    "surehand health ack backlog.stuck",
    no_args_is_help=False,
    invoke_without_command=True,
)


@app.callback()
@take_options
def show_health(
    context: typer.Context,
    as_json: AsJson = False,
    dry_run: Annotated[bool, Option("--dry-run", "Look only; tell nobody.", TRYING)] = False,
    workspace: Workspace = HERE,
) -> int | None:
    """See how planners do, and tell whoever has to be told.

    Templates, backlog, runs of the last 24 hours and what is wrong with them. Each alert goes out once on each channel of
    your settings. The exit code is 1 if something is critical.
    """
    if context.invoked_subcommand:
        return None

    async def work(parts: HealthParts, settings: HealthSettings) -> int:
        check: HealthCheck = parts.vault.redact(
            await check_health(parts.sources, settings, parts.desk, tells=not dry_run)
        )
        notes = parts.take_notes()
        show({**tell_check(check), "notes": list(notes)}, _describe_health(check), as_json=as_json, notes=notes)
        if check.fault:
            write_error(check.fault)
        return SUCCEEDED if check.is_well else STEP_FAILED

    return _run(workspace, work)


@command(app, "alerts", "surehand health alerts")
def list_alerts(as_json: AsJson = False, workspace: Workspace = HERE) -> int:
    """List the alerts that go on, and who was told; look at nothing again."""

    async def work(parts: HealthParts, _: HealthSettings) -> int:
        episodes: tuple[Episode, ...] = parts.vault.redact(await parts.desk.list_episodes())
        lines = list(_describe_episodes(episodes)) or ["No alerts."]
        show([tell_episode(each) for each in episodes], lines, as_json=as_json)
        return SUCCEEDED

    return _run(workspace, work)


@command(app, "ack", "surehand health ack backlog.stuck")
def acknowledge(
    alert: Annotated[str, Option("ALERT_ID", "The id of an alert, or id:subject for one of several.")],
    workspace: Workspace = HERE,
) -> int:
    """Acknowledge an alert: nobody is told until it ends and begins again."""
    count = asyncio.run(acknowledge_alert(workspace, alert))
    alerts = "1 alert" if count == 1 else f"{count} alerts"
    write_lines([f"Acknowledged {alerts}. Nobody is told until it ends and begins again."])
    return SUCCEEDED


def _run(workspace: Path, work: Work) -> int:
    async def perform() -> int:
        place = locate_health(workspace)
        async with open_health(place) as parts:
            return await work(parts, place.settings.health)

    return asyncio.run(perform())


def _describe_health(check: HealthCheck) -> Iterator[str]:
    report = check.report
    yield from _describe_alerts(report, check.told)
    yield from _describe_templates(report)
    yield from _describe_backlog(report)
    yield from _head("Planners in the last 24 hours", (_describe_planner(each) for each in report.planners))
    yield from _head("Failed", (line for each in report.failures for line in _describe_failure(each)))
    changes = (
        f"{each.at}  {_tell(each.item_id)}: {each.before or 'new'} → {each.after}  {_tell(each.because)}"
        for each in report.transitions
    )
    yield from _head("Changed", changes)


def _describe_episodes(episodes: Iterable[Episode]) -> Iterator[str]:
    for each in episodes:
        yield f"{each.alert.severity}  {_tell(each.alert.key)}  since {each.began_at.isoformat(timespec='seconds')}"
        yield f"    {_tell(each.alert.summary)}"
        yield from (f"    {line}" for line in _describe_telling(each))


def _describe_alerts(report: HealthReport, told: AlertCheck | None) -> Iterator[str]:
    if not report.alerts:
        yield "✓ Nothing is wrong."
    known = {each.alert.key: each for each in told.episodes if not each.ended_at} if told else {}
    for alert in sorted(report.alerts, key=lambda each: -SEVERITIES.index(each.severity)):
        mark = "✗" if alert.severity == "critical" else "!"
        yield f"{mark} {alert.severity}: {_tell(alert.summary)}"
        yield f"    {_tell(alert.key)}"
        if episode := known.get(alert.key):
            yield from (f"    {line}" for line in _describe_telling(episode))


def _describe_telling(episode: Episode) -> Iterator[str]:
    if episode.ended_at:
        yield f"ended at {episode.ended_at.isoformat(timespec='seconds')}"
    if episode.acknowledged_at:
        yield f"acknowledged at {episode.acknowledged_at.isoformat(timespec='seconds')}"
    if sent := [channel for channel, each in episode.raised.items() if each.is_sent]:
        yield f"told: {', '.join(sent)}"
    for channel, each in (*episode.raised.items(), *episode.ended.items()):
        if each.error and not each.is_sent:
            again = f"; again from {each.next_at.isoformat(timespec='seconds')} on" if each.next_at else ""
            yield f"not told: {channel}: {_tell(each.error)} (tried {each.attempts} times{again})"


def _describe_templates(report: HealthReport) -> Iterator[str]:
    named, missing = report.templates.named, report.templates.missing
    yield f"{'✗' if missing else '✓'} Templates: {named - len(missing)} of {named} can be read"
    yield from (f"    {template_id}: {_tell(why)}" for template_id, why in missing.items())


def _describe_backlog(report: HealthReport) -> Iterator[str]:
    backlog = report.backlog
    counts = ", ".join(f"{count} {state}" for state, count in backlog.counts.items()) or "nothing"
    parts = [f"Backlog: {counts}"]
    if backlog.oldest_pending_s is not None:
        parts.append(f"the oldest has been pending for {tell_age(backlog.oldest_pending_s)}")
    if backlog.changed_s is not None:
        parts.append(f"last change {tell_age(backlog.changed_s)} ago")
    yield f"{'✗' if 'backlog' in report.unread else '✓'} {'; '.join(parts)}"
    for plan_id, share in backlog.coverage.items():
        yield f"    plan {_tell(plan_id)}: {share * 100:.0f} % done"
    yield from (f"✗ {source}: {_tell(why)}" for source, why in report.unread.items())


def _describe_planner(planner: PlannerHealth) -> str:
    outcomes = _join(planner.outcomes)
    shares = (("p50", planner.p50_s), ("p95", planner.p95_s), ("p99", planner.p99_s))
    latency = "  ".join(f"{name} {tell_age(value)}" for name, value in shares if value is not None)
    counts = f"{planner.retries} retries, {planner.critiques} critiques, {planner.tokens} tokens"
    return f"{_tell(planner.planner_id)}: {planner.runs} runs ({outcomes})  {latency}  {counts}"


def _describe_failure(failure: FailedRun) -> Iterator[str]:
    yield f"{failure.began_at}  {_tell(failure.planner_id)}: {_tell(failure.message) or 'failed'} ({failure.code or 'no code'})"
    yield from (f"    surehand sessions show {_tell(run_id)}" for run_id in failure.saved_runs)
    for line in failure.snippet:
        read = " (read)" if line.is_tainted else ""
        yield f"    {line.kind}{read}: {_tell(line.text)}"


def _head(title: str, lines: Iterable[str]) -> Iterator[str]:
    first = True
    for line in lines:
        if first:
            yield title
            first = False
        yield f"  {line}"


def _join(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _tell(text: str) -> str:
    return cut_text(escape_text(text), _WIDTH)
