"""Records: anything of the core as plain JSON-compatible data."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from core.references import Reference, Template


def to_data(value: object) -> Any:
    """Return a value as dicts, lists and scalars; references are written as ``{"$ref": "g1.text"}``."""
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, Reference):
        return {"$ref": f"{value.goal_id}.{value.key}"}
    if isinstance(value, Template):
        return {"$template": [to_data(part) for part in value.parts]}
    if isinstance(value, Mapping):
        return {str(key): to_data(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_data(each) for each in value]
    if isinstance(value, set | frozenset):
        return [to_data(each) for each in sorted(value, key=str)]
    if is_dataclass(value):
        return {field.name: to_data(getattr(value, field.name)) for field in fields(value)}
    return str(value)
