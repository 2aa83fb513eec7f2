"""PlannerResult: what came of a planner's run; KeptPlannerRun: what is kept of it for those who look at it later."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal, Protocol

from core.base.errors import ErrorInfo
from core.base.late_dataclasses import dataclass, field, fields, replace
from core.base.scope_paths import ScopePath
from core.planning.planners.steps import StepRecord
from core.planning.planners.transcripts import TranscriptEntry

PlannerOutcome = Literal["success", "partial", "failed", "cancelled"]

_SEVERITY: Final[tuple[PlannerOutcome, ...]] = ("success", "partial", "failed", "cancelled")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerEnd:
    """How a planner's run ended.

    Attributes:
        outcome: ``success``, ``partial`` (something was completed and something is outstanding), ``failed``, ``cancelled``.
        outstanding: Ids of drafted instances that were not carried out.
    """

    planner_id: str
    scope: str
    outcome: PlannerOutcome
    outstanding: tuple[str, ...] = ()
    transcript: tuple[TranscriptEntry, ...] = ()
    metrics: Mapping[str, float] = field(default_factory=dict[str, float])
    diagnostics: tuple[str, ...] = ()
    errors: tuple[ErrorInfo, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerResult(PlannerEnd):
    """What came of a planner's run.

    Attributes:
        completed: Steps that were done or left out on purpose.
        artifacts: What it made, by name: goals, records, a flow's text, paths.
    """

    completed: tuple[StepRecord, ...] = ()
    failed: tuple[StepRecord, ...] = ()
    artifacts: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def with_artifact(self, name: str, value: Any) -> "PlannerResult":
        """Return the same result with one artifact more, or another in its place."""
        return replace(self, artifacts={**self.artifacts, name: value})


def find_worse(one: PlannerOutcome, other: PlannerOutcome) -> PlannerOutcome:
    """Return the worse of two outcomes."""
    return one if _SEVERITY.index(one) >= _SEVERITY.index(other) else other


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPlannerRun(PlannerEnd):
    """What is kept of a planner's run: when it began (UTC, ISO 8601), and what came of its steps, without what they gave."""

    began_at: str
    steps: tuple[StepRecord, ...] = ()


class PlannerRuns(Protocol):
    """What is kept of planners' runs, keyed by scope path."""

    async def keep_run(self, result: PlannerResult, began_at: datetime) -> None:
        """Keep what came of a run; the oldest beyond a number go."""
        ...

    async def list_runs(self, scope: ScopePath, since: datetime | None = None) -> Sequence[KeptPlannerRun]:
        """Return the runs within a scope that began since, the oldest first."""
        ...


def summarise_run(result: PlannerResult, began_at: str) -> KeptPlannerRun:
    """Return what is kept of a result; artifacts and outputs of steps belong to who asked."""
    ended = {each.name: getattr(result, each.name) for each in fields(PlannerEnd)}
    steps = tuple(replace(step, outputs={}) for step in (*result.completed, *result.failed))
    return KeptPlannerRun(**ended, began_at=began_at, steps=steps)
