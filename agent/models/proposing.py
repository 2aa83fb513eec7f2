"""Questions for steps, and their answers read as proposed calls. The schema is closed and small: all verbs in one list."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agent.models.failures import fail_answer
from core.planning.planners.ports import ProposedCall

MOST_STEPS = 20
MOST_TOKENS = 4000
_TEXT: Mapping[str, Any] = {"type": "string", "maxLength": 100_000}
_SCALARS: Sequence[Mapping[str, Any]] = ({"type": "number"}, {"type": "boolean"}, _TEXT)
_PAIR: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["key", "value"],
    "properties": {"key": {"type": "string", "maxLength": 1000}, "value": {"anyOf": list(_SCALARS)}},
}
_VALUE: Mapping[str, Any] = {
    "anyOf": [
        *_SCALARS,
        {"type": "array", "maxItems": 100, "items": _TEXT},
        {"type": "array", "maxItems": 100, "items": _PAIR},
    ]
}


def make_steps_schema(verbs: Sequence[str]) -> dict[str, Any]:
    """Return the closed schema of a list of steps.

    Args:
        verbs: ``domain.verb`` that a step may name.
    """
    param = {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "value"],
        "properties": {"name": {"type": "string", "maxLength": 100}, "value": _VALUE},
    }
    step = {
        "type": "object",
        "additionalProperties": False,
        "required": ["verb", "params", "scope"],
        "properties": {
            "verb": {"type": "string", "enum": list(verbs)},
            "params": {"type": "array", "maxItems": 30, "items": param},
            "scope": {"type": "string", "maxLength": 20},
        },
    }
    return {"type": "array", "maxItems": MOST_STEPS, "items": step}


def read_steps(steps: Sequence[Mapping[str, Any]], model: str) -> tuple[ProposedCall, ...]:
    """Return steps that fit the schema as proposed calls.

    Raises:
        ModelError: If a step says a param twice.
    """
    return tuple(
        ProposedCall(name=step["verb"], params=_read_params(step["params"], model), scope=step["scope"])
        for step in steps
    )


def _read_params(pairs: Sequence[Mapping[str, Any]], model: str) -> dict[str, Any]:
    params = {pair["name"]: _read_value(pair["value"], model) for pair in pairs}
    if len(params) != len(pairs):
        raise fail_answer(model, "it says a param twice")
    return params


def _read_value(value: Any, model: str) -> Any:
    """Return a value; whole numbers are whole again, and pairs are a mapping."""
    if isinstance(value, float) and value.is_integer():
        return json.loads(f"{value:.0f}")
    if not isinstance(value, list) or not value or not isinstance(value[0], Mapping):
        return value
    mapping = {pair["key"]: _read_value(pair["value"], model) for pair in value}
    if len(mapping) != len(value):
        raise fail_answer(model, "it says a name twice")
    return mapping
