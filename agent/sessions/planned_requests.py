"""PlannedRequest: a request after planning, and why it can't be carried out where it can't."""

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from actuators.verb_table import PLANNER_RULES
from agent.requests.real_paths import add_real_roots
from core.base.errors import ErrorInfo, GoalError, InputError, PolicyError, SurehandError
from core.base.late_dataclasses import dataclass, field, replace
from core.goals.meta_goals import Goal, MetaGoal
from core.goals.scopes import build_meta_goal
from core.goals.secret_values import NO_VAULT, Vault
from core.goals.world import WorldState
from core.language.meanings.interpretation import Interpretation
from core.planning.context import ContextFrame, PlanningContext
from core.planning.graph import PlanGraph
from core.planning.orchestrator import Orchestration
from core.planning.planner import PlanResult, resolve_roots, resolve_rules
from core.policy.policy import Policy
from core.results.records import to_data
from core.rules.approval_classes import APPROVAL_CLASSES
from core.rules.param_types import URL
from core.tools.previews import Preview

if TYPE_CHECKING:
    from agent.requests.requests import Request
    from agent.sessions.session_parts import SessionParts


def describe_changes(graph: PlanGraph, found: Mapping[str, Preview | ErrorInfo]) -> tuple[Mapping[str, Any], ...]:
    """Return what the actions that need ``apply_diff`` or can show it would change, one operation each.

    Returns:
        ``id``, ``text`` and ``digest`` of each action; its ``operation`` and ``diff`` as the world is now, or a ``note``
        why they aren't known, or why it can't be done as the world is now.
    """
    return tuple(
        {
            "id": action.action_id,
            "text": action.description,
            "digest": action.digest,
            **_describe(found.get(action.action_id)),
        }
        for action in graph.nodes.values()
        if APPROVAL_CLASSES[action.approval].must_show or action.action_id in found
    )


def _describe(found: Preview | ErrorInfo | None) -> Mapping[str, Any]:
    if isinstance(found, Preview):
        return {"operation": to_data(found.operation), "diff": found.diff}
    return {"note": str(found)} if found else {}


_LEAST_PREFIX = 6


def find_left_out(
    selected: Sequence[str] | None, changes: Sequence[Mapping[str, Any]], steps: Sequence[str] = ()
) -> frozenset[str]:
    """Return the ids of the changes that are not made.

    Args:
        selected: Ids of ``diff_preview``, or the numbers of their steps, each as it is or as ``id@`` and the beginning of
            its digest; None for all.
        steps: The ids of all actions in plan order; the first is step 1.

    Raises:
        InputError: ``unknown_operation`` if there is no such change, ``operation_differs`` if its digest is another one.
    """
    if selected is None:
        return frozenset()
    digests = {str(change["id"]): str(change["digest"]) for change in changes}
    numbers = {str(number): action_id for number, action_id in enumerate(steps, start=1)}
    chosen = {_find(name, digests, numbers) for name in selected}
    return frozenset(digests.keys() - chosen)


def _find(name: str, digests: Mapping[str, str], numbers: Mapping[str, str]) -> str:
    named, marked, prefix = name.partition("@")
    action_id = numbers.get(named, named)
    if action_id not in digests:
        hint = f"Choose from {', '.join(digests)}." if digests else "This plan has no changes to choose from."
        raise InputError(f'"{named}" is not a change of this plan.', code="unknown_operation", hint=hint)
    if marked and not (len(prefix) >= _LEAST_PREFIX and digests[action_id].startswith(prefix)):
        text = f'Change "{named}" has the digest {digests[action_id]}, not "{prefix}".'
        hint = f"Look at the plan again, and give at least {_LEAST_PREFIX} characters of the digest."
        raise InputError(text, code="operation_differs", hint=hint)
    return action_id


@dataclass(frozen=True, slots=True)
class PlannedRequest:
    """A request after interpretation and planning, before anything is done.

    Attributes:
        orchestration: The graph; None if there is nothing to plan.
        errors: Why it can't be executed; empty if it can.
        world: What it was planned with; the machine is looked at once a request.
        policy: What may be touched: what the request, its flow and the workspace's settings all allow.
    """

    orchestration: Orchestration | None
    errors: tuple[ErrorInfo, ...] = ()
    question: str = ""
    interpretation: Interpretation | None = None
    planning_ms: float = 0.0
    world: WorldState = field(default_factory=WorldState)
    vault: Vault = NO_VAULT
    policy: Policy = field(default_factory=Policy)


def refuse_utterance(interpretation: Interpretation) -> PlannedRequest:
    """Return what became of a sentence that wasn't understood."""
    refusal = interpretation.refusal
    if refusal is None:
        return PlannedRequest(None, (ErrorInfo("no_intent_match", "There is nothing to do."),))
    hint = f"You can say: {'; '.join(refusal.nearest)}." if refusal.nearest else ""
    evidence = {"clause": refusal.clause, "nearest": list(refusal.nearest)}
    error = ErrorInfo(refusal.code, refusal.message, hint, evidence)
    return PlannedRequest(None, (error,), refusal.question, interpretation)


