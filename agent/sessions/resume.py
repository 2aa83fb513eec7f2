"""Resuming: going on with a run whose process ended, without doing anything twice."""

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from agent.requests.real_paths import add_real_roots
from agent.sessions.live_runs import end_rows
from agent.sessions.planned_requests import describe_changes
from core.approvals.approvals import ApprovalGate, ApprovalRequest, ClassGate, bind_request
from core.base.budgets import Budget
from core.base.errors import ApprovalError, ErrorInfo, GoalError, SurehandError
from core.base.late_dataclasses import dataclass, field, replace
from core.base.time_limits import finish_unless_stopped
from core.execution.asking import list_expected, put_question
from core.execution.rounds import unfold_rounds
from core.execution.run_context import RunContext, RunHooks
from core.goals.secret_values import Secret
from core.journal.journal import NO_JOURNAL, JournalEntry
from core.journal.resume import (
    OpenAct,
    RunStanding,
    Settlement,
    judge_standing,
    list_repeats,
    log_open,
    log_session_lost,
    note_settled,
)
from core.journal.run_rows import RecordedRun, read_run
from core.planning.graph import build_graph
from core.planning.plans import PlannedAction, compute_digest
from core.policy.policy import Policy
from core.results.records import to_data
from core.results.replies import judge_outcome
from core.results.tool_results import Finding, RunResult, StepLog
from core.rules.rule_types import PlannerRule, RuleKey
from core.tools.previews import ShownChanges

if TYPE_CHECKING:
    from agent.sessions.runs import RunRecorder
    from agent.sessions.session_parts import SessionParts


class Settler(Protocol):
    """Says of an act whose end nobody saw whether it happened."""

    async def settle(self, act: OpenAct, finding: Finding) -> Settlement:
        """Return what a person says; ``unknown`` where nobody does."""
        ...


class SilentSettler:
    """Says nothing."""

    async def settle(self, act: OpenAct, finding: Finding) -> Settlement:
        """Leave it unknown."""
        del act, finding
        return "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeRequest:
    """Which run to go on with, and who answers.

    Attributes:
        settlements: By action id, what a person said beforehand of acts whose end nobody saw.
        policy: What may be touched today; what the run itself might touch narrows it, and never widens it.
    """

    run_id: str
    settlements: Mapping[str, Settlement] = field(default_factory=dict[str, Settlement])
    settler: Settler = field(default_factory=SilentSettler)
    gate: ApprovalGate = field(default_factory=ClassGate)
    budget: Budget = field(default_factory=Budget)
    policy: Policy = field(default_factory=Policy)


@dataclass(frozen=True, slots=True)
class InterruptedPlanner:
    """A planner's run that was cut short, once it is known what of it was done.

    Attributes:
        known: Receipts of what was done or stays open, by the id of the action.
    """

    recorded: RecordedRun
    known: Mapping[str, StepLog]
    run: RunContext


