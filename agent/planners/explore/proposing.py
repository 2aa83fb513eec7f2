"""What a model may propose: calls in a closed schema that is made of the schemas of the verbs. What it says is a proposal, and nothing of it is believed."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.base.errors import ModelError
from core.planning.planners.ports import Proposal, ProposedCall

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
        """Return the params that have a value."""
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
