"""Answers as they arrive: read as JSON, and held to the closed schema of the question. The library's own checks aren't relied on."""

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs

MAX_CHARS = 1_000_000
"""Characters that an answer may have."""

_DEEPEST = 40
_SHOWN = 3

_CLOSERS = ("properties", "patternProperties")


def check_schema(schema: Mapping[str, Any]) -> None:
    """Refuse a schema that leaves something open: an answer to it could hold what nobody asked for.

    Args:
        schema: A JSON Schema whose objects all say ``additionalProperties: false``.

    Raises:
        ValueError: If it is none, or open somewhere.
    """
    jsonschema_rs.meta.validate(dict(schema))
    for place, part in _walk(schema, "the schema"):
        is_object = part.get("type") == "object" or any(name in part for name in _CLOSERS)
        if is_object and part.get("additionalProperties") is not False:
            raise ValueError(f"{place} is open: it needs additionalProperties: false")


def find_faults(value: object, schema: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with an answer; empty where it fits."""
    validator = jsonschema_rs.validator_for(dict(schema))
    errors = validator.iter_errors(value)
    faults = [f"{'.'.join(map(str, each.instance_path)) or 'it'} {each.message}" for each in errors]
    return [*faults[:_SHOWN], *([f"and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else [])]


def check_answer(value: object, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an answer that fits its schema.

    Raises:
        ValueError: If it doesn't fit; says where.
    """
    faults = find_faults(value, schema)
    if isinstance(value, dict) and not faults:
        return value
    raise ValueError("; ".join(faults) or "it is not an object")


def read_json(text: str) -> object:
    """Return what a text says as JSON: the strict form, without numbers that are none, names twice, or depths beyond reason.

    Args:
        text: All of it; a fence of Markdown around it is passed over, since many models can't leave it out.

    Raises:
        ValueError: If it is anything else.
    """
    if len(text) > MAX_CHARS:
        raise ValueError(f"it has more than {MAX_CHARS:,} characters")
    try:
        value = json.loads(
            _unfence(text), object_pairs_hook=_join_pairs, parse_constant=_refuse_constant, parse_float=_read_float
        )
    except RecursionError:
        raise ValueError("it nests too deep") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON ({error.msg} at character {error.pos})") from None
    _check_depth(value, 0)
    return value


def _unfence(text: str) -> str:
    stripped = text.strip()
    if not (stripped.startswith("```") and stripped.endswith("```")):
        return stripped
    first, _, rest = stripped.removesuffix("```").partition("\n")
    return rest if first.removeprefix("```").strip().lower() in {"", "json"} else stripped


def _join_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    joined = dict(pairs)
    if len(joined) != len(pairs):
        raise ValueError("it says the same name twice")
    return joined


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number of JSON")


def _read_float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("it has a number without end")
    return value


def _check_depth(value: object, depth: int) -> None:
    if depth > _DEEPEST:
        raise ValueError("it nests too deep")
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        _check_depth(each, depth + 1)


def _walk(part: object, place: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(part, Mapping):
        yield place, part
        for name, each in part.items():
            if name not in {"enum", "const", "default", "examples"}:
                yield from _walk_named(name, each, place)
    elif isinstance(part, list | tuple):
        for index, each in enumerate(part):
            yield from _walk(each, f"{place}[{index}]")


def _walk_named(name: str, part: object, place: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the schemas behind one keyword; what ``properties`` and the like map are names, not keywords."""
    if name in {*_CLOSERS, "$defs", "definitions", "dependentSchemas"} and isinstance(part, Mapping):
        for key, each in part.items():
            yield from _walk(each, f"{place}.{key}")
    else:
        yield from _walk(part, f"{place}.{name}")