@dataclass(frozen=True, slots=True)
class Resumer:
    """Goes on with runs."""

    parts: "SessionParts"

    @property
    def _rules(self) -> Mapping[RuleKey, PlannerRule]:
        return self.parts.orchestrator.planner.rules

    async def resume(
        self, request: ResumeRequest, recorder: "RunRecorder", today: RunContext
    ) -> "RunResult | InterruptedPlanner":
        """Settle what is open, do what is left, and tell how the whole run stands.

        Args:
            today: What the rest of the run is carried out in; its policy is today's, and narrowed by the run's.

        Returns:
            The receipts of all its actions; a refusal if it can't be gone on with. Of a planner's run how it stands: what is left, the
            planner knows.
        """
        try:
            recorded = await finish_unless_stopped(self._take_up(request.run_id), today.limits.stop)
            if recorded is None:
                return recorder.refuse((ErrorInfo("stopped", "The run was stopped before this."),), "", "cancelled")
            run = _narrow(today, recorded)
            standing = replace(recorded, graph=unfold_rounds(recorded.graph))
            recorder.scope = run.scope
            recorder.accept(standing.graph)
            await run.vault.recollect(_list_secrets(recorded))
            known = await self._settle(request, recorded, run)
            if recorded.planner:
                return InterruptedPlanner(recorded, known, run)
            self._readmit(standing, known, run)
            known |= await self._restore_sessions(standing, known, run)
            run = replace(run, shown=await self._show_rest(standing, known, recorder, run))
        except SurehandError as error:
            return recorder.refuse((error.info(),), "")
        try:
            logs = await self.parts.executor.execute(recorded.graph, run, known)
        finally:
            left = await self.parts.end_lanes(recorded.graph)
        return recorder.finish(recorded.graph, logs, (*left, *await end_rows(run, judge_outcome(logs))), 0.0)

    async def _show_rest(
        self, recorded: RecordedRun, known: Mapping[str, StepLog], recorder: "RunRecorder", run: RunContext
    ) -> ShownChanges:
        """Write down what the rest of a run would change, and what it needs a yes for; return what it would change."""
        pending = recorded.graph.nodes.keys() - known.keys() - recorded.left_out
        rest = build_graph([action for each, action in recorded.graph.nodes.items() if each in pending], ())
        recorder.require(list_expected(rest, run.policy, run.world.platform))
        found = await self.parts.executor.preview(rest, run)
        recorder.expect(describe_changes(rest, found))
        return ShownChanges(found)

    async def _take_up(self, run_id: str) -> RecordedRun:
        record = await self.parts.journal.read(run_id)
        if not record.rows and not record.damage:
            hint = "surehand sessions list shows the saved runs. Runs that only read are not in the journal."
            raise GoalError(f"No run “{run_id}” in the journal of this workspace.", code="unknown_run", hint=hint)
        read_run(record, self._rules).check_workspace(self.parts.world)
        await self.parts.journal.append([JournalEntry(run_id, "", "resumed", {})])
        return read_run(await self.parts.journal.read(run_id), self._rules)

    async def _settle(self, request: ResumeRequest, recorded: RecordedRun, run: RunContext) -> dict[str, StepLog]:
        standing = judge_standing(recorded)
        if strangers := request.settlements.keys() - {act.action.action_id for act in standing.open_acts}:
            text = f"{', '.join(sorted(strangers))} is not open in run {recorded.run_id}."
            opened = ", ".join(act.action.action_id for act in standing.open_acts) or "nothing"
            raise GoalError(text, code="nothing_open", hint=f"Open is: {opened}.")
        _check_undoing(recorded, standing)
        known = {**standing.done, **{act.action.action_id: log_open(act, {}) for act in standing.open_acts}}
        for act in standing.open_acts:
            found = await finish_unless_stopped(self._find_out(act, request, run), run.limits.stop)
            if found is None:
                break
            entry, log = note_settled(recorded.run_id, act, *found)
            if found[0].state == "unknown":
                known[act.action.action_id] = log_open(act, found[0].evidence)
                continue
            await self.parts.journal.append([entry])
            del known[act.action.action_id]
            known |= {act.action.action_id: log} if log else {}
        return known

    async def _find_out(self, act: OpenAct, request: ResumeRequest, run: RunContext) -> tuple[Finding, str]:
        if act.action.recovery == "repeat":
            return Finding("not_done", {"why": "Doing it twice changes nothing more."}), "rule"
        finding = Finding("unknown")
        if act.action.recovery == "compare":
            finding = await self.parts.executor.reconcile(act, run)
            if finding.state != "unknown":
                return finding, "world"
        if act.action.verifier and act.action.action_id not in request.settlements:
            finding = await self._verify(act, run)
            if finding.state != "unknown":
                return finding, "verifier"
        said = request.settlements.get(act.action.action_id)
        if said is None:
            with run.journal.lend(run.run_id):
                said = await request.settler.settle(act, finding)
        return Finding(said, finding.evidence), "person"

    async def _verify(self, act: OpenAct, run: RunContext) -> Finding:
        steps = act.action.verifier
        edges = [(left.action_id, right.action_id) for left, right in itertools.pairwise(steps)]
        everything = replace(run.limits, left_out=frozenset[str]())
        hooks = RunHooks(on_question=run.hooks.on_question)
        looking = replace(run, journal=NO_JOURNAL, hooks=hooks, limits=everything)
        try:
            logs = await self.parts.executor.execute(build_graph(steps, edges), looking)
        finally:
            await self.parts.end_lane(steps[0].lane)
        evidence = {log.action_id: to_data(log.result.evidence or log.result.output) for log in logs}
        failed = next((log.result.error for log in logs if log.result.error), None)
        if failed is None:
            return Finding("done", evidence)
        evidence["fault"] = str(failed)
        return Finding("not_done" if failed.code == "expectation_failed" else "unknown", evidence)

    def _readmit(self, recorded: RecordedRun, known: Mapping[str, StepLog], run: RunContext) -> None:
        """Refuse to go on with what could not be planned today."""
        context = run.make_planning_context("")
        for action_id, action in recorded.graph.nodes.items():
            error = None if action_id in known else self.parts.orchestrator.planner.readmit(action, context)
            if error:
                raise GoalError(error.message, code=error.code, hint=error.hint, evidence=error.evidence)

    async def _restore_sessions(
        self,
        recorded: RecordedRun,
        known: dict[str, StepLog],
        run: RunContext,
    ) -> dict[str, StepLog]:
        """Let what led to a lost session be done again, where harmless or agreed to; return receipts of the rest."""
        left_out: dict[str, StepLog] = {}
        pending = _list_pending(recorded, known)
        for lane, repeats in list_repeats(recorded, pending).items():
            may_repeat = await finish_unless_stopped(_may_repeat(recorded, repeats, run, known), run.limits.stop)
            if may_repeat is None:
                break
            if may_repeat:
                for action in repeats:
                    known.pop(action.action_id, None)
                continue
            lost = (recorded.graph.nodes[each] for each in pending)
            left_out |= {
                action.action_id: log_session_lost(action)
                for action in lost
                if action.lane == lane and _needs_session(action)
            }
        return left_out


