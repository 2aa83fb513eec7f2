"""Judging: facts and thresholds to alerts. Pure; says what is wrong now, not who has been told."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from agent.planners.health.durations import tell_age
from agent.planners.health.facts import HealthFacts
from agent.planners.health.latencies import find_percentile, group_runs, has_begun, list_durations_s
from agent.settings.health_settings import HealthSettings
from core.base.phrases import quote_text
from core.planning.planners.alerts import ALERT_KINDS, Alert
from core.planning.planners.ports import BacklogItem
from core.planning.planners.steps import StepRecord

Facts = dict[str, str | int | float]
Finding = tuple[str, str, str, Facts]
"""Alert id, subject, summary and facts."""

_HOUR_S = 3600.0


def judge(facts: HealthFacts, limits: HealthSettings) -> tuple[Alert, ...]:
    """Return everything that is wrong, the worst kinds first as the judges stand, one alert a subject."""
    found = (finding for find in _JUDGES for finding in find(facts, limits))
    return tuple(
        Alert(
            alert_id=alert_id,
            severity=limits.find_severity(alert_id),
            subject=subject,
            summary=summary,
            facts=numbers,
        )
        for alert_id, subject, summary, numbers in found
    )


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
    """Return by template what came of the steps that were made from it, run by run, the oldest run first."""
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
    for planner_id, runs in group_runs(filter(has_begun, facts.runs)).items():
        failed = sum(run.outcome == "failed" for run in runs)
        if len(runs) >= limits.least_runs and failed / len(runs) > limits.failure_rate:
            text = f"{failed} of {len(runs)} runs of planner {planner_id} failed in 24 h."
            yield "planner.failing", planner_id, text, {"failed": failed, "runs": len(runs)}


def _find_slow_planners(facts: HealthFacts, limits: HealthSettings) -> Iterator[Finding]:
    for planner_id, runs in group_runs(filter(has_begun, facts.runs)).items():
        durations = list_durations_s(runs)
        if len(durations) < limits.least_runs:
            continue
        p95_s = find_percentile(durations, 95)
        if p95_s > limits.latency_p95_s:
            limit = tell_age(limits.latency_p95_s)
            text = f"95 % of the runs of planner {planner_id} took up to {tell_age(p95_s)}, allowed are {limit}."
            yield "planner.slow", planner_id, text, {"p95_s": round(p95_s, 3), "runs": len(durations)}


def _find_stuck_items(facts: HealthFacts, limits: HealthSettings) -> Iterator[Finding]:
    for item in facts.items:
        age_s = facts.find_age_s(item.changed_at)
        if item.state == "active" and age_s > limits.stuck_after_s:
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
    for item in facts.items:
        age_s = facts.find_age_s(item.changed_at)
        if item.state == "pending" and age_s > limits.backlog_age_h * _HOUR_S:
            text = f"Backlog item {quote_text(item.item_id)} has been pending for {tell_age(age_s)}."
            yield "backlog.stale", name_item(item.scope, item.item_id), text, {"pending_s": round(age_s)}


def _find_uncovered_plans(facts: HealthFacts, limits: HealthSettings) -> Iterator[Finding]:
    """Find plans that stand still with too little of them done; one that goes on is left in peace."""
    for plan in group_plans(facts.items):
        idle_s = min(facts.find_age_s(item.changed_at) for item in plan.items)
        if limits.coverage is None or plan.coverage >= limits.coverage or idle_s <= limits.coverage_after_h * _HOUR_S:
            continue
        done = f"{plan.coverage * 100:.0f} % of plan {quote_text(plan.plan_id)} is done"
        text = f"{done}, and nothing of it changed for {tell_age(idle_s)}."
        yield "backlog.coverage", plan.plan_id, text, {"coverage": round(plan.coverage, 4), "items": len(plan.items)}


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


@dataclass(frozen=True, slots=True)
class PlanItems:
    """The backlog items of a plan."""

    plan_id: str
    items: tuple[BacklogItem, ...]

    @property
    def coverage(self) -> float:
        """The share that is done."""
        return sum(item.state == "done" for item in self.items) / len(self.items)


def group_plans(items: Iterable[BacklogItem]) -> tuple[PlanItems, ...]:
    """Return the plans that items are a part of, by name."""
    grouped: dict[str, list[BacklogItem]] = defaultdict(list)
    for item in items:
        if item.plan_id:
            grouped[item.plan_id].append(item)
    return tuple(PlanItems(plan_id, tuple(found)) for plan_id, found in sorted(grouped.items()))


def name_item(scope: str, item_id: str) -> str:
    """Return what tells a backlog item from those of other scopes."""
    return f"{scope}:{item_id}" if scope else item_id
