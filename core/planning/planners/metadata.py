"""PlannerMetadata: what a planner says of itself, checked when it is registered."""

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

from core.base.errors import GoalError
from core.base.late_dataclasses import dataclass, field

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


def make_option(name: str, kind: ParameterKind, description: str, default: Any) -> PlannerInput:
    """Return an input that may be left out."""
    return PlannerInput(name=name, kind=kind, description=description, is_required=False, default=default)


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


def read_parameters(metadata: PlannerMetadata, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a planner was given by name, checked; what wasn't given has its default.

    Raises:
        GoalError: If anything is unknown, missing, of another type, or none of the choices; all faults are named.
    """
    if faults := find_parameter_faults(metadata.inputs, given):
        text = f"Planner “{metadata.name}” can't begin: {'; '.join(faults)}."
        raise GoalError(text, code="bad_parameters", evidence={"planner": metadata.name, "faults": faults})
    return MappingProxyType({each.name: given.get(each.name, each.default) for each in metadata.inputs})


def find_parameter_faults(inputs: Sequence[PlannerInput], given: Mapping[str, Any]) -> list[str]:
    """Return all that is wrong with values that were given; nothing where all fit."""
    known = {each.name for each in inputs}
    faults = [f"“{name}” is unknown" for name in sorted(map(str, given)) if name not in known]
    for each in inputs:
        if each.name in given:
            faults += _find_value_faults(each, given[each.name])
        elif each.is_required:
            faults.append(f"“{each.name}” is missing")
    return faults


def _find_value_faults(wanted: PlannerInput, value: Any) -> list[str]:
    if value is None and not wanted.is_required and wanted.default is None:
        return []
    if not _FITS[wanted.kind](value):
        return [f"“{wanted.name}” is not {_IN_WORDS[wanted.kind]}"]
    if wanted.choices and value not in wanted.choices:
        return [f"“{wanted.name}” is none of {', '.join(map(str, wanted.choices))}"]
    return []


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


_FITS: Mapping[ParameterKind, Callable[[object], bool]] = {
    "text": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "list": lambda value: isinstance(value, list | tuple),
    "mapping": lambda value: isinstance(value, Mapping),
}
_IN_WORDS: Mapping[ParameterKind, str] = {
    "text": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "list": "a list",
    "mapping": "a mapping",
}
