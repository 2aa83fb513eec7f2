"""RunProgress: where a planner's run stands, so that the result is read off it at any time; and how what it began ends."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

from core.base.errors import ErrorInfo, SurehandError, tell_fault
from core.base.late_dataclasses import dataclass, field
from core.base.shortages import explain_system_error
from core.planning.planners.results import PlannerOutcome, PlannerResult
from core.planning.planners.states import RUN_TABLE, RunMove, RunState, StateMachine
from core.planning.planners.steps import PlannerStepInstance, StepRecord

if TYPE_CHECKING:
    from core.planning.planners.context import PlannerContext
    from core.planning.planners.lifecycle.reporting import PlannerReporter
    from core.planning.planners.lifecycle.step_graph import StepGraph
    from core.planning.planners.metadata import PlannerMetadata

_LEFT_OUT_OR_DONE = frozenset(("done", "skipped"))


@dataclass(slots=True)
class RunProgress:
    """Where a run stands.

    Attributes:
        records: What came of the steps that ended, in that order.
        is_spent: Whether nothing more is begun, as a budget is used up.
    """

    metadata: "PlannerMetadata"
    context: "PlannerContext"
    reporter: "PlannerReporter"
    graph: "StepGraph"
    values: dict[str, Any]
    machine: StateMachine[RunState, RunMove] = field(default_factory=lambda: StateMachine(RUN_TABLE))
    records: dict[str, StepRecord] = field(default_factory=dict[str, StepRecord])
    errors: list[ErrorInfo] = field(default_factory=list[ErrorInfo])
    diagnostics: list[str] = field(default_factory=list[str])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    is_spent: bool = False

    def count(self, name: str) -> None:
        """Count that something happened once more."""
        self.counts[name] = self.counts.get(name, 0) + 1

    def fail(self, error: ErrorInfo) -> None:
        """Note why the run failed, once."""
        if error not in self.errors:
            self.errors.append(error)

    def add(self, drafted: Sequence[PlannerStepInstance]) -> None:
        """Add drafted steps; a GoalError if they can't be carried out."""
        self.graph.add(drafted)

    def end_step(self, record: StepRecord) -> None:
        """Note what came of a step; what depends on it may begin if it was done or left out."""
        self.records[record.instance_id] = record
        if record.status in _LEFT_OUT_OR_DONE:
            self.graph.end(record.instance_id)
        elif record.status == "failed" and record.error:
            self.fail(record.error)

    @property
    def is_held(self) -> bool:
        """Whether no more steps are begun."""
        return self.is_spent or self.context.parts.stop.is_set()

    @property
    def has_outstanding(self) -> bool:
        """Whether something is drafted and not done."""
        return bool(self.graph.list_outstanding())

    def judge(self) -> PlannerOutcome:
        """Return the outcome as it is now."""
        if self.machine.state == "cancelled":
            return "cancelled"
        if not self.errors and not self.has_outstanding:
            return "success"
        return "partial" if any(each.status in _LEFT_OUT_OR_DONE for each in self.records.values()) else "failed"

    def read_result(self) -> PlannerResult:
        """Return what came of the run so far."""
        ended = self.records.values()
        outcome = self.judge()
        return PlannerResult(
            planner_id=self.metadata.name,
            scope=str(self.context.scope),
            outcome=outcome,
            completed=tuple(each for each in ended if each.status in _LEFT_OUT_OR_DONE),
            outstanding=self.graph.list_outstanding(),
            failed=tuple(each for each in ended if each.status == "failed"),
            transcript=self.context.log.close().inner,
            metrics=self._measure(),
            diagnostics=tuple(self.diagnostics),
            errors=tuple(self.errors) if outcome != "success" else (),
        )

    def _measure(self) -> Mapping[str, float]:
        meter, ended = self.context.meter, list(self.records.values())
        return {
            "ms": round(meter.elapsed_s * 1000, 3),
            "tokens": float(meter.tokens),
            "cost_usd": meter.cost_usd,
            "answers": float(meter.answers),
            "steps": float(len(self.graph.instances)),
            "tries": float(meter.iterations),
            **{status: float(sum(each.status == status for each in ended)) for status in ("done", "skipped", "failed")},
            **{name: float(self.counts.get(name, 0)) for name in ("retries", "critiques")},
        }


def explain_fault(error: BaseException, planner_id: str) -> ErrorInfo:
    """Return any error as data; what nobody raised on purpose is a fault of the planner."""
    if isinstance(error, SurehandError):
        return error.info()
    if isinstance(error, OSError):
        return explain_system_error(error)
    text = f"Planner “{planner_id}” failed: {tell_fault(error)}"
    return ErrorInfo("internal_error", text, "This is a fault in the planner.", {"planner": planner_id})


ENDING_S: Final = 0.15
"""Seconds that a task has to end when it is told to; a run that is stopped ends within 200 ms."""

_LEFTOVERS: Final[set[asyncio.Task[Any]]] = set()


async def end_task(task: asyncio.Task[Any]) -> bool:
    """Tell a task to end, and wait a moment for that; return whether it has ended.

    Args:
        task: One that goes on regardless is kept until it ends, and nobody waits for it.
    """
    if not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=ENDING_S)
    if not task.done():
        _LEFTOVERS.add(task)
        task.add_done_callback(_forget)
    return task.done()


class FaultCatcher:
    """Keeps an error that its block raised, whatever it is; being cancelled is none."""

    def __init__(self) -> None:
        self.error: Exception | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        """Keep the error; return whether it ends here."""
        del kind, trace
        self.error = error if isinstance(error, Exception) else None
        return self.error is not None


def read_fault(task: asyncio.Task[Any], planner_id: str) -> ErrorInfo | None:
    """Return why a task that ended did not do what it was there for; None if it did."""
    if task.cancelled():
        text = f"Planner “{planner_id}” ended its own work."
        return ErrorInfo("internal_error", text, "This is a fault in the planner.", {"planner": planner_id})
    error: BaseException | None = task.exception()
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return explain_fault(error, planner_id) if error else None


def _forget(task: asyncio.Task[Any]) -> None:
    _LEFTOVERS.discard(task)
    if not task.cancelled():
        task.exception()  # asked for, so that nobody is told that it never was
