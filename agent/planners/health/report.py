"""HealthReport: how planners do, from facts. Pure; what is shown of a transcript is short, and marked where it was read."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from agent.planners.health.facts import (
    HealthFacts,
    find_coverage,
    find_percentile,
    list_durations_s,
    list_templates,
    read_moment,
)
from core.base.late_dataclasses import dataclass
from core.base.phrases import cut_text, fold_text
from core.base.scope_paths import read_scope
from core.planning.planners.alerts import Alert, HealthSource
from core.planning.planners.ports import Transition
from core.planning.planners.results import KeptPlannerRun
from core.planning.planners.transcripts import TranscriptEntry

MOST_SHOWN = 10
"""Transitions and failures that a report has: the latest."""

SNIPPET_LINES = 5
_SNIPPET_CHARS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateHealth:
    """The prompt templates."""

    named: int
    missing: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class BacklogHealth:
    """The backlog.

    Attributes:
        oldest_pending_s: Seconds that the oldest pending item has waited; None where none waits.
        changed_s: Seconds since anything changed; None where there is nothing.
    """

    counts: Mapping[str, int]
    oldest_pending_s: float | None
    changed_s: float | None
    coverage: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerHealth:
    """The runs of a planner in 24 hours.

    Attributes:
        p50_s: Seconds that half of them took at most; None where none says how long it took.
        p95_s: The same for 95 of 100.
        p99_s: The same for 99 of 100.
    """

    planner_id: str
    runs: int
    outcomes: Mapping[str, int]
    p50_s: float | None
    p95_s: float | None
    p99_s: float | None
    retries: int
    critiques: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetLine:
    """A line of a transcript, cut."""

    kind: str
    text: str
    is_tainted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedRun:
    """A run that failed.

    Attributes:
        saved_runs: Id of its saved run; none where it was refused before it was one.
        snippet: The last lines of its transcript.
    """

    planner_id: str
    scope: str
    began_at: str
    saved_runs: tuple[str, ...]
    code: str
    message: str
    snippet: tuple[SnippetLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthReport:
    """How planners do.

    Attributes:
        at: When that was looked at, UTC, ISO 8601.
        transitions: The latest changes of the backlog, the latest first.
    """

    at: str
    templates: TemplateHealth
    backlog: BacklogHealth
    planners: tuple[PlannerHealth, ...]
    transitions: tuple[Transition, ...]
    failures: tuple[FailedRun, ...]
    alerts: tuple[Alert, ...]
    unread: Mapping[HealthSource, str]


def build_report(facts: HealthFacts, alerts: Sequence[Alert]) -> HealthReport:
    """Return the report on facts."""
    failed = [run for run in facts.runs if run.outcome == "failed"]
    return HealthReport(
        at=facts.now.isoformat(timespec="seconds"),
        templates=TemplateHealth(named=len(list_templates(facts.planners)), missing=facts.missing),
        backlog=_weigh_backlog(facts),
        planners=tuple(_weigh_planner(planner_id, runs) for planner_id, runs in facts.group_runs().items()),
        transitions=tuple(reversed(facts.transitions[-MOST_SHOWN:])),
        failures=tuple(_tell_failure(run) for run in reversed(failed[-MOST_SHOWN:])),
        alerts=tuple(alerts),
        unread=facts.unread,
    )


def _weigh_backlog(facts: HealthFacts) -> BacklogHealth:
    ages = [facts.find_age_s(item.changed_at) for item in facts.items if read_moment(item.changed_at)]
    waiting = [facts.find_age_s(item.changed_at) for item in facts.items if item.state == "pending"]
    return BacklogHealth(
        counts=dict(sorted(Counter(item.state for item in facts.items).items())),
        oldest_pending_s=max(waiting, default=None),
        changed_s=min(ages, default=None),
        coverage={plan_id: find_coverage(items) for plan_id, items in facts.group_plans().items()},
    )


def _weigh_planner(planner_id: str, runs: Sequence[KeptPlannerRun]) -> PlannerHealth:
    durations = list_durations_s(runs)
    p50_s, p95_s, p99_s = (find_percentile(durations, each) for each in (50, 95, 99))
    return PlannerHealth(
        planner_id=planner_id,
        runs=len(runs),
        outcomes=dict(sorted(Counter(run.outcome for run in runs).items())),
        p50_s=p50_s,
        p95_s=p95_s,
        p99_s=p99_s,
        retries=_sum_metric(runs, "retries"),
        critiques=_sum_metric(runs, "critiques"),
        tokens=_sum_metric(runs, "tokens"),
    )


def _sum_metric(runs: Iterable[KeptPlannerRun], name: str) -> int:
    return int(sum(run.metrics.get(name, 0.0) for run in runs))


def _tell_failure(run: KeptPlannerRun) -> FailedRun:
    error = run.errors[0] if run.errors else None
    if error is None:
        error = next((record.error for record in reversed(run.steps) if record.error), None)
    return FailedRun(
        planner_id=run.planner_id,
        scope=run.scope,
        began_at=run.began_at,
        saved_runs=tuple(filter(None, [read_scope(run.scope).read_level("run")])),
        code=error.code if error else "",
        message=cut_text(fold_text(error.message), _SNIPPET_CHARS) if error else "",
        snippet=_cut_snippet(run.transcript),
    )


def _cut_snippet(transcript: Sequence[TranscriptEntry]) -> tuple[SnippetLine, ...]:
    last = list(_walk(transcript))[-SNIPPET_LINES:]
    return tuple(
        SnippetLine(kind=each.kind, text=cut_text(fold_text(each.text), _SNIPPET_CHARS), is_tainted=each.is_tainted)
        for each in last
    )


def _walk(entries: Iterable[TranscriptEntry]) -> Iterator[TranscriptEntry]:
    for entry in entries:
        yield entry
        yield from _walk(entry.inner)
