"""Told: records of the service as typed objects; tolerant of what a newer service adds, and of what an older one leaves out."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, Self, TypeVar

Record = Mapping[str, Any]

Kind = TypeVar("Kind", bound="Told")

_ABSENT: tuple[Any, ...] = (None, "", {})


def told(*names: str, usual: Any = "", make: Callable[[Any], Any] | None = None) -> Any:
    """Return a field that stands under other names in a record, or is more there than a plain value.

    Args:
        names: Where it stands; the first that says something counts.
        usual: What it is where the record says nothing of it.
    """
    return field(default=usual, metadata={"names": names, "make": make})


def told_each(name: str, make: Callable[[Any], Any]) -> Any:
    """Return a field of several records."""
    return told(name, usual=(), make=lambda found: tuple(map(make, found)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A record. Each field has what stands under its name, as the type of its usual value; ``record`` is all of it."""

    @classmethod
    def read(cls, record: Record) -> Self:
        """Return it as a service told of it."""
        return read_told(cls, record)


def read_told(kind: type[Kind], record: Record) -> Kind:
    """Return a record as it is told of."""
    return kind(**{each.name: record if each.name == "record" else _read(each, record) for each in fields(kind)})


def _read(each: "Field[Any]", record: Record) -> Any:
    found = next((record[name] for name in _list_names(each) if record.get(name) not in _ABSENT), None)
    usual = _find_usual(each)
    make: Callable[[Any], Any] = each.metadata.get("make") or type(usual)
    return usual if found is None else make(found)


def _list_names(each: "Field[Any]") -> tuple[str, ...]:
    return each.metadata.get("names") or (each.name,)


def _find_usual(each: "Field[Any]") -> Any:
    if each.default is not MISSING:
        return each.default
    return "" if each.default_factory is MISSING else each.default_factory()
