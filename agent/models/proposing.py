"""Questions for steps, and their answers read as proposed calls. The schema is closed and small: all verbs in one list."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.models.failures import fail_answer
from core.base.errors import ModelError
from core.planning.planners.ports import Proposal, ProposedCall
from core.policy.policy import Policy
from core.policy.policy_rules import covers_verb
from core.rules.rule_types import FromWorld, PlannerRule, RuleKey

_MOST_WORDS = 2000
_MOST_CALLS = 100_000
"""Beyond which an answer is not even read; how many may be done at once is another matter."""
_MOST_PLACE = 100


class _AnswerPart(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Call(_AnswerPart):
    name: str
    params: dict[str, Any] = Field(default_factory=dict)

    def list_given(self) -> dict[str, Any]:
        return {name: value for name, value in self.params.items() if value is not None}


class _Answer(_AnswerPart):
    calls: list[_Call] = Field(default_factory=list[_Call], max_length=_MOST_CALLS)
    rationale: str = ""
    is_done: bool = False


def make_proposal_schema(tools: Sequence[Mapping[str, Any]], max_calls: int) -> dict[str, Any]:
    """Return the closed JSON Schema of a proposal.

    Args:
        tools: As ``agent.tool_schemas.offer_verbs`` offers them.
    """
    calls = {"type": "array", "maxItems": max_calls, "items": {"anyOf": [_make_call_schema(tool) for tool in tools]}}
    return {
        "type": "object",
        "properties": {
            "rationale": {"type": "string", "maxLength": _MOST_WORDS},
            "calls": calls,
            "is_done": {"type": "boolean"},
        },
        "required": ["rationale", "calls", "is_done"],
        "additionalProperties": False,
    }


def _make_call_schema(tool: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "description": tool.get("description", ""),
        "properties": {"name": {"const": tool["name"]}, "params": tool["parameters"]},
        "required": ["name", "params"],
        "additionalProperties": False,
    }


def read_proposal(value: Mapping[str, Any]) -> Proposal:
    """Return an answer as a proposal.

    Raises:
        ModelError: ``model_bad_answer`` if it is none.
    """
    try:
        answer = _Answer.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise _refuse_answer(f"{'.'.join(map(str, first['loc']))[:_MOST_PLACE]}: {first['msg']}") from None
    calls = tuple(ProposedCall(name=each.name, params=each.list_given()) for each in answer.calls)
    return Proposal(calls=calls, rationale=answer.rationale[:_MOST_WORDS], is_done=answer.is_done)


def _refuse_answer(why: str) -> ModelError:
    text = f"The model's answer can't be used: {why}."
    return ModelError(text, code="model_bad_answer", hint="Ask again, or use another model.")


def describe_verbs(rules: Mapping[RuleKey, PlannerRule], verbs: Iterable[str]) -> str:
    """Return the verbs that may be used, one on each line."""
    return "\n".join(describe_verb(verb, rules[_split(verb)]) for verb in verbs)


def list_verbs(rules: Mapping[RuleKey, PlannerRule], policy: Policy) -> tuple[str, ...]:
    """Return the verbs that a model may propose: those that policy allows, and of those that are off by default the ones it names."""
    names = {f"{domain}.{verb}": rule for (domain, verb), rule in rules.items()}
    allowed = policy.verbs
    return tuple(
        name
        for name, rule in names.items()
        if (not rule.opt_in or name in policy.extra_verbs)
        and (allowed is None or any(covers_verb(entry, name) for entry in allowed))
    )


def describe_verb(name: str, rule: PlannerRule) -> str:
    """Return a verb on one line: its params with their types, and what it does."""
    required = [_describe_param(each, rule) for each in rule.required_params]
    optional = [f"{_describe_param(each, rule)}?" for each in rule.optional_params]
    return f"- {name}({', '.join([*required, *optional])}): {rule.description_template}"


def _describe_param(name: str, rule: PlannerRule) -> str:
    allowed = rule.allowed_values.get(name)
    if allowed is None or isinstance(allowed, FromWorld):
        return f"{name}: {rule.param_types[name].label}"
    return f"{name}: {'|'.join(allowed)}"


def _split(name: str) -> RuleKey:
    domain, _, verb = name.partition(".")
    return domain, verb


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
    if isinstance(value, float) and value.is_integer():
        return json.loads(f"{value:.0f}")
    if not isinstance(value, list) or not value or not isinstance(value[0], Mapping):
        return value
    mapping = {pair["key"]: _read_value(pair["value"], model) for pair in value}
    if len(mapping) != len(value):
        raise fail_answer(model, "it says a name twice")
    return mapping
