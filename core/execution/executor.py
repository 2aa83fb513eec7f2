"""PlanExecutor: runs a graph in the order of its edges, independent actions side by side.

Theory. Each action of a graph goes one way and ends with exactly one receipt::

    waiting ──► ready ──► holding ──► performing ──► ok | failed | refused | cancelled
       │          │           │            │
       │          │           └────────────┴── the run is stopped ──► cancelled, or left to end by itself
       │          └── a parent did not end ok ──► skipped, with the first step that went wrong as its cause
       └── its receipt is known from before ──► that receipt; nothing is run

- *ready*: every parent has a receipt. The order of the graph decides where several are, so that a plan runs the same way each time.
- *holding*: it has the locks of its resources, taken in the order of their names. So two actions never wait for each other, and two
  that share a resource never run side by side, also not those of two runs.
- *performing*: ``StepPerformer`` does the rest. Right before the act it asks ``may_act``; a stopped run says no.

A tool that doesn't end when it is told to keeps its locks until it does, and its act counts as unknown. Nothing here knows a
domain or a verb.
"""

import asyncio
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Protocol
from weakref import WeakValueDictionary

from core.base.errors import BudgetError, ErrorInfo, SurehandError
from core.base.reasons import tell_code
from core.execution.progress import ExecutionProgress
from core.execution.run_context import RunContext, StepContext
from core.goals.references import has_reference
from core.journal.resume import OpenAct
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction
from core.results.tool_results import Finding, Status, StepLog, ToolResult
from core.tools.ports import ActionContext
from core.tools.previews import Preview

_CANCELLING_S = 0.15
"""Seconds that running tools have to end after a stop; ``stop`` promises 200 ms in all."""

_CLOSING_S = 5.0
"""Seconds that tools which ignored a stop have to end before what they use is closed under them."""

NOTHING_KNOWN: Mapping[str, StepLog] = MappingProxyType({})

_LOOKING_S = 5.0
"""Seconds after which looking at what a plan would change begins with no further action."""

_NOT_LOOKED_AT = ErrorInfo(
    "not_known_yet", "No preview yet: earlier previews took too long. It is shown when the step asks for approval."
)
_STOPPED_BEFORE = ErrorInfo("stopped", "The run was stopped before this step.")

_NOT_SELECTED = ErrorInfo("not_selected", "This step was not selected.")

_ENDED = {"failed": "failed", "refused": "was refused", "cancelled": "was stopped", "skipped": "was left out"}


class Performer(Protocol):
    """Performs single actions; ``core.execution.steps`` says how."""

    def name_resources(self, action: PlannedAction, step: StepContext) -> tuple[str, ...]:
        """Return what an action must hold alone, with its references bound."""
        ...

    async def perform(self, action: PlannedAction, step: StepContext) -> StepLog:
        """Carry out one action; every way in which it can end is a receipt."""
        ...

    async def preview(self, action: PlannedAction, context: ActionContext) -> Preview | None:
        """Return what an action would change; nothing is done."""
        ...

    async def reconcile(self, act: OpenAct, context: ActionContext) -> Finding:
        """Return whether an act that was begun in a process that ended was carried out."""
        ...

    def recall(self, action: PlannedAction, log: StepLog, run: RunContext) -> None:
        """Remember where the values of a step came from that was done before this part of the run."""
        ...


