"""Records: anything of the core as plain JSON-compatible data."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from core.base.errors import ActionError
from core.goals.references import Reference, Template
from core.goals.secret_values import Secret

if TYPE_CHECKING:
    from core.results.tool_results import Effect, ToolOutcome

Kind = TypeVar("Kind")

_SCALARS = (str, int, float, type(None))
_PLAIN = frozenset({*_SCALARS, bool})
_DEEPEST = 100
_MOST_PARTS = 1_000_000


def check_outcome(name: str, outcome: "ToolOutcome") -> None:
    """Check that what a tool gave can be written down: an ActionError if it nests too deep, or has too many parts."""
    record = outcome.undo_record
    kept = [record.params, record.guard] if record else []
    level: list[Any] = [outcome.output, outcome.evidence, *kept]
    count = depth = 0
    while level:
        count, depth = count + len(level), depth + 1
        if depth > _DEEPEST or count > _MOST_PARTS:
            fault = f"nests deeper than {_DEEPEST}" if depth > _DEEPEST else f"has more than {_MOST_PARTS} parts"
            raise ActionError(f"{name} gave a result that can't be stored: it {fault}.", code="internal_error")
        level = [part for each in level for part in _list_parts(each) if not isinstance(part, _SCALARS)]


def weigh_effect(outcome: "ToolOutcome") -> "Effect":
    """Return the effect that a receipt may tell: what a server took and never answered is confirmed by nothing."""
    return "unverified" if outcome.effect == "confirmed" and outcome.evidence.get("unanswered") else outcome.effect


def _list_parts(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list | tuple | set | frozenset) else ()


def to_data(value: object) -> Any:
    """Return a value as dicts, lists and scalars; references are written as ``{"$ref": "g1.text"}``."""
    # Nearly all parts are plain, and a look at the type is quicker than a call.
    if type(value) in _PLAIN or isinstance(value, _SCALARS):
        return value
    if type(value) is dict:
        return {str(key): each if type(each) in _PLAIN else to_data(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [each if type(each) in _PLAIN else to_data(each) for each in value]
    if isinstance(value, Reference | Template | Secret):
        return _mark(value)
    if isinstance(value, Mapping):
        return {str(key): to_data(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return [to_data(each) for each in sorted(value, key=str)]
    if is_dataclass(value):
        return {name: to_data(getattr(value, name)) for name in _list_fields(type(value))}
    return str(value)


@cache
def _list_fields(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _mark(value: Reference | Template | Secret) -> Any:
    if isinstance(value, Reference):
        return {"$ref": f"{value.goal_id}.{value.key}"}
    if isinstance(value, Template):
        return {"$template": [to_data(part) for part in value.parts]}
    return str(value)


def from_data(kind: type[Kind], told: Mapping[str, Any]) -> Kind:
    """Return the dataclass that ``to_data`` wrote, what it doesn't know left out; a TypeError if a field is missing."""
    hints = _read_hints(kind)
    return kind(**{name: _read(hint, told[name]) for name, hint in hints.items() if name in told})


@cache
def _read_hints(kind: Any) -> Mapping[str, Any]:
    hints = get_type_hints(kind)
    return {name: hints[name] for name in _list_fields(kind)}


def _read(hint: Any, told: Any) -> Any:
    if get_origin(hint) in {Union, UnionType}:
        hint = next((each for each in get_args(hint) if each is not NoneType), Any)
    if get_origin(hint) is tuple and isinstance(told, list):
        return tuple(_read(get_args(hint)[0], each) for each in told)
    return (
        from_data(hint, told) if is_dataclass(hint) and isinstance(hint, type) and isinstance(told, Mapping) else told
    )
