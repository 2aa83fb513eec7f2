"""Checks: facts, judgement, report and alerts, one after the other."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator

from agent.planners.health.alert_desk import CHANNEL_FAILING, AlertCheck, AlertDesk
from agent.planners.health.episodes import Episode
from agent.planners.health.facts import (
    HealthFacts,
    HealthSources,
    collect_facts,
    find_coverage,
    find_percentile,
    has_begun,
    list_durations_s,
)
from agent.planners.health.report import HealthReport, build_report
from agent.settings.health_settings import HealthSettings
from core.base.errors import ErrorInfo, SurehandError
from core.base.late_dataclasses import dataclass
from core.base.phrases import quote_text
from core.planning.planners.alerts import ALERT_KINDS, MOMENTS, Alert
from core.planning.planners.ports import BacklogItem, BacklogState
from core.planning.planners.steps import StepRecord

Facts = dict[str, str | int | float]
Finding = tuple[str, str, str, Facts]
"""Alert id, subject, summary and facts."""

_HOUR_S = 3600.0
_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"))
_EXACT_BELOW_S = 60


def judge(facts: HealthFacts, limits: HealthSettings) -> tuple[Alert, ...]:
    """Return everything that is wrong, the worst kinds first as the judges stand, one alert a subject."""
    return tuple(make_alert(finding, limits) for find in _JUDGES for finding in find(facts, limits))


def make_alert(finding: Finding, limits: HealthSettings) -> Alert:
    """Return what was found as an alert, as bad as settings say."""
    alert_id, subject, summary, facts = finding
    severity = limits.find_severity(alert_id)
    return Alert(alert_id=alert_id, severity=severity, subject=subject, summary=summary, facts=facts)


def find_unjudged(facts: HealthFacts) -> frozenset[str]:
    """Return the ids of alerts that can't be judged, since what they are judged by could not be read."""
    return frozenset(alert_id for alert_id, kind in ALERT_KINDS.items() if kind.source in facts.unread)


def _find_unread(facts: HealthFacts, _: HealthSettings) -> Iterator[Finding]:
    for source in facts.unread:
        yield "health.unread", source, f"The {source} can't be read, so planners can't be judged by that.", {}


def _find_missing_templates(facts: HealthFacts, _: HealthSettings) -> Iterator[Finding]:
    for template_id in facts.missing:
        yield "template.missing", template_id, f"Template {template_id} can't be read.", {}


def _find_failing_templates(facts: HealthFacts, limits: HealthSettings) -> Iterator[Finding]:
    """Find templates of which nothing came in the last runs that used them; a single step that succeeds ends it."""
    most = limits.template_failures
    for template_id, uses in _group_by_template(facts).items():
        last = uses[-most:]
        if len(last) == most and not any(record.status == "done" for records in last for record in records):
            codes = Counter(record.error.code for records in last for record in records if record.error)
            why = f", mostly with {codes.most_common(1)[0][0]}" if codes else ""
            text = f"All steps made from template {template_id} failed in the last {most} runs that used it{why}."
            yield "template.failing", template_id, text, {"runs": most}


def _group_by_template(facts: HealthFacts) -> dict[str, list[list[StepRecord]]]:
    named = {(each.name, step.step_id): step.template_id for each in facts.planners for step in each.steps}
    grouped: dict[str, list[list[StepRecord]]] = defaultdict(list)
    for run in facts.runs:
        used: dict[str, list[StepRecord]] = defaultdict(list)
        for record in run.steps:
            template_id = named.get((run.planner_id, record.step_id))
            if template_id and record.status in {"done", "failed"}:
                used[template_id].append(record)
        for template_id, records in used.items():
            grouped[template_id].append(records)
    return grouped


def _find_failing_planners(facts: HealthFacts, limits: HealthSettings) -> Iterator[Finding]:
    for planner_id, found in facts.group_runs().items():
        runs = [run for run in found if has_begun(run)]
        failed = sum(run.outcome == "failed" for run in runs)
        if len(runs) >= limits.least_runs and failed / len(runs) > limits.failure_rate:
            text = f"{failed} of {len(runs)} runs of planner {planner_id} failed in 24 h."
            yield "planner.failing", planner_id, text, {"failed": failed, "runs": len(runs)}


def _find_slow_planners(facts: HealthFacts, limits: HealthSettings) -> Iterator[Finding]:
    for planner_id, runs in facts.group_runs().items():
        durations = list_durations_s(runs)
        p95_s = find_percentile(durations, 95)
        if p95_s is not None and len(durations) >= limits.least_runs and p95_s > limits.latency_p95_s:
            limit = tell_age(limits.latency_p95_s)
            text = f"95 % of the runs of planner {planner_id} took up to {tell_age(p95_s)}, allowed are {limit}."
            yield "planner.slow", planner_id, text, {"p95_s": round(p95_s, 3), "runs": len(durations)}


def _find_stuck_items(facts: HealthFacts, limits: HealthSettings) -> Iterator[Finding]:
    for item, age_s in _list_old(facts, "active", limits.stuck_after_s):
        text = f"Backlog item {quote_text(item.item_id)} has been active for {tell_age(age_s)}."
        yield "backlog.stuck", name_item(item.scope, item.item_id), text, {"active_s": round(age_s)}