class PlanExecutor:
    """Executes graphs. Resources are held across all runs of one executor."""

    def __init__(self, performer: Performer) -> None:
        """Perform the steps with this performer."""
        self._performer = performer
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._leftovers: dict[asyncio.Task[Any], str] = {}

    async def execute(
        self, graph: PlanGraph, run: RunContext, known: Mapping[str, StepLog] = NOTHING_KNOWN
    ) -> tuple[StepLog, ...]:
        """Run every action whose parents succeeded; skip the others.

        Args:
            graph: What to run; its results are filled in.
            run: What it is carried out in; setting ``run.limits.stop`` ends the run within 200 ms.
            known: Receipts of actions that ended before, when the run was interrupted; those are not run.

        Returns:
            One receipt per action, in plan order.
        """
        progress = ExecutionProgress(graph, run, known)
        stopper = asyncio.create_task(run.limits.stop.wait())
        stopper.add_done_callback(lambda _: progress.woken.set())
        try:
            await self._run_all(progress)
        finally:
            stopper.cancel()
            await self._cancel(progress)
            await progress.settle(_CANCELLING_S)
        return tuple(progress.logs[action_id] for action_id in graph.nodes)

    async def preview(self, graph: PlanGraph, run: RunContext) -> Mapping[str, Preview | ErrorInfo]:
        """Ask what the actions that need ``apply_diff`` or ``confirm`` would change, as the world is now; nothing is done.

        Args:
            graph: The plan.
            run: What it would be carried out in; all answers together have the seconds of its budget, none is begun
                after 5 seconds, and setting ``run.limits.stop`` ends the asking within 200 ms.

        Returns:
            By action id, what would change, or why that isn't known before earlier actions have run.
        """
        began = time.perf_counter()
        found: dict[str, Preview | ErrorInfo] = {}
        for action in graph.nodes.values():
            if action.shows_changes:
                if time.perf_counter() - began > _LOOKING_S:
                    found[action.action_id] = _NOT_LOOKED_AT
                    continue
                left_s = run.limits.budget.find_left(time.perf_counter() - began)
                if preview := await self._preview_one(action, run, left_s):
                    found[action.action_id] = preview
        return found

    async def reconcile(self, act: OpenAct, run: RunContext) -> Finding:
        """Return whether an act that was begun in a process that ended was carried out, as far as the world tells.

        Args:
            act: What was begun.
            run: What its run is carried out in.
        """
        return await self._performer.reconcile(act, run.make_action_context(act.action))

    async def _preview_one(self, action: PlannedAction, run: RunContext, left_s: float) -> Preview | ErrorInfo | None:
        if has_reference(action.args):
            return ErrorInfo("not_known_yet", "Not known yet: it depends on the result of an earlier step.")
        if run.limits.stop.is_set():
            return _STOPPED_BEFORE
        timeout_s = min(action.timeout_s, left_s)
        context = run.make_action_context(action, timeout_s=timeout_s)
        task = asyncio.create_task(self._performer.preview(action, context))
        stopper = asyncio.create_task(run.limits.stop.wait())
        try:
            limit_s = timeout_s + _CANCELLING_S
            await asyncio.wait({task, stopper}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopper.cancel()
            if not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=_CANCELLING_S)
                self._keep(task, run.run_id)
        return _STOPPED_BEFORE if run.limits.stop.is_set() else _read_preview(task, action)

    def _keep(self, task: asyncio.Task[Any], run_id: str) -> None:
        """Remember a task that is told to end until it has."""
        if not task.done():
            self._leftovers[task] = run_id
            task.add_done_callback(self._leftovers.pop)

    def list_leftovers(self, run_id: str = "") -> list[asyncio.Task[Any]]:
        """Return what still goes on although it was told to end, and may still change something; of one run or of all."""
        return [task for task, owner in self._leftovers.items() if run_id in {"", owner}]

    async def close(self) -> None:
        """Wait for tools that were still ending when their run was stopped, at most 5 s."""
        if self._leftovers:
            await asyncio.wait(self._leftovers, timeout=_CLOSING_S)

    async def _run_all(self, progress: ExecutionProgress) -> None:
        queue = progress.graph.sorter()
        queue.prepare()
        order = {action_id: index for index, action_id in enumerate(progress.graph.nodes)}
        while queue.is_active():
            for action_id in sorted(queue.get_ready(), key=order.__getitem__):
                if not self._start(action_id, progress):
                    queue.done(action_id)
            if not progress.running:
                continue
            await progress.woken.wait()
            progress.telling.check()
            if progress.run.limits.stop.is_set():
                return
            for action_id, task in progress.take_ended():
                del progress.running[action_id]
                action = progress.graph.nodes[action_id]
                _record(
                    progress, task.result() if task.done() else self._leave(task, action, progress, "Its time ran out")
                )
                queue.done(action_id)

    def _start(self, action_id: str, progress: ExecutionProgress) -> bool:
        """Start an action, unless it ended before or a parent failed; return whether it was started."""
        action = progress.graph.nodes[action_id]
        if action_id in progress.known:
            progress.logs[action_id] = _add_scope(progress.known[action_id], progress)
            progress.graph.results[action_id] = progress.known[action_id].result
            self._performer.recall(action, progress.known[action_id], progress.run)
            return False
        if action_id in progress.run.limits.left_out:
            _record(progress, _log_unstarted(action, "skipped", _NOT_SELECTED))
            return False
        cause = _find_cause(action_id, progress)
        if cause:
            progress.causes[action_id] = cause
            number = 1 + list(progress.graph.nodes).index(cause.action_id)
            _record(progress, _log_skipped(action, cause, number))
            return False
        task = asyncio.create_task(self._run_one(action, progress), name=action_id)
        task.add_done_callback(lambda _: progress.end(action_id))
        progress.running[action_id] = task
        return True

    async def _run_one(self, action: PlannedAction, progress: ExecutionProgress) -> StepLog:
        try:
            step = self._make_step(action, progress)
            needed = self._performer.name_resources(action, step) if step.outputs else action.resources
            async with AsyncExitStack() as held:
                for resource in sorted(set(needed)):
                    await held.enter_async_context(self._locks.setdefault(resource, asyncio.Lock()))
                return await self._perform(action, progress, step)
        except asyncio.CancelledError:
            return _log_unstarted(action, "cancelled", _STOPPED_BEFORE)

    def _make_step(self, action: PlannedAction, progress: ExecutionProgress) -> StepContext:
        return StepContext(
            run=progress.told_run,
            outputs=_gather_outputs(action, progress),
            followers=tuple(progress.graph.nodes[each].name for each in progress.graph.children(action.action_id)),
            on_overdue=lambda: progress.end(action.action_id),
            may_act=lambda: progress.may_act(action.action_id),
            find_shown=lambda: progress.find_shown(action.action_id),
            hand_over=lambda writing: progress.take_writing(action.action_id, writing),
            settle=progress.settle,
        )

    async def _perform(self, action: PlannedAction, progress: ExecutionProgress, step: StepContext) -> StepLog:
        run, started_ms = progress.run, progress.elapsed_s * 1000
        if run.limits.stop.is_set():
            return _log_unstarted(action, "cancelled", _STOPPED_BEFORE)
        try:
            run.limits.budget.check(progress.elapsed_s, progress.started)
        except BudgetError as error:
            return _log_unstarted(action, "refused", error.info())
        progress.started += 1
        progress.telling.start(action)
        step = replace(step, left_s=run.limits.budget.find_left(progress.elapsed_s))
        log = await self._performer.perform(action, step)
        return replace(log, result=replace(log.result, started_ms=round(started_ms, 3)))

    async def _cancel(self, progress: ExecutionProgress) -> None:
        """End what still runs and write the receipts of what never will."""
        tasks = dict(progress.running)
        progress.running.clear()
        for task in tasks.values():
            task.cancel()
        if tasks:
            await asyncio.wait(tasks.values(), timeout=_CANCELLING_S)
        for action_id, task in tasks.items():
            action = progress.graph.nodes[action_id]
            if not task.done():
                _record(progress, self._leave(task, action, progress, "The run was stopped", "cancelled"))
            elif not task.cancelled():  # one that was cancelled had not even begun
                _record(progress, task.result())
        unstarted = [action for action_id, action in progress.graph.nodes.items() if action_id not in progress.logs]
        for action in unstarted:
            _record(progress, _log_unstarted(action, "cancelled", _STOPPED_BEFORE))

    def _leave(
        self,
        task: asyncio.Task[StepLog],
        action: PlannedAction,
        progress: ExecutionProgress,
        why: str,
        status: Status = "failed",
    ) -> StepLog:
        """Let a tool that doesn't end in time end by itself, with what it holds; what it did is not known."""
        self._keep(task, progress.run.run_id)
        acting = action.action_class == "actuate" and action.action_id in progress.acting
        text = f"{why} during this step, which has not ended yet."
        log = _log_unstarted(action, status, ErrorInfo("outcome_unknown" if acting else "timed_out", text))
        return replace(log, result=replace(log.result, effect="unverified" if acting else "none"))


