"""PlannerMetadata: what a planner says of itself, checked when it is registered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

ParameterKind = Literal["text", "integer", "number", "boolean", "list", "mapping"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerInput:
    """One input parameter of a planner.

    Attributes:
        choices: All values that it may have; empty for any of its type.
    """

    name: str
    kind: ParameterKind
    description: str
    is_required: bool = True
    default: Any = None
    choices: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often a step is tried.

    Attributes:
        attempts: How often in all, from 1.
        delay_s: Seconds before the second try; doubled before each further one.
        longest_delay_s: Seconds that a delay is at most.
    """

    attempts: int = 1
    delay_s: float = 0.1
    longest_delay_s: float = 5.0

    def find_delay(self, tried: int) -> float:
        """Return the seconds to wait after so many tries."""
        return min(self.delay_s * 2 ** max(0, tried - 1), self.longest_delay_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDescriptor:
    """A step that a planner may draft.

    Attributes:
        description: What it does; for people.
        template_id: The prompt template that its instructions are made from; empty where it needs none.
        inputs: Outputs of earlier steps, or parameters, that it reads.
        is_parallel: Whether it may run beside others that it doesn't depend on.
    """

    step_id: str
    description: str
    template_id: str = ""
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    is_parallel: bool = False
    retry: RetryPolicy = RetryPolicy()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerMetadata:
    """What a planner is.

    Attributes:
        capabilities: Tags that it is found by, such as ``explore``.
        settings: Its settings with their defaults; a principal's own are merged over them.
    """

    name: str
    description: str
    capabilities: tuple[str, ...]
    inputs: tuple[PlannerInput, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    steps: tuple[StepDescriptor, ...] = ()
    tags: tuple[str, ...] = ()

    def find_step(self, step_id: str) -> StepDescriptor:
        """Return a step by its id.

        Raises:
            KeyError: If there is none.
        """
        return next((step for step in self.steps if step.step_id == step_id), None) or _miss(step_id)


def _miss(step_id: str) -> StepDescriptor:
    raise KeyError(step_id)
