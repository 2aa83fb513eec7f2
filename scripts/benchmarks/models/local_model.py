"""How well a model that is small enough for any machine resolves actions, alone and under authority.

Fifty actions of the table, each with the tools of ten verbs to choose from. Alone, what the model says is what would be called: the tool, and the
arguments as it repeats them. Under authority the same answer is what a resolver proposes: another tool is refused, and the planned arguments are
executed. The answers are real, from SmolLM2 with 135 million parameters in a process of its own.
"""

import asyncio
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from actuators.verb_table import PLANNER_RULES
from agent.models.serving.adapter import PydanticAiModel, open_adapter
from core.base.errors import AuthorityError, ModelError
from core.base.scope_paths import begin_scope
from core.goals.meta_goals import Goal
from core.goals.secret_values import NO_VAULT
from core.planning.authority import enforce_authority, list_candidates
from core.planning.context import PlanningContext
from core.planning.planner import GoalPlanner
from core.planning.planners.ports import ModelData, ModelQuestion
from core.planning.plans import PlannedAction, thaw
from core.policy.policy import Policy
from core.results.tool_results import ToolCall
from core.tools.registry import ToolSpec
from fixtures.machine.models.local_model import serve_local_model
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
    "refused_under_authority": "no call: another tool was chosen, or the schema refused",
    "ms": "of an answer alone, median",
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
                await _resolve(model, action, offered, count)
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


async def _resolve(model: PydanticAiModel, action: PlannedAction, offered: list[ToolSpec], count: _Count) -> None:
    began = time.perf_counter()
    try:
        answer = await model.ask(make_resolve_question(action, offered))
    except ModelError:
        count.add("failed_alone")
        count.add("refused_under_authority")
        return
    count.note("ms", (time.perf_counter() - began) * 1000)
    count.note("tokens_in", answer.tokens_in)
    count.note("tokens_out", answer.tokens_out)
    tool = str(answer.value["tool"])
    given = {pair["name"]: pair["value"] for pair in answer.value["arguments"]}
    candidates = list_candidates(action, offered)
    is_right = tool == candidates[0].name
    if is_right:
        count.add("tools_right")
    wanted = {name: str(thaw(value)) for name, value in action.args.items()}
    count.add("done_alone" if is_right and given == wanted else "wrong_alone")
    try:
        enforced = enforce_authority(action, ToolCall(tool, given), candidates)
    except AuthorityError:
        count.add("refused_under_authority")
        return
    is_planned = enforced.args_digest == action.digest and enforced.call.params == thaw(action.args)
    count.add("done_under_authority" if is_planned else "wrong_under_authority")


def make_resolve_question(action: PlannedAction, offered: Sequence[ToolSpec]) -> ModelQuestion:
    """Return the question which tool does an action, and with which arguments."""
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
    return ModelQuestion(
        kind="interpret",
        scope=begin_scope("bench"),
        max_tokens=300,
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
