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

What waits for the rows of a loop, and what is done whatever happened (``StepTerms``), is held back. When nothing else goes on, the loop
is opened: its rounds take the place of its body in the plan, and the plan is gone on with. Last, also after a stop, what is done
whatever happened is done, with a limit of its own.

A tool that doesn't end when it is told to keeps its locks until it does, and its act counts as unknown. Nothing here knows a
domain or a verb.
"""

import asyncio
import time
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, Protocol
from weakref import WeakValueDictionary

from core.base.errors import BudgetError, ErrorInfo
from core.execution.conditions import add_evidence, answer_question, try_step
from core.execution.loops import open_rounds
from core.execution.progress import STOPPED_BEFORE, ExecutionProgress, look_ahead
from core.execution.receipts import (
    NOT_SELECTED,
    add_scope,
    check_need,
    find_cause,
    gather_outputs,
    log_skipped,
    log_unstarted,
    record,
)
from core.execution.rounds import find_open_loop
from core.execution.run_context import RunContext, StepContext
from core.journal.resume import OpenAct
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction
from core.results.tool_results import Finding, Status, StepLog
from core.tools.ports import ActionContext
from core.tools.previews import Preview

_CANCELLING_S = 0.15
"""Seconds that running tools have to end after a stop; ``stop`` promises 200 ms in all."""

_CLOSING_S = 5.0
"""Seconds that tools which ignored a stop have to end before what they use is closed under them."""

NOTHING_KNOWN: Mapping[str, StepLog] = MappingProxyType({})

ENDING_S = 30.0
"""Seconds that what is done whatever happened has after a stop, or once the run's time is used up."""

_LOOKING_S = 5.0
"""Seconds after which looking at what a plan would change begins with no further action."""

