"""HealthFacts: what is looked at to judge planners, read once."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from core.base.errors import SurehandError
from core.base.scope_paths import ScopePath
from core.planning.planners.alerts import HealthSource
from core.planning.planners.metadata import PlannerMetadata
from core.planning.planners.planner_runs import KeptPlannerRun, PlannerRuns
from core.planning.planners.ports import Backlog, BacklogItem, Clock, Templates, Transition

WINDOW = timedelta(hours=24)
"""How far back runs and transitions are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFacts:
    """What is so at one moment.

    Attributes:
        now: The moment, UTC.
        missing: Why a template can't be read, by its id.
        transitions: What changed in it in the window, the oldest first.
        runs: Runs of planners in the window, the oldest first.
        saved: Ids of saved runs by the session that they were of, the latest first; none where no planner's run failed.
        unread: What could not be read, by source.
    """

    now: datetime
    planners: tuple[PlannerMetadata, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict[str, str])
    items: tuple[BacklogItem, ...] = ()
    transitions: tuple[Transition, ...] = ()
    runs: tuple[KeptPlannerRun, ...] = ()
    saved: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    unread: Mapping[HealthSource, str] = field(default_factory=dict[HealthSource, str])

    def find_age_s(self, moment: str) -> float:
        """Return the seconds since a moment in ISO 8601; 0 where it lies ahead or says nothing."""
        at = read_moment(moment)
        return max(0.0, (self.now - at).total_seconds()) if at else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthSources:
    """Where facts are read.

    Attributes:
        index_saved: Returns the ids of saved runs by session; it may block.
    """

    scope: ScopePath
    planners: Sequence[PlannerMetadata]
    templates: Templates
    check_templates: Callable[[], object]
    backlog: Backlog
    runs: PlannerRuns
    index_saved: Callable[[], Mapping[str, tuple[str, ...]]]
    clock: Clock


async def collect_facts(sources: HealthSources) -> HealthFacts:
    """Read everything; what can't be read is said and hides nothing else."""
    now, unread = sources.clock.read_utc(), dict[HealthSource, str]()
    since = now - WINDOW
    items, transitions, runs = tuple[BacklogItem, ...](), tuple[Transition, ...](), tuple[KeptPlannerRun, ...]()
    try:
        items = tuple(await sources.backlog.list_items(sources.scope))
        transitions = tuple(await sources.backlog.list_transitions(sources.scope, since))
    except SurehandError as error:
        unread["backlog"] = str(error)
    try:
        runs = tuple(await sources.runs.list_runs(sources.scope, since))
    except SurehandError as error:
        unread["runs"] = str(error)
    planners = tuple(sources.planners)
    try:
        sources.check_templates()
    except SurehandError as error:
        unread["templates"] = str(error)
    if missing := dict(_find_missing(planners, sources.templates)):
        unread.pop("templates", None)  # each of them says it already
    return HealthFacts(
        now=now,
        planners=planners,
        missing=missing,
        items=items,
        transitions=transitions,
        runs=runs,
        saved=await asyncio.to_thread(sources.index_saved) if any(run.outcome == "failed" for run in runs) else {},
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
