"""Undoing: walking a run back, the last act first, for everything that left a way back and was not changed since."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from actuators.base import Family
from agent.live_runs import finish_unless_stopped
from core.errors import ErrorInfo, GoalError, JournalError, SurehandError
from core.faults import tell_fault
from core.journal import Entry, Journal, Row, RowState
from core.ports import ActionContext
from core.records import to_data
from core.results import StepLog, ToolOutcome
from core.resumption import OpenAct, Standing, judge_standing, log_open
from core.run_rows import UNDOING, RecordedRun, read_run
from core.undo import UndoRecord
from core.world import WorldState

_STOPPED = ErrorInfo("stopped", "It was stopped before this.", "Start it again; nothing is taken back twice.")

_REPEATED = ErrorInfo(
    "not_undoable",
    "The run was cut short in the middle of it, and it was done again; how it was before the first time is not known.",
    "Look at it, and put it back by hand.",
)

UndoStatus = Literal["taken_back", "not_undoable", "failed", "already"]

_TOLD: Mapping[UndoStatus, str] = {"already": "back already", "not_undoable": "no way back", "failed": "failed"}


@dataclass(frozen=True, slots=True)
class UndoStep:
    """What became of taking one act back.

    Attributes:
        action_id: The act.
        description: What it did.
        status: ``taken_back``, ``not_undoable`` (there is no way back), ``failed`` or ``already`` (it was taken back before).
        how: How it is or was taken back, for people.
        evidence: What was read back afterwards.
        error: Why not, where it wasn't; or what went wrong after it was.
    """

    action_id: str
    description: str
    status: UndoStatus
    how: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])
    error: ErrorInfo | None = None


@dataclass(frozen=True, slots=True)
class UndoResult:
    """What became of taking a run back.

    Attributes:
        run_id: The run.
        asked: What had been asked for.
        steps: One per act, in the order of going back.
        errors: Why nothing could be done, where that is so.
        dry: Whether nothing was done on purpose.
    """

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
            return "There is nothing to take back."
        counts = Counter(step.status for step in self.steps)
        told = [f"{'Can take' if self.dry else 'Took'} back {counts['taken_back']} of {len(self.steps)}"]
        told += [f"{words}: {counts[status]}" for status, words in _TOLD.items() if counts[status]]
        return f"{'; '.join(told)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Undoer:
    """Takes runs back.

    Attributes:
        journal: What was written down.
        families: Who takes single acts back.
        world: Where that is done.
    """

    journal: Journal
    families: Sequence[Family]
    world: WorldState

    async def undo(self, run_id: str, context: ActionContext, stop: asyncio.Event, *, dry: bool = False) -> UndoResult:
        """Take back what a run did.

        Args:
            run_id: The run.
            context: What every family is told; its policy is replaced by the run's.
            stop: Set to stop before the next act is taken back.
            dry: Whether to say only what would be taken back.
        """
        try:
            run = await finish_unless_stopped(self._read(run_id, dry=dry), stop)
            if run is None:
                return UndoResult(run_id, errors=(_STOPPED,), dry=dry)
            standing = _judge(run)
        except SurehandError as error:
            return UndoResult(run_id, errors=(error.info(),), dry=dry)
        steps = [_report_open(act) for act in reversed(standing.open_acts)]
        for log in _list_done(run, standing):
            if log.action_id in standing.undone:
                steps.append(UndoStep(log.action_id, log.description, "already", log.result.undo))
            elif stop.is_set():
                steps.append(_report(log, _STOPPED))
            else:
                begun = replace(context, begun_before=log.action_id in standing.undoing)
                step = await self._undo_one(run, log, begun, dry=dry)
                steps.append(_doubt(step) if log.action_id in standing.undoing else step)
        return UndoResult(run_id, run.asked, tuple(steps), dry=dry)

    async def _read(self, run_id: str, *, dry: bool) -> RecordedRun:
        record = await self.journal.read(run_id)
        if not record.rows and not record.damage:
            hint = "surehand sessions list shows what there is."
            raise GoalError(f"Nothing is written of a run {run_id}.", code="unknown_run", hint=hint)
        read_run(record).check_workspace(self.world)
        if not dry:  # nobody else may be going on with it
            await self.journal.append([Entry(run_id, UNDOING, "begun", {})])
            record = await self.journal.read(run_id)
        return read_run(record)

    async def _undo_one(self, run: RecordedRun, log: StepLog, context: ActionContext, *, dry: bool) -> UndoStep:
        result, record = log.result, log.result.undo_record
        if record is None:
            why = result.undo or "It leaves nothing to go back by."
            return UndoStep(log.action_id, log.description, "not_undoable", error=ErrorInfo("not_undoable", why))
        if _was_repeated(run, log.action_id):
            return _report(log, _REPEATED)
        if dry:
            return UndoStep(log.action_id, log.description, "taken_back", result.undo)
        marked = f"{UNDOING}{log.action_id}"
        context = replace(context, action_id=marked, policy=run.policy, run_id=run.run_id)
        try:
            await self.journal.append([Entry(run.run_id, marked, "intent", {"record": to_data(record)})])
            outcome: ToolOutcome = context.vault.redact(await self._take_back(record, context))
        except SurehandError as error:
            info: ErrorInfo = context.vault.redact(error.info())
            if not isinstance(error, JournalError):
                await self._note(run, marked, "failed", {"error": to_data(info)})
            return _report(log, info)
        fault = await self._note(run, marked, "undone", {"evidence": to_data(outcome.evidence)})
        return UndoStep(log.action_id, log.description, "taken_back", result.undo, outcome.evidence, fault)

    async def _take_back(self, record: UndoRecord, context: ActionContext) -> ToolOutcome:
        for family in self.families:
            if any(toolset.domain == record.domain for toolset in family.toolsets):
                try:
                    return await family.take_back(context, record)
                except SurehandError:
                    raise
                except Exception as error:
                    text = f"Taking it back broke with {tell_fault(error)}"
                    raise SurehandError(text, code="internal_error", hint="This is a fault in Surehand.") from error
        raise SurehandError(f"Nothing here takes {record.domain} back.", code="not_undoable")

    async def _note(
        self, run: RecordedRun, action_id: str, state: RowState, body: Mapping[str, Any]
    ) -> ErrorInfo | None:
        """Write down what came of taking an act back; return why that could not be done, which changes nothing of it."""
        try:
            await self.journal.append([Entry(run.run_id, action_id, state, body)])
        except SurehandError as error:
            info = error.info()
            return replace(info, message=f"This could not be written down: {info.message}")
        return None


def _judge(run: RecordedRun) -> Standing:
    try:
        return judge_standing(run)
    except ValueError as fault:
        text = f"What is written of the run {run.run_id} can't be understood: {fault}."
        raise JournalError(text, code="journal_damaged") from fault


def _report_open(act: OpenAct) -> UndoStep:
    error = log_open(act, {}).result.error
    return UndoStep(act.action.action_id, act.action.description, "not_undoable", error=error)


def _was_repeated(run: RecordedRun, action_id: str) -> bool:
    """Tell whether an act was done again after a crash: what it found then may have been its own doing."""
    row = run.find_last(action_id, "resolved")
    return row is not None and row.entry.body["by"] == "rule"


def _list_done(run: RecordedRun, standing: Standing) -> list[StepLog]:
    """Return the receipts of the acts that were done, also of those that were taken back, the last one first."""
    done = {**standing.done, **standing.undone}
    acted = [log for each, log in done.items() if run.graph.nodes[each].action_class == "actuate"]
    return sorted(acted, key=lambda log: -_find_end(run, log.action_id))


def _find_end(run: RecordedRun, action_id: str) -> int:
    """Return when an act ended, as the number of its row."""
    row: Row | None = run.find_last(action_id, "done", "resolved")
    return row.position if row else -1


def _doubt(step: UndoStep) -> UndoStep:
    """Return what became of an act that somebody began to take back earlier: it may be as it was before already."""
    if step.error is None or step.error.code != "changed_since":
        return step
    text = f"Taking it back was begun earlier and cut short, and may have been done. {step.error.message}"
    return replace(step, error=replace(step.error, code="outcome_unknown", message=text))


def _report(log: StepLog, error: ErrorInfo) -> UndoStep:
    status: UndoStatus = "not_undoable" if error.code == "not_undoable" else "failed"
    return UndoStep(log.action_id, log.description, status, log.result.undo, error=error)
