"""Packing: planned values as JSON and back, every type kept, so that a plan outlives its process."""

from collections.abc import Mapping
from typing import Any

from core.goals.references import Reference, Template
from core.goals.secret_values import Secret
from core.planning.plans import freeze


def pack_value(value: Any) -> Any:
    """Return a planned value as JSON-compatible data that ``unpack_value`` reads back.

    Scalars and lists stay as they are; anything else is an object with one key that says what it is.

    Raises:
        TypeError: If it can't be part of a plan.
    """
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, list | tuple):
        return [pack_value(each) for each in value]
    if isinstance(value, Mapping):
        return {"map": {key: pack_value(each) for key, each in value.items()}}
    return _pack_stand_in(value)


def _pack_stand_in(value: Any) -> Any:
    if isinstance(value, Reference):
        return {"ref": [value.goal_id, value.key]}
    if isinstance(value, Template):
        return {"template": [pack_value(part) for part in value.parts]}
    if isinstance(value, Secret):
        return {"secret": value.name}
    raise TypeError(f"{value!r} can't be part of a plan.")


def unpack_value(packed: Any) -> Any:
    """Return what ``pack_value`` packed, frozen as planned values are; a ValueError if it is nothing that was packed."""
    return freeze(_unpack(packed))


def _unpack(packed: Any) -> Any:
    if isinstance(packed, list):
        return [_unpack(each) for each in packed]
    if not isinstance(packed, dict):
        return packed
    match list(packed.items()):
        case [("map", dict() as parts)]:
            return {key: _unpack(each) for key, each in parts.items()}
        case [("ref", [str() as goal_id, str() as key])]:
            return Reference(goal_id, key)
        case [("template", list() as parts)]:
            return Template(tuple(_unpack(part) for part in parts))
        case [("secret", str() as name)]:
            return Secret(name)
        case _:
            raise ValueError(f"{packed!r} is not a packed value.")
