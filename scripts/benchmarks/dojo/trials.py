"""One trial: goals through the product's planner, orchestrator and executor, on an environment of its own, with one person who approves."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from core.approvals.approvals import ApprovalGate, ApprovalRequest, ApprovalTerms
from core.base.errors import GoalError
from core.execution.executor import PlanExecutor
from core.execution.run_context import RunContext
from core.execution.steps import StepPerformer
from core.goals.meta_goals import Goal
from core.goals.scopes import build_meta_goal
from core.goals.world import WorldState
from core.planning.authority import RulesResolver, ToolResolver
from core.planning.context import PlanningContext
from core.planning.graph import PlanGraph
from core.planning.orchestrator import GoalOrchestrator
from core.planning.planner import GoalPlanner
from core.planning.plans import thaw
from core.results.replies import compose_reply, judge_outcome
from core.results.tool_results import StepLog, ToolOutcome
from scripts.benchmarks.dojo.attackers import HonestReader
from scripts.benchmarks.dojo.plans import Call, TakenValue
from scripts.benchmarks.dojo.table import SuiteTable

WORLD = WorldState("linux")

CallFunction = Callable[[str, Mapping[str, Any]], str]
"""Calls one of a suite's functions and returns what it gives, as text.

Raises:
    ActionError: If it refuses.
"""


class Reader(Protocol):
    """Reads what steps find."""

    def word(self, text: str) -> str:
        """Return what a step read."""
        ...

    def take(self, taken: TakenValue) -> Any:
        """Return what was taken out of what was read."""
        ...


class TrustingPerson:
    """Says yes to everything."""

    async def decide(self, request: ApprovalRequest) -> bool:
        """Say yes."""
        del request
        return True


@dataclass(slots=True)
class CarefulPerson:
    """Says yes to what the trusted plan contains, by value, each once, and to nothing else.

    Attributes:
        wanted: Digests of the acts of the plan, and how often each is wanted.
        asked: Questions so far.
        refused: Those that were refused.
        shown: Those that showed each value that nobody vouches for, and where it came from.
    """

    wanted: Counter[str]
    asked: int = 0
    refused: int = 0
    shown: int = 0

    async def decide(self, request: ApprovalRequest) -> bool:
        """Say yes to an act with the very arguments that are wanted."""
        self.asked += 1
        self.shown += shows_sources(request)
        if self.wanted[request.digest] <= 0:
            self.refused += 1
            return False
        self.wanted[request.digest] -= 1
        return True


def shows_sources(request: ApprovalRequest) -> bool:
    """Tell whether a question shows each value that nobody vouches for, and where it came from."""
    return all(
        f"{name} = " in request.text and all(source in request.text for source in sources)
        for name, sources in request.sources.items()
    )


@dataclass(slots=True)
class TrialHands:
    """What the tools of one trial act with.

    Attributes:
        table: The suite's.
        parts: Who takes part.
        calls: What was called, in that order.
    """

    table: SuiteTable
    parts: "TrialParts"
    calls: list[Call] = field(default_factory=list[Call])

    async def call(self, function: str, args: Mapping[str, Any]) -> ToolOutcome:
        """Call a function of the suite; nothing is read back, so what it did is unverified."""
        self.calls.append(Call(function, thaw(args)))
        text = self.parts.call_function(function, args)
        return ToolOutcome(
            {"text": self.parts.reader.word(text)},
            "unverified" if function in self.table.acting else "none",
            {"url": f"https://{self.table.name}.test/{function}"},
        )

    def take(self, what: str) -> Any:
        """Return what is taken out of what was read."""
        return self.parts.reader.take(self.parts.taken[what])


@dataclass(frozen=True, slots=True)
class TrialParts:
    """Who takes part in a trial.

    Attributes:
        taken: What the plan takes out of what is read.
        call_function: Calls the suite's functions on the trial's environment.
        gate: Who approves.
        reader: Who reads.
        resolver: Who chooses tools.
    """

    taken: Mapping[str, TakenValue]
    call_function: CallFunction
    gate: ApprovalGate
    reader: Reader = field(default_factory=HonestReader)
    resolver: ToolResolver = field(default_factory=RulesResolver)


@dataclass(frozen=True, slots=True)
class TrialEnd:
    """What came of a trial.

    Attributes:
        logs: The receipts.
        calls: What was called.
        reply: What the person is told.
    """

    logs: tuple[StepLog, ...]
    calls: tuple[Call, ...]
    reply: str


def plan_goals(table: SuiteTable, goals: Iterable[Goal]) -> PlanGraph:
    """Return the graph of goals, planned by the table of a suite.

    Raises:
        GoalError: If one can't be planned.
    """
    orchestrator = GoalOrchestrator(GoalPlanner(table.rules))
    orchestration = orchestrator.orchestrate(build_meta_goal(tuple(goals)), PlanningContext(WORLD))
    for goal, result in orchestration.failures:
        raise GoalError(f"{goal.name} can't be planned: {result.reason}")
    return orchestration.graph


def list_wanted(table: SuiteTable, goals: Sequence[Goal]) -> Counter[str]:
    """Return the digests of acts, by which a careful person knows what is wanted."""
    return Counter(action.digest for action in plan_goals(table, goals).nodes.values())


async def carry_out(table: SuiteTable, goals: Sequence[Goal], parts: TrialParts) -> TrialEnd:
    """Carry goals out, and return what came of it."""
    hands = TrialHands(table, parts)
    table.stage.hands = hands
    executor = PlanExecutor(StepPerformer(table.registry, parts.resolver))
    try:
        context = RunContext(world=WORLD, approvals=ApprovalTerms(gate=parts.gate))
        logs = await executor.execute(plan_goals(table, goals), context)
    finally:
        table.stage.hands = None
    return TrialEnd(logs, tuple(hands.calls), compose_reply(logs, judge_outcome(logs)))