def narrow_policy(request: "Request", world: WorldState, standing: Policy) -> Policy:
    """Return what the request, its flow and the workspace allow; a flow can't reach beyond the folders of the request.

    Raises:
        PolicyError: If a root can't be resolved.
    """
    policy = limit_today(request.policy, world, standing)
    if request.flow is not None:
        for flow in (request.flow.policy, *request.flow.narrowed):
            policy = policy.narrow(resolve_rules(flow, world) if flow.roots is None else resolve_roots(flow, world))
    return add_real_roots(policy)


def limit_today(asked: Policy, world: WorldState, standing: Policy) -> Policy:
    """Return what may be touched whatever is done now: what the person and the settings allow.

    Raises:
        PolicyError: If a root can't be resolved.
    """
    return resolve_roots(asked, world).narrow(resolve_rules(standing, world))


def report_diagnostics(meta_goal: MetaGoal, request: "Request") -> list[ErrorInfo]:
    """Return bad scopes as errors where a person or program wrote them; what a sentence implies is only noted."""
    if request.utterance is not None:
        return []
    by_id = {goal.goal_id: index for index, goal in enumerate(meta_goal.goals)}
    return [
        _locate(request, by_id.get(text.split(" ")[0], 0), ErrorInfo("bad_scope", text))
        for text in meta_goal.diagnostics
    ]


def report_failures(orchestration: Orchestration, request: "Request") -> list[ErrorInfo]:
    """Return why goals could not be planned, each with its place in the flow if it is from one."""
    order = {goal.goal_id: index for index, goal in enumerate(orchestration.meta_goal.goals)}
    return [_locate_failure(request, order[goal.goal_id], goal, result) for goal, result in orchestration.failures]


def locate_error(request: "Request", meta_goal: MetaGoal, error: SurehandError) -> ErrorInfo:
    """Return an error that ended planning, with the place of the goal that it names if that is from a flow."""
    order = {goal.goal_id: index for index, goal in enumerate(meta_goal.goals)}
    return _locate(request, order.get(error.evidence.get("goal", ""), 0), error.info())


def _locate_failure(request: "Request", index: int, goal: Goal, result: PlanResult) -> ErrorInfo:
    error = result.error or ErrorInfo(result.status, f"{goal.name} can't be planned.")
    return _locate(request, index, error)


def _locate(request: "Request", index: int, error: ErrorInfo) -> ErrorInfo:
    if request.flow is None:
        return error
    params = error.evidence.get("params", ())
    found = request.flow.locate(index, error.message, params=params, hint=error.hint, code=error.code).info()
    return ErrorInfo(found.code, found.message, found.hint, {**error.evidence, **found.evidence})


def plan_request(
    parts: "SessionParts", request: "Request", frames: tuple[ContextFrame, ...] = (), run_id: str = "", first: int = 0
) -> PlannedRequest:
    """Interpret and plan a request; nothing is done.

    Args:
        frames: Context of the session, the latest first.
    """
    began = time.perf_counter()
    interpretation = None
    if request.utterance is not None:
        interpretation = request.understood or _understand(parts, request.utterance)
        if interpretation.refusal or interpretation.meta_goal is None:
            return refuse_utterance(interpretation)
        meta_goal = interpretation.meta_goal
    else:
        meta_goal = build_meta_goal(request.flow.goals if request.flow else request.goals or (), first=first)
    meta_goal = join_addresses(meta_goal, parts.base_url)
    world = parts.read_world()
    try:
        policy = narrow_policy(request, world, parts.policy)
    except PolicyError as error:
        return PlannedRequest(None, (error.info(),), interpretation=interpretation)
    vault = parts.vault.limit(request.secrets)
    context = PlanningContext(world, policy, frames, vault=vault)
    try:
        orchestration = parts.orchestrator.orchestrate(meta_goal, context, run_id=run_id)
    except GoalError as error:
        return PlannedRequest(None, (locate_error(request, meta_goal, error),), interpretation=interpretation)
    errors = (*report_diagnostics(meta_goal, request), *report_failures(orchestration, request))
    elapsed_ms = round((time.perf_counter() - began) * 1000, 3)
    return PlannedRequest(orchestration, errors, "", interpretation, elapsed_ms, world, vault, policy)


def _understand(parts: "SessionParts", utterance: str) -> Interpretation:
    return parts.interpreter.propose(utterance, parts.interpreter.interpret(utterance))


_RELATIVE = ("/", "./", "../", "?", "#")


def join_addresses(goals: MetaGoal, base_url: str) -> MetaGoal:
    """Return goals whose relative addresses are whole.

    An address is relative that begins with ``/``, ``./``, ``../``, ``?`` or ``#``; ``//host`` names a host and stays as it is.

    Args:
        base_url: What relative addresses hang below; empty to leave them.
    """
    if not base_url:
        return goals
    return replace(goals, goals=tuple(_join(each, base_url) for each in goals.goals))


def _join(goal: Goal, base_url: str) -> Goal:
    rule = PLANNER_RULES.get((goal.domain, goal.verb))
    types: Mapping[str, Any] = rule.param_types if rule else {}
    found = {
        name: urljoin(base_url, value)
        for name, value in goal.params.items()
        if types.get(name) is URL and isinstance(value, str) and _is_relative(value)
    }
    return replace(goal, params={**goal.params, **found}) if found else goal


def _is_relative(address: str) -> bool:
    return address.startswith(_RELATIVE) and not address.startswith("//")
