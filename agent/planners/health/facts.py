"""HealthFacts: what is looked at to judge planners, read once; and what follows from it by counting."""

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import TypeVar

from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass, field
from core.base.scope_paths import ScopePath
from core.planning.planners.alerts import HealthSource
from core.planning.planners.metadata import PlannerMetadata
from core.planning.planners.ports import Backlog, BacklogItem, Clock, Templates, Transition
from core.planning.planners.results import KeptPlannerRun, PlannerRuns

Thing = TypeVar("Thing")

WINDOW = timedelta(hours=24)
"""How far back runs and transitions are looked at."""

_DURATION = "ms"
"""The metric of a run that says how long it took, in milliseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFacts:
    """What is so at one moment.

    Attributes:
        now: The moment, UTC.
        missing: Why a template can't be read, by its id.
        transitions: What changed in the backlog in the window, the oldest first.
        runs: Runs of planners in the window, the oldest first.
    """

    now: datetime
    planners: tuple[PlannerMetadata, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict[str, str])
    items: tuple[BacklogItem, ...] = ()
    transitions: tuple[Transition, ...] = ()
    runs: tuple[KeptPlannerRun, ...] = ()
    unread: Mapping[HealthSource, str] = field(default_factory=dict[HealthSource, str])

    def find_age_s(self, moment: str) -> float:
        """Return the seconds since a moment in ISO 8601; 0 where it lies ahead or says nothing."""
        at = read_moment(moment)
        return max(0.0, (self.now - at).total_seconds()) if at else 0.0

    def group_plans(self) -> dict[str, list[BacklogItem]]:
        """Return the items of each plan, the plans by name."""
        return _group((item for item in self.items if item.plan_id), lambda item: item.plan_id)

    def group_runs(self) -> dict[str, list[KeptPlannerRun]]:
        """Return the runs of each planner, the planners by name."""
        return _group(self.runs, lambda run: run.planner_id)


def _group(things: Iterable[Thing], name: Callable[[Thing], str]) -> dict[str, list[Thing]]:
    return {key: list(group) for key, group in groupby(sorted(things, key=name), name)}


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthSources:
    """Where facts are read.

    Attributes:
        checks: Each raises what keeps planners from beginning with that source as it is.
    """

    scope: ScopePath
    planners: Sequence[PlannerMetadata]
    templates: Templates
    checks: Mapping[HealthSource, Callable[[], object]]
    backlog: Backlog
    runs: PlannerRuns
    clock: Clock


async def collect_facts(sources: HealthSources) -> HealthFacts:
    """Read everything; what can't be read is said and hides nothing else."""
    now, unread = sources.clock.read_utc(), dict[HealthSource, str]()
    items, transitions, runs = tuple[BacklogItem, ...](), tuple[Transition, ...](), tuple[KeptPlannerRun, ...]()

    @contextmanager
    def telling(source: HealthSource) -> Generator[None]:
        try:
            yield
        except SurehandError as error:
            unread[source] = str(error)

    with telling("backlog"):
        items = tuple(await sources.backlog.list_items(sources.scope))
        transitions = tuple(await sources.backlog.list_transitions(sources.scope, now - WINDOW))
    with telling("runs"):
        runs = tuple(await sources.runs.list_runs(sources.scope, now - WINDOW))
    for source, check in sources.checks.items():
        with telling(source):
            check()
    if missing := dict(_find_missing(sources.planners, sources.templates)):
        unread.pop("templates", None)  # each of them says it already
    return HealthFacts(
        now=now,
        planners=tuple(sources.planners),
        missing=missing,
        items=items,
        transitions=transitions,
        runs=runs,
        unread=unread,
    )


def list_templates(planners: Iterable[PlannerMetadata]) -> tuple[str, ...]:
    """Return the ids of all templates that planners name."""
    named = {step.template_id for planner in planners for step in planner.steps if step.template_id}
    return tuple(sorted(named))


def _find_missing(planners: Iterable[PlannerMetadata], templates: Templates) -> Iterator[tuple[str, str]]:
    for template_id in list_templates(planners):
        try:
            templates.read_template(template_id)
        except SurehandError as error:
            yield template_id, str(error)


def read_moment(text: str) -> datetime | None:
    """Return a moment in ISO 8601 as one in UTC; None where it is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def find_coverage(items: Sequence[BacklogItem]) -> float:
    """Return the share of items that is done, from 0 to 1."""
    return sum(item.state == "done" for item in items) / len(items)


def has_begun(run: KeptPlannerRun) -> bool:
    """Tell whether a run began; one that was refused before, as for wrong parameters, says nothing of its planner."""
    return bool(run.steps) or run.metrics.get(_DURATION, 1.0) > 0


def list_durations_s(runs: Iterable[KeptPlannerRun]) -> list[float]:
    """Return how many seconds runs took, as far as they say it; those that were stopped tell nothing."""
    whole = (run for run in runs if run.outcome != "cancelled" and has_begun(run))
    return [run.metrics[_DURATION] / 1000 for run in whole if _DURATION in run.metrics]


def find_percentile(values: Sequence[float], percent: float) -> float | None:
    """Return the smallest of the values that so many percent of them don't exceed (nearest rank); None of none.

    Args:
        percent: Above 0, at most 100.
    """
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)] if ordered else None
