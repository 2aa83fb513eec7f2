"""One step of a run: bind, ask, resolve, enforce, call, and write the receipt."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

from core.approvals.approvals import Approval
from core.base.errors import (
    ApprovalError,
    BudgetError,
    DeadlineError,
    ErrorInfo,
    InputError,
    RefusedError,
    SurehandError,
    UnknownOutcomeError,
    tell_fault,
)
from core.base.late_dataclasses import dataclass, field, replace
from core.base.phrases import quote_values, render_phrase
from core.base.shortages import find_shortage
from core.base.time_limits import keep_within
from core.execution.asking import find_kind, find_request, follow_links, get_approval, is_agreed
from core.execution.binding import bind_step
from core.execution.run_context import RunContext, StepContext
from core.execution.taint import find_origins, follow, recall
from core.journal.action_rows import note_intent, write_outcome
from core.journal.resume import OpenAct
from core.planning.action_facts import describe_facts, judge_described
from core.planning.authority import EnforcedCall, ToolResolver, enforce_authority, list_candidates
from core.planning.plans import PlannedAction, thaw
from core.policy.policy_rules import ActionFacts, Verdict
from core.results.attendance import add_notes
from core.results.failure_snapshots import FailureSnapshot, add_snapshot
from core.results.provenance import Origin, Sources, read_origins
from core.results.records import check_outcome, weigh_effect
from core.results.redaction import redact_finding, redact_receipt
from core.results.tool_results import Finding, StepLog, ToolCall, ToolOutcome, ToolResult
from core.tools.ports import ActionContext
from core.tools.previews import Preview
from core.tools.registry import ToolRegistry

_ENDING_S = 0.15
"""Seconds that a tool has to end once its time is up."""


@dataclass(slots=True)
class _Trial:
    """What is known of a step while it runs."""

    action: PlannedAction
    step: StepContext
    began: float = field(default_factory=time.perf_counter)
    sources: Sources = field(default_factory=dict[str, tuple[str, ...]])
    real_paths: Sequence[str] = ()
    judged: tuple[ActionFacts, Verdict | None] | None = None
    carried: tuple[Origin, ...] = ()
    enforced: EnforcedCall | None = None
    resolver: str = ""
    intended: bool = False
    acting: bool = False
    notes: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def run(self) -> RunContext:
        return self.step.run

    @property
    def elapsed_s(self) -> float:
        return time.perf_counter() - self.began

    @property
    def left_s(self) -> float:
        return self.step.left_s - self.elapsed_s


class _StepStoppedError(Exception):
    """The step was given up before the act, although what it waited for went on."""


class StepPerformer:
    """Performs single actions by the tools of a registry."""

    def __init__(self, registry: ToolRegistry, resolver: ToolResolver) -> None:
        self._registry = registry
        self._resolver = resolver

    def name_resources(self, action: PlannedAction, step: StepContext) -> tuple[str, ...]:
        """Return what an action must hold alone, with its references bound; as planned where they can't be."""
        try:
            return bind_step(action, step)[0].resources
        except (SurehandError, TypeError, ValueError, RecursionError):  # perform meets the same and reports it
            return action.resources

    async def perform(self, action: PlannedAction, step: StepContext) -> StepLog:
        """Carry out one action; every way in which it can end is a receipt. How long its tool has is found once it is approved."""
        trial = _Trial(action, step)
        context = step.run.make_action_context(action, followers=step.followers)
        try:
            outcome = await self._attempt(trial, context)
            check_outcome(action.name, outcome)
            result = ToolResult(
                "ok",
                weigh_effect(outcome),
                outcome.output,
                outcome.evidence,
                undo=outcome.undo,
                undo_record=outcome.undo_record,
                artifacts=outcome.artifacts,
            )
        except _StepStoppedError:
            result = _report_stop(trial)
        except asyncio.CancelledError as error:
            result = _report_cancelled(trial, error)
        except SurehandError as error:
            refused = isinstance(error, RefusedError | InputError | BudgetError)
            result = _report_end(trial, error.info(), "refused" if refused else "failed", acted=error.acted)
        except Exception as error:  # noqa: BLE001 -- a fault in a back end becomes a receipt and must not end the run
            result = _report_fault(trial, error)
        result = add_notes(result, trial.notes)
        is_over = trial.run.limits.stop.is_set() or trial.action.terms.is_question
        if result.status == "failed" and trial.acting and not is_over:
            result = await add_snapshot(result, lambda: self._show_scene(trial, context), trial.left_s)
        log = redact_receipt(_log_step(trial, result, trial.elapsed_s * 1000), context.vault)
        if result.status == "ok" or trial.acting:
            log = follow(trial.action, log, trial.run, trial.carried)
        return await _write_down(trial, log)

    async def _attempt(self, trial: _Trial, context: ActionContext) -> ToolOutcome:
        trial.carried = find_origins(trial.action, trial.run.trail)
        trial.action, trial.sources = bind_step(trial.action, trial.step)
        preview = await self._look(trial, context, trial.step.find_shown())
        context = replace(context, origins=trial.carried, preview=preview)
        approval = await _get_approval(trial, preview)
        chosen = await self._choose(trial)
        enforced = trial.enforced = replace(chosen, call=replace(chosen.call, scope=context.scope))
        verb, tools = await self._registry.provide(enforced.call.tool)
        async with tools.attend(verb, replace(context, timeout_s=_find_time(trial))) as trial.notes:
            await self._look_again(trial, context, approval)
            await self._intend(trial, context)
            return await self._act(trial, enforced, context)

    async def _act(self, trial: _Trial, enforced: EnforcedCall, context: ActionContext) -> ToolOutcome:
        timeout_s = _find_time(trial)
        if not trial.step.may_act():
            raise _StepStoppedError
        trial.acting = True
        overdue = asyncio.get_running_loop().call_later(timeout_s + _ENDING_S, trial.step.on_overdue)
        limit = asyncio.timeout(timeout_s)
        try:
            async with limit:
                return await self._registry.call(enforced.call, replace(context, timeout_s=timeout_s))
        except TimeoutError:
            if not limit.expired():
                raise
            raise _give_up(trial.action, timeout_s) from None
        finally:
            overdue.cancel()

    async def _show_scene(self, trial: _Trial, context: ActionContext) -> FailureSnapshot | None:
        if trial.enforced is None:
            return None
        _, tools = await self._registry.provide(trial.enforced.call.tool)
        return await tools.show_snapshot(context)

    async def _intend(self, trial: _Trial, context: ActionContext) -> None:
        """Write down what is going to be done; once this returns, that is on the disk."""
        action, enforced = trial.action, trial.enforced
        if enforced is None or action.action_class == "observe":
            return
        facts: Mapping[str, Any] = {}
        if action.recovery == "compare":
            facts = context.vault.redact(await self._foresee(trial, enforced, context))
        trial.intended = True
        row = note_intent(trial.run.run_id, action, enforced.call, facts, trial.carried)
        await asyncio.shield(trial.run.journal.append([row]))

    async def _foresee(self, trial: _Trial, enforced: EnforcedCall, context: ActionContext) -> Mapping[str, Any]:
        timeout_s = _find_time(trial)
        verb, tools = await self._registry.provide(enforced.call.tool)
        looking = tools.predict(verb, replace(context, timeout_s=timeout_s), enforced.call.params)
        text = f"Reading the state before {trial.action.name} took longer than {timeout_s:g} s."
        return await keep_within(timeout_s, looking, text)

    async def preview(
        self, action: PlannedAction, context: ActionContext, *, at_act: bool = False, shown: Preview | None = None
    ) -> Preview | None:
        """Return what an action would change and what it aims at; None where its description says it all.

        Args:
            context: What the tool is told beside its arguments; has ``timeout_s`` for it.
            at_act: Whether the act would follow at once, so that what it aims at is there.
            shown: What it would change, where that was looked at a moment ago and still holds.

        Raises:
            DeadlineError: If it takes longer.
            SurehandError: If it is known now that the act can't succeed.
        """
        candidates = list_candidates(action, self._registry.specs(action.domain))
        if not candidates:
            return None
        call = ToolCall(candidates[0].name, thaw(action.args), context.scope)
        text = f"The preview of {action.name} took longer than {context.timeout_s:g} s."
        return await keep_within(context.timeout_s, self._look_at(action, call, context, shown, at_act=at_act), text)

    async def _look_at(
        self, action: PlannedAction, call: ToolCall, context: ActionContext, preview: Preview | None, *, at_act: bool
    ) -> Preview | None:
        verb, tools = await self._registry.provide(call.tool)
        if action.is_previewed and preview is None:
            preview = await tools.preview(verb, context, call.params)
        target = await tools.identify(verb, context, call.params) if at_act else {}
        return replace(preview or Preview({}), target=dict(target)) if target else preview

    async def reconcile(self, act: OpenAct, context: ActionContext) -> Finding:
        """Return whether an act that was begun in a process that ended was carried out, as far as the world tells in its time."""
        try:
            async with asyncio.timeout(context.timeout_s):
                finding = await self._registry.reconcile(act.call, context, act.facts)
        except TimeoutError:
            finding = Finding("unknown", {"fault": f"The system did not answer within {context.timeout_s:g} s."})
        except SurehandError as error:
            finding = Finding("unknown", {"fault": str(error), **error.evidence})
        return redact_finding(finding, context.vault)

    async def _look(self, trial: _Trial, context: ActionContext, shown: Preview | None = None) -> Preview | None:
        trial.judged = None
        trial.real_paths = await follow_links(trial.action, trial.run, _find_time(trial))
        kind = find_kind(trial.action, trial.sources, verdict=_judge(trial))
        if kind == "none" and not trial.run.policy.has_host_rules:
            return None
        timeout_s = _find_time(trial)
        overdue = asyncio.get_running_loop().call_later(timeout_s + _ENDING_S, trial.step.on_overdue)
        try:
            return await self.preview(trial.action, replace(context, timeout_s=timeout_s), at_act=True, shown=shown)
        finally:
            overdue.cancel()

    async def _look_again(self, trial: _Trial, context: ActionContext, approval: Approval | None) -> None:
        if approval:
            approval.redeem(trial.action.digest, await self._look(trial, context))
        elif trial.run.policy.rules and _judge(trial, await self._look(trial, context)) == "ask":
            text = f"The place where {trial.action.name} acts has changed, and a policy rule asks there."
            raise ApprovalError(text, code="approval_void", hint="Look at it and repeat the request.")

    async def _choose(self, trial: _Trial) -> EnforcedCall:
        action = trial.action
        candidates = list_candidates(action, self._registry.specs(action.domain))
        shown = tuple(replace(spec) for spec in candidates)
        timeout_s = min(action.timeout_s, trial.left_s)
        trial.resolver = str(getattr(self._resolver, "name", type(self._resolver).__name__))
        asking = self._resolver.resolve(replace(action, rule=replace(action.rule)), shown)
        proposed = await keep_within(timeout_s, asking, f"No tool was chosen for {action.name} within {timeout_s:g} s.")
        return enforce_authority(action, proposed, candidates)

    def recall(self, action: PlannedAction, log: StepLog, run: RunContext) -> None:
        """Remember where the values of a step came from that was done before this part of the run."""
        read = read_origins(action.reads, (log.result.evidence, log.result.output, log.args))
        recall(action, log, run, tuple(each for each in log.origins if each not in read))