def _read_preview(task: asyncio.Task[Preview | None], action: PlannedAction) -> Preview | ErrorInfo | None:
    """Return what a tool said, or why it said nothing."""
    if not task.done() or task.cancelled():
        return ErrorInfo("timed_out", f"The preview of {action.name} took too long.")
    error = task.exception()
    if isinstance(error, SurehandError):
        return error.info()
    if error:
        text = f"The preview of {action.name} failed: {type(error).__name__}: {error}"
        return ErrorInfo("internal_error", text, "This is a fault in Surehand.")
    return task.result()


def _find_cause(action_id: str, progress: ExecutionProgress) -> StepLog | None:
    """Return the step whose end keeps an action from being done: the first that went wrong, not one skipped for it."""
    for parent in progress.graph.parents(action_id):
        log = progress.logs[parent]
        if log.result.status != "ok":
            return progress.causes.get(parent, log)
    return None


def _gather_outputs(action: PlannedAction, progress: ExecutionProgress) -> dict[str, Mapping[str, Any]]:
    """Return by goal id what the steps before an action gave; others may or may not have run yet, so they don't count."""
    found: dict[str, Mapping[str, Any]] = {}
    waiting = list(progress.graph.parents(action.action_id)) if has_reference(action.args) else []
    seen = set(waiting)
    while waiting:
        log = progress.logs[waiting.pop()]
        found[log.goal_id] = {**log.result.output, **found.get(log.goal_id, {})}
        fresh = [parent for parent in progress.graph.parents(log.action_id) if parent not in seen]
        seen.update(fresh)
        waiting += fresh
    return found


def _record(progress: ExecutionProgress, log: StepLog) -> None:
    progress.record(_add_scope(log, progress))


def _add_scope(log: StepLog, progress: ExecutionProgress) -> StepLog:
    return log if log.scope else replace(log, scope=progress.run.name_scope(log.goal_id))


def _log_skipped(action: PlannedAction, cause: StepLog, number: int) -> StepLog:
    """Return the log of an action that another one keeps from being done; ``number`` is the other's place in the plan."""
    error = cause.result.error
    why = error.code if error else cause.result.status
    reason = f" ({tell_code(error.code)})" if error else ""
    text = f"Skipped: step {number} {_ENDED.get(cause.result.status, 'was not done')}{reason}."
    code = why if why == _NOT_SELECTED.code else "skipped"
    return _log_unstarted(action, "skipped", ErrorInfo(code, text, evidence={"cause": cause.action_id}))


def _log_unstarted(action: PlannedAction, status: Status, error: ErrorInfo) -> StepLog:
    result = ToolResult(status, error=error)
    return StepLog(action.action_id, action.goal_id, action.name, action.description, result)
