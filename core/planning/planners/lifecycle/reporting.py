"""PlannerReporter: tells the events of one planner's run, in order."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from core.results.events import Event, Rejected
from core.results.planner_events import (
    PlannerCompleted,
    PlannerFailed,
    PlannerStarted,
    PlannerStepCompleted,
    PlannerStepStarted,
    PlannerThrottled,
)

if TYPE_CHECKING:
    from core.base.errors import ErrorInfo
    from core.base.scope_paths import ScopePath
    from core.planning.planners.context import PlannerContextParts
    from core.planning.planners.metadata import PlannerMetadata
    from core.planning.planners.results import PlannerResult
    from core.planning.planners.steps import PlannerStepInstance, StepRecord


class PlannerReporter:
    """Counts the events of a run, and takes secrets out of them.

    Attributes:
        is_closed: Whether nothing more is told: the run has ended, or the listener failed, which is not the run's business.
    """

    def __init__(self, metadata: "PlannerMetadata", parts: "PlannerContextParts") -> None:
        self._metadata = metadata
        self._parts = parts
        self._began_s = parts.clock.read_monotonic_s()
        self._seq = 0
        self.is_closed = False

    def start(self) -> None:
        """Tell that the run began."""
        self._tell(PlannerStarted, tags=self._metadata.tags)

    def reject(self, errors: "Sequence[ErrorInfo]") -> None:
        """Tell that the run may not begin."""
        self._tell(Rejected, errors=tuple(errors))

    def throttle(self, reason: str, wait_s: float = 0.0, tokens: int = 0) -> None:
        """Tell that the run waits, or is ended because its budget is used up."""
        self._tell(PlannerThrottled, reason=reason, wait_s=wait_s, tokens=tokens)

    def start_step(self, scope: "ScopePath", step: "PlannerStepInstance", iteration: int, tokens: int) -> None:
        """Tell that a try of a step began."""
        described = step.step.descriptor
        self._tell(
            PlannerStepStarted,
            scope,
            step_id=described.step_id,
            instance_id=step.instance_id,
            description=described.description,
            iteration=iteration,
            tokens=tokens,
        )

    def end_step(self, scope: "ScopePath", record: "StepRecord") -> None:
        """Tell that a step ended."""
        self._tell(
            PlannerStepCompleted,
            scope,
            step_id=record.step_id,
            instance_id=record.instance_id,
            iteration=record.iteration,
            tokens=record.tokens,
            outcome=record.status,
            error=record.error,
            ms=record.ms,
        )

    def end(self, result: "PlannerResult") -> None:
        """Tell that the run ended."""
        told: dict[str, Any] = {
            "iteration": int(result.metrics.get("tries", 0)),
            "tokens": int(result.metrics.get("tokens", 0)),
            "outcome": result.outcome,
            "outstanding": result.outstanding,
            "metrics": result.metrics,
        }
        if result.outcome == "failed":
            self._tell(PlannerFailed, errors=result.errors, **told)
        else:
            self._tell(PlannerCompleted, completed=tuple(each.instance_id for each in result.completed), **told)
        self.is_closed = True

    def _tell(self, make: type[Event], scope: "ScopePath | None" = None, **facts: Any) -> None:
        if self.is_closed:
            return
        parts = self._parts
        event = make(
            run_id=parts.scope.read_level("run"),
            seq=self._seq,
            at_ms=round((parts.clock.read_monotonic_s() - self._began_s) * 1000, 3),
            scope=str(scope or parts.scope),
            **{"planner_id": self._metadata.name, **parts.redact(facts)},
        )
        self._seq += 1
        self.is_closed = True
        with suppress(Exception):
            parts.emit(event)
            self.is_closed = False
