"""ModelBackEnd: a model proposes calls in a closed schema that is made of the schemas of the verbs."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.base.errors import ModelError
from core.planning.planners.ports import (
    ModelAnswer,
    ModelData,
    ModelQuestion,
    Proposal,
    ProposalRequest,
    ProposedCall,
)

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


Ask = Callable[[ModelQuestion], Awaitable[ModelAnswer]]
Instruct = Callable[[ProposalRequest], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLimits:
    """How much a model may answer.

    Attributes:
        timeout_s: Seconds that it may take.
    """

    max_calls: int = 8
    max_tokens: int = 1000
    timeout_s: float = 60.0


class ModelBackEnd:
    """Asks a model what to do next. What it says is a proposal, and nothing of it is believed."""

    def __init__(self, ask: Ask, instruct: Instruct, limits: AnswerLimits | None = None) -> None:
        """Ask by a function.

        Args:
            ask: Asks the model; counts what that costs.
            limits: How much may be answered.
        """
        self._ask = ask
        self._instruct = instruct
        self._limits = limits or AnswerLimits()

    @property
    def name(self) -> str:
        """Return its name."""
        return "model"

    async def propose(self, request: ProposalRequest) -> Proposal:
        """Propose what the model proposes.

        Raises:
            ModelError: If it can't be asked, or answers something else than a proposal.
        """
        question = ModelQuestion(
            kind="propose",
            instructions=self._instruct(request),
            schema=make_proposal_schema(request.tools, self._limits.max_calls),
            scope=request.scope,
            data=_gather_data(request),
            max_tokens=self._limits.max_tokens,
            timeout_s=self._limits.timeout_s,
        )
        answer = await self._ask(question)
        return read_proposal(answer.value)


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


def _gather_data(request: ProposalRequest) -> tuple[ModelData, ...]:
    """Return everything that the model is shown, each with whether anybody vouches for it."""
    project = (
        [ModelData(label="project", text=request.project, source=request.project_source)] if request.project else []
    )
    memory = [
        ModelData(label="memory", text=each.text, source=each.source, is_tainted=each.is_tainted)
        for each in request.memory
    ]
    return (*project, *memory, *request.seen)


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
