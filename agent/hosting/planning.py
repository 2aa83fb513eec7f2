"""What an order would do, as data; nothing is done."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.hosting.requesting import read_order
from agent.requests.plan_views import describe_graph, describe_meta_goal, digest_plan
from agent.service.callers import Caller
from agent.service.orders import RunOrder
from agent.sessions.planned_requests import PlannedRequest
from agent.sessions.session import AgentSession
from core.approvals.approvals import ClassGate
from core.base.errors import ErrorInfo, InputError
from core.results.records import to_data


async def plan_order(order: RunOrder, caller: Caller, session: AgentSession) -> Mapping[str, Any]:
    """Return what an order would do.

    Raises:
        InputError: If it can't be planned: the first reason; its evidence has all of them.
    """
    request = replace(read_order(order, caller, ClassGate()), mode="plan")
    request = await session.understand(request, lambda _: None)
    planned = session.plan(request)
    if planned.errors or planned.orchestration is None:
        raise _refuse(planned)
    return describe_planned(planned, await session.preview(planned, request))


def describe_planned(planned: PlannedRequest, changes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a plan as data: goals, graph, digest and what it would change."""
    if planned.orchestration is None:
        return {}
    graph = planned.orchestration.graph
    return {
        **describe_meta_goal(planned.orchestration),
        "plan": describe_graph(graph),
        "plan_digest": digest_plan(graph),
        "diff_preview": to_data(changes),
        "planning_ms": planned.planning_ms,
    }


def _refuse(planned: PlannedRequest) -> InputError:
    first = planned.errors[0] if planned.errors else ErrorInfo("no_intent_match", "There is nothing to do.")
    more = {"errors": to_data(planned.errors), "question": planned.question}
    return InputError(first.message, code=first.code, hint=first.hint, evidence={**first.evidence, **more})
