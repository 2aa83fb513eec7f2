"""How often a step is judged by the rules of a policy, and how often it is asked what it would change."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from actuators.base import Environment
from actuators.files.platforms.linux import make_back_end
from actuators.verb_table import PLANNER_RULES, load_toolsets
from agent.sessions.live_runs import expect_approvals
from agent.sessions.planned_requests import PlannedRequest
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
from core.policy.policy_rules import ActionFacts, PolicyRule
from core.results.tool_results import StepLog
from core.tools.ports import ActionContext, Toolset
from core.tools.previews import Preview, ShownChanges
from core.tools.registry import ToolRegistry
from fixtures.rule_samples import WORLD

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the back end is that of Linux")

ASKING = PolicyRule(verdict="ask", verbs=("file.*",))
ALLOWING = PolicyRule(verdict="allow", verbs=("file.*",))


@dataclass(frozen=True, slots=True)
class CountedPolicy(Policy):
    """A policy that notes when it judges."""

    noted: list[str] = field(default_factory=list[str], compare=False)

    def judge(self, deed: ActionFacts) -> PolicyRule | None:
        self.noted.append("judged")
        return Policy.judge(self, deed)


def count_previews(tools: Toolset, noted: list[str]) -> Toolset:
    """Return a toolset of the same kind that notes when it is asked what it would change."""
    plain = type(tools)

    async def preview(self: Any, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Preview | None:
        noted.append("previewed")
        return await plain.preview(self, verb, context, args)

    counted = type(plain.__name__, (plain,), {"preview": preview})
    made: Any = object.__new__(counted)
    made.__dict__.update(tools.__dict__)
    return made


@dataclass
class Gate:
    """Says yes, and notes that it was asked."""

    noted: list[str]
    meanwhile: Callable[[], object]

    async def decide(self, request: ApprovalRequest) -> bool:
        assert request.preview is not None
        self.noted.append("asked")
        self.meanwhile()
        return True


@dataclass
class Desk:
    """The real tools of files in a folder, with notes of what they and the policy are asked, phase by phase."""

    folder: Path
    rules: tuple[PolicyRule, ...]
    noted: list[str] = field(default_factory=list[str])
    meanwhile: Callable[[], object] = lambda: None

    async def write(self, *names: str) -> list[list[str]]:
        """Write files one after the other; return what was noted while planning, before each yes, and after each."""
        logs = await self.run(*names)
        assert [log.result.status for log in logs] == ["ok"] * len(names)
        return self._divide()

    async def run(self, *names: str) -> tuple[StepLog, ...]:
        """Plan and carry out, as a request is."""
        policy = CountedPolicy(roots=(str(self.folder),), rules=self.rules, noted=self.noted)
        world = replace(WORLD, platform=sys.platform, anchors={"workspace": str(self.folder)})
        goals = [
            Goal("file", "write", {"path": name, "content": "b"}, scope=f"after:g{index - 1}" if index else "root")
            for index, name in enumerate(names)
        ]
        planned = GoalOrchestrator(GoalPlanner(PLANNER_RULES)).orchestrate(
            build_meta_goal(goals), PlanningContext(world, policy)
        )
        assert planned.failures == ()
        expect_approvals(PlannedRequest(planned, world=world, policy=policy))
        executor = PlanExecutor(StepPerformer(self._make_registry(), RulesResolver()))
        run = RunContext(world=world, policy=policy, approvals=ApprovalTerms(gate=Gate(self.noted, self.meanwhile)))
        found = await executor.preview(planned.graph, run)
        self.noted.append("planned")
        return await executor.execute(planned.graph, replace(run, shown=ShownChanges(found)))

    def _make_registry(self) -> ToolRegistry:
        back_end = make_back_end(
            Environment(platform=sys.platform, workspace=self.folder, state_dir=self.folder / "state")
        )
        tools: dict[type[Toolset], Toolset] = {
            each: count_previews(back_end.toolsets[each], self.noted) for each in load_toolsets("file")
        }

        async def provide(toolset: type[Toolset]) -> Toolset:
            return tools[toolset]

        registry = ToolRegistry()
        for each in load_toolsets("file"):
            registry.register(each, provide)
        return registry

    def _divide(self) -> list[list[str]]:
        phases: list[list[str]] = [[]]
        for each in self.noted:
            if each in {"planned", "asked"}:
                phases.append([])
            else:
                phases[-1].append(each)
        return phases


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("a")
    return tmp_path


async def test_a_change_is_judged_once_a_phase_and_previewed_once_for_showing_and_once_at_the_act(folder: Path) -> None:
    planning, approval, act = await Desk(folder, (ASKING,)).write("a.txt")
    assert sorted(planning) == ["judged", "previewed"]
    assert approval == ["judged"]
    assert act == ["judged", "previewed"]


async def test_without_rules_nothing_is_judged(folder: Path) -> None:
    assert await Desk(folder, ()).write("a.txt") == [["previewed"], [], ["previewed"]]


async def test_what_follows_a_change_is_looked_at_anew_before_it_is_asked_about(folder: Path) -> None:
    phases = await Desk(folder, ()).write("a.txt", "b.txt")
    assert phases == [["previewed", "previewed"], [], ["previewed", "previewed"], ["previewed"]]


async def test_what_a_rule_gives_beforehand_is_judged_and_looked_at_as_often(folder: Path) -> None:
    planning, rest = await Desk(folder, (ALLOWING,)).write("a.txt")
    assert (sorted(planning), rest) == (["judged", "previewed"], ["judged", "judged", "previewed"])


async def test_a_file_that_changes_after_it_was_shown_is_not_written(folder: Path) -> None:
    desk = Desk(folder, (ASKING,), meanwhile=lambda: (folder / "a.txt").write_text("another's"))
    (log,) = await desk.run("a.txt")
    assert (log.result.status, log.result.error and log.result.error.code) == ("refused", "approval_void")
    assert (folder / "a.txt").read_text() == "another's"


def test_what_was_shown_long_ago_is_looked_at_anew() -> None:
    shown = ShownChanges({"g0_write_1": Preview({})})
    assert shown.find_fresh("g0_write_1") == Preview({})
    assert replace(shown, at=shown.at - 5).find_fresh("g0_write_1") is None
    assert shown.find_fresh("g1_write_1") is None
