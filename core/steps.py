"""One step of a run: bind, ask, resolve, enforce, call, and write the receipt."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.approvals import ApprovalGate, ApprovalRequest, Sources, find_request
from core.authority import EnforcedCall, enforce_authority, list_candidates
from core.budgets import Budget
from core.errors import (
    ApprovalError,
    DeadlineError,
    ErrorInfo,
    GoalError,
    InputError,
    RefusedError,
    SurehandError,
    UnknownOutcomeError,
)
from core.params import validate_bound
from core.phrases import render_phrase
from core.planner import judge_args
from core.plans import PlannedAction, compute_digest, freeze
from core.policy import Policy
from core.ports import ActionContext
from core.references import bind_value, find_references
from core.resolver import ToolResolver
from core.results import StepLog, ToolOutcome, ToolResult
from core.rule_types import PlannerRule, RuleKey
from core.tools import ToolRegistry
from core.world import WorldState

Outputs = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTerms:
    """What a run is held to.

    Attributes:
        world: The snapshot that was planned with.
        policy: What may be touched.
        budget: How long and how much.
        gate: Who answers approval requests.
        on_start: Told when an action starts.
        on_end: Told when an action ended.
        on_question: Told when an approval is asked for.
        stop: Set to stop the run.
    """

    world: WorldState
    policy: Policy
    budget: Budget
    gate: ApprovalGate
    on_start: Callable[[PlannedAction], None] = lambda _: None
    on_end: Callable[[StepLog], None] = lambda _: None
    on_question: Callable[[ApprovalRequest, bool | None], None] = lambda _request, _answer: None
    stop: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True)
class _Trial:
    """What is known of a step while it runs."""

    action: PlannedAction
    sources: Sources = field(default_factory=dict[str, tuple[str, ...]])
    enforced: EnforcedCall | None = None
    acting: bool = False


class StepPerformer:
    """Performs single actions by the tools of a registry."""

    def __init__(self, registry: ToolRegistry, resolver: ToolResolver, rules: Mapping[RuleKey, PlannerRule]) -> None:
        """Use these tools, this resolver, and the rules that the actions were planned by."""
        self._registry = registry
        self._resolver = resolver
        self._rules = rules

    async def perform(
        self, action: PlannedAction, terms: RunTerms, outputs: Outputs, context: ActionContext
    ) -> StepLog:
        """Carry out one action; every way in which it can end is a receipt.

        Args:
            action: As planned.
            terms: What the run is held to.
            outputs: Outputs of earlier goals, by goal id.
            context: What the tool is told beside its arguments.
        """
        trial = _Trial(action)
        started = time.perf_counter()
        try:
            outcome = await self._attempt(trial, terms, outputs, context)
            result = ToolResult(
                "ok", outcome.effect, outcome.output, outcome.evidence, undo=outcome.undo, artifacts=outcome.artifacts
            )
        except asyncio.CancelledError:
            result = _report_end(trial, ErrorInfo("stopped", "The run was stopped."), "cancelled")
        except SurehandError as error:
            refused = isinstance(error, RefusedError | InputError)
            result = _report_end(trial, error.info(), "refused" if refused else "failed")
        except Exception as error:  # noqa: BLE001 -- a fault in a back end becomes a receipt and must not end the run
            text = f"{action.name} broke with {type(error).__name__}: {error}"
            result = _report_end(trial, ErrorInfo("internal_error", text, "This is a fault in Surehand."), "failed")
        return _log_step(trial, result, (time.perf_counter() - started) * 1000)

    async def _attempt(self, trial: _Trial, terms: RunTerms, outputs: Outputs, context: ActionContext) -> ToolOutcome:
        trial.action, trial.sources = self._bind(trial.action, terms, outputs)
        await _ask(trial, terms)
        candidates = list_candidates(trial.action, self._registry.specs())
        proposed = await self._resolver.resolve(trial.action, candidates)
        trial.enforced = enforce_authority(trial.action, proposed, candidates)
        trial.acting = True
        try:
            async with asyncio.timeout(context.timeout_s):
                return await self._registry.call(trial.enforced.call, context)
        except TimeoutError:
            raise _give_up(trial.action, context.timeout_s) from None

    def _bind(self, action: PlannedAction, terms: RunTerms, outputs: Outputs) -> tuple[PlannedAction, Sources]:
        sources = {
            name: steps
            for name, value in action.args.items()
            if (steps := tuple(dict.fromkeys(str(each) for each in find_references(value))))
        }
        if not sources:
            return action, {}
        rule = self._rules[(action.domain, action.verb)]
        bound = {name: bind_value(value, outputs) for name, value in action.args.items()}
        if problems := validate_bound(rule, bound, terms.world):
            text = "; ".join(problem.message for problem in problems)
            raise GoalError(f"{action.name}: a value that was read doesn't fit: {text}.", code="validation_failed")
        args = judge_args(rule, bound, terms.world, terms.policy)
        digest = compute_digest(action.domain, action.intent, action.verb, args)
        description = render_phrase(rule.description_template, args)
        return replace(action, args=freeze(args), digest=digest, description=description), sources


async def _ask(trial: _Trial, terms: RunTerms) -> None:
    request = find_request(trial.action, trial.sources)
    if request is None:
        return
    terms.on_question(request, None)
    answer = await terms.gate.decide(request)
    terms.on_question(request, answer)
    if not answer:
        hint = "It needs a person at the terminal." if request.kind == "confirm" else f"Allow it: --yes {request.kind}."
        raise ApprovalError(f"Not approved ({request.kind}): {request.text}.", hint=hint)


def _give_up(action: PlannedAction, timeout_s: float) -> SurehandError:
    text = f"{action.name} did not end within {timeout_s:g} s."
    if action.action_class == "actuate" and action.repeat == "at_most_once":
        return UnknownOutcomeError(text, hint="It may or may not have happened; look before you repeat it.")
    return DeadlineError(text)


def _report_end(trial: _Trial, error: ErrorInfo, status: Any) -> ToolResult:
    """Return a receipt without success; an acting tool that was called may have done something."""
    uncertain = status == "cancelled" or error.code in {"outcome_unknown", "timed_out", "internal_error"}
    touched = trial.acting and uncertain and trial.action.action_class == "actuate"
    return ToolResult(status, "unverified" if touched else "none", evidence=error.evidence, error=error)


def _log_step(trial: _Trial, result: ToolResult, ms: float) -> StepLog:
    action = trial.action
    digest = trial.enforced.args_digest if trial.enforced else ""
    return StepLog(
        action_id=action.action_id,
        goal_id=action.goal_id,
        name=action.name,
        description=action.description,
        result=replace(result, args_digest=digest, tainted=trial.sources, ms=round(ms, 3)),
        tool=trial.enforced.call.tool if trial.enforced else "",
        dropped=trial.enforced.dropped if trial.enforced else (),
        summary=render_phrase(action.summary, action.args),
    )