def _find_flapping_items(facts: HealthFacts, limits: HealthSettings) -> Iterator[Finding]:
    flips = Counter(
        (each.scope, each.item_id)
        for each in facts.transitions
        if each.after == "pending" and each.before not in {"", "pending"}
    )
    for (scope, item_id), count in flips.items():
        if count > limits.most_flips:
            text = f"Backlog item {quote_text(item_id)} went back to pending {count} times in 24 h."
            yield "backlog.flapping", name_item(scope, item_id), text, {"flips": count}


def _find_stale_items(facts: HealthFacts, limits: HealthSettings) -> Iterator[Finding]:
    for item, age_s in _list_old(facts, "pending", limits.backlog_age_h * _HOUR_S):
        text = f"Backlog item {quote_text(item.item_id)} has been pending for {tell_age(age_s)}."
        yield "backlog.stale", name_item(item.scope, item.item_id), text, {"pending_s": round(age_s)}


def _list_old(facts: HealthFacts, state: BacklogState, most_s: float) -> Iterator[tuple[BacklogItem, float]]:
    ages = ((item, facts.find_age_s(item.changed_at)) for item in facts.items if item.state == state)
    return ((item, age_s) for item, age_s in ages if age_s > most_s)


def _find_uncovered_plans(facts: HealthFacts, limits: HealthSettings) -> Iterator[Finding]:
    """Find plans that stand still with too little of them done; one that goes on is left in peace."""
    for plan_id, items in facts.group_plans().items():
        coverage, idle_s = find_coverage(items), min(facts.find_age_s(item.changed_at) for item in items)
        if limits.coverage is None or coverage >= limits.coverage or idle_s <= limits.coverage_after_h * _HOUR_S:
            continue
        done = f"{coverage * 100:.0f} % of plan {quote_text(plan_id)} is done"
        text = f"{done}, and nothing of it changed for {tell_age(idle_s)}."
        yield "backlog.coverage", plan_id, text, {"coverage": round(coverage, 4), "items": len(items)}


_JUDGES: tuple[Callable[[HealthFacts, HealthSettings], Iterable[Finding]], ...] = (
    _find_unread,
    _find_missing_templates,
    _find_failing_templates,
    _find_failing_planners,
    _find_slow_planners,
    _find_stuck_items,
    _find_flapping_items,
    _find_stale_items,
    _find_uncovered_plans,
)


def name_item(scope: str, item_id: str) -> str:
    """Return what tells a backlog item from those of other scopes."""
    return f"{scope}:{item_id}" if scope else item_id


def tell_age(seconds: float) -> str:
    """Return a duration, 0 or more, in its two largest units: ``4 s``, ``0.25 s``, ``1 h 5 min``, ``3 d``."""
    if seconds < _EXACT_BELOW_S:
        return f"{seconds:.3g} s"
    for index, (size, unit) in enumerate(_UNITS):
        count, rest = divmod(int(seconds), size)
        if count and index + 1 < len(_UNITS):
            less, name = _UNITS[index + 1]
            return f"{count} {unit} {rest // less} {name}" if rest >= less else f"{count} {unit}"
    return f"{int(seconds) // 60} min"


FAILS_AFTER = 3
"""How often a channel has to fail in a row before others are told of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """What came of a look at planners.

    Attributes:
        told: Who was told; None where nobody had to be, or could be.
        fault: Why nobody could be told; None where that was possible.
    """

    report: HealthReport
    told: AlertCheck | None = None
    fault: ErrorInfo | None = None

    @property
    def is_well(self) -> bool:
        """Whether nothing is critical, and what is wrong could be told."""
        return self.fault is None and all(alert.severity != "critical" for alert in self.report.alerts)


async def check_health(
    sources: HealthSources, settings: HealthSettings, desk: AlertDesk, *, tells: bool = True
) -> HealthCheck:
    """Look at planners, and tell whoever has to be told.

    Args:
        tells: Whether anybody is told; otherwise nothing is sent, and nothing kept.
    """
    facts = await collect_facts(sources)
    alerts = judge(facts, settings)
    try:
        alerts += judge_channels(await desk.list_episodes(), settings)
        told = await desk.check(alerts, find_unjudged(facts)) if tells else None
    except SurehandError as error:
        return HealthCheck(report=build_report(facts, alerts), fault=error.info())
    return HealthCheck(report=build_report(facts, alerts), told=told)


def judge_channels(episodes: Iterable[Episode], settings: HealthSettings) -> tuple[Alert, ...]:
    """Return an alert for each channel that failed again and again."""
    failing = dict(_list_failing(episodes))
    text = "Alerts can't be sent on channel {}: {}".format
    return tuple(
        make_alert((CHANNEL_FAILING, name, text(quote_text(name), failing[name]), {}), settings)
        for name in settings.channels
        if name in failing
    )


def _list_failing(episodes: Iterable[Episode]) -> Iterator[tuple[str, str]]:
    for episode in episodes:
        for moment in MOMENTS:
            for channel, delivery in episode.list_deliveries(moment).items():
                if not delivery.is_sent and delivery.error and delivery.attempts >= FAILS_AFTER:
                    yield channel, delivery.error