def _judge(trial: _Trial, preview: Preview | None = None) -> Verdict | None:
    run = trial.run
    if not run.policy.rules:
        return None
    deed = describe_facts(trial.action, run.world.platform, preview, trial.real_paths)
    if trial.judged is None or trial.judged[0] != deed:
        trial.judged = deed, judge_described(run.policy, deed)
    return trial.judged[1]


async def _get_approval(trial: _Trial, preview: Preview | None) -> Approval | None:
    verdict = _judge(trial, preview)
    request = find_request(trial.action, trial.sources, verdict=verdict)
    request = None if is_agreed(trial.action, verdict, trial.run) else request
    if request:
        await trial.step.settle()  # who is asked knows first what came of the steps before
    return await get_approval(request, preview, verdict, trial.run, trial.left_s) if request else None


def _find_time(trial: _Trial) -> float:
    """Return the seconds that a tool has."""
    if trial.left_s <= 0:
        raise BudgetError("The run's time was used up before this step could begin.", hint="Give the run more time.")
    return min(trial.action.timeout_s, trial.left_s)


def _give_up(action: PlannedAction, timeout_s: float) -> SurehandError:
    text = f"{action.name} did not finish within {timeout_s:g} s."
    if action.action_class == "actuate" and action.repeat == "at_most_once":
        return UnknownOutcomeError(text, hint="It may have happened; check before you repeat it.")
    return DeadlineError(text)


