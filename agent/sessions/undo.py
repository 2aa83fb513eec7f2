"""Undoing: walking a run back, the last act first, for everything that left a way back and was not changed since."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from actuators.base import Family
from core.addresses.path_parts import lies_inside
from core.approvals.approvals import ApprovalGate, ApprovalRequest, ClassGate
from core.base.budgets import Budget
from core.base.errors import ErrorInfo, GoalError, JournalError, SurehandError, tell_fault
from core.base.late_dataclasses import dataclass, field, replace
from core.base.time_limits import finish_unless_stopped
from core.execution.asking import find_kind, get_approval
from core.execution.run_context import RunContext
from core.journal.journal import JournalEntry, Row, RowState
from core.journal.resume import OpenAct, RunStanding, judge_standing, log_open
from core.journal.run_rows import UNDOING, RecordedRun, read_run
from core.planning.action_facts import judge_action
from core.planning.plans import PlannedAction, compute_digest
from core.policy.policy import Policy
from core.policy.policy_rules import Verdict
from core.results.records import to_data
from core.results.tool_results import StepLog, ToolOutcome, UndoRecord
from core.rules.approval_classes import ApprovalClass, choose_stricter
from core.rules.rule_types import PlannerRule, RuleKey
from core.tools.ports import ActionContext
from core.tools.previews import Preview


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoPlan:
    """How an act would be taken back.

    Attributes:
        preview: What that would change; None where its description says it all.
    """

    preview: Preview | None
    kind: ApprovalClass
    verdict: Verdict | None
    outside: tuple[str, ...]
    policy: Policy


async def find_undo_plan(
    run: RecordedRun, action: PlannedAction, preview: Preview | None, today: RunContext
) -> UndoPlan:
    """Return what must be asked before an act is taken back.

    What needs a yes to be done needs one to be taken back. A person is asked where it leaves the folders of today, or where
    a rule asks; nothing that the run had been allowed beforehand counts.

    Raises:
        PolicyError: If today's policy denies it.
    """
    policy = run.narrow_policy(today.policy)
    policy.check_verb(action.name, opt_in=action.rule.opt_in)
    paths = tuple(preview.before) if preview else ()
    real = tuple(await today.find_real(paths)) if policy.has_root_rules and paths else ()
    verdict = judge_action(policy, action, today.world.platform, preview, real)
    outside = _list_outside(paths, policy, today.world.platform)
    asked = choose_stricter(find_kind(replace(action, author=""), (), verdict=verdict), action.rule.approval)
    kind = choose_stricter("confirm", asked) if outside else asked
    roots = (*(policy.roots or ()), *_find_roots(outside, run, today.world.platform))
    return UndoPlan(
        preview=preview, kind=kind, verdict=verdict, outside=outside, policy=replace(policy, roots=roots or None)
    )


async def agree(run: RecordedRun, log: StepLog, way: UndoPlan, today: RunContext) -> None:
    """Return once it was agreed to that an act is taken back.

    Raises:
        ApprovalError: If it wasn't.
    """
    if way.kind == "none":
        return
    action_id = f"{UNDOING}{log.action_id}"
    record = to_data(log.result.undo_record)
    digest = compute_digest("", "undo", run.run_id, {"action": run.graph.nodes[log.action_id].digest, "record": record})
    left = f" — outside the folders that may be used now: {', '.join(way.outside)}" if way.outside else ""
    text = f"Undo: {log.description} ({log.result.undo}){left}"
    approvals = replace(today.approvals, plan_digest=run.plan_digest, principal=run.principal)
    request = ApprovalRequest(action_id, digest, way.kind, text, {})
    await get_approval(
        request, way.preview, way.verdict, replace(today, approvals=approvals), today.limits.budget.find_left(0.0)
    )


def _list_outside(paths: tuple[str, ...], policy: Policy, platform: str) -> tuple[str, ...]:
    if policy.roots is None:
        return ()
    return tuple(path for path in paths if not any(lies_inside(path, root, platform) for root in policy.roots))


def _find_roots(paths: tuple[str, ...], run: RecordedRun, platform: str) -> tuple[str, ...]:
    roots = run.policy.roots or ()
    return tuple(root for root in roots if any(lies_inside(path, root, platform) for path in paths))


_STOPPED = ErrorInfo("stopped", "The run was stopped before this.", "Start it again; nothing is undone twice.")

_REPEATED = ErrorInfo(
    "not_undoable",
    "The run was cut short during this step, which was then repeated, so the state before it is not known.",
    "Check it, and restore it by hand.",
)

UndoStatus = Literal["taken_back", "not_undoable", "failed", "already"]

_TOLD: Mapping[UndoStatus, str] = {"already": "already undone", "not_undoable": "can't be undone", "failed": "failed"}


@dataclass(frozen=True, slots=True)
class UndoStep:
    """What became of taking one act back.

    Attributes:
        status: ``taken_back``, ``not_undoable`` (there is no way back), ``failed`` or ``already`` (it was taken back before).
        error: Why not, where it wasn't; or what went wrong after it was.
        preview: What it would change; told beforehand only.
    """

    action_id: str
    description: str
    status: UndoStatus
    how: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])
    error: ErrorInfo | None = None
    preview: Preview | None = None


@dataclass(frozen=True, slots=True)
class UndoResult:
    """What became of taking a run back."""

    run_id: str
    asked: str = ""
    steps: tuple[UndoStep, ...] = ()
    errors: tuple[ErrorInfo, ...] = ()
    dry: bool = False

    @property
    def reply(self) -> str:
        """What to tell the person."""
        if self.errors:
            return " ".join(str(error) for error in self.errors)
        if not self.steps:
            return "There is nothing to undo."
        counts = Counter(step.status for step in self.steps)
        told = [
            f"{'Can undo' if self.dry else 'Undid'} {counts['taken_back']} of {len(self.steps)} {'step' if len(self.steps) == 1 else 'steps'}"
        ]
        told += [f"{words}: {counts[status]}" for status, words in _TOLD.items() if counts[status]]
        return f"{'; '.join(told)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRequest:
    """Which run to take back, and who answers.

    Attributes:
        dry: Whether to say only what would be taken back.
        policy: What may be touched today; what the run itself might touch never widens it.
    """

    run_id: str
    dry: bool = False
    gate: ApprovalGate = field(default_factory=ClassGate)
    policy: Policy = field(default_factory=Policy)
    budget: Budget = field(default_factory=Budget)


@dataclass(frozen=True, slots=True)
class Undoer:
    """Takes a run back.

    Attributes:
        today: The run, where it was written down, and what taking it back is carried out in.
    """

    families: Sequence[Family]
    rules: Mapping[RuleKey, PlannerRule]
    today: RunContext

    async def undo(self, *, dry: bool = False) -> UndoResult:
        """Take back what the run did."""
        run_id, stop = self.today.run_id, self.today.limits.stop
        try:
            run = await finish_unless_stopped(self._read(run_id, dry=dry), stop)
            if run is None:
                return UndoResult(run_id, errors=(_STOPPED,), dry=dry)
            standing = judge_standing(run)
        except SurehandError as error:
            return UndoResult(run_id, errors=(error.info(),), dry=dry)
        steps = [_report_open(act) for act in reversed(standing.open_acts)]
        for log in _list_done(run, standing):
            if log.action_id in standing.undone:
                steps.append(UndoStep(log.action_id, log.description, "already", log.result.undo))
            elif stop.is_set():
                steps.append(_report(log, _STOPPED))
            else:
                was_begun = log.action_id in standing.undoing
                step = await self._undo_one(run, log, was_begun=was_begun, dry=dry)
                steps.append(_doubt(step) if was_begun else step)
        return UndoResult(run_id, run.asked, tuple(steps), dry=dry)

    async def _read(self, run_id: str, *, dry: bool) -> RecordedRun:
        journal = self.today.journal
        record = await journal.read(run_id)
        if not record.rows and not record.damage:
            hint = "surehand sessions list shows the saved runs."
            raise GoalError(f"No run “{run_id}” in the journal of this workspace.", code="unknown_run", hint=hint)
        read_run(record, self.rules).check_workspace(self.today.world)
        if not dry:  # nobody else may be going on with it
            await journal.append([JournalEntry(run_id, UNDOING, "begun", {})])
            record = await journal.read(run_id)
        return read_run(record, self.rules)

    async def _undo_one(self, run: RecordedRun, log: StepLog, *, was_begun: bool, dry: bool) -> UndoStep:
        result, record = log.result, log.result.undo_record
        if record is None:
            why = result.undo or "It can't be undone."
            return UndoStep(log.action_id, log.description, "not_undoable", error=ErrorInfo("not_undoable", why))
        if _was_repeated(run, log.action_id):
            return _report(log, _REPEATED)
        marked, vault = f"{UNDOING}{log.action_id}", self.today.vault
        context = ActionContext(
            marked,
            run_id=run.run_id,
            vault=vault,
            begun_before=was_begun,
            scope=str(run.scope or self.today.scope),
        )
        try:
            shown: Preview | None = vault.redact(await self._show(record, replace(context, policy=run.policy)))
            way = await find_undo_plan(run, run.graph.nodes[log.action_id], shown, self.today)
            if dry:
                return UndoStep(log.action_id, log.description, "taken_back", result.undo, preview=shown)
            if not await finish_unless_stopped(self._agree(run, log, way), self.today.limits.stop):
                return _report(log, _STOPPED)
        except SurehandError as error:
            return _report(log, vault.redact(error.info()))
        return await self._carry_out(run, log, record, replace(context, policy=way.policy))

    async def _agree(self, run: RecordedRun, log: StepLog, way: UndoPlan) -> bool:
        await agree(run, log, way, self.today)
        return True

    async def _carry_out(self, run: RecordedRun, log: StepLog, record: UndoRecord, context: ActionContext) -> UndoStep:
        marked, vault = context.action_id, context.vault
        try:
            entry = JournalEntry(run.run_id, marked, "intent", {"record": to_data(record)})
            await self.today.journal.append([entry])
            outcome: ToolOutcome = vault.redact(await self._take_back(record, context))
        except SurehandError as error:
            info: ErrorInfo = vault.redact(error.info())
            if not isinstance(error, JournalError):
                await self._note(run, marked, "failed", {"error": to_data(info)})
            return _report(log, info)
        fault = await self._note(run, marked, "undone", {"evidence": to_data(outcome.evidence)})
        return UndoStep(log.action_id, log.description, "taken_back", log.result.undo, outcome.evidence, fault)

    async def _show(self, record: UndoRecord, context: ActionContext) -> Preview | None:
        for family in self.families:
            for toolset in family.toolsets if family.domain == record.domain else ():
                tools = await family.provide(toolset)
                if (shown := await tools.preview_back(context, record)) is not None:
                    return shown
        return None

    async def _take_back(self, record: UndoRecord, context: ActionContext) -> ToolOutcome:
        for family in self.families:
            if family.domain == record.domain:
                try:
                    return await family.take_back(context, record)
                except SurehandError:
                    raise
                except Exception as error:
                    text = f"Undoing it failed with {tell_fault(error)}"
                    raise SurehandError(text, code="internal_error", hint="This is a fault in Surehand.") from error
        raise SurehandError(f"Steps of {record.domain} can't be undone here.", code="not_undoable")

    async def _note(
        self, run: RecordedRun, action_id: str, state: RowState, body: Mapping[str, Any]
    ) -> ErrorInfo | None:
        try:
            await self.today.journal.append([JournalEntry(run.run_id, action_id, state, body)])
        except SurehandError as error:
            info = error.info()
            return replace(info, message=f"This could not be written to the journal: {info.message}")
        return None


def _report_open(act: OpenAct) -> UndoStep:
    error = log_open(act, {}).result.error
    return UndoStep(act.action.action_id, act.action.description, "not_undoable", error=error)


def _was_repeated(run: RecordedRun, action_id: str) -> bool:
    """Tell whether an act was done again after a crash: what it found then may have been its own doing."""
    row = run.find_last(action_id, "resolved")
    return row is not None and row.entry.body["by"] == "rule"


def _list_done(run: RecordedRun, standing: RunStanding) -> list[StepLog]:
    done = {**standing.done, **standing.undone}
    acted = [log for each, log in done.items() if run.graph.nodes[each].action_class == "actuate"]
    return sorted(acted, key=lambda log: -_find_end(run, log.action_id))


def _find_end(run: RecordedRun, action_id: str) -> int:
    row: Row | None = run.find_last(action_id, "done", "resolved")
    return row.position if row else -1


def _doubt(step: UndoStep) -> UndoStep:
    """Return what became of an act that somebody began to take back earlier: it may be as it was before already."""
    if step.error is None or step.error.code != "changed_since":
        return step
    text = f"Undoing this was begun earlier and cut short, so it may be undone already. {step.error.message}"
    return replace(step, error=replace(step.error, code="outcome_unknown", message=text))


def _report(log: StepLog, error: ErrorInfo) -> UndoStep:
    status: UndoStatus = "not_undoable" if error.code == "not_undoable" else "failed"
    return UndoStep(log.action_id, log.description, status, log.result.undo, error=error)
