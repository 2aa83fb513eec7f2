"""The events of a planner's run, in the schema of all events."""

from collections.abc import Mapping
from typing import Any, ClassVar

from core.base.errors import ErrorInfo
from core.base.late_dataclasses import dataclass
from core.results.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerEvent(Event):
    """What all events of planners have in common.

    Attributes:
        step_id: The step in the planner's metadata; empty where it is about the whole run.
        instance_id: The drafted step; empty likewise.
        iteration: How often the step was tried; of a run how many tries of steps there were.
        tokens: Tokens that models took so far: for the step, or for the whole run.
        outcome: How the step or the run ended; empty as long as it goes on.
    """

    planner_id: str
    step_id: str = ""
    instance_id: str = ""
    iteration: int = 0
    tokens: int = 0
    outcome: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerStarted(PlannerEvent):
    """A planner began."""

    event_name: ClassVar[str] = "planner.started"
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerStepStarted(PlannerEvent):
    """A step began, or was begun again."""

    event_name: ClassVar[str] = "planner.step.started"
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerStepCompleted(PlannerEvent):
    """A step ended: ``done``, ``skipped``, ``failed`` or ``cancelled``."""

    event_name: ClassVar[str] = "planner.step.completed"
    error: ErrorInfo | None = None
    ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerCompleted(PlannerEvent):
    """A run ended with ``success``, ``partial`` or ``cancelled``.

    Attributes:
        completed: Ids of the drafted steps that were done, or left out on purpose.
    """

    event_name: ClassVar[str] = "planner.completed"
    completed: tuple[str, ...] = ()
    outstanding: tuple[str, ...] = ()
    metrics: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerFailed(PlannerEvent):
    """A run failed."""

    event_name: ClassVar[str] = "planner.failed"
    errors: tuple[ErrorInfo, ...] = ()
    outstanding: tuple[str, ...] = ()
    metrics: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerThrottled(PlannerEvent):
    """A run waits before it may begin, or is ended because it used its budget up.

    Attributes:
        wait_s: Seconds until it is tried again; 0 where it is not.
    """

    event_name: ClassVar[str] = "planner.throttled"
    reason: str
    wait_s: float = 0.0
