"""Explorations as the command makes them, with a model whose answers were written beforehand."""

import re
from collections.abc import Mapping
from typing import Any

from agent.planners.explore.planner import ExplorePlanner
from agent.planners.session_hands import HandsTerms, SessionHands
from agent.planners.templates.template_files import TemplateFiles
from agent.sessions.session import AgentSession
from core.approvals.approvals import ApprovalGate, ApprovalRequest
from core.base.scope_paths import begin_scope
from core.planning.planners.budgets import PlannerBudget
from core.planning.planners.context import PlannerContextParts
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.ports import Model
from core.planning.planners.results import PlannerResult
from tests.agent.planners.tools import describe_tools


class Person:
    """Agrees to what its patterns match, and remembers everything that was asked."""

    def __init__(self, *allowed: str) -> None:
        self._allowed = [re.compile(each) for each in allowed]
        self.asked: list[ApprovalRequest] = []

    async def decide(self, request: ApprovalRequest) -> bool:
        self.asked.append(request)
        return any(each.search(request.text) for each in self._allowed)


def call(name: str, **params: object) -> dict[str, Any]:
    """Return a proposed call."""
    return {"name": name, "params": params}


def propose(*calls: Mapping[str, Any], is_done: bool = False, why: str = "Next.") -> dict[str, Any]:
    """Return the answer of a model."""
    return {"calls": list(calls), "rationale": why, "is_done": is_done}


async def explore(
    session: AgentSession, model: Model | None, gate: ApprovalGate, parameters: Mapping[str, Any], **settings: Any
) -> PlannerResult:
    """Explore a task.

    Args:
        session: Carries it out.
        model: Who proposes.
        gate: Who answers.
        parameters: Of the planner.
        **settings: Of the planner.
    """
    hands = SessionHands(session, HandsTerms(gate=gate))
    parts = PlannerContextParts(
        scope=begin_scope("ada").child("s").child("r"),
        model=model,
        templates=TemplateFiles(),
        settings=settings,
        budget=PlannerBudget(iterations=1000),
    )
    return await run_planner(ExplorePlanner(hands, describe_tools()), parameters, parts)
