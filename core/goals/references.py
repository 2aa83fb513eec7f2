"""References: parameter values that come from an earlier step of the same run, and their binding.

A reference is always a typed object made by the author of a flow or by the interpreter, never found in a text at run
time: the characters ``${x}`` in an utterance are just characters.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from core.base.errors import GoalError
from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late

MAX_BOUND = 20_000_000
"""Characters that references may put into the arguments of one step."""

_INDEX = compile_late(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Reference:
    """One output of an earlier goal; dots in its key go down into mappings, numbers into lists: ``rows.0.price``."""

    goal_id: str
    key: str

    def __str__(self) -> str:
        """Return the reference as flow files write it."""
        return f"${{{self.goal_id}.{self.key}}}"


@dataclass(frozen=True, slots=True)
class Template:
    """A text with references in it, in order."""

    parts: tuple[str | Reference, ...]

    def __str__(self) -> str:
        """Return the template as flow files write it."""
        return "".join(str(part) for part in self.parts)


def find_references(value: object) -> Iterator[Reference]:
    """Yield every reference in a value, however deep."""
    if isinstance(value, Reference):
        yield value
    elif isinstance(value, Template):
        yield from (part for part in value.parts if isinstance(part, Reference))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from find_references(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from find_references(each)


def map_references(value: Any, change: Callable[[Reference], Reference]) -> Any:
    """Return a value with every reference in it changed."""
    if isinstance(value, Reference):
        return change(value)
    if isinstance(value, Template):
        return Template(tuple(part if isinstance(part, str) else change(part) for part in value.parts))
    if isinstance(value, Mapping):
        return {key: map_references(each, change) for key, each in value.items()}
    return tuple(map_references(each, change) for each in value) if isinstance(value, list | tuple) else value


def has_reference(value: object) -> bool:
    """Tell whether a value holds a reference, or a text with references, however deep."""
    if isinstance(value, str | int | float):
        return False
    return isinstance(value, Template) or next(find_references(value), None) is not None


def bind_value(value: Any, outputs: Mapping[str, Mapping[str, Any]]) -> Any:
    """Return the value with every reference replaced; a whole one keeps the type of the output, in a text it is text.

    Raises:
        GoalError: If an output doesn't exist, with those that do; ``too_large`` if it is more than a step may be told.
    """
    return _Binding(outputs).bind(value)


@dataclass(slots=True)
class _Binding:
    """The binding of one value, which may not come to more characters than are left for a step."""

    outputs: Mapping[str, Mapping[str, Any]]
    left: int = MAX_BOUND

    def bind(self, value: Any) -> Any:
        if isinstance(value, Reference):
            return self._take(value)
        if isinstance(value, Template):
            return "".join(part if isinstance(part, str) else _as_text(self._take(part)) for part in value.parts)
        if isinstance(value, Mapping):
            return {key: self.bind(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return tuple(self.bind(each) for each in value)
        return value

    def _take(self, reference: Reference) -> Any:
        found = _look_up(reference, self.outputs)
        self.left -= _measure(found)
        if self.left < 0:
            raise GoalError(
                f"{reference} gives too much text: more than {MAX_BOUND:,} characters in one step.",
                code="too_large",
                hint="Refer to a part of it, or refer to it less often.",
            )
        return found


def _measure(value: object) -> int:
    """Return about how many characters a value has once it is written out."""
    if isinstance(value, str):
        return len(value) + 1
    if isinstance(value, Mapping):
        return 1 + sum(len(key) + _measure(each) for key, each in value.items())
    return 1 + sum(map(_measure, value)) if isinstance(value, list | tuple) else 8


def _look_up(reference: Reference, outputs: Mapping[str, Mapping[str, Any]]) -> Any:
    found: Any = outputs.get(reference.goal_id, {})
    for step in reference.key.split("."):
        if isinstance(found, Mapping) and step in found:
            found = found[step]
        elif isinstance(found, list | tuple) and _INDEX.fullmatch(step) and int(step) < len(found):
            found = found[int(step)]
        else:
            names = ", ".join(map(str, outputs.get(reference.goal_id, {}))) or "nothing"
            raise GoalError(
                f"{reference} does not exist: “{step}” was not found.",
                code="reference_missing",
                hint=f"{reference.goal_id} gave {names}.",
            )
    return found


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=_unfreeze)


def _unfreeze(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} can't be written as text.")
