"""Explorations as the command makes them, with a model whose answers were written beforehand."""

import re
from collections.abc import Mapping
from typing import Any

from agent.requests.planner_wishes import PlannerWish
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from core.approvals.approvals import ApprovalGate, ApprovalRequest
from core.planning.planners.ports import Model
from core.planning.planners.results import PlannerResult
from core.results.tool_results import RunResult


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
    """Explore a task, and return what came of the planner.

    Args:
        session: Carries it out.
        model: Who proposes.
        gate: Who answers.
        parameters: Of the planner.
        **settings: Of the planner.
    """
    if model is not None:
        session.use_model(lambda _: model)
    wish = PlannerWish(capability="explore", parameters=parameters, settings=settings)
    return read_planner(await session.run(Request(planner=wish, gate=gate, principal="ada")))


def read_planner(run: RunResult) -> PlannerResult:
    """Return what came of the planner that a run carried out."""
    told = run.planner
    return PlannerResult(
        planner_id=told["name"],
        scope=run.scope,
        outcome=told["outcome"],
        artifacts=told["artifacts"],
        transcript=tuple(told["transcript"]),
        metrics=told["metrics"],
        diagnostics=tuple(told["diagnostics"]),
        errors=tuple(told["errors"]),
    )
