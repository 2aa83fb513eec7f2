"""PlannerParameters: what a planner was given, checked against what its metadata says that it takes."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.base.errors import GoalError
from core.planning.planners.metadata import ParameterKind, PlannerInput, PlannerMetadata


@dataclass(frozen=True, slots=True)
class PlannerParameters(Mapping[str, Any]):
    """Checked values by name, those that weren't given with their defaults. Only ``read_parameters`` makes them."""

    known: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        """Return a value by the name of its input."""
        return self.known[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self.known)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.known)


def read_parameters(metadata: PlannerMetadata, given: Mapping[str, Any]) -> PlannerParameters:
    """Return what a planner was given, checked.

    Raises:
        GoalError: If anything is unknown, missing, of another type, or none of the choices; all faults are named.
    """
    if faults := find_parameter_faults(metadata.inputs, given):
        text = f"Planner “{metadata.name}” can't begin: {'; '.join(faults)}."
        raise GoalError(text, code="bad_parameters", evidence={"planner": metadata.name, "faults": faults})
    return PlannerParameters({each.name: given.get(each.name, each.default) for each in metadata.inputs})


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
