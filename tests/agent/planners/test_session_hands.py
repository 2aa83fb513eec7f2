"""Hands act within a run of a session on its terms, which only ever narrow, and spend of its one budget."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import pytest

from agent.planners.hands import PlannerHands, raise_first
from agent.planners.host import WorkspacePlanners
from agent.planners.registry import PlannerRegistry, Tools
from agent.requests.planner_wishes import PlannerWish
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from agent.simulation.machines import build_simulation
from agent.simulation.sessions import open_simulation
from core.approvals.approvals import ClassGate
from core.base.budgets import Budget
from core.goals.meta_goals import Goal
from core.planning.planners.base import PlannerBase
from core.planning.planners.context import PlannerContext
from core.planning.planners.metadata import PlannerInput, PlannerMetadata, StepDescriptor
from core.planning.planners.steps import PlannerStep, PlannerStepInstance
from core.policy.policy import Policy
from core.results.tool_results import RunResult

LIST = Goal("memory", "list")
MAKE = Goal("file", "create", {"object_type": "file", "name": "notes.txt", "content": "mine"})
DO = StepDescriptor(step_id="do", description="Does it.")


class Doer(PlannerBase):
    """Does one thing after another, by narrower hands where it is told so; looks where nothing is left."""

    metadata: ClassVar[PlannerMetadata] = PlannerMetadata(
        name="doer",
        description="Does things.",
        capabilities=("do",),
        inputs=(
            PlannerInput(name="goals", kind="list", description="What."),
            PlannerInput(name="verbs", kind="list", description="By which.", is_required=False),
        ),
        steps=(DO,),
    )

    def __init__(self, hands: PlannerHands, tools: Tools) -> None:
        del tools
        self._hands = hands

    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        return (PlannerStepInstance(instance_id="do", step=PlannerStep(descriptor=DO)),)

    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        hands, verbs = self._hands, context.parameters["verbs"]
        if verbs:
            hands = hands.narrow(Policy(verbs=tuple(verbs)), ())
        for goal in context.parameters["goals"]:
            raise_first(await hands.run((goal,)))
        if not context.parameters["goals"]:
            await hands.look()
        return {}


@pytest.fixture
async def session() -> AsyncIterator[AgentSession]:
    """A session on a machine in memory, which has one planner."""
    registry = PlannerRegistry()
    registry.register(Doer, Doer)
    async with open_simulation(partial(build_simulation, None), (), Settings()) as opened:
        planners = WorkspacePlanners(tuple, registry=registry)
        async with AgentSession(replace(opened.parts, planners=planners)) as session:
            yield session


async def do(session: AgentSession, *goals: Goal, verbs: Sequence[str] = (), **terms: Any) -> RunResult:
    wish = PlannerWish(capability="do", parameters={"goals": list(goals), "verbs": list(verbs)})
    return await session.run(Request(planner=wish, **terms))


def list_codes(run: RunResult) -> list[str]:
    return [error.code for error in run.planner["errors"]]


async def test_goals_are_carried_out_on_the_terms_of_the_run(session: AgentSession) -> None:
    refused = await do(session, MAKE, policy=Policy(verbs=("browser.*",)))
    assert (refused.outcome, list_codes(refused)) == ("failed", ["refused_by_policy"])
    asked = await do(session, MAKE)
    assert list_codes(asked) == ["approval_missing"], "nobody said yes"
    done = await do(session, MAKE, gate=ClassGate(["apply_diff"]))
    assert (done.outcome, [log.name for log in done.step_logs]) == ("success", ["file.create"])


async def test_narrowing_never_widens(session: AgentSession) -> None:
    terms: dict[str, Any] = {"policy": Policy(verbs=("memory.*",)), "gate": ClassGate(["apply_diff"])}
    wider = ["file.*", "memory.*"]
    assert (await do(session, LIST, verbs=wider, **terms)).outcome == "success"
    assert list_codes(await do(session, MAKE, verbs=wider, **terms)) == ["refused_by_policy"]


async def test_all_that_hands_and_narrower_ones_do_is_counted_together(session: AgentSession) -> None:
    assert (await do(session, LIST, LIST, budget=Budget(actions=2))).outcome == "success"
    spent = await do(session, LIST, LIST, LIST, verbs=["memory.*"], budget=Budget(actions=2))
    assert (len(spent.step_logs), list_codes(spent)) == (2, ["budget_exhausted"])


async def test_a_look_that_shows_nothing_says_why(session: AgentSession) -> None:
    assert list_codes(await do(session)) == ["no_session"]