def _report_cancelled(trial: _Trial, error: asyncio.CancelledError) -> ToolResult:
    is_stopped = (task := asyncio.current_task()) and task.cancelling()
    return _report_stop(trial) if is_stopped else _report_fault(trial, error)


def _report_stop(trial: _Trial) -> ToolResult:
    return _report_end(trial, ErrorInfo("stopped", "The run was stopped."), "cancelled")


def _report_fault(trial: _Trial, error: BaseException) -> ToolResult:
    text = f"{trial.action.name} failed with {tell_fault(error)}"
    told = find_shortage(error) or ErrorInfo("internal_error", text, "This is a fault in Surehand.")
    return _report_end(trial, told, "failed", acted=True)


def _report_end(trial: _Trial, error: ErrorInfo, status: Any, *, acted: bool = False) -> ToolResult:
    uncertain = acted or status == "cancelled" or error.code in {"outcome_unknown", "timed_out", "internal_error"}
    touched = trial.acting and uncertain and trial.action.action_class == "actuate"
    return ToolResult(status, "unverified" if touched else "none", evidence=error.evidence, error=error)


async def _write_down(trial: _Trial, log: StepLog) -> StepLog:
    """Write down what came of a step that was intended or looked; return its receipt."""
    if not (trial.intended or trial.acting):
        return log
    acted = trial.acting and trial.action.action_class == "actuate"
    writing = write_outcome(trial.run.journal, trial.run.run_id, log, rides=trial.intended, acted=acted)
    task = asyncio.ensure_future(writing)
    return log if trial.intended and trial.step.hand_over(task) else await task


def _log_step(trial: _Trial, result: ToolResult, ms: float) -> StepLog:
    action, enforced = trial.action, trial.enforced
    called = enforced if trial.acting else None
    return StepLog(
        action_id=action.action_id,
        goal_id=action.goal_id,
        name=action.name,
        description=action.description,
        result=replace(
            result, args_digest=called.args_digest if called else "", tainted=trial.sources, ms=round(ms, 3)
        ),
        tool=called.call.tool if called else "",
        args={**called.call.params, **action.args} if called else {},
        dropped=enforced.dropped if enforced else (),
        resolver=trial.resolver if enforced and enforced.dropped else "",
        summary=render_phrase(action.summary, quote_values(action.args, trial.sources)),
        scope=trial.run.name_scope(action.goal_id),
    )
