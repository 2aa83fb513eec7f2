"""How planners do, as lines for a terminal."""

from collections.abc import Iterable, Iterator, Mapping

from agent.planners.health.alert_desk import AlertCheck
from agent.planners.health.checks import HealthCheck
from agent.planners.health.episodes import Episode
from agent.planners.health.judging import tell_age
from agent.planners.health.report import FailedRun, HealthReport, PlannerHealth
from core.base.phrases import cut_text, escape_text
from core.planning.planners.alerts import SEVERITIES

_WIDTH = 160


def describe_health(check: HealthCheck) -> Iterator[str]:
    """Yield the lines of a check: what is wrong first."""
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


def describe_episodes(episodes: Iterable[Episode]) -> Iterator[str]:
    """Yield a line for each alert, and who was told.

    Args:
        episodes: The oldest first.
    """
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
