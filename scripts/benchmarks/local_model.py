"""How well a model that is small enough for any machine resolves actions, alone and under authority.

Fifty actions of the table, each with the tools of ten verbs to choose from. Alone, what the model says is what would be called: the tool, and the
arguments as it repeats them. Under authority it is asked as the program asks a resolver, for one action's own tools, and whatever it answers,
the planned arguments are executed. Both answers are real, from SmolLM2 with 135 million parameters in a process of its own.
"""

import asyncio
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agent.models.resolving import make_resolve_question
from agent.models.serving.adapter import PydanticAiModel, open_adapter
from core.base.errors import AuthorityError, ModelError
from core.base.scope_paths import begin_scope
from core.goals.meta_goals import Goal
from core.goals.secret_values import NO_VAULT
from core.planner_rules import PLANNER_RULES
from core.planning.authority import enforce_authority, list_candidates
from core.planning.planner import GoalPlanner
from core.planning.planners.ports import ModelData, ModelQuestion
from core.planning.planning_context import PlanningContext
from core.planning.plans import PlannedAction, thaw
from core.policy.policy import Policy
from core.results.tool_results import ToolCall
from core.tools.registry import ToolSpec
from fixtures.machine.local_model import serve_local_model
from fixtures.recording_tools import Recorder
from fixtures.rule_samples import MINIMAL_PARAMS, WORLD
from scripts.benchmarks.environment import prepare_environment

ACTIONS = 50
TOOLS = 10
SEED = 7
_INSTRUCTIONS = "Choose the tool that does the action, and repeat the action's arguments as they are."

NOTES = {
    "actions": "of the rules table, each with tools of ten verbs",
    "tools_right": "chose the action's tool, of ten, alone",
    "done_alone": "chose the tool and repeated all arguments, so that what was wanted would be done",
    "wrong_alone": "would have done something else",
    "failed_alone": "gave no usable answer",
    "done_under_authority": "what was planned is what is executed",
    "wrong_under_authority": "anything else is executed",
    "refused_under_authority": "no call: authority or the schema refused",
    "ms": "of an answer alone, median",
    "ms_under_authority": "of an answer to the program's own question, median",
    "tokens_in": "of a question alone, median",
    "tokens_out": "of an answer alone, median",
}


@dataclass
class _Count:
    figures: dict[str, float] = field(default_factory=lambda: dict.fromkeys(NOTES, 0.0))
    times: dict[str, list[float]] = field(default_factory=dict[str, list[float]])

    def add(self, name: str) -> None:
        self.figures[name] += 1

    def note(self, name: str, value: float) -> None:
        self.times.setdefault(name, []).append(value)


def measure_local_model(rounds: int) -> dict[str, Any]:
    """Ask the model about every action, both ways, and count; the same questions every time, whatever the rounds."""
    del rounds
    return asyncio.run(_measure())


async def _measure() -> dict[str, Any]:
    with serve_local_model(prepare_environment("local-models")) as setting:
        model = await open_adapter("SmolLM2-135M", setting, NO_VAULT)
        count, specs = _Count(), Recorder().make_registry().specs()
        try:
            for action, offered in choose_actions(specs):
                await _resolve_alone(model, action, offered, count)
                await _resolve_under_authority(model, action, specs, count)
                count.add("actions")
        finally:
            await model.close()
    for name, values in count.times.items():
        count.figures[name] = round(statistics.median(values), 1)
    return {"name": "local-model", "figures": count.figures, "samples": count.times, "notes": NOTES}


def choose_actions(specs: Sequence[ToolSpec]) -> list[tuple[PlannedAction, list[ToolSpec]]]:
    """Return actions with the tools that a model may choose from; the same ones every time."""
    chance, planner = random.Random(SEED), GoalPlanner(PLANNER_RULES)
    setting = PlanningContext(WORLD, Policy(extra_verbs=("system.run",)))
    planned: list[tuple[PlannedAction, list[ToolSpec]]] = []
    keys = [key for key in PLANNER_RULES if MINIMAL_PARAMS[key]]
    chance.shuffle(keys)
    for key in keys:
        result = planner.plan(Goal(*key, MINIMAL_PARAMS[key], goal_id="g0"), setting)
        if result.plan and len(planned) < ACTIONS:
            own = list_candidates(result.plan[0], specs)[0]
            offered = [own, *chance.sample([spec for spec in specs if spec.verb != own.verb], TOOLS - 1)]
            chance.shuffle(offered)
            planned.append((result.plan[0], offered))
    return planned


async def _resolve_alone(model: PydanticAiModel, action: PlannedAction, offered: list[ToolSpec], count: _Count) -> None:
    began = time.perf_counter()
    try:
        answer = await model.ask(_make_naive_question(action, offered))
    except ModelError:
        count.add("failed_alone")
        return
    count.note("ms", (time.perf_counter() - began) * 1000)
    count.note("tokens_in", answer.tokens_in)
    count.note("tokens_out", answer.tokens_out)
    own = next(spec for spec in offered if spec.verb == action.verb)
    is_right = answer.value["tool"] == own.name
    given = {pair["name"]: pair["value"] for pair in answer.value["arguments"]}
    wanted = {name: str(thaw(value)) for name, value in action.args.items()}
    if is_right:
        count.add("tools_right")
    count.add("done_alone" if is_right and given == wanted else "wrong_alone")


async def _resolve_under_authority(
    model: PydanticAiModel, action: PlannedAction, specs: Sequence[ToolSpec], count: _Count
) -> None:
    candidates = list_candidates(action, specs)
    began = time.perf_counter()
    try:
        answer = await model.ask(make_resolve_question(action, candidates, begin_scope("bench")))
        count.note("ms_under_authority", (time.perf_counter() - began) * 1000)
        advice = {pair["name"]: pair["value"] for pair in answer.value["advice"]}
        enforced = enforce_authority(action, ToolCall(str(answer.value["tool"]), advice), candidates)
    except (AuthorityError, ModelError):
        count.add("refused_under_authority")
        return
    executed = {name: value for name, value in enforced.call.params.items() if name in action.args}
    is_planned = enforced.args_digest == action.digest and executed == thaw(action.args)
    count.add("done_under_authority" if is_planned else "wrong_under_authority")


def _make_naive_question(action: PlannedAction, offered: list[ToolSpec]) -> ModelQuestion:
    pair = {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "value"],
        "properties": {
            "name": {"type": "string", "enum": sorted({name for spec in offered for name in spec.params})},
            "value": {"type": "string", "maxLength": 200},
        },
    }
    told = f"{action.description} ({', '.join(f'{name} = {thaw(value)}' for name, value in action.args.items())})"
    asked = make_resolve_question(action, offered, begin_scope("bench"))
    return replace(
        asked,
        instructions=_INSTRUCTIONS,
        schema={
            "type": "object",
            "additionalProperties": False,
            "required": ["tool", "arguments"],
            "properties": {
                "tool": {"type": "string", "enum": [spec.name for spec in offered]},
                "arguments": {"type": "array", "maxItems": len(action.args), "items": pair},
            },
        },
        data=(
            ModelData(label="action", text=told, is_tainted=False),
            ModelData(label="tools", text=", ".join(spec.name for spec in offered), is_tainted=False),
        ),
        timeout_s=120.0,
    )