def _narrow(today: RunContext, recorded: RecordedRun) -> RunContext:
    return replace(
        today,
        policy=add_real_roots(recorded.narrow_policy(today.policy)),
        vault=today.vault.limit(recorded.secrets),
        approvals=replace(today.approvals, plan_digest=recorded.plan_digest, principal=recorded.principal),
        limits=replace(today.limits, left_out=recorded.left_out),
        scope=recorded.scope or today.scope,
    )


def _needs_session(action: PlannedAction) -> bool:
    return any(need.startswith("session:") for need in action.rule.needs)


def _list_pending(run: RecordedRun, known: Mapping[str, StepLog]) -> list[str]:
    blocked = {action_id for action_id, log in known.items() if log.result.status != "ok"} | run.left_out
    for action_id in run.graph.sorter().static_order():
        if any(parent in blocked for parent in run.graph.parents(action_id)):
            blocked.add(action_id)
    return [action_id for action_id in run.graph.nodes if action_id not in known and action_id not in blocked]


def _check_undoing(run: RecordedRun, standing: RunStanding) -> None:
    if standing.undoing:
        text = f"Undoing {', '.join(standing.undoing)} of run {run.run_id} was begun and not finished."
        raise GoalError(text, code="undo_open", hint=f"Finish that first: surehand undo {run.run_id}.")


def _list_secrets(run: RecordedRun) -> list[Secret]:
    values = (value for action in run.graph.nodes.values() for value in action.args.values())
    return list(dict.fromkeys(value for value in values if isinstance(value, Secret)))


async def _may_repeat(
    recorded: RecordedRun,
    repeats: tuple[PlannedAction, ...],
    run: RunContext,
    known: Mapping[str, StepLog],
) -> bool:
    done = [action for action in repeats if action.action_id in known]
    if not done or any(known[action.action_id].result.status != "ok" for action in done):
        return False
    harmful = [action for action in done if action.repeat != "safe"]
    if not harmful:
        return True
    told = "; ".join(action.description for action in done)
    digest = compute_digest("", "repeat", recorded.run_id, {action.action_id: action.digest for action in done})
    text = f"Do these again, because the pages they led to are gone: {told}"
    question = ApprovalRequest(harmful[0].action_id, digest, "confirm", text, {})
    try:
        await put_question(bind_request(question, run.approvals), run, run.limits.budget.find_left(0.0))
    except ApprovalError:
        return False
    return True
