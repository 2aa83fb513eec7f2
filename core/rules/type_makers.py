"""ParamType: what a parameter of a rule may hold, as pydantic-core validators, and how types are made of others.

The types are strict: ``"2"`` is not a number and ``true`` is not an integer. pydantic's classes would say the same at three
times the import cost, so the schemas are given to pydantic-core directly.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from pydantic_core import PydanticCustomError, core_schema

from core.base.late_dataclasses import dataclass, replace

Kind = Literal["plain", "url", "path", "place", "name"]
Needs = Callable[[Any], tuple[str, ...]]
ANY_VALUE = "any value"
"""The one example of a type whose values all need the same."""


@dataclass(frozen=True, slots=True, eq=False)
class ParamType:
    """A named type of parameter.

    Attributes:
        kind: ``url`` and ``path`` values are judged by policy, and paths are resolved, before anything runs; a
            ``place`` is a path unless it starts with ``http://`` or ``https://``, and a ``name`` one part of a path.
        writing: Whether something at that path is made or changed.
        globs: Whether the path may be a glob, for several files.
        lasting: Whether it is a number of seconds that the act itself takes.
        examples: Values, one for each thing that some need; for whoever lists what can't be done.
        secret: Whether it may hold the handle of a secret in place of a text.
    """

    label: str
    schema: core_schema.CoreSchema
    kind: Kind = "plain"
    writing: bool = False
    globs: bool = False
    lasting: bool = False
    needs: Needs | None = None
    examples: tuple[Any, ...] = ()
    secret: bool = False
    aims: bool = False

    def list_needs(self) -> dict[str, list[str]]:
        """Return everything that some value needs, with the examples that need it."""
        found: dict[str, list[str]] = {}
        for example in self.examples:
            for need in self.needs(example) if self.needs else ():
                found.setdefault(need, []).append(str(example))
        return found


def text_schema(minimum: int = 0, maximum: int = 1_000_000) -> core_schema.StringSchema:
    """Return the schema of texts from minimum to maximum characters."""
    return core_schema.str_schema(strict=True, min_length=minimum, max_length=maximum)


def integer(minimum: int, maximum: int) -> ParamType:
    """Return the type of whole numbers from minimum to maximum, both included."""
    return ParamType(f"integer {minimum} to {maximum}", core_schema.int_schema(strict=True, ge=minimum, le=maximum))


def number(minimum: float, maximum: float) -> ParamType:
    """Return the type of finite numbers from minimum to maximum, both included."""
    schema = core_schema.float_schema(ge=minimum, le=maximum, allow_inf_nan=False, strict=True)
    return ParamType(f"number {minimum:g} to {maximum:g}", schema)


def listing(item: ParamType, maximum: int = 1000) -> ParamType:
    """Return the type of lists of items."""
    schema = core_schema.tuple_variable_schema(item.schema, max_length=maximum)
    return ParamType(f"list of {item.label}", ordered(schema), item.kind, item.writing, item.globs, aims=item.aims)


def ordered(schema: core_schema.TupleSchema) -> core_schema.CoreSchema:
    """Return a schema of lists and tuples only; a set has no order, so its digest would change from run to run."""

    def accept(value: object) -> object:
        if isinstance(value, list | tuple):
            return value
        raise PydanticCustomError("list_type", "input should be a list")

    return core_schema.no_info_before_validator_function(accept, schema)


def either(*types: ParamType) -> ParamType:
    """Return the type of values that one of the types accepts."""
    kind = next((each for each in types if each.kind != "plain"), types[0]).kind
    schema = core_schema.union_schema([each.schema for each in types], mode="left_to_right")
    writing, globs = any(each.writing for each in types), any(each.globs for each in types)
    aims = any(each.aims for each in types)
    return ParamType(" or ".join(each.label for each in types), schema, kind, writing, globs, aims=aims)


def needing(base: ParamType, needs: Mapping[str, tuple[str, ...]] | tuple[str, ...]) -> ParamType:
    """Return a type whose values need something of the machine: each its own, or all the same."""

    def look_up(value: Any) -> tuple[str, ...]:
        return needs if isinstance(needs, tuple) else needs.get(value, ())

    return replace(base, needs=look_up, examples=(ANY_VALUE,) if isinstance(needs, tuple) else tuple(needs))


def aiming(base: ParamType) -> ParamType:
    """Return a type whose values name what is acted on."""
    return replace(base, aims=True)


def beside(base: ParamType) -> ParamType:
    """Return a type whose values name something, and not what is acted on."""
    return replace(base, aims=False)


def maybe_secret(base: ParamType) -> ParamType:
    """Return a type that also takes ``secret:name``, the handle of a secret."""
    return replace(base, label=f"{base.label}, or secret:name", secret=True)


def mapping(label: str, required: dict[str, ParamType], optional: dict[str, ParamType] | None = None) -> ParamType:
    """Return the type of mappings with exactly these keys."""
    fields = {name: core_schema.typed_dict_field(each.schema) for name, each in required.items()}
    for name, each in (optional or {}).items():
        fields[name] = core_schema.typed_dict_field(each.schema, required=False)
    return ParamType(label, core_schema.typed_dict_schema(fields, extra_behavior="forbid"))


ANYTHING = ParamType("anything", core_schema.any_schema())
