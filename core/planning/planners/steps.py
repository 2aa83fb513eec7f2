"""PlannerStep and PlannerStepInstance: what a planner may do, and what it has drafted to do now."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from core.base.errors import ErrorInfo
from core.base.late_dataclasses import dataclass, field
from core.planning.planners.metadata import StepDescriptor

StepStatus = Literal["done", "skipped", "failed", "cancelled"]
Condition = Callable[[Mapping[str, Any]], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerStep:
    """A step of a planner and when it is left out.

    Attributes:
        descriptor: Inputs, outputs, retry policy, and whether it may run beside others.
        skip_if: Told all values that are known before it begins; true to leave it out. None for never.
    """

    descriptor: StepDescriptor
    skip_if: Condition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerStepInstance:
    """A drafted step.

    Attributes:
        instructions: What is to be done, rendered from its template; empty where it needs none.
        depends_on: Ids of the instances that have to be done first.
    """

    instance_id: str
    step: PlannerStep
    instructions: str = ""
    depends_on: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRecord:
    """What came of a drafted step.

    Attributes:
        iteration: How often it was tried, from 1; 0 where it never was.
    """

    instance_id: str
    step_id: str
    status: StepStatus
    outputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    iteration: int = 0
    tokens: int = 0
    ms: float = 0.0
    error: ErrorInfo | None = None


def draft_step(
    descriptor: StepDescriptor, instance_id: str = "", after: str = "", skip_if: Condition | None = None, **values: Any
) -> PlannerStepInstance:
    """Return a drafted step; without an id of its own it is called as what it is.

    Args:
        after: Id of the instance that has to be done first; empty for none.
        **values: What it knows beside what the steps before give.
    """
    return PlannerStepInstance(
        instance_id=instance_id or descriptor.step_id,
        step=PlannerStep(descriptor=descriptor, skip_if=skip_if),
        depends_on=(after,) if after else (),
        values=values,
    )
