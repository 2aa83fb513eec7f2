"""ModelResolver: a model in the place of the rules' own resolver. Authority has the last word over it, as over any."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.models.instructions import read_prompt
from core.base.errors import ModelError
from core.base.scope_paths import ScopePath
from core.planning.planners.ports import Model, ModelData, ModelQuestion
from core.planning.plans import PlannedAction
from core.planning.resolver import RulesResolver, ToolResolver
from core.results.tool_results import ToolCall
from core.tools.registry import ToolSpec

_KINDS = {bool: "boolean", int: "integer", float: "number", str: "string"}


@dataclass(frozen=True, slots=True)
class ModelResolver:
    """Asks a model which tool carries out an action, and what advice it gives it; where there is nothing to choose, or the model fails, the rules decide.

    Attributes:
        faults: Why the rules decided in its place, in order.
    """

    model: Model
    scope: ScopePath
    otherwise: ToolResolver = field(default_factory=RulesResolver)
    faults: list[ModelError] = field(default_factory=list[ModelError])

    async def resolve(self, action: PlannedAction, candidates: Sequence[ToolSpec]) -> ToolCall:
        """Propose a call for an action.

        Raises:
            UnsupportedError: If there is no candidate.
        """
        if len(candidates) > 1 or any(each.advisory for each in candidates):
            try:
                return await self._ask(action, candidates)
            except ModelError as error:
                self.faults.append(error)
        return await self.otherwise.resolve(action, candidates)

    async def _ask(self, action: PlannedAction, candidates: Sequence[ToolSpec]) -> ToolCall:
        answer = await self.model.ask(make_resolve_question(action, candidates, self.scope))
        advice = {pair["name"]: pair["value"] for pair in answer.value["advice"]}
        return ToolCall(str(answer.value["tool"]), {**advice, **action.args})


@dataclass(slots=True)
class SessionResolver:
    """The resolver of a session: the rules' own, until a model is put in its place.

    Attributes:
        model: Asked first; None where the rules alone decide.
    """

    model: ModelResolver | None = None

    @property
    def name(self) -> str:
        """What receipts call it."""
        return f"model {self.model.model.name}" if self.model else RulesResolver.name

    async def resolve(self, action: PlannedAction, candidates: Sequence[ToolSpec]) -> ToolCall:
        """Propose a call for an action.

        Raises:
            UnsupportedError: If there is no candidate.
        """
        return await (self.model or RulesResolver()).resolve(action, candidates)

    def take_notes(self) -> tuple[str, ...]:
        """Return, once, why the rules decided where a model was asked."""
        if self.model is None:
            return ()
        faults, self.model.faults[:] = tuple(self.model.faults), ()
        return tuple(f"The rules chose the tool, since the model did not: {error}" for error in faults)


def make_resolve_question(action: PlannedAction, candidates: Sequence[ToolSpec], scope: ScopePath) -> ModelQuestion:
    """Return what a model is asked about an action: its description, not its values, and the tools.

    Args:
        candidates: The tools that may be chosen.
    """
    names = sorted({name for each in candidates for name in each.advisory})
    kinds = sorted({_KINDS.get(kind, "string") for each in candidates for kind in each.advisory.values()})
    advice: dict[str, Any] = {"type": "array", "maxItems": 0, "items": {"type": "null"}}
    if names:
        pair = {
            "type": "object",
            "additionalProperties": False,
            "required": ["name", "value"],
            "properties": {
                "name": {"type": "string", "enum": names},
                "value": {"anyOf": [{"type": kind} for kind in kinds]},
            },
        }
        advice = {"type": "array", "maxItems": len(names), "items": pair}
    tools = "\n".join(f"{each.name} (advice: {', '.join(sorted(each.advisory)) or 'none'})" for each in candidates)
    told = f"{action.name} with {', '.join(sorted(action.args)) or 'no params'}; intent {action.intent}"
    return ModelQuestion(
        kind="resolve",
        instructions=read_prompt("resolve"),
        schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["tool", "advice"],
            "properties": {"tool": {"type": "string", "enum": [each.name for each in candidates]}, "advice": advice},
        },
        scope=scope,
        data=(
            ModelData(label="action", text=told, is_tainted=False),
            ModelData(label="tools", text=tools, is_tainted=False),
        ),
        max_tokens=300,
    )