_NOT_LOOKED_AT = ErrorInfo(
    "not_known_yet", "No preview yet: earlier previews took too long. It is shown when the step asks for approval."
)


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
        self._performer = performer
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._leftovers: dict[asyncio.Task[Any], str] = {}

    async def execute(
        self, graph: PlanGraph, run: RunContext, known: Mapping[str, StepLog] = NOTHING_KNOWN
    ) -> tuple[StepLog, ...]:
        """Run every action whose parents succeeded; skip the others.

        Args:
            graph: What to run; its results are filled in.
            run: What it is carried out in; setting ``run.limits.stop`` ends the run within 200 ms, but for what is done
                whatever happened: that has 30 seconds.
            known: Receipts of actions that ended before, when the run was interrupted; those are not run.

        Returns:
            One receipt per action, in plan order; those of a loop's rounds stand where its body was.
        """
        progress = ExecutionProgress(graph, run, known)
        stopper = asyncio.create_task(run.limits.stop.wait())
        stopper.add_done_callback(lambda _: progress.woken.set())
        try:
            await self._run_all(progress)
            if progress.needs_ending:
                usual = [action for action in progress.graph.nodes.values() if not action.terms.always]
                await self._cancel(progress, usual)
                await self._run_ending(progress)
        finally:
            stopper.cancel()
            await self._cancel(progress, progress.graph.nodes.values())
            await progress.settle(_CANCELLING_S)
        return tuple(progress.logs[action_id] for action_id in progress.graph.nodes)

    async def preview(self, graph: PlanGraph, run: RunContext) -> Mapping[str, Preview | ErrorInfo]:
        """Ask what the actions that need ``apply_diff`` or ``confirm`` would change, as the world is now; nothing is done.

        Args:
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
                keep = partial(self._keep, run_id=run.run_id)
                if preview := await look_ahead(self._performer.preview, action, run, left_s, keep):
                    found[action.action_id] = preview
        return found

    async def reconcile(self, act: OpenAct, run: RunContext) -> Finding:
        """Return whether an act that was begun in a process that ended was carried out, as far as the world tells."""
        return await self._performer.reconcile(act, run.make_action_context(act.action))

    def _keep(self, task: asyncio.Task[Any], run_id: str) -> None:
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
        await self._run_part(progress)
        while not progress.run.limits.stop.is_set():
            opened = find_open_loop(progress.graph, progress.logs, progress.waiting)
            if opened is None:
                return
            await open_rounds(opened, progress)
            await self._run_part(progress)

    async def _run_ending(self, progress: ExecutionProgress) -> None:
        """Do what is done whatever happened; a stop gives it a limit, and doesn't end it."""
        ending = asyncio.Event()
        timer = asyncio.create_task(_end_later(progress.run.limits.stop, ending))
        timer.add_done_callback(lambda _: progress.woken.set())
        progress.begin_ending(ending, ENDING_S)
        try:
            await self._run_all(progress)
        finally:
            timer.cancel()

    async def _run_part(self, progress: ExecutionProgress) -> None:
        queue = progress.graph.sorter()
        queue.prepare()
        order = {action_id: index for index, action_id in enumerate(progress.graph.nodes)}
        while queue.is_active():
            ready = sorted(queue.get_ready(), key=order.__getitem__)
            over = [action_id for action_id in ready if not self._start(action_id, progress)]
            if over:
                queue.done(*over)
            if not progress.running:
                if not over:
                    return
                continue
            await progress.woken.wait()
            progress.telling.check()
            if progress.run.limits.stop.is_set():
                return
            for action_id, task in progress.take_ended():
                del progress.running[action_id]
                action = progress.graph.nodes[action_id]
                record(
                    progress, task.result() if task.done() else self._leave(task, action, progress, "Its time ran out")
                )
                queue.done(action_id)

    def _start(self, action_id: str, progress: ExecutionProgress) -> bool:
        action = progress.graph.nodes[action_id]
        if action_id in progress.logs:
            return False
        if action_id in progress.known:
            log = answer_question(action, progress.known[action_id])
            progress.logs[action_id] = add_scope(log, progress)
            progress.graph.results[action_id] = log.result
            self._performer.recall(action, log, progress.run)
            return False
        if action.terms.always and not progress.is_ending:
            return True
        if action_id in progress.run.limits.left_out:
            record(progress, log_unstarted(action, "skipped", NOT_SELECTED))
            return False
        cause = find_cause(action_id, progress)
        if cause:
            progress.causes[action_id] = cause
            record(progress, log_skipped(action, cause, progress.graph.number(cause.action_id)))
            return False
        if action.terms.loop:
            progress.waiting.append(action_id)
            return True
        if not check_need(action, progress):
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
            return log_unstarted(action, "cancelled", STOPPED_BEFORE)

    def _make_step(self, action: PlannedAction, progress: ExecutionProgress) -> StepContext:
        return StepContext(
            run=progress.told_run,
            outputs=gather_outputs(action, progress),
            followers=tuple(progress.graph.nodes[each].name for each in progress.graph.children(action.action_id)),
            on_overdue=lambda: progress.end(action.action_id),
            may_act=lambda: progress.may_act(action.action_id),
            find_shown=lambda: progress.find_shown(action.action_id),
            hand_over=lambda writing: progress.take_writing(action.action_id, writing),
            settle=progress.settle,
        )

    async def _perform(self, action: PlannedAction, progress: ExecutionProgress, step: StepContext) -> StepLog:
        started_ms = progress.elapsed_s * 1000
        is_told = False

        async def attempt() -> StepLog:
            nonlocal is_told
            log = await self._attempt(action, progress, step, is_told=is_told)
            is_told = True
            return log

        log = await try_step(action, attempt, lambda: progress.may_try(action.action_id))
        log = add_evidence(log, progress.decided.get(action.action_id))
        return replace(log, result=replace(log.result, started_ms=round(started_ms, 3)))

    async def _attempt(
        self, action: PlannedAction, progress: ExecutionProgress, step: StepContext, *, is_told: bool
    ) -> StepLog:
        run = progress.run
        if run.limits.stop.is_set():
            return log_unstarted(action, "cancelled", STOPPED_BEFORE)
        try:
            run.limits.budget.check(progress.elapsed_s, progress.started)
        except BudgetError as error:
            return log_unstarted(action, "refused", error.info())
        progress.started += 1
        if not is_told:
            progress.telling.start(action)
        step = replace(step, left_s=run.limits.budget.find_left(progress.elapsed_s))
        return await self._performer.perform(action, step)

    async def _cancel(self, progress: ExecutionProgress, actions: Iterable[PlannedAction]) -> None:
        tasks = dict(progress.running)
        progress.running.clear()
        for task in tasks.values():
            task.cancel()
        if tasks:
            await asyncio.wait(tasks.values(), timeout=_CANCELLING_S)
        for action_id, task in tasks.items():
            action = progress.graph.nodes[action_id]
            if not task.done():
                record(progress, self._leave(task, action, progress, "The run was stopped", "cancelled"))
            elif not task.cancelled():  # one that was cancelled had not even begun
                record(progress, task.result())
        unstarted = [action for action in actions if action.action_id not in progress.logs]
        for action in unstarted:
            record(progress, log_unstarted(action, "cancelled", STOPPED_BEFORE))

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
        log = log_unstarted(action, status, ErrorInfo("outcome_unknown" if acting else "timed_out", text))
        return replace(log, result=replace(log.result, effect="unverified" if acting else "none"))


async def _end_later(stop: asyncio.Event, ending: asyncio.Event) -> None:
    await stop.wait()
    await asyncio.sleep(ENDING_S)
    ending.set()
