"""Acts of the system family as a run does them: planned, shown, agreed to by a gate, looked at again, done."""

from collections.abc import Callable
from typing import Any

from actuators.verb_table import PLANNER_RULES, load_toolsets
from core.approvals.approvals import ApprovalRequest, ApprovalTerms
from core.execution.executor import PlanExecutor
from core.execution.run_context import RunContext
from core.execution.steps import StepPerformer
from core.goals.meta_goals import Goal
from core.goals.scopes import build_meta_goal
from core.planning.authority import RulesResolver
from core.planning.context import PlanningContext
from core.planning.orchestrator import GoalOrchestrator
from core.planning.planner import GoalPlanner
from core.policy.policy import Policy
from core.results.tool_results import StepLog
from core.tools.ports import Toolset
from core.tools.registry import ToolRegistry
from fixtures.rule_samples import WORLD
from tests.contracts.system.bench import SystemBench

RUNNING = Policy(extra_verbs=("system.run",))


class Yes:
    """Says yes to everything, keeps what it was asked, and does something while it is being asked."""

    def __init__(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.meanwhile = meanwhile
        self.asked: list[ApprovalRequest] = []

    async def decide(self, request: ApprovalRequest) -> bool:
        self.asked.append(request)
        self.meanwhile()
        return True

    @property
    def shown(self) -> str:
        """What the only question showed of what would be hit, line by line."""
        (request,) = self.asked
        assert request.preview is not None
        return "\n".join(str(each["told"]) for each in request.preview.operation["items"])


async def act(bench: SystemBench, verb: str, gate: Yes, policy: Policy = RUNNING, **params: Any) -> StepLog:
    """Return the receipt of one goal of the system family."""

    async def provide(toolset: type[Toolset]) -> Toolset:
        return bench.back_end.toolsets[toolset]

    registry = ToolRegistry()
    for each in load_toolsets("system"):
        registry.register(each, provide)
    meta_goal = build_meta_goal([Goal("system", verb, params)])
    planned = GoalOrchestrator(GoalPlanner(PLANNER_RULES)).orchestrate(meta_goal, PlanningContext(WORLD, policy))
    assert planned.failures == ()
    executor = PlanExecutor(StepPerformer(registry, RulesResolver()))
    run = RunContext(world=WORLD, policy=policy, approvals=ApprovalTerms(gate=gate))
    (log,) = await executor.execute(planned.graph, run)
    return log
