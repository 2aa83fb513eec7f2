"""JSON Schemas of tools, out of their signatures and docstrings."""

import inspect
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, get_type_hints

from docstring_parser import parse
from pydantic import ConfigDict, Field, create_model

from core.policy.policy_rules import covers_verb
from core.tools.registry import ToolSpec

_NOTHING: Sequence[Any] = ([], [{"type": "null"}])
"""What is left of a choice where nothing of it can be said in a closed schema."""


def describe_tool(spec: ToolSpec) -> dict[str, Any]:
    """Return a tool as data: name, intent, description and the JSON Schema of its parameters.

    Returns:
        The same bytes every time when dumped; parameters are in the order of the signature.
    """
    method = getattr(spec.toolset, spec.verb)
    documented = parse(inspect.getdoc(method) or "")
    words = {each.arg_name: " ".join((each.description or "").split()) for each in documented.params}
    return {
        "name": spec.name,
        "domain": spec.domain,
        "intent": spec.intent,
        "capability": spec.capability,
        "description": documented.short_description or "",
        "returns": " ".join((documented.returns.description or "").split()) if documented.returns else "",
        "raises": {each.type_name or "": " ".join((each.description or "").split()) for each in documented.raises},
        "parameters": _make_schema(spec, words),
    }


def _make_schema(spec: ToolSpec, words: dict[str, str]) -> dict[str, Any]:
    hints = get_type_hints(getattr(spec.toolset, spec.verb))
    fields: dict[str, Any] = {
        name: (hints[name], Field(spec.defaults.get(name, ...), description=words.get(name, ""))) for name in spec.hints
    }
    model = create_model(spec.name, __config__=ConfigDict(extra="forbid"), **fields)
    schema = model.model_json_schema()
    for parameter in schema.get("properties", {}).values():
        parameter.pop("title", None)
    schema.pop("title", None)
    return schema


def offer_verbs(tools: Iterable[Mapping[str, Any]], verbs: Collection[str]) -> tuple[dict[str, Any], ...]:
    """Return the verbs that may be proposed: name, description, and the closed schema of the params that a goal can say.

    Args:
        tools: As ``describe_tool`` gives them.
        verbs: ``domain.verb`` or ``domain.*``.
    """
    named = (({**tool, "name": tool["name"].replace("_", ".", 1)}) for tool in tools)
    return tuple(
        {"name": tool["name"], "description": tool["description"], "parameters": close_schema(tool["parameters"])}
        for tool in named
        if any(covers_verb(entry, tool["name"]) for entry in verbs)
    )


def close_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a tool's parameters with nothing open in it, and on its own: what it refers to stands in its place.

    Left out is what takes names of one's own, such as a mapping from fields to values, which nothing closed can say.

    Args:
        schema: As ``describe_tool`` gives it.
    """
    return _close({"properties": {}, **schema}, schema.get("$defs", {}))


def _close(part: Any, named: Mapping[str, Any]) -> Any:
    """Return a part of a schema, closed; None where it can't be."""
    if not isinstance(part, Mapping):
        return part
    if "$ref" in part:
        return _close(named[str(part["$ref"]).rpartition("/")[2]], named)
    if part.get("type") == "object" and not isinstance(part.get("properties"), Mapping):
        return None if part.get("additionalProperties", True) else dict(part)
    closed = {
        key: value for key, value in part.items() if key not in {"$defs", "properties", "anyOf", "items", "required"}
    }
    if "anyOf" in part:
        closed["anyOf"] = [each for each in (_close(each, named) for each in part["anyOf"]) if each is not None]
    if "items" in part:
        closed["items"] = _close(part["items"], named)
    if "properties" in part:
        kept = {name: each for name, value in part["properties"].items() if (each := _close(value, named)) is not None}
        closed |= {"properties": kept, "additionalProperties": False}
        closed["required"] = [name for name in part.get("required", ()) if name in kept]
    return None if closed.get("items", 0) is None or closed.get("anyOf", 0) in _NOTHING else closed
