"""PlannedRequest: a request after planning, the terms that it is carried out on, and why it can't be where it can't."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent.requests.plan_views import digest_plan
from agent.requests.real_paths import add_real_roots, find_real_paths
from core.approvals.approvals import ApprovalRequest, ApprovalTerms
from core.base.errors import ErrorInfo, InputError, SurehandError
from core.base.late_dataclasses import dataclass, field
from core.base.time_limits import finish_unless_stopped, keep_within
from core.execution.asking import expect_request
from core.execution.run_context import RunContext, RunLimits
from core.goals.meta_goals import Goal, MetaGoal
from core.goals.secret_values import NO_VAULT, Vault
from core.goals.world import WorldState
from core.journal.journal import JournalEntry
from core.journal.run_rows import note_end, note_plan
from core.language.meanings.interpretation import Interpretation
from core.planning.graph import PlanGraph
from core.planning.orchestrator import Orchestration
from core.planning.planner import PlanResult, resolve_roots, resolve_rules
from core.policy.policy import Policy
from core.results.records import to_data
from core.results.tool_results import RunOutcome
from core.rules.approval_classes import APPROVAL_CLASSES
from core.tools.previews import Preview

if TYPE_CHECKING:
    from agent.requests.requests import Request


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


_ENDING_S = 0.15
"""Seconds that writing down the end of a run has once it is stopped; ``stop`` promises 200 ms in all."""


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


async def begin_rows(request: "Request", orchestration: Orchestration, run: RunContext) -> bool:
    """Write down that a run begins, and return true.

    Raises:
        JournalError: If that can't be done; then nothing of it may be.
    """
    await run.journal.append(_describe_plan(request, orchestration, run), durable=False)
    return True


def _describe_plan(request: "Request", orchestration: Orchestration, run: RunContext) -> list[JournalEntry]:
    asked = request.utterance or (request.flow.name if request.flow else "") or "goals"
    if request.planner:
        asked = str(request.planner.parameters.get("task") or request.planner.capability)
    facts = {"asked": asked, "plan_digest": digest_plan(orchestration.graph), "principal": request.principal}
    chosen = {
        **facts,
        "scope": str(run.scope),
        "left_out": sorted(run.limits.left_out),
        "secrets": request.secrets,
        "workspace": run.world.workspace,
        **({"planner": request.planner, "model": request.model} if request.planner else {}),
    }
    return note_plan(run.run_id, orchestration.graph, chosen, run.policy)


async def end_rows(run: RunContext, outcome: RunOutcome) -> tuple[str, ...]:
    """Write down that a run ended; return what has to be said if that could not be done."""
    stop, ending = run.limits.stop, run.journal.append([note_end(run.run_id, outcome)], durable=False)
    try:  # another process may be writing, if a person was asked last
        if stop.is_set():
            await keep_within(_ENDING_S, ending, "Another process is writing it.")
        else:
            await finish_unless_stopped(ending, stop)
    except SurehandError as error:
        return (f"The end of the run could not be written to the journal: {error.message}",)
    return ()


def make_run_context(planned: PlannedRequest, request: "Request") -> RunContext:
    """Return what a planned request is carried out in."""
    return RunContext(
        world=planned.world,
        policy=planned.policy,
        limits=RunLimits(budget=request.budget.narrow(request.flow.budget) if request.flow else request.budget),
        vault=planned.vault,
        find_real=find_real_paths,
        approvals=ApprovalTerms(
            gate=request.gate,
            plan_digest=digest_plan(planned.orchestration.graph) if planned.orchestration else "",
            principal=request.principal,
        ),
    )


def expect_approvals(planned: PlannedRequest) -> tuple[ApprovalRequest, ...]:
    """Return what will have to be asked, or may have to be; also of a request that could be planned only in part."""
    if planned.orchestration is None:
        return ()
    results = planned.orchestration.results.values()
    found = (expect_request(action, result.verdict) for result in results for action in result.plan)
    return tuple(each for each in found if each)


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
