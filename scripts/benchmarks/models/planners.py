"""What the framework of planners adds to a step, and whether a thousand runs at once all end.

A step asks a model that answers at once. The same questions are awaited bare, in turn with the framework's run of them, so that the
difference of a pair is what is ours: check, budget, transcript, redaction, states, events, the graph and the result. Runs at once are counted
by how they ended; none may be lost.
"""

import asyncio
import gc
import statistics
import time
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from core.base.scope_paths import begin_scope
from core.planning.planners.base import PlannerBase
from core.planning.planners.budgets import PlannerBudget
from core.planning.planners.context import PlannerContext, PlannerContextParts
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.metadata import PlannerMetadata, StepDescriptor
from core.planning.planners.ports import ModelAnswer, ModelQuestion
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStep, PlannerStepInstance
from core.results.events import Event
from core.results.redaction import Redactor

STEPS = 50
RUNS = 1000
STEPS_AT_ONCE = 5
TOKENS = 12
WARM_UPS = 2

NOTES = {
    "step_ms": "what the framework adds to a step, one after the other; median of the pairs; aim ≤ 1",
    "step_p95_ms": "the same, of 95 in 100 pairs",
    "parallel_step_ms": "the same of steps that run side by side",
    "bare_step_ms": "the bare question, median",
    "runs_begun": f"planners at once, each of {STEPS_AT_ONCE} steps with a question",
    "runs_ended": "of those, ended in success with all steps, tokens and events accounted for",
    "runs_ms": "until the last of them ended",
}

ASK = StepDescriptor(step_id="ask", description="Ask", outputs=("answer",))
ASK_BESIDE = StepDescriptor(
    step_id="ask_beside", description="Ask beside others", outputs=("answer",), is_parallel=True
)


class InstantModel:
    """Answers at once, and always the same."""

    name = "instant"

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        """Answer."""
        del question
        return ModelAnswer(value={"is_done": False}, model=self.name, tokens_in=TOKENS - 2, tokens_out=2)

    async def close(self) -> None:
        """Have nothing open."""


class AskingPlanner(PlannerBase):
    """Asks in each of its steps."""

    metadata: ClassVar[PlannerMetadata] = PlannerMetadata(
        name="asking", description="Asks.", capabilities=("measure",), steps=(ASK, ASK_BESIDE)
    )

    def __init__(self, steps: int, *, is_parallel: bool = False) -> None:
        """Plan so many steps, each behind the one before or all side by side."""
        self._steps = steps
        self._is_parallel = is_parallel

    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        """Return the steps."""
        del context
        step = PlannerStep(descriptor=ASK_BESIDE if self._is_parallel else ASK)
        behind = [() if self._is_parallel or not number else (f"s{number - 1}",) for number in range(self._steps)]
        return [
            PlannerStepInstance(instance_id=f"s{number}", step=step, depends_on=before)
            for number, before in enumerate(behind)
        ]

    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        """Ask."""
        del step
        answer = await context.ask(make_question())
        return {"answer": answer.value}


def make_question() -> ModelQuestion:
    """Return what is asked in each step."""
    scope = begin_scope("bench").child("session").child("run")
    return ModelQuestion(
        kind="propose", instructions="Propose what to do next.", schema={"type": "object"}, scope=scope
    )


def measure_planners(rounds: int) -> dict[str, Any]:
    """Measure, and return figures, samples and notes.

    Args:
        rounds: Pairs of a bare and a carried out turn.
    """
    chained = asyncio.run(time_pairs(AskingPlanner(STEPS), rounds))
    beside = asyncio.run(time_pairs(AskingPlanner(STEPS, is_parallel=True), rounds))
    added = [ours - bare for ours, bare in chained]
    figures = {
        "step_ms": statistics.median(added),
        "step_p95_ms": statistics.quantiles(added, n=20, method="inclusive")[-1],
        "parallel_step_ms": statistics.median(ours - bare for ours, bare in beside),
        "bare_step_ms": statistics.median(bare for _, bare in chained),
        **asyncio.run(count_runs()),
    }
    return {"name": "planners", "figures": figures, "samples": {"step_ms": added}, "notes": NOTES}


async def time_pairs(planner: AskingPlanner, rounds: int) -> list[tuple[float, float]]:
    """Return milliseconds a step, carried out and bare, of each pair."""
    pairs = [(await _time_run(planner), await _time_bare()) for _ in range(WARM_UPS + rounds)]
    return pairs[WARM_UPS:]


async def count_runs(runs: int = RUNS) -> dict[str, float]:
    """Return how many runs at once ended as they should."""
    beside, beside_ms = await _run_at_once(runs)
    return {
        "runs_begun": float(runs),
        "runs_ended": float(beside),
        "runs_ms": beside_ms,
    }


async def _run_at_once(runs: int) -> tuple[int, float]:
    told: list[list[Event]] = [[] for _ in range(runs)]
    planner = AskingPlanner(STEPS_AT_ONCE)
    began = time.perf_counter()
    results = await asyncio.gather(
        *(run_planner(planner, {}, make_parts(f"r{number}", events)) for number, events in enumerate(told))
    )
    elapsed_ms = (time.perf_counter() - began) * 1000
    return sum(is_whole(*each) for each in zip(results, told, strict=True)), elapsed_ms


def is_whole(result: PlannerResult, events: Sequence[Event]) -> bool:
    """Tell whether a run ended in success and nothing of it is missing or another's."""
    is_right = result.outcome == "success" and len(result.completed) == STEPS_AT_ONCE
    is_counted = result.metrics["tokens"] == TOKENS * STEPS_AT_ONCE == sum(each.tokens for each in result.transcript)
    is_numbered = [each.seq for each in events] == list(range(len(events)))
    is_own = all(each.scope.startswith(result.scope) for each in events)
    return is_right and is_counted and is_numbered and is_own and events[-1].event_name == "planner.completed"


def make_parts(run_id: str, events: list[Event]) -> PlannerContextParts:
    """Return what a run is made from: a model, a budget, redaction and a listener, as shipped."""
    redactor = Redactor()
    redactor.add("a secret that is nowhere")
    return PlannerContextParts(
        scope=begin_scope("bench").child("session").child(run_id),
        model=InstantModel(),
        budget=PlannerBudget(tokens=1_000_000, seconds=600),
        emit=events.append,
        redact=redactor.redact,
    )


async def _time_run(planner: AskingPlanner) -> float:
    gc.collect()
    parts = make_parts("r0", [])
    began = time.perf_counter()
    result = await run_planner(planner, {}, parts)
    elapsed_ms = (time.perf_counter() - began) * 1000
    if result.outcome != "success":
        raise RuntimeError(f"A run that is measured ended as {result.outcome}: {result.errors}")
    return elapsed_ms / STEPS


async def _time_bare() -> float:
    gc.collect()
    model = InstantModel()
    began = time.perf_counter()
    for _ in range(STEPS):
        await model.ask(make_question())
    return (time.perf_counter() - began) * 1000 / STEPS
