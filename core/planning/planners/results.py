"""PlannerResult: what came of a planner's run."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from core.base.errors import ErrorInfo
from core.planning.planners.steps import StepRecord
from core.planning.planners.transcripts import TranscriptEntry

PlannerOutcome = Literal["success", "partial", "failed", "cancelled"]

_SEVERITY: Final[tuple[PlannerOutcome, ...]] = ("success", "partial", "failed", "cancelled")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerResult:
    """What came of a planner's run.

    Attributes:
        outcome: ``success``, ``partial`` (something was completed and something is outstanding), ``failed``, ``cancelled``.
        completed: Steps that were done or left out on purpose.
        outstanding: Ids of drafted instances that were not.
        artifacts: What it made, by name: goals, records, a flow's text, paths.
        metrics: Counts, tokens, and durations in milliseconds.
        diagnostics: What else has to be known.
    """

    planner_id: str
    scope: str
    outcome: PlannerOutcome
    completed: tuple[StepRecord, ...] = ()
    outstanding: tuple[str, ...] = ()
    failed: tuple[StepRecord, ...] = ()
    artifacts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    transcript: tuple[TranscriptEntry, ...] = ()
    metrics: Mapping[str, float] = field(default_factory=dict[str, float])
    diagnostics: tuple[str, ...] = ()
    errors: tuple[ErrorInfo, ...] = ()

    def with_artifact(self, name: str, value: Any) -> "PlannerResult":
        """Return the same result with one artifact more, or another in its place."""
        return replace(self, artifacts={**self.artifacts, name: value})


def find_worse(one: PlannerOutcome, other: PlannerOutcome) -> PlannerOutcome:
    """Return the worse of two outcomes."""
    return one if _SEVERITY.index(one) >= _SEVERITY.index(other) else other
