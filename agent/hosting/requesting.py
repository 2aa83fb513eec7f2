"""Orders as requests: what a client sent, read and checked, for a session to carry out."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from agent.requests.plan_views import describe_graph, describe_meta_goal, digest_plan
from agent.requests.requests import Request
from agent.service.callers import Caller
from agent.service.orders import RunOrder
from agent.sessions.planned_requests import PlannedRequest, describe_changes, plan_request
from core.approvals.approvals import ApprovalGate, ApprovalRequest, ClassGate, SaidYes
from core.base.budgets import Budget
from core.base.errors import ErrorInfo, InputError, RefusedError
from core.base.late_parts import compile_late
from core.base.shortages import explain_system_error
from core.policy.policy import Policy
from core.results.records import to_data
from core.rules.approval_classes import GIVEN_BEFOREHAND, ApprovalClass

if TYPE_CHECKING:
    from agent.requests.flows import Flow
    from agent.sessions.session import AgentSession
    from agent.sessions.session_parts import SessionParts

_FLOWS, _GOALS = "agent.requests.flows", "agent.requests.goal_files"
_FILES, _POLICIES = "agent.requests.words.flow_files", "agent.requests.words.policy_parts"
"""What reads files is imported where there is something to read: a sentence needs none of it."""

_FLOW_NAME = compile_late(r"^\s*[\"']?name[\"']?\s*:\s*([^\n,}]{1,200})", re.MULTILINE)


class OrderGate:
    """Approves what was given beforehand with an order, and asks for the rest."""

    def __init__(self, classes: tuple[ApprovalClass, ...], by: str, asked: ApprovalGate) -> None:
        """Remember both."""
        self._given, self._by = ClassGate(classes), by
        self._asked = asked

    async def decide(self, request: ApprovalRequest) -> bool | SaidYes:
        """Return whether the action may run, once."""
        return SaidYes(self._by) if await self._given.decide(request) else await self._asked.decide(request)


def read_order(order: RunOrder, caller: Caller, asked: ApprovalGate, run_id: str = "") -> Request:
    """Return an order as a request.

    Raises:
        InputError: If a part of it makes no sense.
        RefusedError: If it gives approvals that the caller can't.
    """
    return Request(
        utterance=order.text,
        flow=_read_flow(order),
        planner=order.planner,
        model=order.model,
        mode=order.mode,
        policy=_read_policy(order.policy, caller),
        budget=_read_budget(order),
        gate=OrderGate(_read_approvals(order, caller), caller.told, asked),
        principal=caller.principal,
        selected_diff_ops=order.changes,
        granted_secrets=order.secrets,
        run_id=run_id,
    )


def describe_order(order: RunOrder) -> dict[str, Any]:
    """Return what is told of an order wherever its run is named: the sentence, the goals, or that it is a flow."""
    if order.text is not None:
        return {"utterance": order.text}
    if order.goals is not None:
        return {"goals": [dict(each) for each in order.goals]}
    if order.planner is not None:
        task = str(order.planner.parameters.get("task", ""))
        return {"planner": order.planner.capability, **({"task": task} if task else {})}
    named = _FLOW_NAME.search(order.flow or "")
    return {"flow": named[1].strip().strip("\"'") if named else "flow"}


def check_order(order: RunOrder) -> None:
    """Check what an order asks for, before a run is made of it.

    Raises:
        InputError: If it isn't exactly one of text, goals, flow and planner.
    """
    given = [name for name in ("text", "goals", "flow", "planner") if getattr(order, name) is not None]
    if len(given) != 1:
        told = ", ".join(given) or "none"
        raise InputError(f"An order needs exactly one of text, goals, flow and planner; this one has {told}.")
    if order.said and order.text is None:
        raise InputError("Only a text can be said.", hint="Leave said out.")
    if order.said and not order.session:
        raise InputError("What is said needs a session.", hint="Name one.")
    if order.variables and order.flow is None:
        raise InputError("Variables are for flows, but this is not a flow.")
    if (order.files or order.environment) and order.flow is None:
        raise InputError("Files and an environment are for flows, but this is not a flow.")


async def plan_order(order: RunOrder, caller: Caller, session: "AgentSession") -> Mapping[str, Any]:
    """Return what an order would do.

    Raises:
        InputError: If it can't be planned: the first reason; its evidence has all of them.
    """
    request = replace(read_order(order, caller, ClassGate()), mode="plan")
    request = await session.understand(request, lambda _: None)
    planned = session.plan(request)
    if planned.errors or planned.orchestration is None:
        raise _refuse_plan(planned)
    return describe_planned(planned, await session.preview(planned, request))


def plan_at_once(order: RunOrder, caller: Caller, parts: "SessionParts") -> Mapping[str, Any] | None:
    """Return what an order would do; None where it takes a session to look at what that would change.

    Raises:
        InputError: As ``plan_order``.
    """
    try:
        planned = plan_request(parts, replace(read_order(order, caller, ClassGate()), mode="plan"))
    except OSError as error:
        planned = PlannedRequest(None, (explain_system_error(error),))
    if planned.errors or planned.orchestration is None:
        raise _refuse_plan(planned)
    graph = planned.orchestration.graph
    if any(action.shows_changes for action in graph.nodes.values()):
        return None
    return describe_planned(planned, describe_changes(graph, {}))


def describe_planned(planned: "PlannedRequest", changes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
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


def _refuse_plan(planned: "PlannedRequest") -> InputError:
    first = planned.errors[0] if planned.errors else ErrorInfo("no_intent_match", "There is nothing to do.")
    more = {"errors": to_data(planned.errors), "question": planned.question}
    return InputError(first.message, code=first.code, hint=first.hint, evidence={**first.evidence, **more})


def _read_flow(order: RunOrder) -> "Flow | None":
    if order.flow is not None:
        files = import_module(_FILES).SentFiles(order.files, order.environment or None)
        return import_module(_FLOWS).parse_flow(order.flow, order.variables, name=order.name or "flow", files=files)
    if order.goals is None:
        return None
    try:
        text = json.dumps([dict(each) for each in order.goals], allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"The goals are not JSON: {error}.") from None
    return import_module(_GOALS).parse_goals(text, name=order.name or "goals")


def _read_policy(data: Mapping[str, Any] | None, caller: Caller) -> Policy:
    return Policy() if data is None else import_module(_POLICIES).parse_policy(data, may_allow=caller.may_approve)


def _read_budget(order: RunOrder) -> Budget:
    if order.seconds is not None and not order.seconds > 0:
        raise InputError("seconds must be above 0.")
    if order.actions is not None and order.actions < 1:
        raise InputError("actions must be at least 1.")
    return Budget(order.seconds, order.actions)


def _read_approvals(order: RunOrder, caller: Caller) -> tuple[ApprovalClass, ...]:
    known: dict[str, ApprovalClass] = {each: each for each in GIVEN_BEFOREHAND}
    if unknown := [name for name in order.approvals if name not in known]:
        text = f'"{unknown[0]}" can\'t be approved beforehand; {" and ".join(known)} can.'
        raise InputError(text, hint="Answer the question when it is asked.")
    if order.approvals and not caller.may_approve:
        text = "Approvals can't be given beforehand through this door."
        hint = "Leave approvals out; a person answers the questions."
        raise RefusedError(text, code="approval_needs_a_person", hint=hint)
    return tuple(known[name] for name in order.approvals)
