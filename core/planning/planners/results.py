"""PlannerResult: what came of a planner's run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from core.base.errors import ErrorInfo, GoalError
from core.planning.planners.steps import StepRecord
from core.planning.planners.transcripts import TranscriptEntry, cut_text

PlannerOutcome = Literal["success", "partial", "failed", "cancelled"]

_SEVERITY: Final[tuple[PlannerOutcome, ...]] = ("success", "partial", "failed", "cancelled")
_MOST_TOLD = 20
_MOST_CHARS = 300


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

    @staticmethod
    def combine(results: "Sequence[PlannerResult]") -> "PlannerResult":
        """Return what came of several runs as one: in their order, with metrics summed up.

        Of artifacts of one name the latest stays, and a diagnostic says so. It is a success if all were, cancelled if any was,
        failed if all failed, and else partial.

        Args:
            results: At least one.

        Raises:
            GoalError: If there is none.
        """
        if not results:
            raise GoalError("There is nothing to combine.", code="nothing_to_combine")
        return results[0] if len(results) == 1 else _combine(results)

    def to_log_entry(self) -> dict[str, Any]:
        """Return it as JSON-compatible data of limited size, for a line of a log.

        What steps gave, artifacts and the transcript are left out but for their names and number.
        """
        return {
            "planner_id": self.planner_id,
            "scope": self.scope,
            "outcome": self.outcome,
            "steps": [_tell_step(each) for each in (*self.completed, *self.failed)[:_MOST_TOLD]],
            "outstanding": list(self.outstanding[:_MOST_TOLD]),
            "errors": [_tell_error(each) for each in self.errors[:_MOST_TOLD]],
            "metrics": dict(self.metrics),
            "diagnostics": [cut_text(each, _MOST_CHARS) for each in self.diagnostics[:_MOST_TOLD]],
            "artifacts": sorted(map(str, self.artifacts))[:_MOST_TOLD],
            "counts": {
                "completed": len(self.completed),
                "failed": len(self.failed),
                "outstanding": len(self.outstanding),
                "errors": len(self.errors),
                "artifacts": len(self.artifacts),
                "transcript": len(self.transcript),
            },
        }


def find_worse(one: PlannerOutcome, other: PlannerOutcome) -> PlannerOutcome:
    """Return the worse of two outcomes."""
    return one if _SEVERITY.index(one) >= _SEVERITY.index(other) else other


def _combine(results: Sequence[PlannerResult]) -> PlannerResult:
    artifacts: dict[str, Any] = {}
    diagnostics: list[str] = []
    for each in results:
        diagnostics += each.diagnostics
        replaced = sorted(artifacts.keys() & each.artifacts.keys())
        diagnostics += [
            f"Artifact “{name}” is that of “{each.planner_id}”, in place of an earlier one." for name in replaced
        ]
        artifacts |= each.artifacts
    return PlannerResult(
        planner_id="+".join(dict.fromkeys(each.planner_id for each in results)),
        scope=_find_common_scope([each.scope for each in results]),
        outcome=_combine_outcomes([each.outcome for each in results]),
        completed=tuple(record for each in results for record in each.completed),
        outstanding=tuple(step for each in results for step in each.outstanding),
        failed=tuple(record for each in results for record in each.failed),
        artifacts=artifacts,
        transcript=tuple(entry for each in results for entry in each.transcript),
        metrics=_sum_metrics(results),
        diagnostics=tuple(diagnostics),
        errors=tuple(error for each in results for error in each.errors),
    )


def _combine_outcomes(outcomes: Sequence[PlannerOutcome]) -> PlannerOutcome:
    if "cancelled" in outcomes:
        return "cancelled"
    return outcomes[0] if len(set(outcomes)) == 1 else "partial"


def _find_common_scope(scopes: Sequence[str]) -> str:
    common: list[str] = []
    for names in zip(*(scope.split("/") for scope in scopes), strict=False):
        if len(set(names)) > 1:
            break
        common.append(names[0])
    return "/".join(common)


def _sum_metrics(results: Sequence[PlannerResult]) -> dict[str, float]:
    names = dict.fromkeys(name for each in results for name in each.metrics)
    return {name: sum(each.metrics.get(name, 0.0) for each in results) for name in names}


def _tell_step(record: StepRecord) -> dict[str, Any]:
    return {
        "instance_id": record.instance_id,
        "step_id": record.step_id,
        "status": record.status,
        "iteration": record.iteration,
        "tokens": record.tokens,
        "ms": record.ms,
        "error": _tell_error(record.error) if record.error else None,
    }


def _tell_error(error: ErrorInfo) -> dict[str, str]:
    return {"code": error.code, "message": cut_text(error.message, _MOST_CHARS)}
